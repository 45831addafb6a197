//! The schedule of a loop that is marked `#[checkpoint]`, as generated code asks for it.

use std::cell::{Cell, RefCell};
use std::iter::{Skip, Take};

use super::Action;
use super::revolve::Sweep;
use crate::error::ErrorKind;
use crate::record::{InPlace, Record};
use crate::site::Site;

/// What is to be done next with a loop.
///
/// On the way there, the last iteration fills the record; the way back begins with undoing it.
#[derive(Debug)]
pub struct Plan {
    /// Nothing, if there are no iterations.
    sweep: RefCell<Option<Sweep>>,
    now: Cell<Option<Action>>,
    /// The iteration that the way back begins with.
    first: Cell<Option<Action>>,
    /// Whether the iteration that is undone has to be run before.
    repeats: Cell<bool>,
    there: bool,
}

impl Plan {
    /// The way there.
    pub fn there(count: usize, snapshots: usize, site: &Site) -> Plan {
        if snapshots == 0 {
            site.fail(ErrorKind::Budget, "snapshots", "at least 1", "0");
        }
        let sweep = (count > 0).then(|| Sweep::new(0, count, snapshots));
        Plan { sweep: sweep.into(), now: None.into(), first: None.into(), repeats: true.into(), there: true }
    }

    /// The way back, from where the way there has ended.
    pub fn back(count: usize, snapshots: usize) -> Plan {
        let mut sweep = (count > 0).then(|| Sweep::new(0, count, snapshots));
        let first = sweep.iter_mut().flatten().find(|action| matches!(action, Action::Adjoint { .. }));
        Plan { sweep: sweep.into(), now: None.into(), first: first.into(), repeats: true.into(), there: false }
    }

    /// Goes on to the next action, if there is one.
    pub fn next(&self) -> bool {
        if self.there && matches!(self.now.get(), Some(Action::Adjoint { .. })) {
            return false;
        }
        let first = self.first.take();
        self.repeats.set(first.is_none());
        self.now.set(first.or_else(|| self.sweep.borrow_mut().as_mut()?.next()));
        self.now.get().is_some()
    }

    /// Whether the current state is kept.
    pub fn saves(&self) -> bool {
        matches!(self.now.get(), Some(Action::Save { .. }))
    }

    /// Whether iterations are run and nothing is kept of them.
    pub fn runs(&self) -> bool {
        matches!(self.now.get(), Some(Action::Forward { .. }))
    }

    /// Whether the last state that was kept becomes the current one.
    pub fn restores(&self) -> bool {
        matches!(self.now.get(), Some(Action::Restore { .. }))
    }

    /// Whether the last state that was kept is forgotten.
    pub fn frees(&self) -> bool {
        matches!(self.now.get(), Some(Action::Free { .. }))
    }

    /// Whether the iteration that is undone next is run again before.
    pub fn repeats(&self) -> bool {
        self.repeats.get()
    }

    /// The iterations of a loop that run now.
    pub fn part<I: IntoIterator>(&self, all: I) -> Take<Skip<I::IntoIter>> {
        let (from, count) = match self.now.get() {
            Some(Action::Forward { from, to }) => (from, to - from),
            Some(Action::Adjoint { step }) => (step, 1),
            _ => (0, 0),
        };
        all.into_iter().skip(from).take(count)
    }
}

/// How many bytes a place takes in a record.
pub fn kept_bytes<T: InPlace + ?Sized>(place: &T) -> usize {
    let mut record = Record::new();
    place.keep_place(&mut record);
    record.bytes()
}

/// How many states fit into so many bytes, each of places with these sizes.
pub fn snapshots_within<const N: usize>(bytes: usize, places: [usize; N]) -> usize {
    match places.iter().sum() {
        // A state without any values costs nothing.
        0 => usize::MAX,
        state => bytes / state,
    }
}
