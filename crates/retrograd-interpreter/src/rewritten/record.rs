//! Records: what a run loses, kept for the way back. The last in is the first out.

use retrograd_compiler::ir::{Assign, Form, Give, Keep, Slot, Update};

use crate::error::{Result, unfit};
use crate::machine::Machine;
use crate::number::{Float, Int};
use crate::value::Value;

/// What the record holds: in which slot, and what.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(super) slot: usize,
    pub(crate) value: Value,
}

impl<'m> Machine<'m> {
    fn record(&mut self, slot: Slot, value: Value) {
        let value = match slot.form {
            Form::Shape => blanked(value),
            Form::Whole | Form::InPlace | Form::Tried => value,
        };
        self.kept.push(Kept { slot: slot.number, value });
    }

    /// An update whose old value is kept.
    pub(crate) fn keep_updated(&mut self, s: &'m Update) -> Result<()> {
        if let Some(slot) = s.kept {
            let place = self.place(&s.target)?;
            let value = self.memory.view(&place)?.to_value();
            self.record(slot, value);
        }
        Ok(())
    }

    /// `y = e`
    pub(crate) fn assign(&mut self, s: &'m Assign) -> Result<()> {
        let value = self.value(&s.value)?;
        let place = self.place(&s.target)?;
        let old = self.memory.view(&place)?.to_value();
        let value = match (value, &old) {
            (Value::Float(x), Value::Float(old)) => Value::Float(x.like(old.repr)?),
            (Value::Int(n), Value::Int(old)) => Value::Int(Int { kind: n.kind.or(old.kind), ..n }),
            (value, _) => value,
        };
        self.overwritten += old.bits();
        if let Some(slot) = s.kept {
            self.record(slot, old);
        }
        self.memory.store(&place, value)
    }

    /// A local ends its life, and the record takes its value.
    pub(crate) fn keep(&mut self, s: &'m Keep) -> Result<()> {
        let place = self.place(&s.place)?;
        let value = self.memory.view(&place)?.to_value();
        self.record(s.slot, value);
        Ok(())
    }

    /// The record gives back what it took.
    pub(crate) fn restore(&mut self, s: &'m Keep) -> Result<()> {
        match self.kept.pop() {
            Some(kept) if kept.slot == s.slot.number => match s.local {
                Some(_) => {
                    self.set(s.place.root, kept.value);
                    Ok(())
                }
                None => {
                    let place = self.place(&s.place)?;
                    self.memory.store(&place, kept.value)
                }
            },
            Some(kept) => unfit(format!("the record has slot {} on top, not {}", kept.slot, s.slot.number)),
            None => unfit("the record is empty"),
        }
    }

    /// The value of a function that may return early.
    pub(crate) fn give(&mut self, s: &'m Give) -> Result<()> {
        let value = self.value(&s.value)?;
        self.set(s.result, Value::Option(Some(Box::new(value))));
        Ok(())
    }
}

/// A value of which only the shape is known: nothing may depend on its numbers.
fn blanked(mut value: Value) -> Value {
    fn integers(value: &mut Value) {
        match value {
            Value::Int(n) => *n = Int { value: 0x5a5a, ..*n },
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => all.iter_mut().for_each(integers),
            Value::Struct(_, fields) => fields.iter_mut().for_each(|(_, value)| integers(value)),
            Value::Option(Some(value)) => integers(value),
            _ => {}
        }
    }
    value.each_float_mut(&mut |float| {
        *float = Float { tangent: 0.0, ..Float::of(float.repr, f64::NAN).unwrap_or(*float) }
    });
    integers(&mut value);
    value
}
