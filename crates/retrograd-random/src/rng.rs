//! Chance: a splitmix64 generator, the same on every platform.

/// A stream of random numbers that depends on its seed alone.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The next 64 bits (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*).
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`; 0 for an empty range.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        match bound {
            0 => 0,
            _ => (self.bits() % bound as u64) as usize,
        }
    }

    /// A number in `low..=high`.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of a hundred cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `choices`, which are not empty.
    pub(super) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// One of `choices`, each with its weight.
    pub(super) fn weighted<T: Clone>(&mut self, choices: &[(usize, T)]) -> T {
        let total = choices.iter().map(|(weight, _)| weight).sum();
        let mut ticket = self.below(total);
        for (weight, choice) in choices {
            if ticket < *weight {
                return choice.clone();
            }
            ticket -= weight;
        }
        unreachable!("a ticket is less than the sum of all weights")
    }
}
