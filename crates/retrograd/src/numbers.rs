//! Number types that programs run on, to get more than their values, or values that come back bit for bit.
//!
//! | number | gives |
//! |---|---|
//! | [`Dual`] | derivatives in several directions at once, and Hessian-vector products in a pullback |
//! | [`Taylor`] | derivatives of any order along a line |
//! | [`Lanes`] | many data points at once, in the registers of the machine |
//! | [`Traced`] | the data-flow [`Graph`] of a run: sparsity, and sparse or dense second derivatives |
//!
//! Each of them computes the same values as `f64`, bit for bit, and derivatives by the same rules.
//!
//! | number | undone bit for bit | |
//! |---|---|---|
//! | [`Fixed`] | `+=` and `-=` | fixed point, with all elementary functions |
//! | [`LogNumber`] over a `Fixed` | `*=` and `/=` | a sign and a logarithm |
//! | [`Tropical`] over a `Fixed` | `*=` and `/=` | the max-plus algebra: optimal choices, and which they are |
//!
//! Their shadows are floats. [`ExactAdd`] and [`ExactMul`] say which numbers are exact. [`convert`](fn@convert) reads a number as one of another
//! kind, and [`cast`](fn@cast) moves it there without loss.
//!
//! With the feature `num-complex`, each of them can be the parts of a `Complex` of that crate, which has derivatives as well:
//! `ComplexFunctions` has its functions, and `Gradient` is what your own primitives return.

// Recurrences are sums over indices, and read like their formulas.
#![allow(clippy::needless_range_loop)]
// `scalar!` writes `x = x + y` for types that may have no `+=`.
#![allow(clippy::assign_op_pattern)]

mod casting;
#[cfg(feature = "num-complex")]
pub(crate) mod complex;
mod conversion;
mod dual;
mod exact;
mod fixed;
mod floating;
pub mod lanes;
#[cfg(test)]
mod laws;
mod log_number;
mod operators;
mod shadows;
mod taylor;
mod traced;
mod tropical;
mod zeros;

#[doc(hidden)]
pub use casting::Carries;
pub use casting::{LosslessFrom, cast};
#[cfg(feature = "num-complex")]
pub use complex::{ComplexFunctions, Gradient, NumAssign};
pub use conversion::{Convert, convert};
pub use dual::Dual;
pub use exact::{ExactAdd, ExactMul};
pub use fixed::{Fixed, OutOfRange};
pub use lanes::{Lanes, Shared};
pub use log_number::LogNumber;
pub use taylor::Taylor;
pub use traced::{Graph, Node, OtherBranch, Traced, trace};
pub use tropical::{Tropical, tropical_add, tropical_sum};

/// Of a real number without lanes: what all lanes share is the number.
macro_rules! without_lanes {
    () => {
        type Uniform = Self;

        #[inline(always)]
        fn spread(uniform: Self) -> Self {
            uniform
        }
        #[inline(always)]
        fn lane(self, _i: usize) -> Self {
            self
        }
        #[inline(always)]
        fn of_lanes(mut lane: impl FnMut(usize) -> Self) -> Self {
            lane(0)
        }
    };
}

pub(crate) use without_lanes;
