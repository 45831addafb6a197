//! Reversible procedures of the library, and the traits behind statements.
//!
//! [`rotate()`], [`swap()`], [`damp()`], [`multiply_upper()`], [`multiply_lower()`] and [`multiply_lu()`] are called like any reversible
//! procedure; [`sum()`], [`dot()`], [`maximum()`], [`argmax()`] and [`log_sum_exp()`] like any reversible function. [`MulUpdate`] is behind
//! `y *= e`, [`AddUpdate`] behind `y += e`, [`Disjoint`] behind several elements of one container in one call, [`Overlap`] behind
//! the check that two places differ.
//!
//! ```
//! use retrograd::ops::{rotate, swap};
//!
//! let (mut a, mut b) = (1.0, 0.0);
//! swap(&mut a, &mut b);
//! rotate(&mut a, &mut b, 0.25);
//! rotate::uncall(&mut a, &mut b, 0.25);
//! swap::uncall(&mut a, &mut b);
//! assert!((a - 1.0_f64).abs() < 1e-15);
//! ```

// A module called `rotate` would clash with the companion struct of that name.
mod cut;
mod damping;
mod disjoint;
mod exchange;
mod indexed;
mod mul_update;
mod overlap;
mod reductions;
mod rotation;
mod to_range;
mod triangular;
mod updates;

pub use crate::site::Site;
pub(crate) use cut::cut_elements;
#[cfg(any(feature = "faer", feature = "ndarray"))]
pub(crate) use cut::found_among;
pub use damping::damp;
pub use disjoint::Disjoint;
pub(crate) use disjoint::{same_element, same_element_read};
pub use exchange::swap;
pub use indexed::{Indexed, Ordered, Shaped};
pub use mul_update::MulUpdate;
pub use overlap::Overlap;
pub use reductions::{argmax, dot, log_sum_exp, maximum, product, sum};
pub use rotation::rotate;
pub use to_range::ToRange;
pub use triangular::{multiply_lower, multiply_lu, multiply_upper};
pub use updates::{AddUpdate, NegUpdate, NotUpdate, XorUpdate};
