//! Variables in cells, and references to parts of them.

use crate::error::{Result, panics, unfit};
use crate::value::{Ref, Step, Value};

/// What a reference refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'a> {
    /// A value.
    One(&'a Value),
    /// Some elements of a list.
    Many(&'a [Value]),
}

impl View<'_> {
    /// A copy of it.
    pub(crate) fn to_value(self) -> Value {
        match self {
            View::One(value) => value.clone(),
            View::Many(all) => Value::List(all.to_vec()),
        }
    }
}

/// The cells of all variables of all programs that are being run.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) cells: Vec<Value>,
}

impl Memory {
    /// What a reference refers to.
    pub(crate) fn view(&self, place: &Ref) -> Result<View<'_>> {
        let mut value = &self.cells[place.cell];
        for step in &place.path {
            match step {
                Step::Part(i) => value = part(value, *i)?,
                Step::Slice(a, b) => return Ok(View::Many(&elements(value)?[*a..*b])),
            }
        }
        Ok(View::One(value))
    }

    /// The place itself, to be changed as a whole; a slice has no place of its own.
    pub(crate) fn at(&mut self, place: &Ref) -> Result<&mut Value> {
        let mut value = &mut self.cells[place.cell];
        for step in &place.path {
            match step {
                Step::Part(i) => value = part_mut(value, *i)?,
                Step::Slice(..) => return unfit("a slice has no place of its own"),
            }
        }
        Ok(value)
    }

    /// The elements at a place.
    pub(crate) fn elements_at(&mut self, place: &Ref) -> Result<&mut [Value]> {
        let (slice, range) = match place.path.last() {
            Some(Step::Slice(a, b)) => {
                (Ref { cell: place.cell, path: place.path[..place.path.len() - 1].to_vec() }, Some(*a..*b))
            }
            _ => (place.clone(), None),
        };
        match self.at(&slice)? {
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => match range {
                Some(range) => Ok(&mut all[range]),
                None => Ok(all),
            },
            other => unfit(format!("{} has no elements", other.kind())),
        }
    }

    /// One of the lists that the shadow of a stack consists of: what lies on it, and what was dropped.
    pub(crate) fn elements_of(&mut self, place: &Ref, number: usize) -> Result<&mut Vec<Value>> {
        match part_mut(self.at(place)?, number)? {
            Value::List(all) => Ok(all),
            other => unfit(format!("{} is no list", other.kind())),
        }
    }

    /// Overwrites what a reference refers to.
    pub(crate) fn store(&mut self, place: &Ref, value: Value) -> Result<()> {
        if let Some(Step::Slice(..)) = place.path.last() {
            let Value::List(new) = value else { return unfit("a slice is overwritten by elements") };
            let old = self.elements_at(place)?;
            if old.len() != new.len() {
                return unfit("a slice is overwritten by as many elements as it has");
            }
            old.iter_mut().zip(new).for_each(|(old, new)| *old = new);
            return Ok(());
        }
        *self.at(place)? = value;
        Ok(())
    }

    /// The place behind a reference that is stored at a place.
    pub(crate) fn follow(&self, mut place: Ref) -> Result<Ref> {
        while let View::One(Value::Ref(behind)) = self.view(&place)? {
            place = behind.clone();
        }
        Ok(place)
    }

    /// The value behind all references, those in a tuple too.
    pub(crate) fn load(&self, value: Value) -> Result<Value> {
        match value {
            Value::Tuple(all) => {
                Ok(Value::Tuple(all.into_iter().map(|value| self.load(value)).collect::<Result<_>>()?))
            }
            Value::Option(Some(value)) => Ok(Value::Option(Some(Box::new(self.load(*value)?)))),
            Value::Ref(place) => {
                let place = self.follow(place)?;
                Ok(self.view(&place)?.to_value())
            }
            value => Ok(value),
        }
    }

    /// The part of a place with that number.
    pub(crate) fn part(&self, place: &Ref, i: usize) -> Result<Ref> {
        // A part of what has no derivative has none.
        if let View::One(Value::Unit) = self.view(place)? {
            return Ok(place.clone());
        }
        let len = self.len(place)?;
        if i >= len {
            return panics(format!("index out of bounds: the len is {len} but the index is {i}"));
        }
        let mut part = place.clone();
        match part.path.last_mut() {
            Some(last @ Step::Slice(..)) => {
                let Step::Slice(start, _) = *last else { return Ok(part) };
                *last = Step::Part(start + i);
            }
            _ => part.path.push(Step::Part(i)),
        }
        Ok(part)
    }

    /// Some elements of a place.
    pub(crate) fn slice(&self, place: &Ref, a: usize, b: usize) -> Result<Ref> {
        let len = self.len(place)?;
        if a > b {
            return panics(format!("slice index starts at {a} but ends at {b}"));
        }
        if b > len {
            return panics(format!("range end index {b} out of range for slice of length {len}"));
        }
        let mut slice = place.clone();
        match slice.path.last_mut() {
            Some(last @ Step::Slice(..)) => {
                let Step::Slice(start, _) = *last else { return Ok(slice) };
                *last = Step::Slice(start + a, start + b);
            }
            _ => slice.path.push(Step::Slice(a, b)),
        }
        Ok(slice)
    }

    /// How many parts there are at a place.
    pub(crate) fn len(&self, place: &Ref) -> Result<usize> {
        match self.view(place)? {
            View::Many(all) => Ok(all.len()),
            View::One(value) => len(value),
        }
    }
}

/// How many parts a value has.
pub(crate) fn len(value: &Value) -> Result<usize> {
    match value {
        Value::List(all) | Value::Tuple(all) | Value::Stack(all) => Ok(all.len()),
        Value::Struct(_, fields) => Ok(fields.len()),
        Value::Option(Some(_)) => Ok(1),
        Value::Slots(slots) => Ok(slots.all.len()),
        other => unfit(format!("{} has no parts", other.kind())),
    }
}

fn elements(value: &Value) -> Result<&[Value]> {
    match value.parts() {
        Some(all) => Ok(all),
        None => unfit(format!("{} has no elements", value.kind())),
    }
}

pub(crate) fn part(value: &Value, i: usize) -> Result<&Value> {
    let part = match value {
        Value::List(all) | Value::Tuple(all) | Value::Stack(all) => all.get(i),
        Value::Struct(_, fields) => fields.get(i).map(|(_, value)| value),
        Value::Option(Some(inner)) => Some(&**inner),
        Value::Slots(slots) => slots.all.get(i).map(|(_, value)| value),
        other => return unfit(format!("{} has no parts", other.kind())),
    };
    match part {
        Some(part) => Ok(part),
        None => panics(format!("index out of bounds: the len is {} but the index is {i}", len(value)?)),
    }
}

fn part_mut(value: &mut Value, i: usize) -> Result<&mut Value> {
    match value {
        Value::List(all) | Value::Tuple(all) | Value::Stack(all) => {
            let len = all.len();
            match all.get_mut(i) {
                Some(part) => Ok(part),
                None => panics(format!("index out of bounds: the len is {len} but the index is {i}")),
            }
        }
        Value::Struct(_, fields) => match fields.get_mut(i) {
            Some((_, part)) => Ok(part),
            None => unfit("a struct has no such field"),
        },
        Value::Option(Some(inner)) => Ok(inner),
        Value::Slots(slots) => match slots.all.get_mut(i) {
            Some((_, part)) => Ok(part),
            None => unfit("there is no such slot"),
        },
        other => unfit(format!("{} has no parts", other.kind())),
    }
}
