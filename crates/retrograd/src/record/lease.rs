//! The records of a thread, used again by one run after the other.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

use super::Record;

thread_local! {
    /// Records that nobody uses now. There are as many as runs were ever nested.
    #[allow(clippy::vec_box, reason = "a record moves in and out for every run")]
    static IDLE: Cell<Vec<Box<Record>>> = const { Cell::new(Vec::new()) };
}

/// A record for one run, which the thread gets back when it ends, or panics: the next one allocates nothing.
#[derive(Debug)]
pub struct Lease(Option<Box<Record>>);

impl Lease {
    /// An empty record: one that was used before, or a new one if all of them are in use.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Lease {
        let idle = IDLE.try_with(|idle| {
            let mut records = idle.take();
            let record = records.pop();
            idle.set(records);
            record
        });
        Lease(Some(idle.ok().flatten().unwrap_or_default()))
    }
}

impl Drop for Lease {
    #[inline]
    fn drop(&mut self) {
        let Some(mut record) = self.0.take() else { return };
        record.clear();
        // While the thread ends there is nobody to keep it for.
        let _ = IDLE.try_with(|idle| {
            let mut records = idle.take();
            records.push(record);
            idle.set(records);
        });
    }
}

impl Deref for Lease {
    type Target = Record;

    #[inline]
    fn deref(&self) -> &Record {
        self.0.as_ref().expect("it is given back at the end")
    }
}

impl DerefMut for Lease {
    #[inline]
    fn deref_mut(&mut self) -> &mut Record {
        self.0.as_mut().expect("it is given back at the end")
    }
}
