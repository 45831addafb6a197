//! The fewest steps for a number of snapshots.

use super::{Action, Counts, Error, Schedule, Storage};

/// The schedule with the fewest steps for a number of snapshots, after Griewank and Walther's Revolve.
///
/// With s snapshots, the first state included, and steps that are run at most r + 1 times, C(s + r, s) steps can be taken back, so memory and time
/// both grow with the logarithm of their number. In all, n + r·n − C(s + r, s + 1) steps are run.
///
/// ```
/// use retrograd::schedule::{Revolve, Schedule};
///
/// let counts = Revolve::new(1_000_000, 100)?.predicted();
/// assert_eq!((counts.steps(), counts.peak), (4_817_896, 100));
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revolve {
    steps: usize,
    snapshots: usize,
}

impl Revolve {
    /// Takes so many steps back with so many snapshots.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if there is no snapshot: the first state has to be kept.
    pub fn new(steps: usize, snapshots: usize) -> Result<Revolve, Error> {
        match snapshots {
            0 => Err(Error::Budget { what: "snapshots", needed: 1, available: 0 }),
            _ => Ok(Revolve { steps, snapshots }),
        }
    }
}

impl Schedule for Revolve {
    fn steps(&self) -> usize {
        self.steps
    }

    fn actions(&self) -> Box<dyn Iterator<Item = Action> + '_> {
        match self.steps {
            0 => Box::new(std::iter::empty()),
            steps => Box::new(Sweep::new(0, steps, self.snapshots)),
        }
    }

    fn predicted(&self) -> Counts {
        let forward = cost(self.steps, self.snapshots) - self.steps as u64;
        Counts { forward, adjoint: self.steps as u64, peak: peak(self.steps, self.snapshots), ..Counts::default() }
    }
}

/// How many of the snapshots are used. A state from which only one step is left to take back needs none, but for the first.
fn peak(steps: usize, snapshots: usize) -> usize {
    snapshots.min(steps.saturating_sub(1).max(steps.min(1)))
}

/// C(n, k), or the largest number there is.
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    let mut value: u128 = 1;
    for i in 1..=k.min(n - k) as u128 {
        // Divides without remainder: the product of i consecutive numbers.
        value = value * (n as u128 + 1 - i) / i;
        if value > u64::MAX as u128 {
            return u64::MAX;
        }
    }
    value as u64
}

/// How often all steps but those of the first run have to be run again at most: the least r with C(s + r, s) ≥ n.
fn repetitions(steps: usize, snapshots: usize) -> usize {
    let enough = |r: usize| binomial(snapshots + r, snapshots) >= steps as u64;
    if enough(0) {
        return 0;
    }
    // There are few of them in most runs, and binomials of few are soon computed.
    let mut high = 1;
    while !enough(high) {
        high *= 2;
    }
    let mut low = high / 2 + 1;
    while low < high {
        let middle = low + (high - low) / 2;
        match enough(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    low
}

/// The fewest steps that have to be run, those that carry the adjoint included.
pub(super) fn cost(steps: usize, snapshots: usize) -> u64 {
    if steps == 0 {
        return 0;
    }
    let (n, r) = (steps as u64, repetitions(steps, snapshots));
    // The last term is below r·n, so what is taken away is never saturated.
    n + r as u64 * n - binomial(snapshots + r, snapshots + 1)
}

/// After how many of the steps the next snapshot is taken, if there are so many snapshots, that of the current state included.
///
/// With m steps in front of it, the steps behind it are taken back with one snapshot less, and those in front with all of them. Both parts
/// keep within the repetitions that the whole needs, exactly when m is in an interval; this is its lower end.
fn split(steps: usize, snapshots: usize) -> usize {
    let r = repetitions(steps, snapshots);
    let within = |snapshots: usize, r: usize| binomial(snapshots + r, snapshots);
    let lowest = if r >= 2 { within(snapshots, r - 2) } else { 1 };
    lowest.max((steps as u64).saturating_sub(within(snapshots - 1, r))) as usize
}

/// The actions for a part of a run whose first state is the current one.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    from: usize,
    /// The first state that is taken back already.
    end: usize,
    snapshots: usize,
    /// The states that are kept, in order.
    kept: Vec<usize>,
    /// Which state is the current one.
    at: usize,
    next: Next,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Save,
    Move,
    Adjoint,
    Free,
    Restore,
    Done,
}

impl Sweep {
    pub(super) fn new(from: usize, end: usize, snapshots: usize) -> Sweep {
        Sweep { from, end, snapshots, kept: Vec::with_capacity(snapshots.min(end - from)), at: from, next: Next::Save }
    }

    /// A sweep whose first state is kept already, and is freed at its end.
    pub(super) fn resumed(from: usize, end: usize, snapshots: usize) -> Sweep {
        let mut sweep = Sweep::new(from, end, snapshots);
        sweep.kept.push(from);
        sweep.next = if from == end { Next::Free } else { Next::Restore };
        sweep
    }
}

impl Iterator for Sweep {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let storage = Storage::Memory;
        loop {
            match self.next {
                Next::Save => {
                    self.next = Next::Move;
                    self.kept.push(self.at);
                    return Some(Action::Save { state: self.at, storage });
                }
                Next::Move => {
                    let (from, left) = (self.at, self.end - self.at);
                    let free = self.snapshots - self.kept.len();
                    let by = if free > 0 && left > 1 { split(left, free + 1) } else { left - 1 };
                    self.at += by;
                    // A state from which only one step is left is used at once.
                    self.next = if self.at + 1 == self.end { Next::Adjoint } else { Next::Save };
                    if by > 0 {
                        return Some(Action::Forward { from, to: self.at });
                    }
                }
                Next::Adjoint => {
                    self.end -= 1;
                    self.next = Next::Free;
                    return Some(Action::Adjoint { step: self.end });
                }
                Next::Free => match self.kept.last() {
                    Some(&state) if state == self.end => {
                        self.kept.pop();
                        return Some(Action::Free { state, storage });
                    }
                    _ => self.next = if self.end == self.from { Next::Done } else { Next::Restore },
                },
                Next::Restore => {
                    self.at = self.kept[self.kept.len() - 1];
                    self.next = Next::Move;
                    return Some(Action::Restore { state: self.at, storage });
                }
                Next::Done => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fewest steps, by trying every place for the next snapshot.
    fn fewest(most_steps: usize, most_snapshots: usize) -> Vec<Vec<u64>> {
        let mut table = vec![vec![0; most_steps + 1]; most_snapshots + 1];
        for s in 1..=most_snapshots {
            for n in 1..=most_steps {
                let alone = (n * (n + 1) / 2) as u64;
                let split = |m: usize| m as u64 + table[s - 1][n - m] + table[s][m];
                table[s][n] = if s == 1 { alone } else { (1..n).map(split).min().unwrap_or(1).min(alone) };
            }
        }
        table
    }

    #[test]
    fn no_schedule_has_fewer_steps() {
        for (s, row) in fewest(60, 12).iter().enumerate().skip(1) {
            for (n, &steps) in row.iter().enumerate() {
                let schedule = Revolve { steps: n, snapshots: s };
                assert_eq!(schedule.predicted().steps(), steps, "{n} steps, {s} snapshots");
                assert_eq!(Counts::of(schedule.actions()), schedule.predicted(), "{n} steps, {s} snapshots");
            }
        }
    }

    #[test]
    fn known_counts() {
        for (n, s, steps) in [(10, 1, 55), (10, 3, 25), (100, 5, 416), (1000, 10, 4636), (10_000, 20, 47_976)] {
            assert_eq!(cost(n, s), steps);
        }
    }

    #[test]
    fn a_million_steps_are_scheduled_within_a_second() {
        let begin = std::time::Instant::now();
        let counts = Counts::of(Revolve { steps: 1_000_000, snapshots: 100 }.actions());
        assert_eq!((counts.steps(), counts.peak), (4_817_896, 100));
        // Without optimisation it takes longer; seconds of a busy machine are no law.
        assert!(begin.elapsed().as_secs_f64() < if cfg!(debug_assertions) { 30.0 } else { 1.0 });
    }

    #[test]
    fn binomials_do_not_overflow() {
        assert_eq!((binomial(10, 3), binomial(7, 0), binomial(7, 7), binomial(7, 8)), (120, 1, 1, 0));
        assert_eq!(binomial(1000, 500), u64::MAX);
        assert_eq!(cost(usize::MAX >> 24, 1 << 40), 2 * (u64::MAX >> 24) - 1);
    }
}
