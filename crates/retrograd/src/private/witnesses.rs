//! `Witnesses`: what a local was in front of some iterations of a loop.

/// How many are kept.
const MOST: usize = 8;

/// What a local was in front of at most eight iterations of a loop, as many of them as it has by then, and as evenly spread. A backward
/// run compares the local with them where it has restored it that far, in checked builds: an error that grows and decays again is
/// seen by none but these.
#[derive(Debug)]
pub struct Witnesses<T> {
    /// In front of each iteration whose number is a multiple of the stride.
    kept: [Option<T>; MOST],
    stride: usize,
    /// How many iterations have run and are not undone.
    iterations: usize,
}

impl<T> Witnesses<T> {
    /// None so far.
    #[allow(clippy::new_without_default, reason = "generated code alone makes them")]
    pub fn new() -> Witnesses<T> {
        Witnesses { kept: [const { None }; MOST], stride: 1, iterations: 0 }
    }

    /// In front of the next iteration; the value is asked for if it is one of those that are kept.
    pub fn keep(&mut self, value: impl FnOnce() -> Option<T>) {
        let iteration = self.iterations;
        self.iterations += 1;
        if !iteration.is_multiple_of(self.stride) {
            return;
        }
        if iteration / self.stride == MOST {
            // Every other one goes.
            for i in 0..MOST {
                self.kept[i] = if i < MOST / 2 { self.kept[2 * i].take() } else { None };
            }
            self.stride *= 2;
        }
        self.kept[iteration / self.stride] = value();
    }

    /// The number of the iteration that has just been undone, and what the local was in front of it, if that was kept.
    pub fn recall(&mut self) -> Option<(usize, &T)> {
        self.iterations = self.iterations.checked_sub(1)?;
        let kept = self.kept.get(self.iterations / self.stride).filter(|_| self.iterations.is_multiple_of(self.stride));
        kept?.as_ref().map(|witness| (self.iterations, witness))
    }
}

#[cfg(test)]
mod tests {
    use super::Witnesses;

    /// The iterations that are compared, the last first, each with what it was.
    fn compared(iterations: usize) -> Vec<usize> {
        let mut witnesses = Witnesses::new();
        (0..iterations).for_each(|i| witnesses.keep(|| Some(i)));
        (0..iterations)
            .rev()
            .filter_map(|i| {
                let found = witnesses.recall().map(|(iteration, witness)| (iteration, *witness));
                assert!(found.is_none_or(|found| found == (i, i)));
                found.map(|(_, witness)| witness)
            })
            .collect()
    }

    #[test]
    fn at_most_eight_are_kept_from_the_first_to_the_last() {
        assert!(compared(0).is_empty());
        assert_eq!(compared(3), [2, 1, 0]);
        assert_eq!(compared(9), [8, 6, 4, 2, 0]);
        for n in 1..300 {
            let all = compared(n);
            assert!(all.len() <= 8 && all.len() >= n.min(5) && all.last() == Some(&0), "{n}");
            assert!(n - all[0] <= n.div_ceil(4), "{n}");
        }
    }

    #[test]
    fn what_cannot_be_copied_is_not_compared() {
        let mut witnesses: Witnesses<()> = Witnesses::new();
        (0..20).for_each(|_| witnesses.keep(|| None));
        assert!((0..20).all(|_| witnesses.recall().is_none()));
        assert!(witnesses.recall().is_none());
    }
}
