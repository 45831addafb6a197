//! Iterators in expressions: `x.iter().map(..).sum()`. What one goes through is a list.

use retrograd_compiler::ir::{Expr, ExprKind, Iteration, Pattern};

use super::expr::binary;
use crate::error::{Result, panics, unfit, unsupported};
use crate::machine::Machine;
use crate::number::{Float, Int};
use crate::value::Value;

impl<'m> Machine<'m> {
    /// Everything that an expression goes through.
    pub(crate) fn items(&mut self, e: &'m Expr) -> Result<Vec<Value>> {
        let value = match self.place_of(e)? {
            Some(place) => Value::Ref(self.memory.follow(place)?),
            None => self.eval(e)?,
        };
        self.items_of(value)
    }

    /// Everything that a value goes through.
    pub(crate) fn items_of(&self, value: Value) -> Result<Vec<Value>> {
        match value {
            Value::Ref(place) => {
                let place = self.memory.follow(place)?;
                match self.memory.view(&place)? {
                    crate::memory::View::One(Value::Range(range)) => counted(range.start, range.end, range.inclusive),
                    crate::memory::View::One(Value::Option(None)) => Ok(Vec::new()),
                    _ => {
                        let len = self.memory.len(&place)?;
                        (0..len).map(|i| self.memory.part(&place, i).map(Value::Ref)).collect()
                    }
                }
            }
            Value::Range(range) => counted(range.start, range.end, range.inclusive),
            Value::List(all) => Ok(all),
            Value::Option(inner) => Ok(inner.into_iter().map(|value| *value).collect()),
            other => unfit(format!("{} has no elements", other.kind())),
        }
    }

    /// One step of an iterator.
    pub(super) fn iteration(&mut self, step: Iteration, receiver: &'m Expr, args: &'m [Expr]) -> Result<Value> {
        let mut items = self.items(receiver)?;
        let list = match step {
            Iteration::Iter | Iteration::IntoIter => items,
            Iteration::Copied | Iteration::Cloned => {
                items.into_iter().map(|item| self.memory.load(item)).collect::<Result<_>>()?
            }
            Iteration::Map => self.mapped(items, &args[0])?,
            Iteration::Filter => {
                let mut kept = Vec::new();
                for item in items {
                    if self.holds(&args[0], item.clone())? {
                        kept.push(item);
                    }
                }
                kept
            }
            Iteration::Rev => {
                items.reverse();
                items
            }
            Iteration::Enumerate => {
                let pair = |(i, item)| Value::Tuple(vec![Value::usize(i), item]);
                items.into_iter().enumerate().map(pair).collect()
            }
            Iteration::Zip => {
                let others = self.items(&args[0])?;
                items.into_iter().zip(others).map(|(a, b)| Value::Tuple(vec![a, b])).collect()
            }
            Iteration::Chain => {
                items.extend(self.items(&args[0])?);
                items
            }
            Iteration::StepBy => {
                let step = self.int(&args[0])?.index()?;
                if step == 0 {
                    return panics("assertion failed: step != 0");
                }
                items.into_iter().step_by(step).collect()
            }
            Iteration::Skip => {
                let count = self.int(&args[0])?.index()?;
                items.into_iter().skip(count).collect()
            }
            Iteration::Take => {
                let count = self.int(&args[0])?.index()?;
                items.into_iter().take(count).collect()
            }
            Iteration::Windows | Iteration::Chunks | Iteration::ChunksExact => {
                let size = self.int(&args[0])?.index()?;
                return Ok(Value::List(self.pieces(receiver, step, size)?));
            }
            Iteration::Flatten => {
                let mut all = Vec::new();
                for item in items {
                    all.extend(self.items_of(item)?);
                }
                all
            }
            other => return unsupported(format!("`{}` of an iterator", other.name())),
        };
        Ok(Value::List(list))
    }

    fn pieces(&mut self, receiver: &'m Expr, step: Iteration, size: usize) -> Result<Vec<Value>> {
        let Some(place) = self.place_of(receiver)? else { return unsupported("pieces of what is no place") };
        let place = self.memory.follow(place)?;
        let len = self.memory.len(&place)?;
        if size == 0 {
            return panics("chunk size must be non-zero");
        }
        let starts: Vec<(usize, usize)> = match step {
            Iteration::Windows => (0..(len + 1).saturating_sub(size)).map(|i| (i, i + size)).collect(),
            Iteration::ChunksExact => (0..len / size).map(|i| (i * size, (i + 1) * size)).collect(),
            _ => (0..len.div_ceil(size)).map(|i| (i * size, ((i + 1) * size).min(len))).collect(),
        };
        starts.into_iter().map(|(a, b)| self.memory.slice(&place, a, b).map(Value::Ref)).collect()
    }

    pub(super) fn mapped(&mut self, items: Vec<Value>, function: &'m Expr) -> Result<Vec<Value>> {
        items.into_iter().map(|item| self.apply(function, vec![item])).collect()
    }

    pub(super) fn holds(&mut self, condition: &'m Expr, item: Value) -> Result<bool> {
        match self.apply(condition, vec![item])? {
            Value::Bool(b) => Ok(b),
            other => unfit(format!("{} is no condition", other.kind())),
        }
    }

    /// A closure or a function, applied.
    pub(crate) fn apply(&mut self, function: &'m Expr, args: Vec<Value>) -> Result<Value> {
        match &function.kind {
            ExprKind::Closure { params, body } => {
                for ((pattern, _), arg) in params.iter().zip(args) {
                    self.bound(pattern, arg)?;
                }
                self.eval(body)
            }
            ExprKind::Path(path) => self.call_path(path, args, function.span),
            _ => unsupported("a function that is neither a closure nor has a name"),
        }
    }

    /// Binds what has to fit.
    pub(crate) fn bound(&mut self, pattern: &'m Pattern, value: Value) -> Result<()> {
        match self.matches(pattern, value)? {
            true => Ok(()),
            false => unfit("a pattern does not fit"),
        }
    }

    /// The sum or the product of items.
    pub(super) fn folded(&mut self, items: Vec<Value>, op: retrograd_compiler::ir::BinaryOp) -> Result<Value> {
        let mut total: Option<Value> = None;
        for item in items {
            let item = self.memory.load(item)?;
            total = Some(match total {
                Some(total) => binary(op, total, item)?,
                // As the standard library does: a sum begins at -0, a product at 1.
                None => match item {
                    Value::Float(x) => {
                        let start = if op == retrograd_compiler::ir::BinaryOp::Mul { 1.0 } else { -0.0 };
                        binary(op, Value::Float(Float::of(x.repr, start)?), Value::Float(x))?
                    }
                    item => item,
                },
            });
        }
        Ok(total.unwrap_or_else(|| {
            let start = if op == retrograd_compiler::ir::BinaryOp::Mul { 1.0 } else { 0.0 };
            Value::Float(Float::open(start))
        }))
    }
}

/// The integers of a range.
pub(crate) fn counted(start: Option<Int>, end: Option<Int>, inclusive: bool) -> Result<Vec<Value>> {
    let (Some(start), Some(end)) = (start, end) else { return unsupported("a range without an end as an iterator") };
    let last = end.value + i128::from(inclusive);
    Ok((start.value..last).map(|value| Value::Int(Int { value, kind: start.kind.or(end.kind) })).collect())
}
