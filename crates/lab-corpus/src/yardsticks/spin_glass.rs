//! Spin glasses on square lattices, and their ground states by trying all configurations.

use retrograd::Tropical;

use super::data::Random;
use crate::programs::spin_glass::ground_state;

/// A lattice with bonds of strength ±1, and weak fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Glass {
    /// The sites in a row, and the rows.
    pub width: usize,
    /// How strongly each site is pulled up.
    pub fields: Vec<f64>,
    /// The bond of each site with its right neighbour.
    pub right: Vec<f64>,
    /// The bond of each site with the one below.
    pub down: Vec<f64>,
}

impl Glass {
    /// A random lattice. Fields are multiples of a power of two, so that sums are exact in any order.
    pub fn new(width: usize, seed: u64) -> Glass {
        let random = &mut Random::new(seed);
        let sites = width * width;
        let mut bonds = || (0..sites).map(|_| if random.below(2) == 0 { -1.0 } else { 1.0 }).collect();
        let (right, down) = (bonds(), bonds());
        let fields = (0..sites).map(|_| random.below(65) as f64 / 128.0 - 0.25).collect();
        Glass { width, fields, right, down }
    }

    /// What a site gains by pointing up, given the spins of its neighbours.
    fn pull(&self, spins: &[f64], site: usize) -> f64 {
        let Glass { width, fields, right, down } = self;
        let (row, column) = (site / width, site % width);
        let mut pull = fields[site];
        if column > 0 {
            pull += right[site - 1] * spins[site - 1];
        }
        if column + 1 < *width {
            pull += right[site] * spins[site + 1];
        }
        if row > 0 {
            pull += down[site - width] * spins[site - width];
        }
        if row + 1 < *width {
            pull += down[site] * spins[site + width];
        }
        pull
    }

    /// What all spins gain. Bonds are seen from both ends.
    pub fn gained(&self, spins: &[f64]) -> f64 {
        let both = |site: usize| spins[site] * (self.pull(spins, site) + self.fields[site]);
        (0..spins.len()).map(both).sum::<f64>() / 2.0
    }

    /// The most that any configuration gains: one spin is turned at a time, in the order of a Gray code.
    pub fn by_trying(&self) -> f64 {
        let sites = self.fields.len();
        let mut spins = vec![-1.0; sites];
        let mut gained = self.gained(&spins);
        let mut most = gained;
        for step in 1_u64..1 << sites {
            let site = step.trailing_zeros() as usize;
            gained -= 2.0 * spins[site] * self.pull(&spins, site);
            spins[site] = -spins[site];
            most = most.max(gained);
        }
        most
    }

    /// The most that any configuration gains, and that configuration, by tropical numbers.
    ///
    /// ```
    /// use lab_corpus::yardsticks::spin_glass::Glass;
    ///
    /// let glass = Glass::new(3, 1);
    /// let (most, spins) = glass.solved();
    /// assert_eq!((most, glass.gained(&spins)), (glass.by_trying(), most));
    /// ```
    ///
    /// # Panics
    ///
    /// If the lattice has no site.
    pub fn solved(&self) -> (f64, Vec<f64>) {
        let tropical = |x: &[f64]| x.iter().copied().map(Tropical::new).collect::<Vec<_>>();
        let (fields, right, down) = (tropical(&self.fields), tropical(&self.right), tropical(&self.down));
        let mut spins = vec![0.0; fields.len()];
        let (by_right, by_down) = (&mut vec![0.0; right.len()][..], &mut vec![0.0; down.len()][..]);
        let shadows = ((&*fields, &mut *spins), (&*right, by_right), (&*down, by_down));
        let most = ground_state::pullback(shadows.0, shadows.1, shadows.2, self.width, 1.0);
        (most.value().expect("there is a configuration"), spins)
    }
}
