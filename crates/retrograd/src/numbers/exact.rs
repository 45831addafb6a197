//! Marker traits: which statements are undone bit for bit.

use std::num::Wrapping;
use std::ops::{AddAssign, DivAssign, MulAssign, SubAssign};

use crate::check::Compare;

/// Numbers on which `y += e` and `y -= e` undo each other bit for bit, whatever `y` and `e` are.
///
/// A program that only adds such numbers reverses exactly after any number of steps. It can require that:
///
/// ```
/// use retrograd::{ExactAdd, Fixed, prelude::*};
///
/// #[reversible]
/// fn drift<T: Real + ExactAdd>(x: &mut T, v: T, steps: usize) {
///     for _ in 0..steps {
///         *x += v * 0.1;
///     }
/// }
///
/// let start = Fixed::<32>::lit(0.3);
/// let mut x = start;
/// drift(&mut x, Fixed::lit(0.7), 1000);
/// drift::uncall(&mut x, Fixed::lit(0.7), 1000);
/// assert_eq!(x, start);
/// ```
///
/// Floats round, and do not qualify:
///
/// ```compile_fail,E0277
/// # use retrograd::ExactAdd;
/// fn exact<T: ExactAdd>(_: T) {}
/// exact(0.5);
/// ```
///
/// [`Fixed`](crate::Fixed), [`Wrapping`] integers and plain integers qualify: where a sum does not fit, an
/// addition panics or wraps around, depending on the build, and loses nothing either way. `Saturating` integers are not.
/// Checks compare these numbers bit by bit, with no tolerance.
#[diagnostic::on_unimplemented(
    message = "`+=` on `{Self}` is not undone bit for bit by `-=`",
    note = "integers and `Fixed` add without loss; floats round"
)]
pub trait ExactAdd: Copy + AddAssign + SubAssign + Compare {}

/// Numbers on which `y *= e` and `y /= e` undo each other bit for bit, whatever `y` is, and for every `e` except zero.
///
/// A factor of zero is refused in every build, not only in checked ones. [`LogNumber`](crate::LogNumber) and
/// [`Tropical`](crate::Tropical) over a number that is [`ExactAdd`] qualify: they multiply by adding.
///
/// ```
/// use retrograd::{ExactMul, Fixed, LogNumber, prelude::*};
///
/// #[reversible]
/// fn grow<T: Real + ExactMul>(x: &mut T, by: T, steps: usize) {
///     for _ in 0..steps {
///         *x *= by;
///     }
/// }
///
/// let start = LogNumber::<Fixed<48>>::lit(0.3);
/// let mut x = start;
/// grow(&mut x, LogNumber::lit(1.1), 1000);
/// grow::uncall(&mut x, LogNumber::lit(1.1), 1000);
/// assert_eq!(x, start);
/// ```
#[diagnostic::on_unimplemented(
    message = "`*=` on `{Self}` is not undone bit for bit by `/=`",
    note = "`LogNumber<Fixed<..>>` multiplies without loss; floats and fixed-point numbers round"
)]
pub trait ExactMul: Copy + MulAssign + DivAssign + Compare {}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl ExactAdd for $type {}
        impl ExactAdd for Wrapping<$type> {}
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
