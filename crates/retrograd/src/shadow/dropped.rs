//! Adjoints of what is always zero: a pullback drops them, and an unpullback gives them back.
//!
//! What `push` leaves in a variable is a constant, so its adjoint goes nowhere. The stack of adjoints keeps it, for the run that may be
//! undone. Only the runs that a user calls know whether they undo something: a `pullback` inside another one may be that of an
//! inverse.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The adjoint run that a user has called.
#[derive(Clone, Copy)]
struct Run {
    /// Zero outside of all.
    number: u64,
    undoes: bool,
}

thread_local! {
    static RUN: Cell<Run> = const { Cell::new(Run { number: 0, undoes: false }) };
}

static LAST: AtomicU64 = AtomicU64::new(0);

/// The time of an adjoint run that a user has called; those inside it belong to it.
#[derive(Debug)]
pub struct AdjointRun {
    outermost: bool,
}

impl AdjointRun {
    /// A `pullback` begins.
    #[inline]
    pub fn pullback() -> AdjointRun {
        AdjointRun::begin(false)
    }

    /// An `unpullback` begins.
    #[inline]
    pub fn unpullback() -> AdjointRun {
        AdjointRun::begin(true)
    }

    fn begin(undoes: bool) -> AdjointRun {
        let outermost = RUN.get().number == 0;
        if outermost {
            RUN.set(Run { number: LAST.fetch_add(1, Ordering::Relaxed) + 1, undoes });
        }
        AdjointRun { outermost }
    }
}

impl Drop for AdjointRun {
    fn drop(&mut self) {
        if self.outermost {
            RUN.set(Run { number: 0, undoes: false });
        }
    }
}

/// What the adjoints in a store have dropped, in order.
#[derive(Clone)]
pub(crate) struct Dropped<T> {
    run: u64,
    adjoints: Vec<T>,
}

impl<T> Dropped<T> {
    pub(crate) const fn none() -> Dropped<T> {
        Dropped { run: 0, adjoints: Vec::new() }
    }

    /// Keeps an adjoint that is dropped, unless the run undoes another one, or can itself not be undone.
    #[inline]
    pub(crate) fn keep(&mut self, adjoint: T) {
        let Run { number, undoes } = RUN.get();
        if number == 0 || undoes {
            return;
        }
        // What earlier runs have dropped can be given back no more.
        if self.run != number {
            self.adjoints.clear();
            self.run = number;
        }
        self.adjoints.push(adjoint);
    }

    /// The adjoint that was dropped last, for a run that undoes the one that dropped it.
    #[inline]
    pub(crate) fn give_back(&mut self) -> Option<T> {
        if RUN.get().undoes { self.adjoints.pop() } else { None }
    }
}
