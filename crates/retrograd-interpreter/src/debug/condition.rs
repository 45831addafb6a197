//! Conditions that a session runs to: comparisons of variables and numbers.

use retrograd_compiler::ir::BinaryOp;

use super::guide::Stop;
use crate::error::{Result, unfit, unsupported};
use crate::eval::binary;
use crate::memory::part;
use crate::number::{Float, Int};
use crate::value::{Ref, Value};

/// A variable that keeps its place, wherever a session goes.
#[derive(Clone, Debug)]
pub(super) struct Pinned {
    name: String,
    place: Ref,
}

impl Pinned {
    /// The variable that an expression is about.
    pub(super) fn of(stop: &Stop<'_, '_>, e: &syn::Expr) -> Option<Pinned> {
        match e {
            syn::Expr::Paren(inner) => Pinned::of(stop, &inner.expr),
            syn::Expr::Unary(inner) => Pinned::of(stop, &inner.expr),
            syn::Expr::Index(index) => Pinned::of(stop, &index.expr),
            syn::Expr::Field(field) => Pinned::of(stop, &field.base),
            syn::Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                let place = stop.place_of(&name)?;
                Some(Pinned { name, place })
            }
            _ => None,
        }
    }
}

/// The value of an expression at a stop; names are those of the procedure that is being run.
pub(super) fn evaluated(stop: &Stop<'_, '_>, e: &syn::Expr) -> Result<Value> {
    value(stop, e, None)
}

/// The same, where one variable is that of another procedure.
pub(super) fn evaluated_at(stop: &Stop<'_, '_>, e: &syn::Expr, pinned: &Pinned) -> Result<Value> {
    value(stop, e, Some(pinned))
}

/// The place that an expression names, if it names one.
fn place(stop: &Stop<'_, '_>, e: &syn::Expr, pinned: Option<&Pinned>) -> Result<Option<Ref>> {
    let base = |e: &syn::Expr| place(stop, e, pinned);
    let number = match e {
        syn::Expr::Paren(inner) => return base(&inner.expr),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => return base(expr),
        syn::Expr::Path(path) => {
            let name = path.path.get_ident().map(|name| name.to_string()).unwrap_or_default();
            return Ok(match pinned {
                Some(pinned) if pinned.name == name => Some(pinned.place.clone()),
                _ => stop.place_of(&name),
            });
        }
        syn::Expr::Index(index) => match value(stop, &index.index, pinned)? {
            Value::Int(n) => n.index()?,
            _ => return unfit("an index is an integer"),
        },
        syn::Expr::Field(field) => match base(&field.base)? {
            Some(of) => stop.field(&of, &field.member)?,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    let of = match e {
        syn::Expr::Index(index) => base(&index.expr)?,
        syn::Expr::Field(field) => base(&field.base)?,
        _ => None,
    };
    of.map(|of| stop.part_of(&of, number)).transpose()
}

fn value(stop: &Stop<'_, '_>, e: &syn::Expr, pinned: Option<&Pinned>) -> Result<Value> {
    if let Some(place) = place(stop, e, pinned)? {
        return match stop.at_place(&place) {
            Some(value) => Ok(value),
            None => unfit("it is not there any more"),
        };
    }
    let evaluated = |stop: &Stop<'_, '_>, e: &syn::Expr| value(stop, e, pinned);
    let holds = |stop: &Stop<'_, '_>, e: &syn::Expr| value(stop, e, pinned).and_then(truth);
    Ok(match e {
        syn::Expr::Paren(inner) => evaluated(stop, &inner.expr)?,
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => evaluated(stop, expr)?,
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Not(_), expr, .. }) => Value::Bool(!holds(stop, expr)?),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match evaluated(stop, expr)? {
            Value::Float(x) => Value::Float(x.negated()),
            Value::Int(n) => Value::Int(Int { value: -n.value, ..n }),
            other => return unfit(format!("{} has no negative", other.kind())),
        },
        syn::Expr::Lit(lit) => match &lit.lit {
            syn::Lit::Bool(b) => Value::Bool(b.value),
            syn::Lit::Int(n) => match n.base10_parse() {
                Ok(value) => Value::Int(Int { kind: None, value }),
                Err(_) => return unfit("so large an integer"),
            },
            syn::Lit::Float(x) => match x.base10_parse() {
                Ok(value) => Value::Float(Float::open(value)),
                Err(_) => return unfit("such a float"),
            },
            _ => return unsupported("such a literal in a condition"),
        },
        syn::Expr::Path(path) => {
            let name = path.path.get_ident().map(|name| name.to_string()).unwrap_or_default();
            match stop.value().filter(|_| name == "value") {
                Some(value) => value.clone(),
                None => return unfit(format!("there is no variable `{name}` here")),
            }
        }
        // Parts of what a function returns.
        syn::Expr::Index(index) => match (evaluated(stop, &index.expr)?, evaluated(stop, &index.index)?) {
            (base, Value::Int(n)) => part(&base, n.index()?)?.clone(),
            _ => return unfit("an index is an integer"),
        },
        syn::Expr::Field(field) => {
            let base = evaluated(stop, &field.base)?;
            part(&base, member(&base, &field.member)?)?.clone()
        }
        syn::Expr::Binary(both) => {
            let (a, b) = (evaluated(stop, &both.left)?, evaluated(stop, &both.right)?);
            let op = match both.op {
                syn::BinOp::And(_) => BinaryOp::BitAnd,
                syn::BinOp::Or(_) => BinaryOp::BitOr,
                syn::BinOp::Add(_) => BinaryOp::Add,
                syn::BinOp::Sub(_) => BinaryOp::Sub,
                syn::BinOp::Mul(_) => BinaryOp::Mul,
                syn::BinOp::Div(_) => BinaryOp::Div,
                syn::BinOp::Rem(_) => BinaryOp::Rem,
                syn::BinOp::Eq(_) => BinaryOp::Eq,
                syn::BinOp::Ne(_) => BinaryOp::Ne,
                syn::BinOp::Lt(_) => BinaryOp::Lt,
                syn::BinOp::Le(_) => BinaryOp::Le,
                syn::BinOp::Gt(_) => BinaryOp::Gt,
                syn::BinOp::Ge(_) => BinaryOp::Ge,
                _ => return unsupported("such an operator in a condition"),
            };
            binary(op, a, b)?
        }
        _ => return unsupported("such a condition"),
    })
}

/// Whether a condition holds at a stop.
pub(super) fn holds(stop: &Stop<'_, '_>, e: &syn::Expr) -> Result<bool> {
    evaluated(stop, e).and_then(truth)
}

fn truth(value: Value) -> Result<bool> {
    match value {
        Value::Bool(b) => Ok(b),
        other => unfit(format!("{} is no condition", other.kind())),
    }
}

/// The number of a field.
pub(super) fn member(of: &Value, member: &syn::Member) -> Result<usize> {
    let found = match (member, of) {
        (syn::Member::Unnamed(i), _) => Some(i.index as usize),
        (syn::Member::Named(name), Value::Struct(_, fields)) => fields.iter().position(|(own, _)| *name == **own),
        (syn::Member::Named(_), _) => None,
    };
    match (found, member) {
        (Some(number), _) => Ok(number),
        (None, syn::Member::Named(name)) => unfit(format!("there is no field `{name}`")),
        (None, syn::Member::Unnamed(i)) => unfit(format!("there is no field `{}`", i.index)),
    }
}
