//! Every so many states one is kept.

use super::{Action, Counts, Error, Schedule, Storage, store_all};

/// Keeps every p-th state; on the way back, all states between two of them are computed again and kept for a while.
///
/// Each step is run at most three times. Memory is least where p is about √n:
///
/// ```
/// use retrograd::schedule::{Periodic, Schedule};
///
/// let counts = Periodic::new(10_000, 100)?.predicted();
/// assert_eq!((counts.steps(), counts.peak), (29_800, 198));
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periodic {
    steps: usize,
    period: usize,
}

impl Periodic {
    /// Keeps every `period`-th state of so many steps.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if `period` is zero.
    pub fn new(steps: usize, period: usize) -> Result<Periodic, Error> {
        match period {
            0 => Err(Error::Budget { what: "steps between snapshots", needed: 1, available: 0 }),
            _ => Ok(Periodic { steps, period }),
        }
    }

    /// Where the last segment begins.
    fn last(&self) -> usize {
        self.steps.saturating_sub(1) / self.period * self.period
    }
}

impl Schedule for Periodic {
    fn steps(&self) -> usize {
        self.steps
    }

    fn actions(&self) -> Box<dyn Iterator<Item = Action> + '_> {
        if self.steps == 0 {
            return Box::new(std::iter::empty());
        }
        let (storage, period, last) = (Storage::Memory, self.period, self.last());
        let there = (0..last).step_by(period).flat_map(move |state| {
            [Action::Save { state, storage }, Action::Forward { from: state, to: state + period }]
        });
        // The last segment goes on from where the run is. A segment in between begins with the snapshot that was kept of it.
        let end = store_all::segment(last, self.steps);
        let back = (0..last).step_by(period).rev().flat_map(move |from| {
            let begin = Action::Restore { state: from, storage };
            [begin].into_iter().chain(
                store_all::segment(from, from + period)
                    .filter(move |action| !matches!(action, Action::Save { state, .. } if *state == from)),
            )
        });
        Box::new(there.chain(end).chain(back))
    }

    fn predicted(&self) -> Counts {
        if self.steps == 0 {
            return Counts::default();
        }
        let (last, period) = (self.last(), self.period);
        let segments = last / period;
        let again = segments * (period - 1) + (self.steps - last - 1);
        let at_the_end = segments + store_all::peak(self.steps - last);
        // While the last of the whole segments is taken back, all others are kept by their first state.
        let before = if segments > 0 { segments - 1 + store_all::peak(period) } else { 0 };
        Counts {
            forward: (last + again) as u64,
            adjoint: self.steps as u64,
            peak: at_the_end.max(before),
            ..Counts::default()
        }
    }
}
