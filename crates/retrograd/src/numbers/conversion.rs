//! Conversion between number types.

use super::LogNumber;
use crate::Real;

/// The same number in another type, rounded to that type.
///
/// In a reversible program write [`convert(x)`](fn@crate::numbers::convert), which has derivatives. It reads a number, and may round. To move one
/// into a variable of another type, and back without loss, use [`cast`](fn@crate::numbers::cast).
///
/// | from | to | |
/// |---|---|---|
/// | `f64` | `LogNumber<f64>` and back | by `log2` and `exp2` |
/// | `f32` | `LogNumber<f32>` and back | the same |
/// | `Fixed<F>` | `LogNumber<Fixed<L>>`, `L` at most 57 | bit by bit, as Turner does |
/// | `LogNumber<Fixed<L>>` | `Fixed<F>` | the same backwards |
/// | `Fixed<A>` | `Fixed<B>` | the nearest |
/// | `f64`, `f32` | `Fixed<F>` and back | the nearest |
/// | `f64` | `f32` and back | the nearest |
///
/// A fixed-point number comes back from its logarithm bit for bit if its bits, as an integer, are at most 2^`L`: all of
/// `Fixed<16>` up to 2³² for `L` = 48, and `Fixed<32>` up to 2¹⁶. What does not fit panics.
///
/// ```
/// use retrograd::{Fixed, LogNumber, Real, numbers::Convert};
///
/// let x = Fixed::<16>::lit(12345.671875);
/// let logarithmic: LogNumber<Fixed<48>> = x.convert();
/// let back: Fixed<16> = logarithmic.convert();
/// assert_eq!(back, x);
/// ```
pub trait Convert<B> {
    /// The same number in another type.
    fn convert(self) -> B;
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Convert<LogNumber<$float>> for $float {
            fn convert(self) -> LogNumber<$float> {
                LogNumber::from_linear(self)
            }
        }

        impl Convert<$float> for LogNumber<$float> {
            fn convert(self) -> $float {
                self.to_linear()
            }
        }
    )*};
}

floats!(f32 f64);

impl Convert<f64> for f32 {
    #[inline(always)]
    fn convert(self) -> f64 {
        self.into()
    }
}

impl Convert<f32> for f64 {
    #[inline(always)]
    fn convert(self) -> f32 {
        self as f32
    }
}

/// The same number in another type; derivatives flow through unchanged.
///
/// ```
/// use retrograd::{Fixed, LogNumber, numbers::{Convert, convert}, prelude::*};
///
/// /// Moves a number into its logarithm: `y` begins at one, and `x` ends at zero, or at what the logarithm has lost.
/// #[reversible]
/// fn into_logarithm<T: Real + Convert<L>, L: Real + Convert<T>>(x: &mut T, y: &mut L) {
///     *y *= convert(*x);
///     *x -= convert(*y);
/// }
///
/// let (mut x, mut y) = (Fixed::<16>::lit(0.75), LogNumber::<Fixed<48>>::one());
/// into_logarithm(&mut x, &mut y);
/// assert!(x == Fixed::zero() && (y.to_f64() - 0.75).abs() < 1e-14);
/// into_logarithm::uncall(&mut x, &mut y);
/// assert_eq!((x, y), (Fixed::lit(0.75), LogNumber::one()));
/// ```
#[crate::primitive(d_x = A::one())]
pub fn convert<A: Real + Convert<B>, B: Real>(x: A) -> B {
    x.convert()
}
