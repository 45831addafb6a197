//! The rules: partial derivatives of everything that a number can do, each with one name, `d_NAME`.
//!
//! A rule takes only what it needs, in this order: the receiver `x`, the arguments, the result `y`. Rules of functions with
//! several arguments end in the number of the argument: `d_atan2_0` is ∂/∂y of `y.atan2(x)`, and `d_atan2_1` is ∂/∂x. There is a
//! trait for each family, which holds for every `T: Real`; so a rule is written once, for numbers of all kinds, and its own
//! derivative follows by running it on dual numbers. Integers have rules for what integers can do: no derivative flows
//! through them, so these are zeros that are never used.
//!
//! # Edges
//!
//! Where a function has no derivative, the rule gives a useful value, and always the same one. Where the slope is infinite the
//! rule says so: 0 times that is NaN, in an adjoint as anywhere else, and as in JAX, PyTorch and ForwardDiff. Write
//! `x.hypot(y)` instead of `(x * x + y * y).sqrt()`, and there is no such point.
//!
//! | function | where | derivative |
//! |---|---|---|
//! | `x.powi(n)` | `n == 0` | 0, even at 0 |
//! | | `n == 1` | 1, even at 0 |
//! | `x.powf(c)`, with respect to `x` | `x == 0` | 0 for `c > 1` and `c == 0`, 1 for `c == 1`, ∞ for `0 < c < 1`, −∞ for `c < 0` |
//! | `x.powf(c)`, with respect to `c` | `x == 0` | 0 for `c >= 0`, −∞ for `c < 0` |
//! | | `x < 0` | NaN: nearby exponents have no power |
//! | `x.sqrt()`, `x.cbrt()` | 0 and −0 | +∞ |
//! | `x.ln()`, `log2`, `log10` | 0 | +∞ |
//! | `x.asin()`, `x.acos()` | ±1 | +∞, −∞ |
//! | `x.acosh()`, `x.atanh()` | 1, ±1 | +∞ |
//! | `x.abs()` | 0 | 0 |
//! | `x.max(o)`, `x.min(o)` | `x == o` | 1 for `x`, 0 for `o`: a tie goes to the receiver |
//! | | one is NaN | 1 for the other one, which is the result |
//! | `x.clamp(lo, hi)` | at a bound | 1 for `x`, 0 for the bound |
//! | `y.atan2(x)` | origin | 0 and 0 |
//! | `x.hypot(y)` | origin | 0 and 0 |
//! | `x.rem_euclid(m)`, `floor`, `round`, .. | at a jump | that of the side to which the value belongs |
//! | `x.gamma()`, `x.lgamma()` | 0 | −∞ |
//! | | negative whole numbers | NaN |
//!
//! Complex numbers have a separate table, next to their rules.
//!
//! NaN passes through every rule except those of comparisons, which say which argument the value is. Outside its domain the
//! value of a function is NaN already, and a rule may give any number.

mod arithmetic;
mod comparison;
#[cfg(feature = "num-complex")]
mod complex;
mod exponential;
mod factor;
mod hyperbolic;
mod mixed;
mod special;
mod structure;
mod trigonometric;

use crate::Real;

pub use arithmetic::*;
pub use comparison::*;
pub use exponential::*;
pub use factor::*;
pub use hyperbolic::*;
pub use mixed::*;
pub use special::*;
pub use structure::*;
pub use trigonometric::*;
#[cfg(feature = "num-complex")]
pub use {crate::numbers::complex::InnerGradient, complex::Planar};

/// Everything that rules are made for: the type that partial derivatives are computed in.
pub trait Rules:
    Copy
    + Division
    + Quotients<Self>
    + Remainders
    + Powers
    + Lengths
    + Exponential
    + NearZero
    + RealArgument<Self>
    + Trigonometric
    + Angles
    + Hyperbolic
    + Special
    + Comparison
    + Selection
    + Magnitude<Slope = Self>
    + Planar
    + Factor
    + Bends
    + BendsNearZero
{
}

impl<T: Real> Rules for T {}

/// The rules of complex numbers: there are none without the feature `num-complex`.
#[cfg(not(feature = "num-complex"))]
pub trait Planar {}

#[cfg(not(feature = "num-complex"))]
impl<T: Real> Planar for T {}

/// 1 − x², to all digits: near ±1 a product, in which both differences are exact, and elsewhere the difference, whose own
/// derivative −2x is exact near 0.
#[inline(always)]
fn one_minus_square<T: Real>(x: T) -> T {
    T::lit(0.5).select_less(x.abs(), (T::one() - x) * (T::one() + x), T::one() - x * x)
}

/// A family of rules: a trait that holds for every `T: Real`, and one free function for each rule.
macro_rules! family {
    (
        $(#[$doc:meta])*
        $family:ident:
        $($(#[$rule_doc:meta])* $rule:ident($($argument:ident $(: $type:ty)?),*) = $partial:expr;)*
    ) => {
        $(#[$doc])*
        pub trait $family: Sized {
            $($(#[$rule_doc])* fn $rule($($argument: $crate::rules::or_self!($($type)?)),*) -> Self;)*
        }

        impl<T: $crate::Real> $family for T {
            $(
                #[inline(always)]
                fn $rule($($argument: $crate::rules::or_self!($($type)?)),*) -> Self {
                    $partial
                }
            )*
        }

        $(
            $(#[$rule_doc])*
            #[inline(always)]
            pub fn $rule<D: $family>($($argument: $crate::rules::or_type!(D $($type)?)),*) -> D {
                <D as $family>::$rule($($argument),*)
            }
        )*
    };
}

/// The type that an argument is given, or `Self`.
macro_rules! or_self {
    () => {
        Self
    };
    ($type:ty) => {
        $type
    };
}

/// The type that an argument is given, or `D`.
macro_rules! or_type {
    ($default:ident) => {
        $default
    };
    ($default:ident $type:ty) => {
        $type
    };
}

/// The rules of integers: zeros that are never used.
macro_rules! integers {
    ($family:ident: $($rule:ident($($argument:ident),*))*) => {
        $crate::rules::integers!(
            @ $family: ($($rule($($argument),*))*) u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize
        );
    };
    (@ $family:ident: $rules:tt $($type:ident)*) => {
        $($crate::rules::integers!(@ $family for $type: $rules);)*
    };
    (@ $family:ident for $type:ident: ($($rule:ident($($argument:ident),*))*)) => {
        impl $family for $type {
            $(
                #[inline(always)]
                fn $rule($($argument: Self),*) -> Self {
                    $(let _ = $argument;)*
                    0
                }
            )*
        }
    };
}

use {family, integers, or_self, or_type};
