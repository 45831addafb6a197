//! A loop that keeps as many bytes in every iteration has one piece of the record for all of them: nothing grows inside it, so what it
//! computes stays in registers.

use super::{Record, Recordable, Slot};

/// Where the iterations of a loop keep values.
#[derive(Debug)]
pub enum Room<'r> {
    /// The bytes for all of them that are still free.
    Bytes(&'r mut [u8]),
    /// Values that differ in length go to the record one by one.
    Record(&'r mut Record),
}

/// What the iterations of a loop have kept.
#[derive(Debug)]
pub enum Rest<'r> {
    /// The bytes that are still to be taken, from the end.
    Bytes(&'r [u8]),
    /// Values that differ in length come from the record one by one.
    Record(&'r mut Record),
}

/// How many bytes so many iterations keep, each of them values of these widths. Checked builds remember the type of each value, one by one.
#[inline(always)]
fn length<const N: usize>(count: usize, widths: [Option<usize>; N]) -> Option<usize> {
    if cfg!(debug_assertions) {
        return None;
    }
    let width = widths.into_iter().try_fold(0, |sum, width| Some(sum + width?))?;
    count.checked_mul(width)
}

impl<'r> Room<'r> {
    /// Room for so many iterations that keep values of these widths.
    #[inline(always)]
    pub fn new<const N: usize>(record: &'r mut Record, count: usize, widths: [Option<usize>; N]) -> Room<'r> {
        match length(count, widths) {
            Some(length) => Room::Bytes(record.room(length)),
            None => Room::Record(record),
        }
    }
}

impl<'r> Rest<'r> {
    /// What so many iterations have kept, in values of these widths.
    #[inline(always)]
    pub fn new<const N: usize>(record: &'r mut Record, count: usize, widths: [Option<usize>; N]) -> Rest<'r> {
        match length(count, widths) {
            Some(length) => Rest::Bytes(record.take(length)),
            None => Rest::Record(record),
        }
    }
}

impl<T: Recordable> Slot<T> {
    /// How many bytes a value takes, if that is the same for all.
    #[inline(always)]
    pub fn width(&self) -> Option<usize> {
        T::RECORD_WIDTH
    }

    /// How many bytes a shape takes: none, where all are the same.
    #[inline(always)]
    pub fn width_of_shape(&self) -> Option<usize> {
        T::RECORD_WIDTH.map(|_| 0)
    }

    /// Keeps a value.
    #[inline(always)]
    pub fn keep_in(&self, room: &mut Room<'_>, value: &T) {
        match room {
            Room::Bytes(bytes) => {
                let all = std::mem::take(bytes);
                let (place, rest) =
                    all.split_at_mut_checked(T::RECORD_WIDTH.unwrap_or(0)).unwrap_or_else(|| miscounted());
                value.write_bytes(place);
                *bytes = rest;
            }
            Room::Record(record) => self.keep(record, value),
        }
    }

    /// Takes the value that was kept last.
    #[inline(always)]
    pub fn recall_from(&self, rest: &mut Rest<'_>) -> T {
        match rest {
            Rest::Bytes(bytes) => {
                let at = bytes.len().checked_sub(T::RECORD_WIDTH.unwrap_or(0));
                let (rest, place) = at.and_then(|at| bytes.split_at_checked(at)).unwrap_or_else(|| miscounted());
                *bytes = rest;
                T::read_bytes(place)
            }
            Rest::Record(record) => self.recall(record),
        }
    }

    /// Keeps the shape of a value.
    #[inline(always)]
    pub fn keep_shape_in(&self, room: &mut Room<'_>, value: &T) {
        if let Room::Record(record) = room {
            self.keep_shape(record, value);
        }
    }

    /// A value of the shape that was kept last, with every number zero.
    #[inline(always)]
    pub fn recall_shape_from(&self, rest: &mut Rest<'_>) -> T {
        match rest {
            Rest::Bytes(_) => T::record_zeros(),
            Rest::Record(record) => self.recall_shape(record),
        }
    }
}

#[cold]
#[inline(never)]
fn miscounted() -> ! {
    unreachable!("a loop has as many iterations as it said before")
}
