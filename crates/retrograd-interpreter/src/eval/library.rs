//! Paths and calls of functions: those of the module, of numbers, and of the library.

use retrograd_compiler::ir::{BinaryOp, Elementary, Expr, ExprKind, Path, Program, UnaryOp};
use retrograd_compiler::span::Span;

use super::complex;
use super::expr::compared;
use crate::elementary;
use crate::error::{Result, panics, unfit, unsupported};
use crate::machine::{Machine, Way};
use crate::number::{Float, Int, IntKind, Repr};
use crate::rewritten::variant;
use crate::slots::Slots;
use crate::value::Value;

impl<'m> Machine<'m> {
    /// A path that is a value.
    pub(super) fn path(&mut self, path: &'m Path) -> Result<Value> {
        let name = path.last().to_string();
        if let Some(owner) = path.before() {
            let owner = owner.to_string();
            if let Some(kind) = IntKind::by_name(&owner) {
                let (least, most) = kind.range();
                return match name.as_str() {
                    "MAX" => Ok(Value::Int(Int { kind: Some(kind), value: most })),
                    "MIN" => Ok(Value::Int(Int { kind: Some(kind), value: least })),
                    "BITS" => Ok(Value::Int(Int { kind: IntKind::by_name("u32"), value: kind.bits.into() })),
                    _ => unsupported(format!("`{owner}::{name}`")),
                };
            }
            if owner == "f64" || owner == "f32" {
                let value = match name.as_str() {
                    "MAX" => f64::MAX,
                    "MIN" => f64::MIN,
                    "INFINITY" => f64::INFINITY,
                    "NEG_INFINITY" => f64::NEG_INFINITY,
                    "NAN" => f64::NAN,
                    "EPSILON" => f64::EPSILON,
                    _ => return unsupported(format!("`{owner}::{name}`")),
                };
                let kind = if owner == "f64" { Repr::F64(0.0) } else { Repr::F32(0.0) };
                return Ok(Value::Float(Float::of(kind, value)?));
            }
        }
        match name.as_str() {
            "None" => return Ok(Value::Option(None)),
            "PI" | "TAU" | "E" | "LN_2" | "LN_10" | "FRAC_PI_2" | "FRAC_PI_4" | "SQRT_2"
                if path.segments.iter().any(|segment| segment.name == "consts")
                    || !self.module.constants.contains_key(&name) =>
            {
                use std::f64::consts;
                let value = match name.as_str() {
                    "PI" => consts::PI,
                    "TAU" => consts::TAU,
                    "E" => consts::E,
                    "LN_2" => consts::LN_2,
                    "LN_10" => consts::LN_10,
                    "FRAC_PI_2" => consts::FRAC_PI_2,
                    "FRAC_PI_4" => consts::FRAC_PI_4,
                    _ => consts::SQRT_2,
                };
                let single = path.segments.iter().any(|segment| segment.name == "f32");
                return Ok(Value::Float(Float::of(if single { Repr::F32(0.0) } else { Repr::F64(0.0) }, value)?));
            }
            _ => {}
        }
        self.named_constant(&name)
    }

    /// The length of an array, a constant of the module, a unit struct or a variant.
    pub(super) fn named_constant(&mut self, name: &str) -> Result<Value> {
        let module = self.module;
        if let Some((_, length)) = self.frame.lengths.iter().find(|(own, _)| own == name) {
            return Ok(Value::usize(*length));
        }
        match module.constants.get(name) {
            Some(program) => self.call(program, Vec::new(), |machine, program| machine.whole(program)),
            None if name.starts_with(char::is_uppercase) && name.chars().any(char::is_lowercase) => {
                Ok(Value::Struct(name.into(), Vec::new()))
            }
            None => unsupported(format!("the name `{name}`")),
        }
    }

    /// Arguments of a call: references stay references.
    pub(crate) fn arguments(&mut self, args: &'m [Expr]) -> Result<Vec<Value>> {
        self.all(args)
    }

    pub(super) fn call_expression(&mut self, callee: &'m Expr, args: &'m [Expr], e: &'m Expr) -> Result<Value> {
        match &callee.kind {
            ExprKind::Path(path) => {
                let args = self.arguments(args)?;
                self.call_path(path, args, e.span)
            }
            ExprKind::Closure { .. } => {
                let args = self.arguments(args)?;
                self.apply(callee, args)
            }
            ExprKind::Unary(UnaryOp::Deref, inner) => self.call_expression(inner, args, e),
            _ => unsupported("a call of what has no name"),
        }
    }

    /// A call of something by its path.
    pub(super) fn call_path(&mut self, path: &'m Path, args: Vec<Value>, span: Span) -> Result<Value> {
        if let Some(program) = self.program_at(path) {
            self.check_types(program, path)?;
            return self.call_function(program, args, span);
        }
        let name = path.last().to_string();
        if path.in_runtime().is_some() && name == "rows_apart" {
            return self.rows_apart(args);
        }
        match path.owner().map(|owner| owner.to_string()).as_deref() {
            Some("Vec") if name == "new" || name == "with_capacity" => return Ok(Value::List(Vec::new())),
            Some("Stack") if name == "new" => return Ok(Value::Stack(Vec::new())),
            Some("Slots") if name == "new" => return Ok(Value::Slots(Slots::default())),
            Some("Slots") if name == "from_iter" => return self.slots_of(args),
            Some("InformationBuffer") if name == "new" => return Ok(Value::Information(Box::default())),
            Some("Box" | "Rc") if name == "new" => return self.one(args),
            Some(complex::COMPLEX) => {
                let args = args.into_iter().map(|arg| self.memory.load(arg)).collect::<Result<Vec<_>>>()?;
                return complex::associated(&name, &args);
            }
            Some(owner) => {
                if let Some(kind) = self.numbers_named(owner, path) {
                    return self.of_number_type(kind, owner, &name, args);
                }
            }
            None => {}
        }
        // The names of integer types are no type names by their looks.
        if let Some(kind) = path.before().and_then(|before| IntKind::by_name(&before.to_string())) {
            return match (name.as_str(), self.one(args)?) {
                ("from", Value::Int(int)) => Ok(Value::Int(Int { kind: Some(kind), ..int })),
                ("from", Value::Bool(b)) => Ok(Value::Int(Int { kind: Some(kind), value: b.into() })),
                _ => unsupported(format!("`{}::{name}` of this", path.segments[0].name)),
            };
        }
        if name == "Some" {
            return Ok(Value::Option(Some(Box::new(self.one(args)?))));
        }
        if path.is_constructor() {
            let args = args.into_iter().map(|arg| self.memory.load(arg)).collect::<Result<_>>()?;
            let name = if name == "Self" { self.own_type().unwrap_or(name) } else { name };
            return self.constructed(&name, args);
        }
        self.library_function(&name, args)
    }

    /// Rows of one slice, unless they overlap or are not in it.
    fn rows_apart(&mut self, args: Vec<Value>) -> Result<Value> {
        let [slice, firsts, count] = args.as_slice() else { return unsupported("rows of this") };
        let (Value::Ref(slice), Value::List(firsts), Value::Int(count)) = (slice, firsts, count) else {
            return unsupported("rows of this");
        };
        let (slice, count) = (self.memory.follow(slice.clone())?, count.index()?);
        let len = self.memory.len(&slice)?;
        let firsts = firsts.iter().map(|first| match first {
            Value::Int(first) => first.index(),
            _ => unsupported("a row that begins at this"),
        });
        let firsts = firsts.collect::<Result<Vec<usize>>>()?;
        let apart = |i: usize, a: usize| firsts[..i].iter().all(|b| a.abs_diff(*b) >= count);
        if !firsts.iter().enumerate().all(|(i, first)| first + count <= len && apart(i, *first)) {
            return Ok(Value::Option(None));
        }
        let rows = firsts.iter().map(|first| Ok(Value::Ref(self.memory.slice(&slice, *first, first + count)?)));
        Ok(Value::Option(Some(Box::new(Value::List(rows.collect::<Result<_>>()?)))))
    }

    /// `Slots::from_iter(pairs)`
    fn slots_of(&mut self, args: Vec<Value>) -> Result<Value> {
        let mut slots = Slots::default();
        let Value::List(pairs) = self.one(args)? else { return unsupported("slots from what is no list") };
        for pair in pairs {
            match self.memory.load(pair)? {
                Value::Tuple(both) => match <[Value; 2]>::try_from(both) {
                    Ok([key, value]) => slots.allocate(key, value)?,
                    Err(_) => return unfit("slots are made from pairs"),
                },
                _ => return unfit("slots are made from pairs"),
            }
        }
        Ok(Value::Slots(slots))
    }

    /// The program of the module that a path names.
    pub(crate) fn program_at(&self, path: &Path) -> Option<&'m Program> {
        let name = path.last().to_string();
        let of_type = path.owner().map(|owner| match owner {
            own if own == "Self" => self.own_type().unwrap_or_default(),
            own => own.to_string(),
        });
        let module = self.module;
        match of_type {
            Some(owner) => module.programs.get(&format!("{owner}::{name}")),
            None => module.programs.get(&name),
        }
    }

    /// The method of the module that is meant by a name, if the receiver is a struct that has it.
    pub(crate) fn program_of_method(&mut self, receiver: &'m Expr, name: &str) -> Result<Option<&'m Program>> {
        if !self.module.methods.contains(name) {
            return Ok(None);
        }
        let value = self.lent(receiver)?;
        Ok(self.method_of(&value, name))
    }

    /// The method of a value.
    pub(crate) fn method_of(&self, value: &Value, name: &str) -> Option<&'m Program> {
        let module = self.module;
        match self.memory.load(value.clone()).ok()? {
            Value::Struct(owner, _) => module.programs.get(&format!("{owner}::{name}")),
            _ => None,
        }
    }

    /// Calls a function of the module.
    pub(crate) fn call_function(&mut self, program: &'m Program, args: Vec<Value>, span: Span) -> Result<Value> {
        self.step().map_err(|error| self.at(error, span))?;
        match self.compiled {
            Some(_) => self.call_derived_function(program, args),
            None => self.call_written(program, args, Way::Forwards),
        }
    }

    /// The number type of that name, as a path says it: `f64`, `T`, `Fixed::<32>`, or a name for one of these.
    fn numbers_named(&self, owner: &str, path: &Path) -> Option<Repr> {
        let is_parameter = || self.frame.program.numbers.parameters.iter().any(|number| number == owner);
        match owner {
            "f64" => Some(Repr::F64(0.0)),
            "f32" => Some(Repr::F32(0.0)),
            "Tropical" => Some(Repr::Tropical(None)),
            "Fixed" => {
                let arguments = path.segments.iter().rev().nth(1).and_then(|segment| segment.arguments.as_ref());
                let written = arguments.and_then(|arguments| arguments.first()).map(|first| first.text().parse());
                Some(
                    written
                        .map_or(self.frame.number, |frac| frac.map_or(self.frame.number, |frac| Repr::Fixed(frac, 0))),
                )
            }
            "Real" => Some(self.frame.number),
            owner if is_parameter() => Some(self.parameter(owner)),
            owner => self.module.aliases.get(owner).and_then(|ty| self.number_type(ty)),
        }
    }

    fn one(&mut self, args: Vec<Value>) -> Result<Value> {
        match <[Value; 1]>::try_from(args) {
            Ok([value]) => self.memory.load(value),
            Err(_) => unfit("one argument was expected"),
        }
    }

    /// `T::zero()`, `f64::from(x)`, `Real::erf(x)`
    fn of_number_type(&mut self, kind: Repr, owner: &str, name: &str, args: Vec<Value>) -> Result<Value> {
        let loaded: Vec<Value> = args.into_iter().map(|arg| self.memory.load(arg)).collect::<Result<_>>()?;
        let number = |value: f64| Ok(Value::Float(Float::of(kind, value)?));
        if let Repr::Tropical(_) = kind {
            let value = match (name, loaded.as_slice()) {
                ("zero" | "default", []) => None,
                ("one", []) => Some(0.0),
                ("new", [Value::Float(x)]) => Some(x.value()),
                _ => return unsupported(format!("`{owner}::{name}`")),
            };
            let tangent = loaded.iter().flat_map(Value::tangents).sum();
            return Ok(Value::Float(Float { repr: Repr::Tropical(value), tangent }));
        }
        match (name, loaded.as_slice()) {
            ("zero" | "default", []) => number(0.0),
            ("one", []) => number(1.0),
            ("lit", [Value::Float(x)]) => number(x.value()),
            ("from_int", [Value::Int(n)]) => match kind {
                Repr::F32(_) => Ok(Value::Float(Float { repr: Repr::F32(n.value as f32), tangent: 0.0 })),
                _ => number(n.value as f64),
            },
            ("from", [Value::Int(n)]) => number(n.value as f64),
            ("from", [Value::Float(x)]) => Ok(Value::Float(match (kind, x.repr) {
                (Repr::F64(_), Repr::F32(_)) => Float { repr: Repr::F64(x.value()), tangent: x.tangent },
                _ => x.like(kind)?,
            })),
            ("powi", [Value::Float(x), Value::Int(n)]) => Ok(Value::Float(elementary::powi(*x, n.value as i32)?)),
            ("sin_cos", [Value::Float(x)]) => {
                let both = [Elementary::Sin, Elementary::Cos].map(|f| elementary::apply(f, &[*x]).map(Value::Float));
                Ok(Value::Tuple(both.into_iter().collect::<Result<_>>()?))
            }
            (name, all) => {
                let Some(function) = Elementary::by_name(name) else {
                    return unsupported(format!("`{owner}::{name}`"));
                };
                let floats = all.iter().map(|value| match value {
                    Value::Float(x) => Ok(*x),
                    other => unfit(format!("{} is no number", other.kind())),
                });
                Ok(Value::Float(elementary::apply(function, &floats.collect::<Result<Vec<_>>>()?)?))
            }
        }
    }

    /// A function of the library.
    pub(crate) fn library_function(&mut self, name: &str, args: Vec<Value>) -> Result<Value> {
        let mut lists = Vec::new();
        for arg in args {
            lists.push(self.memory.load(arg)?);
        }
        match (name, lists.as_slice()) {
            ("sum", [Value::List(x)]) => {
                let mut total = Value::Float(Float::of(self.frame.number, 0.0)?);
                if let Some(Value::Float(first)) = x.first() {
                    total = Value::Float(Float::of(first.repr, 0.0)?);
                }
                x.iter().try_fold(total, |total, x| super::binary(BinaryOp::Add, total, x.clone()))
            }
            ("product", [Value::List(x)]) => {
                let one = match x.first() {
                    Some(Value::Float(first)) => Float::of(first.repr, 1.0)?,
                    _ => Float::of(self.frame.number, 1.0)?,
                };
                x.iter().try_fold(Value::Float(one), |total, x| super::binary(BinaryOp::Mul, total, x.clone()))
            }
            ("dot", [Value::List(x), Value::List(y)]) => {
                if x.len() != y.len() {
                    return panics(format!("the inner product of {} numbers with {} numbers", x.len(), y.len()));
                }
                let zero = match x.first() {
                    Some(Value::Float(first)) => Float::of(first.repr, 0.0)?,
                    _ => Float::of(self.frame.number, 0.0)?,
                };
                let terms = x.iter().zip(y);
                terms
                    .map(|(x, y)| super::binary(BinaryOp::Mul, x.clone(), y.clone()))
                    .try_fold(Value::Float(zero), |total, term| super::binary(BinaryOp::Add, total, term?))
            }
            ("log_sum_exp", [Value::List(x)]) => log_sum_exp(x),
            ("maximum", [Value::List(x)]) => match largest(x)? {
                Some(i) => Ok(x[i].clone()),
                None => panics("the maximum of an empty slice"),
            },
            ("argmax", [Value::List(x)]) => match largest(x)? {
                Some(i) => Ok(Value::usize(i)),
                None => panics("the maximum of an empty slice"),
            },
            ("tropical_add", [Value::Float(a), Value::Float(b)]) => {
                Ok(Value::Float(if b.value() > a.value() { *b } else { *a }))
            }
            // Of equal ones the first, and of none the zero of the algebra.
            ("tropical_sum", [Value::List(x)]) => Ok(match largest(x)? {
                Some(i) => x[i].clone(),
                None => Value::Float(Float { repr: Repr::Tropical(None), tangent: 0.0 }),
            }),
            ("cmp", [a, b]) => match compared(a, b)? {
                Some(ordering) => Ok(variant(ordering)),
                None => unfit("`cmp` of what has no order"),
            },
            ("count_of_windows", [Value::Int(len), Value::Int(size)]) => {
                Ok(Value::usize((len.index()? + 1).saturating_sub(size.index()?)))
            }
            (name, _) => match self.module.refused.get(name) {
                Some(why) => unsupported(format!("the function `{name}`, which the language refuses: {why}")),
                None => unsupported(format!("the function `{name}`")),
            },
        }
    }
}

/// The place of the largest of some numbers.
fn largest(x: &[Value]) -> Result<Option<usize>> {
    let mut best: Option<usize> = None;
    for (i, value) in x.iter().enumerate() {
        match best {
            Some(at) if compared(value, &x[at])? != Some(std::cmp::Ordering::Greater) => {}
            _ => best = Some(i),
        }
    }
    Ok(best)
}

/// The logarithm of a sum of exponentials, about the largest of them.
fn log_sum_exp(x: &[Value]) -> Result<Value> {
    let Some(at) = largest(x)? else { return Ok(Value::Float(Float::open(f64::NEG_INFINITY))) };
    let floats = x.iter().map(|value| match value {
        Value::Float(x) => Ok(*x),
        other => unfit(format!("{} is no number", other.kind())),
    });
    let floats: Vec<Float> = floats.collect::<Result<_>>()?;
    let most = floats[at].still();
    let mut total = Float::of(most.repr, 0.0)?;
    for x in &floats {
        let term = elementary::apply(Elementary::Exp, &[Float::binary(BinaryOp::Sub, *x, most)?])?;
        total = Float::binary(BinaryOp::Add, total, term)?;
    }
    let logarithm = elementary::apply(Elementary::Ln, &[total])?;
    Ok(Value::Float(Float::binary(BinaryOp::Add, most, logarithm)?))
}
