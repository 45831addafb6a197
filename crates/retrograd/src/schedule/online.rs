//! Snapshots of a run whose end is not known.

use super::revolve::{Sweep, binomial, cost};
use super::{Action, Error, Storage};

/// Which states of a run to keep while its end is not known, and how to take it back once it is.
///
/// At every moment, the run so far could be taken back with as many snapshots as there are. Behind a snapshot that has s snapshots, itself included, the next one
/// moves on: it lies C(s, s), C(s + 1, s), C(s + 2, s), .. steps behind it, which is as far as [`Revolve`](super::Revolve) gets with
/// no repetition, with one, with two. What lies behind the next one goes when that moves. So the last snapshots go first, and wherever
/// the run has n = C(s + r, s) steps, no other choice needs fewer; elsewhere at most 1.5 times as many are run. The run is taken
/// back in parts, each by Revolve with the snapshots that are free by then.
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
/// assert_eq!((counts.steps(), counts.peak), (25, 3)); // No choice has fewer: 10 is C(3 + 2, 3).
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Online {
    snapshots: usize,
    /// The states that are kept, in order.
    kept: Vec<Kept>,
    /// The state that comes next.
    next: usize,
}

/// A state that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    state: usize,
    /// How often the next one has moved.
    moved: usize,
    /// Where the next one will be kept, if there is a snapshot for it.
    due: usize,
}

impl Online {
    /// With so many snapshots at most.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if there is no snapshot: the first state has to be kept.
    pub fn new(snapshots: usize) -> Result<Online, Error> {
        match snapshots {
            0 => Err(Error::Budget { what: "snapshots", needed: 1, available: 0 }),
            _ => Ok(Online { snapshots, kept: Vec::new(), next: 0 }),
        }
    }

    /// What to do with the current state before the next step is run: snapshots are freed, the last first, and one is taken.
    pub fn before_step(&mut self) -> impl Iterator<Item = Action> + use<> {
        let (state, storage) = (self.next, Storage::Memory);
        self.next += 1;
        let mut actions = Vec::new();
        if state == self.due() {
            let behind = self.kept.iter().position(|kept| kept.due == state);
            let stays = behind.map_or(0, |place| place + 1);
            let freed = self.kept.drain(stays..).rev();
            actions.extend(freed.map(|kept| Action::Free { state: kept.state, storage }));
            if let Some(place) = behind {
                let Kept { state: before, moved, .. } = self.kept[place];
                self.kept[place] = self.keeping(before, place, moved + 1);
            }
            self.kept.push(self.keeping(state, stays, 0));
            actions.push(Action::Save { state, storage });
        }
        actions.into_iter()
    }

    /// A state that is kept, behind so many others.
    fn keeping(&self, state: usize, behind: usize, moved: usize) -> Kept {
        let snapshots = self.snapshots - behind;
        let due = match snapshots {
            1 => usize::MAX,
            _ => state.saturating_add(binomial(snapshots + moved, snapshots) as usize),
        };
        Kept { state, moved, due }
    }

    /// The next state that is kept.
    pub(super) fn due(&self) -> usize {
        // What comes first is due first, or at the same time.
        self.kept.iter().map(|kept| kept.due).min().unwrap_or(0)
    }

    /// Goes on to a state before which none is due.
    pub(super) fn pass_to(&mut self, state: usize) {
        self.next = state;
    }

    /// How many snapshots there are now.
    pub fn kept(&self) -> usize {
        self.kept.len()
    }

    /// The way back, after the last step has been taken back by itself.
    pub fn back(self) -> impl Iterator<Item = Action> {
        let end = self.next.saturating_sub(1);
        self.back_from(end)
    }

    /// The way back from a state.
    pub(super) fn back_from(self, end: usize) -> Back {
        let kept = self.kept.into_iter().map(|kept| kept.state).collect();
        Back { snapshots: self.snapshots, kept, end, part: None }
    }

    /// How many steps are run on the way back, those that carry the adjoint included.
    pub fn steps_back(&self) -> u64 {
        let ends = self.kept.iter().skip(1).map(|kept| kept.state).chain([self.next.saturating_sub(1)]);
        let parts = self.kept.iter().zip(ends).enumerate();
        parts.map(|(behind, (kept, end))| cost(end - kept.state, self.snapshots - behind)).sum()
    }
}

/// The parts between the snapshots, the last first, each with as many snapshots as there are for it, its first state included.
#[derive(Clone, Debug)]
pub(super) struct Back {
    snapshots: usize,
    kept: Vec<usize>,
    end: usize,
    part: Option<Sweep>,
}

impl Back {
    /// The rest of a part.
    pub(super) fn of(part: Option<Sweep>) -> Back {
        Back { snapshots: 0, kept: Vec::new(), end: 0, part }
    }
}

impl Iterator for Back {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        loop {
            if let Some(action) = self.part.as_mut().and_then(Sweep::next) {
                return Some(action);
            }
            let from = self.kept.pop()?;
            self.part = Some(Sweep::resumed(from, self.end, self.snapshots - self.kept.len()));
            self.end = from;
        }
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
                if (0..n).any(|r| binomial(snapshots + r, snapshots) == n as u64) {
                    assert_eq!(counts.steps(), fewest.steps(), "{n} steps, {snapshots} snapshots");
                }
                actions.push(Action::Forward { from: n - 1, to: n });
            }
        }
    }
}
