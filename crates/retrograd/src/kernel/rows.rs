//! What the Jacobian of a kernel is made of on the CPU.

use crate::shadow::{Base, Shadowed};

/// Makes all numbers of a shadow zero, but for the one at that place.
#[doc(hidden)]
pub fn unit<V, D>(shadow: &mut <V as Shadowed<D>>::Shadow, place: Option<usize>)
where
    V: Shadowed<D> + ?Sized,
    D: Base,
{
    let mut next = 0;
    V::scalars_mut(shadow, &mut |number| {
        *number = if place == Some(next) { <D as crate::shadow::Shadow<f64>>::one() } else { D::zero() };
        next += 1;
    });
}

/// There is an element for the rows of each run.
///
/// # Panics
///
/// If there are more or fewer.
#[doc(hidden)]
#[track_caller]
pub fn fit_rows(argument: &str, runs: usize, rows: usize) {
    assert!(runs == rows, "the rows by `{argument}` are those of {rows} runs, and there are {runs} of them");
}
