//! The shadow of what is marked `#[constant]`: a value that is read, and that no derivative may flow into.
//!
//! Whatever adjoint arrives at it is dropped, because it was not asked for, and its tangent is zero. A tangent added to it
//! would be lost, and that is an error: [`AddFrom::Lost`](super::AddFrom::Lost) says so, in containers too.

use std::marker::PhantomData;

use super::{AddFrom, Join, Negate, Number, OfNumber, Pull, Push, Scalar, Shadow, Times};

/// The shadow of a field marked `#[constant]`, or of each number in it.
///
/// ```
/// use retrograd::prelude::*;
///
/// #[derive(Active)]
/// struct Spring {
///     stiffness: f64,
///     #[constant]
///     weight: f64,
/// }
///
/// let gradient = SpringShadow { stiffness: 1.0, weight: retrograd::Constant };
/// assert_eq!(gradient.flatten(), [1.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Constant;

/// What was added to a [`Constant`].
#[derive(Debug)]
pub struct Lost<G>(PhantomData<G>);

/// Whether nothing is lost where something is added.
#[diagnostic::on_unimplemented(
    message = "a `#[constant]` field is changed by something active, and the derivative would be lost",
    label = "no derivative flows through this field",
    note = "take `#[constant]` off the field; or keep the derivative out of what changes it, with `#[constant] let t = ..;`"
)]
pub trait NothingLost {}

impl NothingLost for () {}
impl NothingLost for Lost<()> {}
impl NothingLost for Lost<Constant> {}
impl NothingLost for Lost<&Constant> {}

impl<G> AddFrom<G> for Constant {
    type Lost = Lost<G>;
    #[inline(always)]
    fn add_from(&mut self, _g: G) {}
    #[inline(always)]
    fn sub_from(&mut self, _g: G) {}
}

impl<B> Join<B> for Constant {
    type Output = B;
    #[inline(always)]
    fn join(self, b: B) -> B {
        b
    }
}

impl<D> Pull<D> for Constant {
    type Output = Constant;
    #[inline(always)]
    fn pull(self, _d: D) -> Constant {
        Constant
    }
}

impl<D> Push<D> for Constant {
    type Output = Constant;
    #[inline(always)]
    fn push(self, _d: D) -> Constant {
        Constant
    }
}

impl<D> Times<D> for Constant {
    #[inline(always)]
    fn times(self, _d: D) -> Constant {
        Constant
    }
}

impl Negate for Constant {
    #[inline(always)]
    fn negate(self) -> Constant {
        Constant
    }
}

// A sweep over constants: the shadow of a constant field has its shape, and a `Constant` in the place of each number.

impl crate::Linear for Constant {}

impl OfNumber for Constant {
    type Itself = Self;
    #[inline(always)]
    fn itself(&self) -> Self {
        *self
    }
}

impl Scalar for Constant {
    super::shared_as_any!();

    #[inline(always)]
    fn zero() -> Constant {
        Constant
    }
}

impl<T: Number> Shadow<T> for Constant {
    #[inline(always)]
    fn one() -> Constant {
        Constant
    }
}
