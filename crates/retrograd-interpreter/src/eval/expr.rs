//! Expressions: literals, operators, places, control flow.

use std::cmp::Ordering;
use std::rc::Rc;

use retrograd_compiler::ir::{BinaryOp, Expr, ExprKind, Literal, LiteralKind, Member, Place, Projection, UnaryOp};

use super::complex;
use crate::error::{Result, panics, unfit, unsupported};
use crate::machine::Machine;
use crate::memory::{View, part};
use crate::number::{Float, Int, IntKind};
use crate::value::{Ref, Span, Value};

impl<'m> Machine<'m> {
    /// The value of an expression; that of a reference is a reference.
    pub(crate) fn eval(&mut self, e: &'m Expr) -> Result<Value> {
        match &e.kind {
            ExprKind::Lit(lit) => self.literal(lit, e),
            ExprKind::Var(var) => Ok(self.var(*var).clone()),
            ExprKind::Path(path) => self.path(path),
            ExprKind::Unary(UnaryOp::Deref, _) | ExprKind::Field(..) | ExprKind::Index(..) => match self.place_of(e)? {
                Some(place) => Ok(self.memory.view(&place)?.to_value()),
                None => self.part_of_value(e),
            },
            ExprKind::Unary(op, inner) => {
                let value = self.value(inner)?;
                unary(*op, value)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let first = self.truth(a)?;
                if first == (*op == BinaryOp::Or) { Ok(Value::Bool(first)) } else { Ok(Value::Bool(self.truth(b)?)) }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                binary(*op, a, b)
            }
            ExprKind::Cast(inner, ty) => {
                let value = self.value(inner)?;
                self.cast(value, ty)
            }
            ExprKind::Range { start, end, inclusive } => {
                let mut bound = |e: &'m Option<Rc<Expr>>| e.as_deref().map(|e| self.int(e)).transpose();
                let (start, end) = (bound(start)?, bound(end)?);
                let kind = start.and_then(|n| n.kind).or(end.and_then(|n| n.kind));
                let typed = |n: Option<Int>| n.map(|n| Int { kind, ..n });
                Ok(Value::Range(Box::new(Span { start: typed(start), end: typed(end), inclusive: *inclusive })))
            }
            ExprKind::Ref(inner) | ExprKind::RefMut(inner) => match self.place_of(inner)? {
                Some(place) => Ok(Value::Ref(self.memory.follow(place)?)),
                None if matches!(e.kind, ExprKind::RefMut(_)) => {
                    // It lives as long as the call that it is an argument of.
                    let value = self.eval(inner)?;
                    let cell = self.memory.cells.len();
                    self.memory.cells.push(value);
                    Ok(Value::Ref(Ref { cell, path: Vec::new() }))
                }
                None => self.eval(inner),
            },
            ExprKind::Tuple(all) if all.is_empty() => Ok(Value::Unit),
            ExprKind::Tuple(all) => Ok(Value::Tuple(self.all(all)?)),
            ExprKind::Array(all) => Ok(Value::List(alike(self.values(all)?)?)),
            ExprKind::Repeat(e, n) => self.repeated(e, n),
            ExprKind::Struct { path, fields, rest } => self.structure(path, fields, rest.as_deref()),
            ExprKind::Call { callee, args } => self.call_expression(callee, args, e),
            ExprKind::Method { receiver, method, args, turbofish } => {
                self.method(receiver, method, turbofish.as_deref(), args, e)
            }
            ExprKind::Macro { path, args } => self.macro_call(path, args),
            ExprKind::If { condition, then, otherwise } => match self.condition(condition)? {
                true => self.eval(then),
                false => self.eval(otherwise),
            },
            ExprKind::Let(..) => Ok(Value::Bool(self.condition(e)?)),
            ExprKind::Match { scrutinee, arms } => {
                let value = self.scrutinee(scrutinee)?;
                for arm in arms {
                    if self.matches(&arm.pattern, value.clone())?
                        && arm.guard.as_ref().map_or(Ok(true), |guard| self.truth(guard))?
                    {
                        return self.eval(&arm.value);
                    }
                }
                unfit("no arm of a `match` fits")
            }
            ExprKind::Block { lets, tail } => {
                for (pattern, ty, value) in lets {
                    let value = self.eval(value)?;
                    let value = match ty {
                        Some(ty) if !matches!(value, Value::Ref(_)) => self.coerced(value, ty)?,
                        _ => value,
                    };
                    self.matches(pattern, value)?;
                }
                self.eval(tail)
            }
            ExprKind::Closure { .. } => unsupported("a closure that is not called at once"),
            ExprKind::Rule(rule, args) => self.rule(rule, args),
            ExprKind::Companion { callee, run, args } => self.companion(callee, *run, args),
        }
    }

    /// The value behind all references.
    pub(crate) fn value(&mut self, e: &'m Expr) -> Result<Value> {
        // Of a list behind a reference only what is asked for is copied.
        let value = self.eval(e)?;
        self.memory.load(value)
    }

    pub(crate) fn all(&mut self, all: &'m [Expr]) -> Result<Vec<Value>> {
        all.iter().map(|e| self.eval(e)).collect()
    }

    pub(crate) fn values(&mut self, all: &'m [Expr]) -> Result<Vec<Value>> {
        all.iter().map(|e| self.value(e)).collect()
    }

    pub(crate) fn truth(&mut self, e: &'m Expr) -> Result<bool> {
        match self.value(e)? {
            Value::Bool(b) => Ok(b),
            other => unfit(format!("{} is no condition", other.kind())),
        }
    }

    pub(crate) fn int(&mut self, e: &'m Expr) -> Result<Int> {
        match self.value(e)? {
            Value::Int(int) => Ok(int),
            other => unfit(format!("{} is no integer", other.kind())),
        }
    }

    pub(crate) fn float(&mut self, e: &'m Expr) -> Result<Float> {
        match self.value(e)? {
            Value::Float(float) => Ok(float),
            other => unfit(format!("{} is no number", other.kind())),
        }
    }

    /// A condition, which may bind names.
    pub(crate) fn condition(&mut self, e: &'m Expr) -> Result<bool> {
        match &e.kind {
            ExprKind::Let(pattern, value) => {
                let value = self.scrutinee(value)?;
                self.matches(pattern, value)
            }
            ExprKind::Binary(BinaryOp::And, a, b) => Ok(self.condition(a)? && self.condition(b)?),
            _ => self.truth(e),
        }
    }

    /// What is taken apart: a place stays where it is.
    pub(crate) fn scrutinee(&mut self, e: &'m Expr) -> Result<Value> {
        match self.place_of(e.looked_at())? {
            Some(place) => Ok(Value::Ref(self.memory.follow(place)?)),
            None => self.eval(e.looked_at()),
        }
    }

    fn literal(&mut self, lit: &Literal, e: &Expr) -> Result<Value> {
        Ok(match &lit.kind {
            LiteralKind::Integer(Some(value)) => {
                let suffix = lit.suffix.as_ref().map(|suffix| suffix.to_string());
                if let Some("f64" | "f32") = suffix.as_deref() {
                    let number = if suffix.as_deref() == Some("f64") {
                        crate::number::Repr::F64(0.0)
                    } else {
                        crate::number::Repr::F32(0.0)
                    };
                    return Ok(Value::Float(Float::of(number, *value as f64)?));
                }
                let kind = suffix.and_then(|suffix| IntKind::by_name(&suffix));
                let known = || e.ty.as_ref()?.as_name().and_then(|name| IntKind::by_name(&name.to_string()));
                Value::Int(Int { kind: kind.or_else(known), value: *value as i128 })
            }
            LiteralKind::Integer(None) => return unsupported("an integer of more than 128 bits"),
            LiteralKind::Float(value) => {
                let named = lit.suffix.as_ref().or(lit.ty.as_ref());
                match named.and_then(|name| self.number_type(&retrograd_compiler::ir::Type::named(name))) {
                    Some(kind) => Value::Float(Float::of(kind, *value)?),
                    None => Value::Float(Float::open(*value)),
                }
            }
            LiteralKind::Bool(value) => Value::Bool(*value),
            LiteralKind::Text => Value::Text(lit.written.text().trim_matches('"').into()),
        })
    }

    /// The place that an expression reads, if it is one.
    pub(crate) fn place_of(&mut self, e: &'m Expr) -> Result<Option<Ref>> {
        match &e.kind {
            ExprKind::Var(var) => Ok(Some(self.cell(*var))),
            ExprKind::Unary(UnaryOp::Deref, base) => match self.place_of(base)? {
                Some(place) => Ok(Some(self.memory.follow(place)?)),
                None => Ok(None),
            },
            ExprKind::Field(base, member) => match self.place_of(base)? {
                Some(place) => self.field_of(place, member).map(Some),
                None => Ok(None),
            },
            ExprKind::Index(base, index) => match self.place_of(base)? {
                Some(place) => {
                    let index = self.value(index)?;
                    self.element_of(place, index).map(Some)
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// A place that can be changed, behind all references.
    pub(crate) fn place(&mut self, place: &'m Place) -> Result<Ref> {
        let mut at = self.cell(place.root);
        for step in &place.path {
            at = match step {
                Projection::Deref => self.memory.follow(at)?,
                Projection::Field(member) => self.field_of(at, member)?,
                Projection::Index(index) => {
                    let index = self.value(index)?;
                    self.element_of(at, index)?
                }
                Projection::Some => return unsupported("a part of a place that nobody names"),
            };
        }
        self.memory.follow(at)
    }

    fn field_of(&mut self, place: Ref, member: &Member) -> Result<Ref> {
        let place = self.memory.follow(place)?;
        let number = match (self.memory.view(&place)?, member) {
            (View::One(Value::Struct(_, fields)), member) => {
                let name = match member {
                    Member::Named(name) => name.to_string(),
                    Member::Index(i) => i.to_string(),
                };
                match fields.iter().position(|(field, _)| **field == *name) {
                    Some(number) => number,
                    None => return unfit(format!("there is no field `{name}`")),
                }
            }
            (_, Member::Index(i)) => *i,
            (View::One(Value::Range(_)), Member::Named(_)) => return unsupported("a field of a range in a place"),
            (_, Member::Named(name)) => return unfit(format!("there is no field `{name}`")),
        };
        self.memory.part(&place, number)
    }

    fn element_of(&mut self, place: Ref, index: Value) -> Result<Ref> {
        let place = self.memory.follow(place)?;
        if let View::One(Value::Slots(slots)) = self.memory.view(&place)? {
            let number = slots.place_of(&index)?;
            return self.memory.part(&place, number);
        }
        match index {
            Value::Int(int) => self.memory.part(&place, int.index()?),
            Value::Range(range) => {
                let len = self.memory.len(&place)?;
                let (a, b) = bounds(&range, len)?;
                self.memory.slice(&place, a, b)
            }
            other => unsupported(format!("an index that is {}", other.kind())),
        }
    }

    /// `f(x).1`, `[a, b][i]`
    fn part_of_value(&mut self, e: &'m Expr) -> Result<Value> {
        let (base, number) = match &e.kind {
            ExprKind::Unary(_, base) => return self.value(base),
            ExprKind::Field(base, member) => (base, Some(member)),
            ExprKind::Index(base, _) => (base, None),
            _ => return unfit("it has no parts"),
        };
        let value = self.value(base)?;
        match (&e.kind, number, &value) {
            (_, Some(Member::Named(name)), Value::Struct(_, fields)) => {
                match fields.iter().find(|(field, _)| *name == **field) {
                    Some((_, value)) => Ok(value.clone()),
                    None => unfit(format!("there is no field `{name}`")),
                }
            }
            (_, Some(Member::Named(name)), Value::Range(range)) => {
                let end = if name == "start" { range.start } else { range.end };
                end.map_or_else(|| unfit("the range has no such end"), |end| Ok(Value::Int(end)))
            }
            (_, Some(Member::Index(i)), value) => part(value, *i).cloned(),
            (ExprKind::Index(_, index), None, value) => match self.value(index)? {
                Value::Int(int) => part(value, int.index()?).cloned(),
                Value::Range(range) => match value.parts() {
                    Some(all) => {
                        let (a, b) = bounds(&range, all.len())?;
                        match all.get(a..b) {
                            Some(part) => Ok(Value::List(part.to_vec())),
                            None => {
                                panics(format!("range end index {b} out of range for slice of length {}", all.len()))
                            }
                        }
                    }
                    None => unfit(format!("{} has no elements", value.kind())),
                },
                other => unsupported(format!("an index that is {}", other.kind())),
            },
            _ => unfit("it has no such part"),
        }
    }
}

/// The ends of a range of indices into that many elements.
pub(crate) fn bounds(range: &Span, len: usize) -> Result<(usize, usize)> {
    let start = range.start.map_or(Ok(0), Int::index)?;
    let end = match range.end {
        Some(end) => end.index()? + usize::from(range.inclusive),
        None => len,
    };
    Ok((start, end))
}

/// A list in which literals have the type of the others.
pub(crate) fn alike(all: Vec<Value>) -> Result<Vec<Value>> {
    let mut kind = None;
    for value in &all {
        if let Value::Float(float) = value
            && !matches!(float.repr, crate::number::Repr::Open(_))
        {
            kind = Some(float.repr);
        }
    }
    let Some(kind) = kind else { return Ok(all) };
    all.into_iter()
        .map(|value| match value {
            Value::Float(float) => Ok(Value::Float(float.like(kind)?)),
            value => Ok(value),
        })
        .collect()
}

fn unary(op: UnaryOp, value: Value) -> Result<Value> {
    Ok(match (op, value) {
        (UnaryOp::Neg, Value::Float(x)) => Value::Float(x.negated()),
        (UnaryOp::Neg, Value::Int(n)) => Value::Int(n.fitted(n.value.checked_neg(), "negate")?),
        (UnaryOp::Not, Value::Bool(b)) => Value::Bool(!b),
        (UnaryOp::Not, Value::Int(n)) => {
            let value = n.kind.map_or(!n.value, |kind| kind.wrap(!n.value));
            Value::Int(Int { value, ..n })
        }
        (op, other) => {
            let negated = (op == UnaryOp::Neg).then(|| complex::negated(&other)).flatten();
            return negated.unwrap_or_else(|| unsupported(format!("this operator on {}", other.kind())));
        }
    })
}

/// `a op b`, where both are evaluated.
pub(crate) fn binary(op: BinaryOp, a: Value, b: Value) -> Result<Value> {
    if matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge) {
        let ordering = compared(&a, &b)?;
        return Ok(Value::Bool(match op {
            BinaryOp::Eq => ordering == Some(Ordering::Equal),
            BinaryOp::Ne => ordering != Some(Ordering::Equal),
            BinaryOp::Lt => ordering == Some(Ordering::Less),
            BinaryOp::Le => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
            BinaryOp::Gt => ordering == Some(Ordering::Greater),
            _ => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        }));
    }
    Ok(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(Int::binary(op, a, b)?),
        (Value::Float(a), Value::Float(b)) => Value::Float(Float::binary(op, a, b)?),
        (Value::Bool(a), Value::Bool(b)) => Value::Bool(match op {
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            _ => return unsupported(format!("`{}` of bools", op.sign())),
        }),
        (a, b) => {
            let unknown = || unsupported(format!("`{}` of {} and {}", op.sign(), a.kind(), b.kind()));
            return complex::binary(op, &a, &b).unwrap_or_else(unknown);
        }
    })
}

/// How two values compare; numbers that are none do not.
pub(crate) fn compared(a: &Value, b: &Value) -> Result<Option<Ordering>> {
    Ok(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.value.cmp(&b.value)),
        (Value::Float(a), Value::Float(b)) => {
            let (a, b) = Float::alike(*a, *b)?;
            match (a.repr, b.repr) {
                (crate::number::Repr::Fixed(_, a), crate::number::Repr::Fixed(_, b)) => Some(a.cmp(&b)),
                _ => a.value().partial_cmp(&b.value()),
            }
        }
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (Value::Unit, Value::Unit) => Some(Ordering::Equal),
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) | (Value::Stack(a), Value::Stack(b)) => {
            for (a, b) in a.iter().zip(b) {
                match compared(a, b)? {
                    Some(Ordering::Equal) => {}
                    other => return Ok(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        (Value::Struct(m, a), Value::Struct(n, b)) => {
            for ((_, a), (_, b)) in a.iter().zip(b) {
                match compared(a, b)? {
                    Some(Ordering::Equal) => {}
                    other => return Ok(other),
                }
            }
            Some(m.cmp(n))
        }
        (Value::Option(a), Value::Option(b)) => match (a, b) {
            (Some(a), Some(b)) => compared(a, b)?,
            (a, b) => Some(a.is_some().cmp(&b.is_some())),
        },
        (a, b) => return unsupported(format!("a comparison of {} and {}", a.kind(), b.kind())),
    })
}
