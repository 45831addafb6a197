//! Reductions of slices: functions with hand-written companions.
//!
//! They do what the obvious loop does, in the order of the elements. Their derivatives need no second pass:
//! each adjoint is one product.

mod exponentials;
mod maxima;
mod products;
mod sums;

pub use exponentials::log_sum_exp;
pub use maxima::{argmax, maximum};
pub use products::product;
pub use sums::{dot, sum};

/// The companions of a function of one slice that follow from the two hidden entries.
macro_rules! companions {
    ($name:ident) => {
        impl $name {
            /// The value; each adjoint in `gx` gains its share of the adjoint `seed` of the result.
            ///
            /// Panics if `gx` is not as long as `x`.
            #[track_caller]
            pub fn pullback<T: Real>((x, gx): (&[T], &mut [T::Shadow]), seed: T::Shadow) -> T {
                fit(Sweep::<T::Shadow>::new(), "x", x, gx);
                Self::__pullback(Sweep::<T::Shadow>::new(), x, gx, seed)
            }

            /// The value and its tangent.
            ///
            /// Panics if `dx` is not as long as `x`.
            #[track_caller]
            pub fn pushforward<T: Real>((x, dx): (&[T], &[T::Shadow])) -> (T, T::Shadow) {
                fit(Sweep::<T::Shadow>::new(), "x", x, dx);
                Self::__pushforward(Sweep::<T::Shadow>::new(), x, dx)
            }

            /// The value and its gradient.
            pub fn gradient<T: Real>(x: &[T]) -> (T, Vec<T::Shadow>) {
                let mut gx = x.zero_shadow(Zero::Plain);
                let value = Self::__pullback(Sweep::<T::Shadow>::new(), x, &mut gx, Shadow::<T>::one());
                (value, gx)
            }
        }
    };
}

/// What `source` returns: these functions are written in Rust.
macro_rules! source {
    ($name:ident, $signature:literal) => {
        impl $name {
            /// The function as text.
            pub fn source(direction: crate::Direction) -> &'static str {
                match direction {
                    crate::Direction::Forward => concat!($signature, ";"),
                    crate::Direction::Inverse => {
                        concat!("// `", stringify!($name), "` is a function: it has a value and no inverse.\n")
                    }
                    crate::Direction::Pullback
                    | crate::Direction::Pushforward
                    | crate::Direction::Unpullback
                    | crate::Direction::Unpushforward => {
                        concat!("// The derivatives of `", stringify!($name), "` are given by hand.\n")
                    }
                }
            }
        }
    };
}

use {companions, source};
