//! Which statements undo each other: `y += e` and `y -= e`, `y ^= e` and itself, `y = -y` and `b = !b` and themselves.

use std::num::Wrapping;
use std::time::{Duration, Instant, SystemTime};

/// On this type `y -= e` undoes `y += e`, and the other way round, for operands of type `E`.
///
/// So it is for numbers, `Wrapping` integers and matrices. It is not for `Saturating` integers, which lose what does not fit. Say so
/// for a type of your own; [`#[active(linear)]`](derive@crate::Active) says it too.
///
/// ```
/// use retrograd::{ops::AddUpdate, prelude::*};
/// use std::ops::{AddAssign, SubAssign};
///
/// /// An angle in degrees, from 0 to 359.
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Heading(u16);
///
/// impl AddAssign for Heading {
///     fn add_assign(&mut self, by: Heading) {
///         self.0 = (self.0 + by.0) % 360;
///     }
/// }
///
/// impl SubAssign for Heading {
///     fn sub_assign(&mut self, by: Heading) {
///         self.0 = (self.0 + 360 - by.0) % 360;
///     }
/// }
///
/// impl AddUpdate for Heading {}
///
/// #[reversible(derivatives = "never")]
/// fn turn(heading: &mut Heading, by: Heading) {
///     *heading += by;
/// }
///
/// let mut heading = Heading(300);
/// turn(&mut heading, Heading(90));
/// assert_eq!(heading, Heading(30));
/// turn::uncall(&mut heading, Heading(90));
/// assert_eq!(heading, Heading(300));
/// ```
#[diagnostic::on_unimplemented(
    message = "`+=` and `-=` on `{Self}` are not known to undo each other",
    label = "no `+=` and `-=` that undo each other",
    note = "if they do, and the type is yours, say so: `impl retrograd::ops::AddUpdate for {Self} {{}}`, or, if they add number \
            by number, `#[derive(Active)] #[active(linear)]`",
    note = "`Saturating` integers lose what does not fit; `Wrapping` ones do not"
)]
pub trait AddUpdate<E: ?Sized = Self> {}

/// On this type `y ^= e` undoes itself, for operands of type `E`.
#[diagnostic::on_unimplemented(
    message = "`^=` on `{Self}` is not known to undo itself",
    label = "no `^=` that undoes itself",
    note = "if it does, and the type is yours, say so: `impl retrograd::ops::XorUpdate for {Self} {{}}`"
)]
pub trait XorUpdate<E: ?Sized = Self> {}

/// On this type `y = -y` undoes itself.
#[diagnostic::on_unimplemented(
    message = "`-` on `{Self}` is not known to undo itself",
    label = "no `y = -y` that undoes itself",
    note = "if it does, and the type is yours, say so: `impl retrograd::ops::NegUpdate for {Self} {{}}`, or, if it acts number by \
            number, `#[derive(Active)] #[active(linear)]`"
)]
pub trait NegUpdate {}

/// On this type `y = !y` undoes itself.
#[diagnostic::on_unimplemented(
    message = "`!` on `{Self}` is not known to undo itself",
    label = "no `y = !y` that undoes itself",
    note = "if it does, and the type is yours, say so: `impl retrograd::ops::NotUpdate for {Self} {{}}`"
)]
pub trait NotUpdate {}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl AddUpdate for $type {}
        impl AddUpdate<&$type> for $type {}
        impl NegUpdate for $type {}
        impl AddUpdate for Wrapping<$type> {}
        impl AddUpdate<&Wrapping<$type>> for Wrapping<$type> {}
        impl AddUpdate<$type> for Wrapping<$type> {}
        impl AddUpdate<&$type> for Wrapping<$type> {}
    )*};
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        numbers!($type);
        bits!($type);
        impl NegUpdate for Wrapping<$type> {}
        impl XorUpdate for Wrapping<$type> {}
        impl XorUpdate<&Wrapping<$type>> for Wrapping<$type> {}
        impl XorUpdate<$type> for Wrapping<$type> {}
        impl XorUpdate<&$type> for Wrapping<$type> {}
        impl NotUpdate for Wrapping<$type> {}
    )*};
}

macro_rules! bits {
    ($($type:ty)*) => {$(
        impl XorUpdate for $type {}
        impl XorUpdate<&$type> for $type {}
        impl NotUpdate for $type {}
    )*};
}

numbers!(f32 f64);
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
bits!(bool);

// Where a sum does not fit, these panic.
impl AddUpdate for Duration {}
impl AddUpdate<Duration> for Instant {}
impl AddUpdate<Duration> for SystemTime {}
