//! The records of a thread, used again by one run after the other.

use std::cell::Cell;
use std::mem;
use std::ops::{Deref, DerefMut};

use super::{Mark, Record};

thread_local! {
    /// Records that nobody uses now. There are as many as runs were ever nested.
    static IDLE: Cell<Vec<Record>> = const { Cell::new(Vec::new()) };
}

/// Takes the record that was given back last.
fn take() -> Option<Record> {
    let taken = IDLE.try_with(|idle| {
        let mut records = idle.take();
        let record = records.pop();
        idle.set(records);
        record
    });
    taken.ok().flatten()
}

/// Gives a record back. While the thread ends there is nobody to keep it for.
fn give(record: Record) {
    let _ = IDLE.try_with(|idle| {
        let mut records = idle.take();
        records.push(record);
        idle.set(records);
    });
}

/// A record for one run, which the thread gets back when it ends, or panics: the next one allocates nothing.
#[derive(Debug)]
pub struct Lease {
    record: Record,
    /// Where it began.
    base: Mark,
}

impl Lease {
    /// A record that was used before, or a new one if all of them are in use.
    #[inline]
    #[allow(clippy::new_without_default, reason = "a default would not say that it is the record of the thread")]
    pub fn new() -> Lease {
        let record = take().unwrap_or_default();
        Lease { base: record.mark(), record }
    }
}

impl Drop for Lease {
    #[inline]
    fn drop(&mut self) {
        self.record.cut(&self.base);
        give(mem::take(&mut self.record));
    }
}

impl Deref for Lease {
    type Target = Record;

    #[inline]
    fn deref(&self) -> &Record {
        &self.record
    }
}

impl DerefMut for Lease {
    #[inline]
    fn deref_mut(&mut self) -> &mut Record {
        &mut self.record
    }
}

/// Runs something whose first lease is of this record: what it keeps lies above what is there, and is gone at the end.
#[inline]
pub fn using<R>(record: &mut Record, run: impl FnOnce() -> R) -> R {
    struct Lent<'r>(&'r mut Record);

    impl Drop for Lent<'_> {
        fn drop(&mut self) {
            *self.0 = take().unwrap_or_default();
        }
    }

    give(mem::take(record));
    let _lent = Lent(record);
    run()
}
