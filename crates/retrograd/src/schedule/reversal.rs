//! No state is kept.

use super::{Action, Counts, Schedule};

/// Keeps nothing: each step is undone, and restores the state that its adjoint needs. The steps have to be reversible.
///
/// ```
/// use retrograd::schedule::{Reversal, Schedule};
///
/// let counts = Reversal::new(1_000_000).predicted();
/// assert_eq!((counts.steps(), counts.peak), (2_000_000, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reversal {
    steps: usize,
}

impl Reversal {
    /// Goes through so many steps, and back.
    pub fn new(steps: usize) -> Reversal {
        Reversal { steps }
    }
}

impl Schedule for Reversal {
    fn steps(&self) -> usize {
        self.steps
    }

    fn actions(&self) -> Box<dyn Iterator<Item = Action> + '_> {
        let there = (self.steps > 0).then_some(Action::Forward { from: 0, to: self.steps });
        Box::new(there.into_iter().chain((0..self.steps).rev().map(|step| Action::Reverse { step })))
    }

    fn predicted(&self) -> Counts {
        Counts { forward: self.steps as u64, reversed: self.steps as u64, ..Counts::default() }
    }

    fn reverses(&self) -> bool {
        true
    }
}
