//! Statements that change places, in either direction.

use retrograd::ErrorKind as Law;
use retrograd::check::Tolerance;
use retrograd_compiler::analysis::Context;
use retrograd_compiler::ir::{
    BinaryOp, Binding, BindingKind, Elementary, Expr, ExprKind, Flip, FlipOp, Map, MapFn, Permutation, Permute,
    Records, Stmt, Swap, Update, UpdateOp,
};
use retrograd_compiler::print;

use crate::elementary;
use crate::error::{Result, panics, unfit, unsupported};
use crate::eval::{binary, complex};
use crate::machine::{Machine, Way};
use crate::memory::View;
use crate::number::{Float, Int, Repr, operator, opposite};
use crate::value::{Ref, Step, Value};

impl<'m> Machine<'m> {
    /// `y op= e`, or its inverse.
    pub(crate) fn update(&mut self, s: &'m Update, stmt: &'m Stmt, way: Way) -> Result<()> {
        let op = if way == Way::Forwards { s.op } else { opposite(s.op) };
        let operand = self.operand(s)?;
        let place = self.place(&s.target)?;
        self.check_operand(s, &place, stmt)?;
        if matches!(op, UpdateOp::Mul | UpdateOp::Div) {
            self.check_factor(op, &place, &operand, stmt)?;
        }
        let target = std::mem::replace(self.memory.at(&place)?, Value::Unit);
        self.overwritten += target.bits();
        let updated = updated(op, target.clone(), operand);
        let (value, failure) = match updated {
            Ok(value) => (value, Ok(())),
            Err(error) => (target, Err(error)),
        };
        *self.memory.at(&place)? = value;
        failure
    }

    /// What `*=` and `/=` need, so that they undo each other.
    fn check_factor(&self, op: UpdateOp, place: &Ref, operand: &Value, stmt: &'m Stmt) -> Result<()> {
        match operand {
            Value::Float(x) if self.checks() && is_no_factor(x) => {
                let name = if op == UpdateOp::Mul { "the factor" } else { "the divisor" };
                let expected = "a finite number other than zero".into();
                self.broken(Law::ZeroFactor, stmt, name.into(), expected, x.to_string())
            }
            Value::Int(n) => {
                let View::One(Value::Int(y)) = self.memory.view(place)? else { return Ok(()) };
                let kind = y.kind.or(n.kind);
                let (least, most) = kind.map_or((i128::MIN, i128::MAX), |kind| kind.range());
                let (exact, sign) = match op {
                    UpdateOp::Mul => (y.value.checked_mul(n.value).is_some_and(|p| (least..=most).contains(&p)), "*"),
                    _ => (y.value.checked_rem(n.value) == Some(0) && !(y.value == least && n.value == -1), "/"),
                };
                if exact && n.value != 0 {
                    return Ok(());
                }
                let name = kind.map_or_else(|| "the integers".to_string(), |kind| kind.to_string());
                let expected = format!("a nonzero operand, and an exact result in the range of {name}");
                let actual = format!("{} {sign} {}", y.value, n.value);
                self.broken(Law::LossyInteger, stmt, "the result".into(), expected, actual)
            }
            _ => Ok(()),
        }
    }

    /// The operand of an update does not read what the update changes, also where indices do not show that.
    fn check_operand(&mut self, s: &'m Update, place: &Ref, stmt: &'m Stmt) -> Result<()> {
        // Derived programs have a statement for it, and a program that records keeps what it needs.
        let records = self.frame.program.records != Records::Nothing;
        if !self.checks() || self.compiled.is_some() || records || s.target.path.is_empty() {
            return Ok(());
        }
        let mut reads = Vec::new();
        s.operand.walk(&mut |e| {
            let same = e.as_place().is_some_and(|read| read.root == s.target.root && read.indices().next().is_some());
            if same {
                reads.push(e);
            }
        });
        for read in reads {
            // What a closure binds has no place here.
            if let Ok(Some(read)) = self.place_of(read)
                && read == *place
                && let Some(Step::Part(index)) = place.path.last()
            {
                let name = self.frame.program.var(s.target.root).written.clone();
                let actual = format!("{index} twice");
                return self.broken(Law::EqualIndices, stmt, name, "different indices".into(), actual);
            }
        }
        Ok(())
    }

    /// `y = -y`, `b = !b`
    pub(crate) fn flip(&mut self, s: &'m Flip) -> Result<()> {
        let place = self.place(&s.target)?;
        let value = self.memory.at(&place)?;
        *value = flipped(s.op, value.clone())?;
        let bits = value.bits();
        self.overwritten += bits;
        Ok(())
    }

    /// `y = m(y)`, or its inverse.
    pub(crate) fn map(&mut self, s: &'m Map, stmt: &'m Stmt, way: Way) -> Result<()> {
        let (there, back) = match way {
            Way::Forwards => (false, true),
            Way::Backwards => (true, false),
        };
        let place = self.place(&s.target)?;
        let Value::Float(before) = self.memory.at(&place)?.clone() else {
            return unfit("a bijection is one of numbers");
        };
        let after = self.bijected(&s.function, there, before)?;
        if self.checks() {
            let again = self.bijected(&s.function, back, after)?;
            if !Tolerance::current().allows(before.value(), again.value()) {
                let variable = print::place(&self.frame.program.vars, &s.target);
                return self.broken(Law::RoundTrip, stmt, variable, before.to_string(), again.to_string());
            }
        }
        *self.memory.at(&place)? = Value::Float(after);
        self.overwritten += Value::Float(before).bits();
        Ok(())
    }

    /// A bijection of a number, or its inverse.
    fn bijected(&mut self, function: &'m MapFn, inverse: bool, x: Float) -> Result<Float> {
        match function {
            MapFn::Method(function) => match inverse_of(*function) {
                Some(other) => elementary::apply(if inverse { other } else { *function }, &[x]),
                None => unsupported(format!("the bijection `{}`", function.name())),
            },
            MapFn::Function { path, inverse: written } => {
                let name = path.last().to_string();
                let name = if inverse != *written { format!("{name}::inverse") } else { name };
                let Some(program) = self.module.programs.get(&name) else {
                    return unsupported(format!("the bijection `{name}`"));
                };
                match self.call_written(program, vec![Value::Float(x)], Way::Forwards)? {
                    Value::Float(x) => Ok(x),
                    other => unfit(format!("{} is no number", other.kind())),
                }
            }
        }
    }

    /// `swap(&mut a, &mut b)`
    pub(crate) fn swap(&mut self, s: &'m Swap, stmt: &'m Stmt) -> Result<()> {
        let (a, b) = (self.place(&s.a)?, self.place(&s.b)?);
        self.check_apart(&a, &b, stmt)?;
        let (first, second) = (self.memory.view(&a)?.to_value(), self.memory.view(&b)?.to_value());
        self.memory.store(&a, second)?;
        self.memory.store(&b, first)
    }

    /// In every build: two places in one statement are not the same.
    pub(crate) fn check_apart(&self, a: &Ref, b: &Ref, stmt: &'m Stmt) -> Result<()> {
        match (a == b, a.path.last()) {
            (false, _) => Ok(()),
            (true, Some(Step::Part(i))) => {
                let (expected, actual) = ("no element twice".into(), format!("[{i}, {i}]"));
                self.broken(Law::EqualIndices, stmt, "the indices".into(), expected, actual)
            }
            (true, _) => unfit("a place is passed twice to be changed"),
        }
    }

    /// `a.swap(i, j)` and its kin.
    pub(crate) fn permute(&mut self, s: &'m Permute, way: Way) -> Result<()> {
        let mut index = |e: &'m Expr| self.int(e).and_then(Int::index);
        enum Done {
            Swap(usize, usize),
            Reverse,
            Left(usize),
            Right(usize),
        }
        let done = match (&s.permutation, way) {
            (Permutation::Swap(i, j), _) => Done::Swap(index(i)?, index(j)?),
            (Permutation::Reverse, _) => Done::Reverse,
            (Permutation::RotateLeft(k), Way::Forwards) | (Permutation::RotateRight(k), Way::Backwards) => {
                Done::Left(index(k)?)
            }
            (Permutation::RotateRight(k), Way::Forwards) | (Permutation::RotateLeft(k), Way::Backwards) => {
                Done::Right(index(k)?)
            }
        };
        let place = self.place(&s.target)?;
        let elements = self.memory.elements_at(&place)?;
        let len = elements.len();
        match done {
            Done::Swap(i, j) => match [i, j].into_iter().find(|i| *i >= len) {
                Some(i) => return panics(format!("index out of bounds: the len is {len} but the index is {i}")),
                None => elements.swap(i, j),
            },
            Done::Reverse => elements.reverse(),
            Done::Left(k) | Done::Right(k) if k > len => return panics("assertion failed: mid <= self.len()"),
            Done::Left(k) => elements.rotate_left(k),
            Done::Right(k) => elements.rotate_right(k),
        }
        Ok(())
    }

    /// A local begins to live.
    pub(crate) fn begin(&mut self, s: &'m Binding) -> Result<()> {
        let kind = s.ty.as_ref().and_then(|ty| self.number_type(ty));
        let value = match s.kind {
            BindingKind::View => self.lent(&s.value)?,
            _ if kind.is_some() => self.value_as(&s.value, kind)?,
            _ => self.eval(&s.value)?,
        };
        // An ancilla holds a value of its own, unless it is a reference by itself.
        let refers = matches!(s.value.kind, ExprKind::Ref(_) | ExprKind::RefMut(_))
            || matches!(s.kind, BindingKind::Let | BindingKind::View);
        let value = if refers { value } else { self.memory.load(value)? };
        let mut value = match (&s.ty, value) {
            (Some(ty), value) if !matches!(value, Value::Ref(_)) => self.coerced(value, ty)?,
            (_, value) => value,
        };
        if s.constant {
            value = self.memory.load(value)?;
            value.each_float_mut(&mut |float| float.tangent = 0.0);
        }
        self.overwritten += value.bits();
        self.bound(&s.pattern, value)
    }

    /// The value with which a local has to end.
    pub(crate) fn end(&mut self, s: &'m Binding, stmt: &'m Stmt) -> Result<()> {
        if !self.checks() || s.kind != BindingKind::Manual {
            return Ok(());
        }
        let expected = self.value(&s.value)?;
        let Some(var) = s.pattern.as_var() else { return Ok(()) };
        let actual = self.memory.load(self.var(var).clone())?;
        match mismatch(&expected, &actual) {
            None => Ok(()),
            Some((path, expected, actual)) => {
                let variable = format!("{}{path}", self.frame.program.var(var).written);
                self.broken(Law::Released, stmt, variable, expected, actual)
            }
        }
    }

    /// A condition that has to have a value.
    pub(crate) fn check_condition(&mut self, e: &'m Expr, expected: bool, law: Law, stmt: &'m Stmt) -> Result<()> {
        if !self.checks() {
            return Ok(());
        }
        let actual = self.truth(e)?;
        if actual == expected {
            return Ok(());
        }
        let context = Context::new(self.frame.program);
        self.broken(law, stmt, print::expr(context.vars, e), expected.to_string(), actual.to_string())
    }
}

/// Whether a product by it cannot be undone.
fn is_no_factor(x: &Float) -> bool {
    match x.repr {
        Repr::Tropical(x) => x.is_none(),
        Repr::Log(_) => x.value() == 0.0,
        Repr::Open(_) | Repr::F64(_) | Repr::F32(_) | Repr::Fixed(..) => x.value() == 0.0 || !x.value().is_finite(),
    }
}

/// `y op e`, where numbers are made alike.
fn updated(op: UpdateOp, target: Value, operand: Value) -> Result<Value> {
    match (target, operand) {
        // Element by element, as the types of the library do.
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            let all = a.into_iter().zip(b).map(|(a, b)| updated(op, a, b));
            Ok(Value::List(all.collect::<Result<_>>()?))
        }
        (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
            let all = a.into_iter().zip(b).map(|(a, b)| updated(op, a, b));
            Ok(Value::Tuple(all.collect::<Result<_>>()?))
        }
        (a, b) => {
            let divided = (op == UpdateOp::Div).then(|| complex::divided(&a, &b)).flatten();
            divided.unwrap_or_else(|| binary(operator(op), a, b))
        }
    }
}

pub(crate) fn flipped(op: FlipOp, value: Value) -> Result<Value> {
    Ok(match (op, value) {
        (FlipOp::Neg, Value::Float(x)) => Value::Float(x.negated()),
        (FlipOp::Neg, Value::Int(n)) => Value::Int(n.fitted(n.value.checked_neg(), "negate")?),
        (FlipOp::Neg, Value::Unit) => Value::Unit,
        (FlipOp::Neg, Value::List(all)) => {
            Value::List(all.into_iter().map(|value| flipped(op, value)).collect::<Result<_>>()?)
        }
        (FlipOp::Neg, Value::Tuple(all)) => {
            Value::Tuple(all.into_iter().map(|value| flipped(op, value)).collect::<Result<_>>()?)
        }
        (FlipOp::Not, Value::Bool(b)) => Value::Bool(!b),
        (FlipOp::Not, Value::Int(n)) => {
            Value::Int(Int { value: n.kind.map_or(!n.value, |kind| kind.wrap(!n.value)), ..n })
        }
        (op, other) => {
            let negated = (op == FlipOp::Neg).then(|| complex::negated(&other)).flatten();
            return negated.unwrap_or_else(|| unsupported(format!("a flip of {}", other.kind())));
        }
    })
}

/// The function that undoes a bijection.
fn inverse_of(function: Elementary) -> Option<Elementary> {
    const PAIRS: [(Elementary, Elementary); 7] = [
        (Elementary::Exp, Elementary::Ln),
        (Elementary::ExpM1, Elementary::Ln1p),
        (Elementary::Sinh, Elementary::Asinh),
        (Elementary::Tanh, Elementary::Atanh),
        (Elementary::Cube, Elementary::Cbrt),
        (Elementary::Recip, Elementary::Recip),
        (Elementary::Conj, Elementary::Conj),
    ];
    PAIRS.iter().find_map(|(a, b)| match function {
        f if f == *a => Some(*b),
        f if f == *b => Some(*a),
        _ => None,
    })
}

/// The first place where two values differ, by the tolerance in force.
pub(crate) fn mismatch(expected: &Value, actual: &Value) -> Option<(String, String, String)> {
    let differ = || Some((String::new(), expected.to_string(), actual.to_string()));
    match (expected, actual) {
        (Value::Float(a), Value::Float(b)) => {
            let same = match (a.repr, b.repr) {
                (Repr::Fixed(..), Repr::Fixed(..)) | (Repr::Log(_), Repr::Log(_)) => a == b,
                (Repr::Open(_), Repr::Fixed(..)) => a.like(b.repr).is_ok_and(|a| a == *b),
                (Repr::F32(_), _) | (_, Repr::F32(_)) => {
                    let tolerance = Tolerance { relative: 1.0 / 4096.0, absolute: 1.0 / 4096.0 };
                    tolerance.allows(a.value(), b.value())
                }
                _ => Tolerance::current().allows(a.value(), b.value()),
            };
            if same { None } else { differ() }
        }
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) | (Value::Stack(a), Value::Stack(b)) => {
            if a.len() != b.len() {
                return differ();
            }
            let tuple = matches!(expected, Value::Tuple(_));
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.find_map(|(i, (a, b))| {
                let (path, expected, actual) = mismatch(a, b)?;
                let own = if tuple { format!(".{i}") } else { format!("[{i}]") };
                Some((format!("{own}{path}"), expected, actual))
            })
        }
        (Value::Struct(_, a), Value::Struct(_, b)) => a.iter().zip(b).find_map(|((name, a), (_, b))| {
            let (path, expected, actual) = mismatch(a, b)?;
            Some((format!(".{name}{path}"), expected, actual))
        }),
        (Value::Slots(a), Value::Slots(b)) if a.all.iter().map(|(key, _)| key).eq(b.all.iter().map(|(key, _)| key)) => {
            a.all.iter().zip(&b.all).find_map(|((key, a), (_, b))| {
                let (path, expected, actual) = mismatch(a, b)?;
                Some((format!("[{key}]{path}"), expected, actual))
            })
        }
        (a, b) => {
            if a == b {
                None
            } else {
                differ()
            }
        }
    }
}

/// `a op b` for numbers that are known to be floats.
pub(crate) fn float(op: BinaryOp, a: Float, b: Float) -> Result<Float> {
    Float::binary(op, a, b)
}
