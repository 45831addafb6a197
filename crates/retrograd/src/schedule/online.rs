//! Snapshots of a run whose end is not known.

use super::revolve::{Sweep, cost};
use super::{Action, Error, Storage};

/// Which states of a run to keep while its end is not known, and how to take it back once it is.
///
/// Every state is kept for a while. Where there is no room for one more, another goes: one that stands in front of a snapshot of a higher *level*, and
/// if there is none, the last one, whose successor rises by one level. So old snapshots are spread evenly, after Wang, Moin and
/// Iaccarino. The run is taken back in parts, each by [`Revolve`](super::Revolve) with the snapshots that are free by then.
///
/// [`adjoint_while`](super::adjoint_while) carries it out. By hand:
///
/// ```
/// use retrograd::schedule::{Action, Counts, Online};
///
/// let mut online = Online::new(3)?;
/// let mut actions = Vec::new();
/// for step in 0..10 {
///     actions.extend(online.before_step());
///     if step < 9 {
///         actions.push(Action::Forward { from: step, to: step + 1 });
///     }
/// }
/// actions.push(Action::Adjoint { step: 9 });
/// actions.extend(online.back());
/// let counts = Counts::of(actions);
/// assert_eq!((counts.steps(), counts.peak), (28, 3)); // 25 would be the fewest.
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Online {
    snapshots: usize,
    /// Which states are kept, each with its level.
    kept: Vec<(usize, u32)>,
    /// The state that comes next.
    next: usize,
}

impl Online {
    /// With so many snapshots at most.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if there is no snapshot: the first state has to be kept.
    pub fn new(snapshots: usize) -> Result<Online, Error> {
        match snapshots {
            0 => Err(Error::Budget { what: "snapshots:", needed: 1, available: 0 }),
            _ => Ok(Online { snapshots, kept: Vec::new(), next: 0 }),
        }
    }

    /// What to do with the current state before the next step is run: at most one snapshot is freed, and one is taken.
    pub fn before_step(&mut self) -> impl Iterator<Item = Action> + use<> {
        let (state, storage) = (self.next, Storage::Memory);
        self.next += 1;
        let (freed, level) = match self.kept.len() < self.snapshots {
            true => (None, Some(if state == 0 { u32::MAX } else { 0 })),
            false => match (self.dispensable(), self.kept.len()) {
                (Some(place), _) => (Some(self.kept.remove(place).0), Some(0)),
                // The first state stays.
                (None, 1) => (None, None),
                (None, _) => {
                    let (last, level) = self.kept.pop().expect("there are several");
                    (Some(last), Some(level + 1))
                }
            },
        };
        self.kept.extend(level.map(|level| (state, level)));
        let free = freed.map(|state| Action::Free { state, storage });
        free.into_iter().chain(level.map(|_| Action::Save { state, storage }))
    }

    /// The last snapshot in front of one of a higher level.
    fn dispensable(&self) -> Option<usize> {
        let mut highest = 0;
        (1..self.kept.len()).rev().find(|&place| {
            let level = self.kept[place].1;
            let found = level < highest;
            highest = highest.max(level);
            found
        })
    }

    /// How many snapshots there are now.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// The way back, after the last step has been taken back by itself.
    pub fn back(self) -> impl Iterator<Item = Action> {
        self.parts().flat_map(|(from, end, snapshots)| Sweep::resumed(from, end, snapshots))
    }

    /// How many steps are run on the way back, those that carry the adjoint included.
    pub fn steps_back(&self) -> u64 {
        self.clone().parts().map(|(from, end, snapshots)| cost(end - from, snapshots)).sum()
    }

    /// The parts between the snapshots, the last first, each with as many snapshots as there are for it, its first state included.
    fn parts(self) -> impl Iterator<Item = (usize, usize, usize)> {
        let mut end = self.next.saturating_sub(1);
        let snapshots = self.snapshots;
        self.kept.into_iter().enumerate().rev().map(move |(before, (from, _))| {
            let part = (from, end, snapshots - before);
            end = from;
            part
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Counts, Revolve, Schedule};

    #[test]
    fn runs_of_any_length_keep_the_budget_and_are_near_the_fewest_steps() {
        for snapshots in 1..=12 {
            let (mut online, mut actions) = (Online::new(snapshots).unwrap(), Vec::new());
            for n in 1..=500 {
                actions.extend(online.before_step());
                let back = [Action::Adjoint { step: n - 1 }].into_iter().chain(online.clone().back());
                let counts = Counts::of(actions.iter().copied().chain(back));
                let fewest = Revolve::new(n, snapshots).unwrap().predicted();
                assert!(counts.peak <= snapshots, "{n} steps, {snapshots} snapshots");
                assert_eq!(
                    (counts.forward + counts.adjoint, counts.adjoint),
                    (n as u64 + online.steps_back(), n as u64)
                );
                assert!(2 * counts.steps() <= 3 * fewest.steps(), "{n} steps, {snapshots} snapshots: {counts:?}");
                actions.push(Action::Forward { from: n - 1, to: n });
            }
        }
    }
}
