//! The trait that operators of `num_complex::Complex` ask of the parts, for the numbers of this crate.

use std::ops::{Rem, RemAssign};

use num_traits::{Num, One, Zero};

use crate::{Dual, Fixed, LogNumber, Real, Taylor, Traced};

/// What is left of `x` after taking away a whole multiple of `m`, with the sign of `x`.
#[inline]
fn remainder<T: Real>(x: T, m: T) -> T {
    if x < T::zero() { -(-x).rem_euclid(m.abs()) } else { x.rem_euclid(m.abs()) }
}

macro_rules! num {
    ($([$($generics:tt)*] $number:ty;)*) => {$(
        impl<$($generics)*> Zero for $number {
            #[inline(always)]
            fn zero() -> Self {
                Real::zero()
            }
            #[inline(always)]
            fn is_zero(&self) -> bool {
                *self == <Self as Real>::zero()
            }
        }

        impl<$($generics)*> One for $number {
            #[inline(always)]
            fn one() -> Self {
                Real::one()
            }
        }

        impl<$($generics)*> Rem for $number {
            type Output = Self;
            #[inline]
            fn rem(self, m: Self) -> Self {
                remainder(self, m)
            }
        }

        impl<$($generics)*> RemAssign for $number {
            #[inline]
            fn rem_assign(&mut self, m: Self) {
                *self = *self % m;
            }
        }

        /// A number is read as `f64` reads it.
        impl<$($generics)*> Num for $number {
            type FromStrRadixErr = <f64 as Num>::FromStrRadixErr;

            fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
                <f64 as Num>::from_str_radix(text, radix).map(Real::lit)
            }
        }
    )*};
}

num! {
    [T: Real, const N: usize] Dual<T, N>;
    [T: Real, const K: usize] Taylor<T, K>;
    [] Traced;
    [const FRAC: u32] Fixed<FRAC>;
    [T: Real] LogNumber<T>;
}
