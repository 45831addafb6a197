//! Comparing restored values with the original ones.
//!
//! Checked builds compare at run time, and tests do with [`check_inverse`]. Exact types compare bit
//! by bit, floats with a [`Tolerance`] that is set for a scope with [`with_tolerance`], and
//! everything else place by place through [`Compare`]. A check that fails raises an
//! [`InvertibilityError`](crate::InvertibilityError), which [`attempt`] catches.
//!
//! ```
//! use retrograd::check::{Mismatch, mismatches};
//!
//! let place = |path: &str, expected: &str, actual: &str| Mismatch {
//!     path: path.into(),
//!     expected: expected.into(),
//!     actual: actual.into(),
//! };
//! assert_eq!(mismatches(&(vec![1.0, 2.0], 'a'), &(vec![1.0, 2.5], 'b')), [
//!     place(".0[1]", "2.0", "2.5"),
//!     place(".1", "'a'", "'b'"),
//! ]);
//! ```

mod attempt;
mod compare;
mod containers;
mod digest;
mod drift;
mod gradient;
mod inverse;
mod rows;
mod tolerance;

pub use attempt::attempt;
pub(crate) use attempt::inside_attempt;
pub(crate) use compare::first_mismatch;
pub use compare::{Compare, Mismatch, Report, mismatches};
pub(crate) use containers::compare_maps;
#[doc(hidden)]
pub use digest::Digest;
pub use drift::{DriftTolerance, with_drift};
pub use gradient::{WrongGradient, check_gradient};
pub use inverse::{NotRestored, check_inverse};
#[doc(hidden)]
pub use rows::Apart;
pub use tolerance::{Tolerance, with_tolerance};
