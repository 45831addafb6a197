//! A loop that keeps as many bytes in every iteration has one piece of the record for all of them: nothing grows inside it, and it ends only
//! where its head says, so what it computes stays in registers.

use std::iter::{Rev, Zip};
use std::slice::{ChunksExact, ChunksExactMut};

use super::{Record, Recordable, Slot};

/// The iterations of a loop, each with the bytes in which it keeps values.
#[derive(Debug)]
pub enum Rooms<'r, I> {
    /// All of them keep as many bytes.
    Bytes(Zip<I, ChunksExactMut<'r, u8>>),
    /// Values that differ in length go to the record one by one.
    Record(I),
}

/// The iterations of a loop that goes back, each with the bytes that its counterpart has kept.
#[derive(Debug)]
pub enum Rests<'r, I> {
    /// All of them have kept as many bytes.
    Bytes(Zip<I, Rev<ChunksExact<'r, u8>>>),
    /// Values that differ in length come from the record one by one.
    Record(I),
}

/// How many bytes each iteration keeps, in values of these widths, and how many there are in all. Checked builds remember the type
/// of each value, one by one.
#[inline(always)]
fn widths_of_all<const N: usize>(all: &impl Iterator, widths: [Option<usize>; N]) -> Option<(usize, usize)> {
    if cfg!(debug_assertions) {
        return None;
    }
    let width = widths.into_iter().try_fold(0, |sum, width| Some(sum + width?)).filter(|width| *width > 0)?;
    let (count, most) = all.size_hint();
    let exactly = most.filter(|most| *most == count)?;
    Some((width, exactly.checked_mul(width)?))
}

/// The iterations of a loop that keep values of these widths. The record itself is returned if they have to use it one by one.
#[inline(always)]
pub fn rooms<'r, I: Iterator, const N: usize>(
    record: &'r mut Record,
    all: I,
    widths: [Option<usize>; N],
) -> (Option<&'r mut Record>, Rooms<'r, I>) {
    match widths_of_all(&all, widths) {
        Some((width, length)) => (None, Rooms::Bytes(all.zip(record.room(length).chunks_exact_mut(width)))),
        None => (Some(record), Rooms::Record(all)),
    }
}

/// The iterations of a loop that takes back values of these widths. The record itself is returned if they have to use it one by one.
#[inline(always)]
pub fn rests<'r, I: Iterator, const N: usize>(
    record: &'r mut Record,
    all: I,
    widths: [Option<usize>; N],
) -> (Option<&'r mut Record>, Rests<'r, I>) {
    match widths_of_all(&all, widths) {
        Some((width, length)) => (None, Rests::Bytes(all.zip(record.take(length).chunks_exact(width).rev()))),
        None => (Some(record), Rests::Record(all)),
    }
}

impl<'r, I: Iterator> Iterator for Rooms<'r, I> {
    type Item = (I::Item, &'r mut [u8]);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Rooms::Bytes(all) => all.next(),
            Rooms::Record(all) => all.next().map(|item| (item, Default::default())),
        }
    }
}

impl<'r, I: Iterator> Iterator for Rests<'r, I> {
    type Item = (I::Item, &'r [u8]);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Rests::Bytes(all) => all.next(),
            Rests::Record(all) => all.next().map(|item| (item, Default::default())),
        }
    }
}

/// Where one iteration keeps values.
#[derive(Debug)]
pub enum Room<'r> {
    /// The bytes that are still free.
    Bytes(&'r mut [u8]),
    /// The record.
    Record(&'r mut Record),
}

/// What one iteration has kept.
#[derive(Debug)]
pub enum Rest<'r> {
    /// The bytes that are still to be taken, from the end.
    Bytes(&'r [u8]),
    /// The record.
    Record(&'r mut Record),
}

impl<'r> Room<'r> {
    /// These bytes, unless there is a record.
    #[inline(always)]
    pub fn new(record: &'r mut Option<&mut Record>, bytes: &'r mut [u8]) -> Room<'r> {
        match record {
            None => Room::Bytes(bytes),
            Some(record) => Room::Record(record),
        }
    }
}

impl<'r> Rest<'r> {
    /// These bytes, unless there is a record.
    #[inline(always)]
    pub fn new(record: &'r mut Option<&mut Record>, bytes: &'r [u8]) -> Rest<'r> {
        match record {
            None => Rest::Bytes(bytes),
            Some(record) => Rest::Record(record),
        }
    }
}

impl<T> Slot<T> {
    /// How many bytes a value takes, if that is the same for all.
    #[inline(always)]
    pub fn width(&self) -> Option<usize>
    where
        T: Recordable,
    {
        T::RECORD_WIDTH
    }

    /// How many bytes a shape takes: none, where all are the same.
    #[inline(always)]
    pub fn width_of_shape(&self) -> Option<usize>
    where
        T: Recordable,
    {
        T::RECORD_WIDTH.map(|_| 0)
    }

    /// Keeps a value.
    #[inline(always)]
    pub fn keep_in(&self, room: &mut Room<'_>, value: &T)
    where
        T: Recordable,
    {
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
    pub fn recall_from(&self, rest: &mut Rest<'_>) -> T
    where
        T: Recordable,
    {
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
    pub fn keep_shape_in(&self, room: &mut Room<'_>, value: &T)
    where
        T: Recordable,
    {
        if let Room::Record(record) = room {
            self.keep_shape(record, value);
        }
    }

    /// A value of the shape that was kept last, with every number zero.
    #[inline(always)]
    pub fn recall_shape_from(&self, rest: &mut Rest<'_>) -> T
    where
        T: Recordable,
    {
        match rest {
            Rest::Bytes(_) => T::record_zeros(),
            Rest::Record(record) => self.recall_shape(record),
        }
    }
}

#[cold]
#[inline(never)]
fn miscounted() -> ! {
    unreachable!("each iteration has the bytes of all its values")
}
