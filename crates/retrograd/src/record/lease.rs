//! The records of a thread, used again by one run after the other.
//!
//! A run that ends gives its record back without calling anything, unless runs are nested: what it returns then stays in a register, and so
//! does what its loops carry from one iteration to the next. That is why records lie in boxes here, and why there is a place for one of them
//! beside the list of the others.

use std::cell::Cell;
use std::hint::black_box;
use std::mem;
use std::ops::{Deref, DerefMut};

use super::{Mark, Record};

/// Records that nobody uses now. There are as many as runs were ever nested.
struct Idle {
    last: Cell<Option<Box<Record>>>,
    #[allow(clippy::vec_box, reason = "a record is handed over as one pointer, whichever place it comes from")]
    others: Cell<Vec<Box<Record>>>,
}

thread_local! {
    static IDLE: Idle = const { Idle { last: Cell::new(None), others: Cell::new(Vec::new()) } };
}

impl Idle {
    #[cold]
    #[inline(never)]
    fn take_other(&self) -> Box<Record> {
        let mut records = self.others.take();
        let record = records.pop();
        self.others.set(records);
        record.unwrap_or_default()
    }

    #[cold]
    #[inline(never)]
    fn give_other(&self, record: Box<Record>) {
        let mut records = self.others.take();
        records.push(record);
        self.others.set(records);
    }
}

/// Takes the record that was given back last.
#[inline]
fn take() -> Box<Record> {
    // While the thread ends, nothing is kept for it.
    IDLE.try_with(|idle| idle.last.take().unwrap_or_else(|| idle.take_other())).unwrap_or_default()
}

/// Gives a record back.
#[inline]
fn give(record: Box<Record>) {
    let _ = IDLE.try_with(|idle| {
        if let Some(other) = idle.last.replace(Some(record)) {
            idle.give_other(other);
        }
    });
}

/// A record for one run, which the thread gets back when it ends, or panics: the next one allocates nothing.
#[derive(Debug)]
pub struct Lease {
    /// It is there until this is dropped.
    record: Option<Box<Record>>,
    /// Where it began.
    base: Mark,
}

impl Lease {
    /// A record that was used before, or a new one if all of them are in use.
    #[inline]
    #[allow(clippy::new_without_default, reason = "a default would not say that it is the record of the thread")]
    pub fn new() -> Lease {
        let record = take();
        Lease { base: record.mark(), record: Some(record) }
    }
}

impl Drop for Lease {
    #[inline]
    fn drop(&mut self) {
        if let Some(mut record) = self.record.take() {
            record.cut(&self.base);
            give(record);
        }
    }
}

impl Deref for Lease {
    type Target = Record;

    #[inline]
    fn deref(&self) -> &Record {
        self.record.as_ref().expect("a lease has its record until it ends")
    }
}

impl DerefMut for Lease {
    #[inline]
    fn deref_mut(&mut self) -> &mut Record {
        self.record.as_mut().expect("a lease has its record until it ends")
    }
}

/// Runs something whose first lease is of this record: what it keeps lies above what is there, and is gone at the end.
#[inline]
pub fn using<R>(record: &mut Record, run: impl FnOnce() -> R) -> R {
    struct Lent<'r>(&'r mut Record);

    impl Lent<'_> {
        /// The record of the next lease and that of the caller change places.
        #[inline]
        fn exchange(&mut self) {
            let mut next = take();
            mem::swap(&mut *next, self.0);
            give(next);
        }
    }

    impl Drop for Lent<'_> {
        #[inline]
        fn drop(&mut self) {
            self.exchange();
        }
    }

    let mut lent = Lent(record);
    lent.exchange();
    run()
}

/// The value of a function whose backward run has yet to begin.
///
/// It waits in memory: the run ends with calls, by which the record is given back, and no register for numbers survives a call. If the
/// value stayed in the register that a loop has left it in, LLVM would put that variable into memory for the whole loop.
#[inline(always)]
pub fn set_aside<T>(value: T) -> T {
    if size_of::<T>() <= size_of::<[u64; 2]>() { black_box(value) } else { value }
}
