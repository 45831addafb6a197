//! Every state is kept.

use super::{Action, Counts, Schedule, Storage};

/// Keeps every state, so that no step is run more than twice. A budget of n − 1 snapshots is enough for n steps, because the last one is
/// taken back at once.
///
/// ```
/// use retrograd::schedule::{Schedule, StoreAll};
///
/// let counts = StoreAll::new(100).predicted();
/// assert_eq!((counts.steps(), counts.peak), (199, 99));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreAll {
    steps: usize,
}

impl StoreAll {
    /// Keeps the states of so many steps.
    pub fn new(steps: usize) -> StoreAll {
        StoreAll { steps }
    }
}

impl Schedule for StoreAll {
    fn steps(&self) -> usize {
        self.steps
    }

    fn actions(&self) -> Box<dyn Iterator<Item = Action> + '_> {
        Box::new(segment(0, self.steps))
    }

    fn predicted(&self) -> Counts {
        let n = self.steps;
        Counts { forward: n.saturating_sub(1) as u64, adjoint: n as u64, peak: peak(n), ..Counts::default() }
    }
}

/// How many states of a segment are kept at once.
pub(super) fn peak(len: usize) -> usize {
    len.saturating_sub(1).max(len.min(1))
}

/// All states from the current one on are kept, up to the last that a step begins with.
///
/// The current state is `from`; the snapshots that are taken are freed.
pub(super) fn segment(from: usize, to: usize) -> impl Iterator<Item = Action> {
    let storage = Storage::Memory;
    let kept = from + peak(to - from);
    let forward = (from..to).flat_map(move |state| {
        let save = (state < kept).then_some(Action::Save { state, storage });
        let run = (state + 1 < to).then_some(Action::Forward { from: state, to: state + 1 });
        save.into_iter().chain(run)
    });
    let backward = (from..to).rev().flat_map(move |step| {
        // The current state is the last one of the segment when the way back begins.
        let restore = (step + 1 < to).then_some(Action::Restore { state: step, storage });
        let free = (step < kept).then_some(Action::Free { state: step, storage });
        restore.into_iter().chain([Action::Adjoint { step }]).chain(free)
    });
    forward.chain(backward)
}
