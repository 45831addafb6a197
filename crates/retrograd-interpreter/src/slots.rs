//! `Slots`: values by keys.

use std::cmp::Ordering;

use crate::error::{Broken, Error, ErrorKind, Result};
use crate::eval::compared;
use crate::value::Value;
use retrograd::ErrorKind as Law;

/// Values by keys, in the order of these.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// What a new slot holds, once the type is known.
    pub(crate) zero: Option<Box<Value>>,
    pub(crate) all: Vec<(Value, Value)>,
    /// Of a shadow: what those slots held that were freed, the last one last.
    pub(crate) dropped: Vec<Value>,
}

/// Equal if the same keys have equal values.
impl PartialEq for Slots {
    fn eq(&self, other: &Slots) -> bool {
        self.all == other.all
    }
}

impl Slots {
    /// The place of a key, or where it would stand.
    fn find(&self, key: &Value) -> Result<std::result::Result<usize, usize>> {
        for (at, (own, _)) in self.all.iter().enumerate() {
            match compared(own, key)? {
                Some(Ordering::Less) => {}
                Some(Ordering::Equal) => return Ok(Ok(at)),
                Some(Ordering::Greater) | None => return Ok(Err(at)),
            }
        }
        Ok(Err(self.all.len()))
    }

    pub(crate) fn contains(&self, key: &Value) -> Result<bool> {
        Ok(self.find(key)?.is_ok())
    }

    /// The place of a key that has a slot.
    pub(crate) fn place_of(&self, key: &Value) -> Result<usize> {
        self.find(key)?.map_err(|_| broken(Law::MissingKey, key, "a slot", "no slot"))
    }

    /// Makes a slot for a key that has none.
    pub(crate) fn allocate(&mut self, key: Value, value: Value) -> Result<()> {
        match self.find(&key)? {
            Ok(_) => Err(broken(Law::OccupiedKey, &key, "no slot", "a slot")),
            Err(at) => {
                self.all.insert(at, (key, value));
                Ok(())
            }
        }
    }

    /// Removes the slot of a key; says what it held.
    pub(crate) fn free(&mut self, key: &Value) -> Result<Value> {
        let at = self.place_of(key)?;
        Ok(self.all.remove(at).1)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.all.iter().map(|(_, value)| value)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.all.iter_mut().map(|(_, value)| value)
    }

    /// The same keys with other values.
    pub(crate) fn map<E>(
        &self,
        mut value: impl FnMut(&Value) -> std::result::Result<Value, E>,
    ) -> std::result::Result<Slots, E> {
        let all = self.all.iter().map(|(key, own)| Ok((key.clone(), value(own)?)));
        Ok(Slots { zero: None, all: all.collect::<std::result::Result<_, E>>()?, dropped: Vec::new() })
    }
}

/// What is wrong with the slot of a key.
pub(crate) fn broken(law: Law, key: &Value, expected: &str, actual: &str) -> Error {
    let (variable, expected, actual) = (format!("slots[{key}]"), expected.to_string(), actual.to_string());
    Error::new(ErrorKind::Broken(Box::new(Broken { law, statement: String::new(), variable, expected, actual })))
}
