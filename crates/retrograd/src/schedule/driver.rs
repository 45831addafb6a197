//! Carries schedules out.

use super::action::Tally;
use super::{Action, Counts, Error, Online, Schedule, SnapshotStore, Step, Storage};

/// Runs `step` as often as the schedule says from `start`, and carries back what `seed` makes of the last state.
///
/// Returns what arrives at the start, and how often steps were run.
///
/// # Errors
///
/// Before anything is run: [`Error::NotReversible`] if the schedule undoes steps and `step` cannot be undone, and [`Error::Budget`] if the snapshots do
/// not fit. Later: what the store of snapshots raises. Nothing is returned then, and no snapshot of this run is left in the
/// store.
pub fn adjoint<P: Step>(
    step: &mut P,
    schedule: &dyn Schedule,
    start: P::State,
    store: &mut dyn SnapshotStore<P::State>,
    seed: impl FnOnce(&P::State) -> P::Adjoint,
) -> Result<(P::Adjoint, Counts), Error> {
    if schedule.reverses() && step.undoing().is_none() {
        return Err(Error::NotReversible);
    }
    store.reserve(&start, schedule.predicted().peak)?;
    let mut run =
        Run { step, store, current: start, seed: Some(seed), adjoint: None, tally: Tally::default(), kept: Vec::new() };
    schedule.actions().try_for_each(|action| run.carry_out(action))?;
    Ok(run.end())
}

/// The same for a run that goes on while `more` says so, with at most so many snapshots. `more` is given the number of the next step, and the state
/// before it.
///
/// ```
/// use retrograd::schedule::{Memory, adjoint_while, differentiable};
///
/// let mut halve = differentiable(|_, x: &mut f64| *x *= 0.5, |_, _: &f64, by_x: &mut f64| *by_x *= 0.5);
/// let (by_start, counts) = adjoint_while(&mut halve, 2, 100.0, |_, x| *x > 1.0, &mut Memory::new(), |_| 1.0)?;
/// assert_eq!((by_start, counts.adjoint, counts.peak), (0.5_f64.powi(7), 7, 2));
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
///
/// # Errors
///
/// As for [`adjoint`]; [`Error::Budget`] for no snapshots.
pub fn adjoint_while<P: Step>(
    step: &mut P,
    snapshots: usize,
    start: P::State,
    mut more: impl FnMut(usize, &P::State) -> bool,
    store: &mut dyn SnapshotStore<P::State>,
    seed: impl FnOnce(&P::State) -> P::Adjoint,
) -> Result<(P::Adjoint, Counts), Error> {
    let mut online = Online::new(snapshots)?;
    store.reserve(&start, snapshots)?;
    let mut run =
        Run { step, store, current: start, seed: Some(seed), adjoint: None, tally: Tally::default(), kept: Vec::new() };
    // Each step keeps what it needs to be taken back, until it turns out that another one follows.
    let mut last = None;
    let mut steps = 0;
    while more(steps, &run.current) {
        online.before_step().try_for_each(|action| run.carry_out(action))?;
        if last.is_some() {
            run.tally.add(&Action::Forward { from: steps - 1, to: steps });
        }
        last = Some(run.step.keep(steps, &mut run.current));
        steps += 1;
    }
    if let Some(kept) = last {
        run.tally.add(&Action::Adjoint { step: steps - 1 });
        run.take_back(steps - 1, kept);
    }
    online.back().try_for_each(|action| run.carry_out(action))?;
    Ok(run.end())
}

/// A schedule that is being carried out.
struct Run<'a, P: Step, F> {
    step: &'a mut P,
    store: &'a mut dyn SnapshotStore<P::State>,
    current: P::State,
    /// Gone once the last state is known, and `adjoint` is there.
    seed: Option<F>,
    adjoint: Option<P::Adjoint>,
    tally: Tally,
    /// The snapshots that there are, so that none is left behind.
    kept: Vec<(usize, Storage)>,
}

impl<P: Step, F: FnOnce(&P::State) -> P::Adjoint> Run<'_, P, F> {
    fn carry_out(&mut self, action: Action) -> Result<(), Error> {
        self.tally.add(&action);
        match action {
            Action::Forward { from, to } => (from..to).for_each(|index| self.step.forward(index, &mut self.current)),
            Action::Save { state, storage } => {
                self.store.save(state, storage, &self.current)?;
                self.kept.push((state, storage));
            }
            Action::Restore { state, storage } => self.store.restore(state, storage, &mut self.current)?,
            Action::Free { state, storage } => self.free(state, storage)?,
            Action::Uncompute { step } => {
                self.step.forward(step, &mut self.current);
                self.free(step + 1, Storage::Memory)?;
            }
            Action::Adjoint { step } => {
                let kept = self.step.keep(step, &mut self.current);
                self.take_back(step, kept);
            }
            Action::Reverse { step } => {
                self.seed();
                let undoing = self.step.undoing().ok_or(Error::NotReversible)?;
                self.adjoint.iter_mut().for_each(|adjoint| undoing.reverse(step, &mut self.current, adjoint));
            }
        }
        Ok(())
    }

    fn free(&mut self, state: usize, storage: Storage) -> Result<(), Error> {
        // It is nearly always the last one.
        if let Some(place) = self.kept.iter().rposition(|&kept| kept == (state, storage)) {
            self.kept.swap_remove(place);
        }
        self.store.free(state, storage)
    }

    /// Makes the adjoint of the last state, if that is the current one for the first time.
    fn seed(&mut self) {
        self.adjoint = self.adjoint.take().or_else(|| self.seed.take().map(|seed| seed(&self.current)));
    }

    /// Carries the adjoint back through a step that has just been run.
    fn take_back(&mut self, step: usize, kept: P::Kept) {
        self.seed();
        if let Some(adjoint) = &mut self.adjoint {
            self.step.pullback(step, &mut self.current, kept, adjoint);
        }
    }

    fn end(mut self) -> (P::Adjoint, Counts) {
        // Without any step, the first state is the last one.
        self.seed();
        (self.adjoint.take().expect("there was a seed"), self.tally.counts)
    }
}

impl<P: Step, F> Drop for Run<'_, P, F> {
    /// A run that ends early, by an error or a panic, leaves no snapshots.
    fn drop(&mut self) {
        for (state, storage) in self.kept.drain(..) {
            // What cannot be freed belongs to a store that has failed already.
            let _ = self.store.free(state, storage);
        }
    }
}
