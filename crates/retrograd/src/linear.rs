//! Types on which `+` and `-` act number by number.

use std::num::Wrapping;
use std::time::{Duration, Instant, SystemTime};

use crate::ops::{AddUpdate, NegUpdate};

/// On this type `+`, `-`, `+=`, `-=`, unary `-` and [`Sum`](std::iter::Sum) act on each number by itself, as they do on numbers, so a
/// derivative goes through them unchanged.
///
/// Numbers and matrices are linear. Operators of a type of your own can mean anything, and a derivative goes through them only where
/// they are said to be linear, by `#[active(linear)]`:
///
/// ```
/// use retrograd::prelude::*;
/// use std::ops::Add;
///
/// #[derive(Active, Clone, Copy)]
/// #[active(linear)]
/// struct Vector {
///     x: f64,
///     y: f64,
/// }
///
/// impl Add for Vector {
///     type Output = Vector;
///     fn add(self, other: Vector) -> Vector {
///         Vector { x: self.x + other.x, y: self.y + other.y }
///     }
/// }
///
/// #[reversible]
/// fn height(a: Vector, b: Vector) -> f64 {
///     let sum = a + b;
///     sum.y * sum.y
/// }
///
/// let (_, by_a, _) = height::gradient(Vector { x: 1.0, y: 2.0 }, Vector { x: 0.0, y: 3.0 });
/// assert_eq!((by_a.x, by_a.y), (0.0, 10.0));
/// ```
///
/// What is not linear is a function of its own, which has the derivative of its body:
///
/// ```
/// use retrograd::prelude::*;
///
/// /// A probability, by its logarithm.
/// #[derive(Active, Clone, Copy)]
/// struct LogProbability {
///     ln: f64,
/// }
///
/// #[reversible]
/// fn either(a: LogProbability, b: LogProbability) -> f64 {
///     a.ln.max(b.ln) + (-(a.ln - b.ln).abs()).exp().ln_1p()
/// }
///
/// let (_, by_a, by_b) = either::gradient(LogProbability { ln: 1.0 }, LogProbability { ln: 0.0 });
/// assert!((by_a.ln - 0.731).abs() < 1e-3 && (by_b.ln - 0.269).abs() < 1e-3);
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivative goes through `+` and `-` of a type that is not `Linear`: `{Self}`",
    label = "`+` and `-` can mean anything here",
    note = "if they act number by number, put `#[active(linear)]` behind `#[derive(Active)]`",
    note = "otherwise call a `#[reversible]` or `#[primitive]` function in the place of the operator"
)]
pub trait Linear {}

/// A type on which `y += e` and `y -= e` undo each other, and act number by number.
#[diagnostic::on_unimplemented(
    message = "no derivative goes through `+=` and `-=` on `{Self}`: they are not known to act number by number and to undo each other",
    label = "`+=` and `-=` can mean anything here",
    note = "if they do, put `#[active(linear)]` behind `#[derive(Active)]`",
    note = "otherwise call a `#[reversible]` or `#[primitive]` procedure in the place of the operator"
)]
pub trait LinearUpdate<E> {}

#[diagnostic::do_not_recommend]
impl<T: AddUpdate<E> + Linear + ?Sized, E> LinearUpdate<E> for T {}

/// A type on which `y = -y` undoes itself, and acts number by number.
#[diagnostic::on_unimplemented(
    message = "no derivative goes through `-` on `{Self}`: it is not known to act number by number and to undo itself",
    label = "`-` can mean anything here",
    note = "if it does, put `#[active(linear)]` behind `#[derive(Active)]`",
    note = "otherwise call a `#[reversible]` or `#[primitive]` procedure in the place of the operator"
)]
pub trait LinearNegation {}

#[diagnostic::do_not_recommend]
impl<T: NegUpdate + Linear + ?Sized> LinearNegation for T {}

/// A derivative, as it is, beside a sum or a difference, both sides of which may need it.
#[inline(always)]
pub fn linear<G: Linear + Clone>(g: &G) -> G {
    g.clone()
}

macro_rules! linear {
    ($($type:ty)*) => {$(impl Linear for $type {})*};
}

// What no derivative flows through may be added to in any way.
linear!(() u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize Duration Instant SystemTime);

impl<T> Linear for Wrapping<T> {}
impl<T: Linear + ?Sized> Linear for &T {}
