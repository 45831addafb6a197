//! The fastest schedule that fits.

use super::{Action, Error, Multistage, Periodic, Reversal, Revolve, Schedule, Storage, StoreAll};

/// How many snapshots fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Into memory.
    pub memory: usize,
    /// On disk.
    pub disk: usize,
}

/// What actions cost, in any unit of time.
///
/// ```
/// use retrograd::schedule::Costs;
///
/// // Only steps count, and they cannot be undone.
/// let costs = Costs { forward: 1.0, adjoint: 3.0, ..Costs::default() };
/// assert_eq!(costs.reverse, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// To run a step.
    pub forward: f64,
    /// To run a step and to carry the adjoint back through it, from the state before.
    pub adjoint: f64,
    /// To undo a step with its adjoint, from the state after; `None` if it cannot be undone.
    pub reverse: Option<f64>,
    /// To copy a state in memory.
    pub copy: f64,
    /// To write a state to disk.
    pub write: f64,
    /// To read a state from disk.
    pub read: f64,
}

impl Costs {
    /// What a schedule costs.
    pub fn of(&self, schedule: &dyn Schedule) -> f64 {
        let cost = |action| match action {
            Action::Forward { from, to } => (to - from) as f64 * self.forward,
            Action::Save { storage: Storage::Disk, .. } => self.write,
            Action::Restore { storage: Storage::Disk, .. } => self.read,
            Action::Save { .. } | Action::Restore { .. } => self.copy,
            Action::Free { .. } => 0.0,
            Action::Uncompute { .. } => self.forward,
            Action::Adjoint { .. } => self.adjoint,
            Action::Reverse { .. } => self.reverse.unwrap_or(f64::INFINITY),
        };
        schedule.actions().map(cost).sum()
    }
}

/// The schedule that costs least among those that fit.
///
/// ```
/// use retrograd::schedule::{Budget, Costs, Schedule, best};
///
/// let costs = Costs { forward: 1.0, adjoint: 3.0, copy: 0.2, write: 5.0, read: 5.0, ..Costs::default() };
/// let schedule = best(1000, Budget { memory: 20, disk: 0 }, &costs)?;
/// assert!(schedule.predicted().peak <= 20);
///
/// // A step that can be undone for less needs no snapshots.
/// let reversible = Costs { reverse: Some(3.5), ..costs };
/// assert_eq!(best(1000, Budget { memory: 20, disk: 0 }, &reversible)?.predicted().peak, 0);
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Budget`] if no snapshot fits and steps cannot be undone.
pub fn best(steps: usize, budget: Budget, costs: &Costs) -> Result<Box<dyn Schedule>, Error> {
    let Budget { memory, disk } = budget;
    let mut candidates: Vec<Box<dyn Schedule>> = Vec::new();
    if costs.reverse.is_some() {
        candidates.push(Box::new(Reversal::new(steps)));
    }
    if memory > 0 {
        candidates.push(Box::new(Revolve::new(steps, memory)?));
    }
    if disk > 0 {
        candidates.push(Box::new(Multistage::new(steps, memory, disk)?));
    }
    let all = StoreAll::new(steps);
    if all.predicted().peak <= memory {
        candidates.push(Box::new(all));
    }
    // It makes fewer copies than Revolve, where memory is ample: with the shortest period that fits.
    let periods = (1..=steps).flat_map(|period| Periodic::new(steps, period));
    if let Some(schedule) = periods.into_iter().find(|schedule| schedule.predicted().peak <= memory) {
        candidates.push(Box::new(schedule));
    }
    let with_costs = candidates.into_iter().map(|schedule| (costs.of(&*schedule), schedule));
    match with_costs.min_by(|(a, _), (b, _)| a.total_cmp(b)) {
        Some((_, schedule)) => Ok(schedule),
        None => Err(Error::Budget { what: "snapshots", needed: 1, available: 0 }),
    }
}
