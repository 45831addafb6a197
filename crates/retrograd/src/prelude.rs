//! What a reversible program needs in scope, and nothing surprising.
//!
//! ```
//! use retrograd::prelude::*;
//!
//! fn energy<T: Real>(x: T, v: T) -> T {
//!     (x.square() + v.square()) / T::lit(2.0)
//! }
//! assert_eq!(energy(3.0, 4.0), 12.5);
//! ```

#[cfg(feature = "num-complex")]
pub use crate::numbers::{ComplexFunctions, complex::ComplexRuns as _};
pub use crate::ops::{rotate, swap};
pub use crate::{Active, Direction, Real, Record, Recordable, Slots, Stack, bijection, primitive, reversible};
