//! Vectors that grow and shrink in recorded programs: `v.push(x)`, `v.insert(i, x)`, and what `v.pop()` and `v.remove(i)` do to `v`.

use retrograd_compiler::ir::Run;

use super::shadows::sum;
use crate::error::{Result, panics, unfit};
use crate::machine::{Machine, Way};
use crate::value::{Ref, Value};

/// The number of the slot in which what is removed is kept.
const REMOVED: usize = usize::MAX;

/// A change of the length of a vector.
enum Change {
    Append(Value),
    Shrink,
    Insert(usize, Value),
    Remove(usize),
}

impl<'m> Machine<'m> {
    /// Runs such a procedure, or undoes it, with shadows behind the arguments in derivative runs; says whether it is one.
    pub(crate) fn vector_procedure(&mut self, name: &str, args: &[Value], way: Way, run: Run) -> Result<bool> {
        if !["append", "shrink", "insert_at", "remove_at"].contains(&name) {
            return Ok(false);
        }
        let shadowed = !matches!(run, Run::Values | Run::Keep);
        let values: Vec<&Value> = args.iter().step_by(if shadowed { 2 } else { 1 }).collect();
        let shadows: Vec<&Value> = args.iter().skip(1).step_by(2).filter(|_| shadowed).collect();
        let Some(Value::Ref(vector)) = values.first().copied() else {
            return unfit("a vector is changed in its place");
        };
        let vector = self.memory.follow(vector.clone())?;
        let number = |machine: &Self, value: &Value| match machine.memory.load(value.clone())? {
            Value::Int(n) => n.index(),
            other => unfit(format!("{} is no index", other.kind())),
        };
        let change = match (name, values.as_slice()) {
            ("append", [_, x]) => Change::Append(self.memory.load((*x).clone())?),
            ("shrink", [_]) => Change::Shrink,
            ("insert_at", [_, at, x]) => Change::Insert(number(self, at)?, self.memory.load((*x).clone())?),
            ("remove_at", [_, at]) => Change::Remove(number(self, at)?),
            _ => return unfit(format!("`{name}` has other arguments")),
        };
        let own = match shadows.first() {
            Some(Value::Ref(own)) => Some(self.memory.follow(own.clone())?),
            _ => None,
        };
        let element = shadows.last().filter(|_| shadows.len() != 1).copied();
        match (run.is_adjoint(), way) {
            (true, _) => self.undo_change(&vector, &change, own.as_ref(), element)?,
            (false, Way::Forwards) => self.change(&vector, change, run, own.as_ref(), element)?,
            (false, Way::Backwards) => self.undo_change(&vector, &change, None, None)?,
        }
        Ok(true)
    }

    fn vector(&mut self, place: &Ref) -> Result<&mut Vec<Value>> {
        match self.memory.at(place)? {
            Value::List(all) => Ok(all),
            other => unfit(format!("{} is no vector", other.kind())),
        }
    }

    /// Changes a vector, and its tangents likewise.
    fn change(
        &mut self,
        vector: &Ref,
        change: Change,
        run: Run,
        own: Option<&Ref>,
        element: Option<&Value>,
    ) -> Result<()> {
        let tangent = |machine: &Self, x: &Value| match element {
            Some(Value::Unit) | None => Ok(x.zero_shadow()),
            Some(tangent) => machine.memory.load(tangent.clone()),
        };
        let all = self.vector(vector)?;
        let len = all.len();
        match change {
            Change::Append(x) => {
                let tangent = tangent(self, &x)?;
                self.vector(vector)?.push(x);
                if let Some(own) = own {
                    self.vector(own)?.push(tangent);
                }
            }
            Change::Shrink => {
                let last = all.pop();
                if run == Run::Keep {
                    self.keep_in(REMOVED, Value::Option(last.map(Box::new)));
                }
                if let Some(own) = own {
                    self.vector(own)?.pop();
                }
            }
            Change::Insert(at, _) if at > len => {
                return panics(format!("insertion index (is {at}) should be <= len (is {len})"));
            }
            Change::Insert(at, x) => {
                let tangent = tangent(self, &x)?;
                self.vector(vector)?.insert(at, x);
                if let Some(own) = own {
                    self.vector(own)?.insert(at, tangent);
                }
            }
            Change::Remove(at) if at >= len => {
                return panics(format!("removal index (is {at}) should be < len (is {len})"));
            }
            Change::Remove(at) => {
                let value = all.remove(at);
                if run == Run::Keep {
                    self.keep_in(REMOVED, value);
                }
                if let Some(own) = own {
                    self.vector(own)?.remove(at);
                }
            }
        }
        Ok(())
    }

    /// Undoes a change. The adjoint of what was added goes to where that came from, and that of what was removed is zero.
    fn undo_change(&mut self, vector: &Ref, change: &Change, own: Option<&Ref>, element: Option<&Value>) -> Result<()> {
        let at = match change {
            Change::Append(_) | Change::Shrink => None,
            Change::Insert(at, _) | Change::Remove(at) => Some(*at),
        };
        let taken = |all: &mut Vec<Value>| match at {
            Some(at) => (at < all.len()).then(|| all.remove(at)),
            None => all.pop(),
        };
        let put = |all: &mut Vec<Value>, x: Value| all.insert(at.unwrap_or(all.len()).min(all.len()), x);
        match change {
            Change::Append(_) | Change::Insert(..) => {
                taken(self.vector(vector)?);
                let adjoint = match own {
                    Some(own) => taken(self.vector(own)?),
                    None => None,
                };
                if let (Some(adjoint), Some(Value::Ref(to))) = (adjoint, element) {
                    let to = self.memory.follow(to.clone())?;
                    let before = self.memory.view(&to)?.to_value();
                    self.memory.store(&to, sum(before, adjoint)?)?;
                }
            }
            Change::Shrink | Change::Remove(_) => {
                let value = match self.kept_in(REMOVED)? {
                    Value::Option(last) if at.is_none() => last.map(|last| *last),
                    value => Some(value),
                };
                if let Some(value) = value {
                    if let Some(own) = own {
                        put(self.vector(own)?, value.zero_shadow());
                    }
                    put(self.vector(vector)?, value);
                }
            }
        }
        Ok(())
    }
}
