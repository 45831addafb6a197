//! Learning without gradients: a program is run forwards and backwards until both ends are as they should be.
//!
//! The task is to find p so that exp(p + x) − exp(x) is what it should be. A run from the wanted `x` ends at some `y`,
//! which is replaced by the wanted one. The run backwards from there ends at some `x`, which is replaced by the wanted
//! one, and at another `p`. And so on. It can only work if the end of the run does not say all about `p`: of two
//! programs that compute the same, one learns.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// Adds exp(p + x) − exp(x) to `y`, and `x` to `p`.
///
/// What it leaves in `x` and `p` says what `p` was, whatever `y` is: it learns nothing.
///
/// ```
/// use lab_corpus::programs::consistency::{consistency_in_vain, train};
///
/// let outputs = train(consistency_in_vain, consistency_in_vain::uncall);
/// assert_eq!(outputs.len(), 100);
/// assert!(outputs.iter().all(|y| (y - outputs[0]).abs() < 1e-14));
/// ```
#[reversible]
pub fn consistency_in_vain<T: Real>(y: &mut T, x: &mut T, p: &mut T) {
    *p += *x;
    *y -= x.exp();
    *y += p.exp();
}

/// The same, and subtracts from `x` what can be computed from `y` on the way. If `y` was zero, so is `x` afterwards.
///
/// What is left in `p` alone does not say what `p` was, so that it learns.
///
/// ```
/// use lab_corpus::programs::consistency::{consistency, train};
///
/// let outputs = train(consistency, consistency::uncall);
/// assert!((outputs[0] - 1.0).abs() > 1.0);
/// assert!((outputs[99] - 1.0).abs() < 1e-12); // each turn takes away a quarter of what is wrong
/// ```
#[reversible]
pub fn consistency<T: Real>(y: &mut T, x: &mut T, p: &mut T) {
    *p += *x;
    *y -= x.exp();
    *x -= (-*y).ln();
    *y += p.exp();
}

/// Runs a program forwards and backwards a hundred times, between `x` = 0.3 and `y` = 1. Returns each `y` that was
/// found.
pub fn train(call: impl Fn(&mut f64, &mut f64, &mut f64), uncall: impl Fn(&mut f64, &mut f64, &mut f64)) -> Vec<f64> {
    let mut p = 1.6;
    (0..100)
        .map(|_| {
            let (mut y, mut x) = (0.0, 0.3);
            call(&mut y, &mut x, &mut p);
            uncall(&mut 1.0, &mut x, &mut p);
            y
        })
        .collect()
}

pub(super) const ENTRY: Entry = Entry {
    name: "consistency",
    about: "computes a difference of exponentials and forgets an input by subtracting what it is known to be",
    source: consistency::source,
    demo: || {
        Demo::new(
            [0.0, 0.3, 1.6],
            |[y, x, p]: &mut [f64; 3]| consistency(y, x, p),
            |[y, x, p]| consistency::uncall(y, x, p),
            |state| format!("y, x, p = {:?}", rounded(state)),
        )
    },
};
