//! The ground state of a spin glass on a square lattice: a sum over all configurations in tropical numbers.
//!
//! Each site has a spin, up or down. A field pulls it up by its strength, or down if that is negative. Neighbours gain the
//! strength of their bond if they are alike, and lose it otherwise. In the max-plus algebra the sum over all configurations
//! is the most that can be gained, and its derivatives by the fields are the spins.

use retrograd::Tropical;
use retrograd::numbers::{tropical_add, tropical_sum};
use retrograd::prelude::*;

use super::{Demo, Entry};

type Number = Tropical<f64>;

/// What is gained by a term of this strength: the opposite unless it is satisfied.
#[reversible]
fn gained(strength: Number, satisfied: bool) -> Number {
    if satisfied { strength } else { Tropical::one() / strength }
}

/// The most that all spins can gain together, in rows of `width` sites.
///
/// `right[i]` is the bond of site `i` with its right neighbour and `down[i]` the one with the site below; at the edges they
/// are not looked at. Sites are added one after the other, and for all spins at the edge of what has been added so far,
/// one in each column, the best of the rest is kept: 2 to the power `width` numbers for each site.
///
/// ```
/// use lab_corpus::programs::spin_glass::ground_state;
/// use retrograd::Tropical;
///
/// // Two spins, which are pulled in opposite directions and want to be alike.
/// let (fields, bond) = ([3.0, -1.0].map(Tropical::new), [5.0, 0.0].map(Tropical::new));
/// let mut spins = [0.0; 2];
/// let most = ground_state::pullback((&fields, &mut spins), (&bond, &mut [0.0; 2]), (&bond, &mut [0.0; 2]), 2, 1.0);
/// assert_eq!((most, spins), (Tropical::new(7.0), [1.0, 1.0]));
/// ```
#[reversible]
pub fn ground_state(fields: &[Number], right: &[Number], down: &[Number], width: usize) -> Number {
    let states = 1_usize << width;
    let mut most = vec![vec![Tropical::one(); states]; fields.len() + 1];
    for site in 0..fields.len() {
        let column = site % width;
        for state in 0..states {
            let up = (state >> column) & 1 == 1;
            let own = gained(fields[site], up);
            let with_left = if column > 0 {
                gained(right[site - 1], up == ((state >> (column - 1)) & 1 == 1))
            } else {
                Tropical::one()
            };
            // The site above may have been either.
            let down_above = state & !(1 << column);
            let above = if site >= width {
                tropical_add(
                    most[site][down_above] * gained(down[site - width], !up),
                    most[site][down_above | (1 << column)] * gained(down[site - width], up),
                )
            } else {
                most[site][down_above]
            };
            most[site + 1][state] *= own * with_left * above;
        }
    }
    tropical_sum(&most[fields.len()])
}

/// Adds what can be gained to `total`, which in tropical numbers is a product.
///
/// ```
/// use lab_corpus::programs::spin_glass::spin_glass;
/// use retrograd::Tropical;
///
/// let (fields, bonds) = ([0.5, -0.25].map(Tropical::new), [0.0; 2].map(Tropical::new));
/// let mut total = Tropical::new(1.0);
/// spin_glass(&mut total, &fields, &bonds, &bonds, 2);
/// assert_eq!(total, Tropical::new(1.75));
/// spin_glass::uncall(&mut total, &fields, &bonds, &bonds, 2);
/// assert_eq!(total, Tropical::new(1.0));
/// ```
#[reversible]
pub fn spin_glass(total: &mut Number, fields: &[Number], right: &[Number], down: &[Number], width: usize) {
    *total *= ground_state(fields, right, down, width);
}

pub(super) const ENTRY: Entry = Entry {
    name: "spin_glass",
    about: "finds the best of all configurations in tropical numbers; its gradient is the configuration",
    source: spin_glass::source,
    demo: || {
        let right = [1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 0.0].map(Tropical::new);
        let down = [-1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 0.0, 0.0, 0.0].map(Tropical::new);
        let fields = [0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].map(Tropical::new);
        Demo::new(
            Tropical::one(),
            |total: &mut Number| spin_glass(total, &fields, &right, &down, 3),
            |total| spin_glass::uncall(total, &fields, &right, &down, 3),
            |total| format!("total = {total:?}"),
        )
    },
};
