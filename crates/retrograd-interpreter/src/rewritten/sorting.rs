//! Sorting in recorded programs: `v.sort_by(|a, b| ..)` and `v.sort_by_key(|a| ..)`. The record takes the order in which the elements were.

use std::cmp::Ordering;

use retrograd_compiler::ir::{ArgKind, Call, Expr, Run};

use crate::error::{Error, Result, unfit};
use crate::eval::compared;
use crate::machine::{Machine, Way};
use crate::value::{Ref, Value};

/// The number of the slot in which the order is kept.
const SORTED: usize = usize::MAX - 1;

impl<'m> Machine<'m> {
    /// Sorts a slice, or undoes it, and its shadow with it; says whether the call is one that sorts.
    pub(crate) fn sort(&mut self, s: &'m Call, way: Way) -> Result<bool> {
        let Some(name @ ("sort_by" | "sort_by_key")) = s.moves() else { return Ok(false) };
        let shadowed = !matches!(s.run, Run::Values | Run::Keep);
        let mut rows = Vec::new();
        for arg in s.args.iter().take(if shadowed { 2 } else { 1 }) {
            if let ArgKind::Change(place) | ArgKind::Borrow(place) = &arg.kind {
                let place = self.place(place)?;
                rows.push(self.memory.follow(place)?);
            }
        }
        let by = s.args.get(if shadowed { 2 } else { 1 });
        let Some(ArgKind::Value(by)) = by.map(|arg| &arg.kind) else { return unfit("a slice is sorted by something") };
        let Some(slice) = rows.first() else { return unfit("a slice is sorted in its place") };
        if s.run.is_adjoint() || way == Way::Backwards {
            let kept = self.kept_in(SORTED)?;
            let order: Vec<usize> = kept.parts().into_iter().flatten().map(index).collect::<Result<_>>()?;
            let mut from = vec![0; order.len()];
            order.iter().enumerate().for_each(|(to, at)| from[*at] = to);
            rows.iter().try_for_each(|row| self.arrange(row, &from))?;
            return Ok(true);
        }
        let order = self.order(slice, name == "sort_by_key", by)?;
        rows.iter().try_for_each(|row| self.arrange(row, &order))?;
        if s.run == Run::Keep {
            let order = order.into_iter().map(Value::usize).collect();
            self.keep_in(SORTED, Value::List(order));
        }
        Ok(true)
    }

    /// Which element of a slice comes first, which comes next, and so on. Equal ones stay in their order.
    fn order(&mut self, slice: &Ref, by_key: bool, by: &'m Expr) -> Result<Vec<usize>> {
        let elements = self.memory.elements_at(slice)?.to_vec();
        let keys = match by_key {
            true => {
                let key = |element: &Value| {
                    let key = self.apply(by, vec![element.clone()])?;
                    self.memory.load(key)
                };
                Some(elements.iter().map(key).collect::<Result<Vec<Value>>>()?)
            }
            false => None,
        };
        let mut failed: Option<Error> = None;
        let mut order: Vec<usize> = (0..elements.len()).collect();
        order.sort_by(|a, b| {
            let ordering = match &keys {
                Some(keys) => compared(&keys[*a], &keys[*b]).map(|ordering| ordering.unwrap_or(Ordering::Equal)),
                None => self.apply(by, vec![elements[*a].clone(), elements[*b].clone()]).and_then(ordering),
            };
            ordering.unwrap_or_else(|error| {
                failed.get_or_insert(error);
                Ordering::Equal
            })
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(order),
        }
    }

    /// Puts the elements of a row into an order. What has no derivatives has no row of them.
    fn arrange(&mut self, row: &Ref, order: &[usize]) -> Result<()> {
        if self.memory.view(row)?.to_value() == Value::Unit {
            return Ok(());
        }
        let elements = self.memory.elements_at(row)?;
        if elements.len() != order.len() {
            return unfit("a row has as many elements as the order says");
        }
        let before = elements.to_vec();
        elements.iter_mut().zip(order).for_each(|(element, at)| *element = before[*at].clone());
        Ok(())
    }
}

fn index(value: &Value) -> Result<usize> {
    match value {
        Value::Int(n) => n.index(),
        other => unfit(format!("{} is no index", other.kind())),
    }
}

/// What a comparison says.
fn ordering(value: Value) -> Result<Ordering> {
    match &value {
        Value::Struct(name, _) if **name == *"Less" => Ok(Ordering::Less),
        Value::Struct(name, _) if **name == *"Equal" => Ok(Ordering::Equal),
        Value::Struct(name, _) if **name == *"Greater" => Ok(Ordering::Greater),
        other => unfit(format!("{} is no ordering", other.kind())),
    }
}

/// An ordering as a value: a variant without fields.
pub(crate) fn variant(ordering: Ordering) -> Value {
    let name = match ordering {
        Ordering::Less => "Less",
        Ordering::Equal => "Equal",
        Ordering::Greater => "Greater",
    };
    Value::Struct(name.into(), Vec::new())
}
