//! Records: what a run loses, kept for the way back. The last in is the first out.

use retrograd_compiler::ir::{Assign, Form, Give, Keep, Run, Slot, Update};

use crate::error::{Result, unfit};
use crate::machine::Machine;
use crate::number::{Float, Int, Logarithm, Repr};
use crate::value::Value;

/// What the record holds: in which slot, and what.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// How deep the calls nested that kept it.
    depth: usize,
    slot: usize,
    pub(crate) value: Value,
}

impl<'m> Machine<'m> {
    fn record(&mut self, slot: Slot, value: Value) {
        let value = match slot.form {
            Form::Shape => blanked(value),
            Form::Whole | Form::InPlace | Form::Tried => value,
        };
        self.keep_in(slot.number, value);
    }

    /// Keeps a value in a slot.
    pub(super) fn keep_in(&mut self, slot: usize, value: Value) {
        self.kept.push(Kept { depth: self.depth, slot, value });
    }

    /// What was kept last, which is in that slot. A way back on values alone does not run back the functions that it calls: what these
    /// have kept is dropped.
    pub(super) fn kept_in(&mut self, slot: usize) -> Result<Value> {
        if self.frame.program.run == Run::Keep {
            while self.kept.last().is_some_and(|kept| kept.depth > self.depth) {
                self.kept.pop();
            }
        }
        match self.kept.pop() {
            Some(kept) if kept.slot == slot => Ok(kept.value),
            Some(kept) => unfit(format!("the record has slot {} on top, not {slot}", kept.slot)),
            None => unfit("the record is empty"),
        }
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
        let value = self.kept_in(s.slot.number)?;
        match s.local {
            Some(_) => {
                self.set(s.place.root, value);
                Ok(())
            }
            None => {
                let place = self.place(&s.place)?;
                self.memory.store(&place, value)
            }
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
        let repr = match float.repr {
            Repr::Open(_) => Repr::Open(f64::NAN),
            Repr::F64(_) => Repr::F64(f64::NAN),
            Repr::F32(_) => Repr::F32(f32::NAN),
            Repr::Fixed(frac, _) => Repr::Fixed(frac, 0x5a5a),
            Repr::Tropical(_) => Repr::Tropical(Some(f64::NAN)),
            Repr::Log(_) => Repr::Log(Logarithm::default()),
        };
        *float = Float { repr, tangent: 0.0 };
    });
    integers(&mut value);
    value
}
