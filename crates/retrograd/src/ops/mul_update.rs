//! The meaning of `y *= e` and `y /= e`, which undo each other.

use super::Site;
use crate::{ErrorKind, InformationBuffer};

/// What a reversible program does for `y *= e` and `y /= e`.
///
/// The two undo each other: after both, in either order and with the same operand, `y` has its old
/// value, up to rounding for floats and exactly for integers. A float is simply multiplied, and
/// `checked` says whether to verify that the factor can be divided out again. On integers a result that is not
/// exact is an error in every build, and `y` keeps its value.
///
/// ```
/// use retrograd::{ErrorKind, attempt, ops::{MulUpdate, Site}};
///
/// let site = Site { function: "f", file: "f.rs", line: 1, column: 1, statement: "y /= 3;" };
/// let mut y = 12;
/// y.div_update(3, &site, true);
/// assert_eq!(y, 4);
/// let error = attempt(|| y.div_update(3, &site, true)).unwrap_err();
/// assert_eq!((y, error.kind), (4, ErrorKind::LossyInteger));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be multiplied reversibly by `{E}`",
    label = "no `*=` and `/=` that undo each other",
    note = "`y *= e` works for floats and integers with an operand of the same type; write \
            `y *= e as {Self}` to convert",
    note = "implement `retrograd::ops::MulUpdate<{E}>` for a type of your own"
)]
pub trait MulUpdate<E = Self> {
    /// Multiplies by `factor`. Raises for `site` what cannot be undone: if `checked` is false, only
    /// what the type must refuse in every build.
    fn mul_update(&mut self, factor: E, site: &Site, checked: bool);

    /// Divides by `divisor`. Raises for `site` what cannot be undone: if `checked` is false, only
    /// what the type must refuse in every build.
    fn div_update(&mut self, divisor: E, site: &Site, checked: bool);

    /// Multiplies by a factor above zero and at most one, for [`damp`](fn@crate::ops::damp): a type that can stores what the product
    /// loses in `lost`. Others just multiply.
    #[inline(always)]
    fn damp(&mut self, factor: E, lost: &mut InformationBuffer, site: &Site) {
        let _ = lost;
        self.mul_update(factor, site, true);
    }

    /// Undoes [`damp`](MulUpdate::damp), with what is in `lost`.
    #[inline(always)]
    fn undamp(&mut self, factor: E, lost: &mut InformationBuffer, site: &Site) {
        let _ = lost;
        self.div_update(factor, site, true);
    }
}

macro_rules! floats {
    ($($type:ident)*) => {$(
        impl MulUpdate for $type {
            #[inline(always)]
            fn mul_update(&mut self, factor: Self, site: &Site, checked: bool) {
                if checked && (factor == 0.0 || !factor.is_finite()) {
                    no_way_back(site, "the factor", format!("{factor:?}"));
                }
                *self *= factor;
            }

            #[inline(always)]
            fn div_update(&mut self, divisor: Self, site: &Site, checked: bool) {
                if checked && (divisor == 0.0 || !divisor.is_finite()) {
                    no_way_back(site, "the divisor", format!("{divisor:?}"));
                }
                *self /= divisor;
            }
        }

        by_reference!($type);
    )*};
}

#[cold]
#[inline(never)]
fn no_way_back(site: &Site, operand: &str, value: String) -> ! {
    site.fail(ErrorKind::ZeroFactor, operand, "a finite number other than zero", value)
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl MulUpdate for $type {
            #[inline]
            fn mul_update(&mut self, factor: Self, site: &Site, _checked: bool) {
                match self.checked_mul(factor) {
                    Some(product) if factor != 0 => *self = product,
                    _ => lossy(site, stringify!($type), format!("{self} * {factor}")),
                }
            }

            #[inline]
            fn div_update(&mut self, divisor: Self, site: &Site, _checked: bool) {
                // `checked_rem` is none for a zero divisor, and for MIN / -1, which overflows.
                match self.checked_rem(divisor) {
                    Some(0) => *self /= divisor,
                    _ => lossy(site, stringify!($type), format!("{self} / {divisor}")),
                }
            }
        }

        by_reference!($type);
    )*};
}

#[cold]
#[inline(never)]
fn lossy(site: &Site, type_name: &str, operation: String) -> ! {
    let expected = format!("a nonzero operand, and an exact result in the range of {type_name}");
    site.fail(ErrorKind::LossyInteger, "the result", expected, operation)
}

/// `y *= x` with `x: &f64`, as in std.
macro_rules! by_reference {
    ($type:ident) => {
        impl MulUpdate<&$type> for $type {
            #[inline(always)]
            fn mul_update(&mut self, factor: &$type, site: &Site, checked: bool) {
                self.mul_update(*factor, site, checked);
            }

            #[inline(always)]
            fn div_update(&mut self, divisor: &$type, site: &Site, checked: bool) {
                self.div_update(*divisor, site, checked);
            }
        }
    };
}

floats!(f32 f64);
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
