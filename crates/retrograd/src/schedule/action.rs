//! What a schedule consists of, and what it costs.

use std::fmt;

/// Where a snapshot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// In memory.
    Memory,
    /// On disk.
    Disk,
}

/// One action of a schedule. State `i` is the one before step `i`, so that a run of n steps goes from state 0 to state n.
///
/// There is one *current* state, which begins as state 0, and there are snapshots of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// The current state is `from`; run the steps up to state `to`.
    Forward {
        /// The state before.
        from: usize,
        /// The state after.
        to: usize,
    },
    /// Keep a copy of the current state.
    Save {
        /// Which state it is.
        state: usize,
        /// Where to keep it.
        storage: Storage,
    },
    /// Make a snapshot the current state. The snapshot stays.
    Restore {
        /// Which state it is.
        state: usize,
        /// Where it is kept.
        storage: Storage,
    },
    /// Forget a snapshot.
    Free {
        /// Which state it is.
        state: usize,
        /// Where it is kept.
        storage: Storage,
    },
    /// The current state is the one before `step`; run that step again, to clear the snapshot of the state after it.
    ///
    /// A machine that cannot erase has no other way to be rid of a state.
    Uncompute {
        /// The step.
        step: usize,
    },
    /// The current state is the one before `step`; run that step, and carry the adjoint back through it. What the current state
    /// is afterwards is not known.
    Adjoint {
        /// The step.
        step: usize,
    },
    /// The current state is the one after `step`; undo that step, and carry the adjoint back through it.
    Reverse {
        /// The step.
        step: usize,
    },
}

/// The adjoint of many steps, as a sequence of actions.
///
/// The actions of [`StoreAll`](super::StoreAll) for two steps:
///
/// ```
/// use retrograd::schedule::{Action, Schedule, StoreAll, Storage::Memory};
///
/// let actions: Vec<Action> = StoreAll::new(2).actions().collect();
/// assert_eq!(
///     actions,
///     [
///         Action::Save { state: 0, storage: Memory },
///         Action::Forward { from: 0, to: 1 },
///         Action::Adjoint { step: 1 },
///         Action::Restore { state: 0, storage: Memory },
///         Action::Adjoint { step: 0 },
///         Action::Free { state: 0, storage: Memory },
///     ]
/// );
/// ```
pub trait Schedule: fmt::Debug {
    /// How many steps there are.
    fn steps(&self) -> usize;

    /// The actions, in order.
    fn actions(&self) -> Box<dyn Iterator<Item = Action> + '_>;

    /// What the actions add up to, without going through them.
    fn predicted(&self) -> Counts;

    /// Whether steps are undone, which not all can be.
    fn reverses(&self) -> bool {
        false
    }
}

/// How often steps are run, and how many snapshots there are at once.
///
/// ```
/// use retrograd::schedule::{Counts, Revolve, Schedule};
///
/// let schedule = Revolve::new(10, 3)?;
/// assert_eq!(schedule.predicted(), Counts { forward: 15, uncomputed: 0, adjoint: 10, reversed: 0, peak: 3 });
/// assert_eq!(schedule.predicted(), Counts::of(schedule.actions()));
/// assert_eq!(schedule.predicted().steps(), 25);
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts {
    /// Steps that are only run.
    pub forward: u64,
    /// Steps that are run again to clear a state.
    pub uncomputed: u64,
    /// Steps that are run and carry the adjoint back.
    pub adjoint: u64,
    /// Steps that are undone and carry the adjoint back.
    pub reversed: u64,
    /// The most snapshots at once.
    pub peak: usize,
}

impl Counts {
    /// How often a step is run in all, undone ones and those that carry the adjoint included.
    pub fn steps(&self) -> u64 {
        self.forward + self.uncomputed + self.adjoint + self.reversed
    }

    /// What actions add up to.
    pub fn of(actions: impl IntoIterator<Item = Action>) -> Counts {
        let mut tally = Tally::default();
        actions.into_iter().for_each(|action| tally.add(&action));
        tally.counts
    }
}

/// Counts while actions are carried out.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) counts: Counts,
    snapshots: usize,
}

impl Tally {
    pub(super) fn add(&mut self, action: &Action) {
        let Tally { counts, snapshots } = self;
        match *action {
            Action::Forward { from, to } => counts.forward += (to - from) as u64,
            Action::Save { .. } => *snapshots += 1,
            Action::Restore { .. } => {}
            Action::Free { .. } => *snapshots -= 1,
            Action::Uncompute { .. } => {
                counts.uncomputed += 1;
                *snapshots -= 1;
            }
            Action::Adjoint { .. } => counts.adjoint += 1,
            Action::Reverse { .. } => counts.reversed += 1,
        }
        counts.peak = counts.peak.max(*snapshots);
    }
}
