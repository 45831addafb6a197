//! Snapshots in memory and on disk.

use super::{Action, Counts, Error, Revolve, Schedule, Storage};

/// [`Revolve`] with snapshots in memory and on disk: as few steps as with all of them in memory, and those snapshots on disk
/// that are written and read least.
///
/// ```
/// use retrograd::schedule::{Action, Multistage, Schedule, Storage};
///
/// let schedule = Multistage::new(1000, 3, 7)?;
/// assert_eq!(schedule.predicted().steps(), 4636);
/// let written = |wanted| schedule.actions().filter(|a| matches!(a, Action::Save { storage, .. } if *storage == wanted)).count();
/// assert!(written(Storage::Disk) < written(Storage::Memory));
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multistage {
    plan: Revolve,
    /// Where the first snapshot of those that there are at a time goes, the second, and so on.
    places: Vec<Storage>,
}

impl Multistage {
    /// So many steps, with so many snapshots in memory and on disk.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if there are no snapshots at all.
    pub fn new(steps: usize, memory: usize, disk: usize) -> Result<Multistage, Error> {
        let plan = Revolve::new(steps, memory + disk)?;
        // Snapshots are a stack: the one that is taken last is freed first. So each level of it has its own traffic.
        let mut traffic: Vec<(u64, usize)> = (0..plan.predicted().peak).map(|level| (0, level)).collect();
        let mut height = 0;
        for action in plan.actions() {
            match action {
                Action::Save { .. } => {
                    traffic[height].0 += 1;
                    height += 1;
                }
                Action::Restore { .. } => traffic[height - 1].0 += 1,
                Action::Free { .. } => height -= 1,
                Action::Forward { .. } | Action::Uncompute { .. } | Action::Adjoint { .. } | Action::Reverse { .. } => {
                }
            }
        }
        traffic.sort_by_key(|&(traffic, level)| (std::cmp::Reverse(traffic), level));
        let mut places = vec![Storage::Disk; traffic.len()];
        traffic.iter().take(memory).for_each(|&(_, level)| places[level] = Storage::Memory);
        Ok(Multistage { plan, places })
    }
}

impl Schedule for Multistage {
    fn steps(&self) -> usize {
        self.plan.steps()
    }

    fn actions(&self) -> Box<dyn Iterator<Item = Action> + '_> {
        let mut height = 0;
        Box::new(self.plan.actions().map(move |action| match action {
            Action::Save { state, .. } => {
                height += 1;
                Action::Save { state, storage: self.places[height - 1] }
            }
            Action::Restore { state, .. } => Action::Restore { state, storage: self.places[height - 1] },
            Action::Free { state, .. } => {
                height -= 1;
                Action::Free { state, storage: self.places[height] }
            }
            Action::Forward { .. } | Action::Uncompute { .. } | Action::Adjoint { .. } | Action::Reverse { .. } => {
                action
            }
        }))
    }

    fn predicted(&self) -> Counts {
        self.plan.predicted()
    }
}
