//! `for` loops, in either direction.

use retrograd_compiler::ir::{Adapter, For, Iter, Source, VarId};

use crate::error::{Result, panics, unfit, unsupported};
use crate::eval::counted;
use crate::machine::{Flow, Machine, Way};
use crate::number::Int;
use crate::value::{Ref, Value};

/// What a loop goes through: integers that need no memory, or a list.
#[derive(Debug)]
pub(crate) enum Elements {
    /// From the first, by steps, so many.
    Counted {
        first: i128,
        step: i128,
        count: u128,
        like: Int,
    },
    Listed(Vec<Value>),
}

impl<'m> Machine<'m> {
    pub(super) fn for_stmt(&mut self, s: &'m For, way: Way) -> Result<Flow> {
        if s.part.is_some() {
            return unsupported("a loop that runs in parts");
        }
        let elements = self.elements(&s.iter)?;
        let elements = if way == Way::Backwards { elements.reversed() } else { elements };
        let count = elements.count();
        for i in 0..count {
            self.step()?;
            self.bound(&s.pattern, elements.get(i))?;
            match way {
                Way::Forwards => match self.block(&s.body)? {
                    Flow::Next => {}
                    Flow::Continue(number) if Some(number) == s.number => {}
                    Flow::Break(number) if Some(number) == s.number => break,
                    flow => return Ok(flow),
                },
                Way::Backwards => self.block_backwards(&s.body)?,
            }
            if let Some(early) = &s.early
                && self.truth(&early.until)?
            {
                let left = Int::usize((count - i - 1) as usize);
                let Value::Int(before) = self.memory.load(self.var(early.left).clone())? else {
                    return unfit("iterations are counted in integers");
                };
                self.set(early.left, Value::Int(Int::binary(retrograd_compiler::ir::BinaryOp::Add, before, left)?));
                break;
            }
        }
        Ok(Flow::Next)
    }

    /// One more iteration.
    pub(super) fn count_up(&mut self, count: VarId) -> Result<()> {
        let Value::Int(before) = self.memory.load(self.var(count).clone())? else {
            return unfit("iterations are counted in integers");
        };
        self.set(count, Value::Int(Int { value: before.value + 1, ..before }));
        Ok(())
    }

    pub(crate) fn elements(&mut self, iter: &'m Iter) -> Result<Elements> {
        let mut elements = match &iter.source {
            Source::Range { start, end, inclusive } => {
                let (start, end) = (self.int(start)?, self.int(end)?);
                let last = end.value + i128::from(*inclusive);
                let like = Int { kind: start.kind.or(end.kind), value: 0 };
                let count = (last - start.value).max(0) as u128;
                Elements::Counted { first: start.value, step: 1, count, like }
            }
            Source::Value(e) => match self.value(e)? {
                Value::Range(range) => Elements::Listed(counted(range.start, range.end, range.inclusive)?),
                value => Elements::Listed(self.items_of(value)?),
            },
            Source::Elements(e) => Elements::Listed(self.items(e)?),
            Source::ElementsMut(place) => {
                let place = self.place(place)?;
                Elements::Listed(self.items_of(Value::Ref(place))?)
            }
            Source::Chunks(e, size) => {
                let place = self.slice_place(e)?;
                self.pieces_of(place, size, false)?
            }
            Source::ChunksMut(place, size) => {
                let place = self.place(place)?;
                self.pieces_of(place, size, false)?
            }
            Source::Windows(e, size) => {
                let place = self.slice_place(e)?;
                self.pieces_of(place, size, true)?
            }
        };
        for adapter in &iter.adapters {
            elements = match adapter {
                Adapter::Rev => elements.reversed(),
                Adapter::StepBy(step) => {
                    let step = self.int(step)?.index()?;
                    if step == 0 {
                        return panics("assertion failed: step != 0");
                    }
                    elements.stepped(step)
                }
                Adapter::Enumerate => {
                    let count = elements.count();
                    let pair = |i| Value::Tuple(vec![Value::usize(i as usize), elements.get(i)]);
                    Elements::Listed((0..count).map(pair).collect())
                }
                Adapter::Zip(other) => {
                    let other = self.elements(other)?;
                    let count = elements.count().min(other.count());
                    Elements::Listed((0..count).map(|i| Value::Tuple(vec![elements.get(i), other.get(i)])).collect())
                }
                Adapter::Copied(_) => {
                    let count = elements.count();
                    let all = (0..count).map(|i| self.memory.load(elements.get(i)));
                    Elements::Listed(all.collect::<Result<_>>()?)
                }
                Adapter::Skip(count) => {
                    let skipped = self.int(count)?.index()? as u128;
                    let count = elements.count();
                    Elements::Listed((skipped.min(count)..count).map(|i| elements.get(i)).collect())
                }
            };
        }
        Ok(elements)
    }

    fn slice_place(&mut self, e: &'m retrograd_compiler::ir::Expr) -> Result<Ref> {
        match self.place_of(e)? {
            Some(place) => self.memory.follow(place),
            None => match self.eval(e)? {
                Value::Ref(place) => self.memory.follow(place),
                _ => unsupported("a loop over pieces of what is no place"),
            },
        }
    }

    fn pieces_of(&mut self, place: Ref, size: &'m retrograd_compiler::ir::Expr, windows: bool) -> Result<Elements> {
        let (size, len) = (self.int(size)?.index()?, self.memory.len(&place)?);
        if size == 0 {
            return panics(if windows { "window size must be non-zero" } else { "chunk size must be non-zero" });
        }
        let starts: Vec<usize> = match windows {
            true => (0..(len + 1).saturating_sub(size)).collect(),
            false => (0..len / size).map(|i| i * size).collect(),
        };
        let pieces = starts.into_iter().map(|at| self.memory.slice(&place, at, at + size).map(Value::Ref));
        Ok(Elements::Listed(pieces.collect::<Result<_>>()?))
    }
}

impl Elements {
    pub(crate) fn count(&self) -> u128 {
        match self {
            Elements::Counted { count, .. } => *count,
            Elements::Listed(all) => all.len() as u128,
        }
    }

    pub(crate) fn get(&self, i: u128) -> Value {
        match self {
            Elements::Counted { first, step, like, .. } => Value::Int(Int { value: first + step * i as i128, ..*like }),
            Elements::Listed(all) => all[i as usize].clone(),
        }
    }

    fn reversed(self) -> Elements {
        match self {
            Elements::Counted { first, step, count, like } => {
                let last = first + step * (count as i128 - 1).max(0);
                Elements::Counted { first: last, step: -step, count, like }
            }
            Elements::Listed(mut all) => {
                all.reverse();
                Elements::Listed(all)
            }
        }
    }

    fn stepped(self, by: usize) -> Elements {
        match self {
            Elements::Counted { first, step, count, like } => {
                Elements::Counted { first, step: step * by as i128, count: count.div_ceil(by as u128), like }
            }
            Elements::Listed(all) => Elements::Listed(all.into_iter().step_by(by).collect()),
        }
    }
}
