//! Volumes: the sweep by which `log_det` follows a program.
//!
//! A reversible program is a chain of elementary steps, and its Jacobian the product of theirs. Seen from the element that it changes, a
//! step scales it, adds to it what does not depend on it, or moves it elsewhere. So a tangent run over [`Volume`] finds the determinant: each
//! element carries the factors that it was multiplied by and where it started, additions leave it as it is, and permutations
//! carry it along. Locals start nowhere, and what is computed into them is undone by the program: their factors cancel.

use super::{AddFrom, Base, Flowing, Join, Negate, Number, OfNumber, Pull, Push, Scalar, Shadow, Times};
use crate::rules::Rules;

/// What an element of the arguments was multiplied by, and which one it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume<D> {
    /// Its position among the numbers of the changed arguments when the run began; `None` for a local, and for what is mixed from several.
    pub(crate) origin: Option<usize>,
    /// In which lanes the product of its factors is negative, as [`Factor::negative`](crate::rules::Factor::negative) says it.
    pub(crate) negative: u64,
    /// The logarithm of its absolute value.
    pub(crate) log_abs: D,
    /// Whether all of them are finite and not zero.
    pub(crate) regular: bool,
}

impl<D: Base> Volume<D> {
    /// Multiplied by a factor whose absolute value has that logarithm.
    #[inline(always)]
    fn scaled<T>(self, (log_abs, regular): (T, bool)) -> Self
    where
        D: Push<T, Output = D>,
    {
        let log_abs = self.log_abs.join(<D as Shadow<f64>>::one().push(log_abs));
        Volume { log_abs, regular: self.regular && regular, ..self }
    }
}

impl<D: Base> crate::Linear for Volume<D> {}

impl<D: Copy> OfNumber for Volume<D> {
    type Itself = Self;
    #[inline(always)]
    fn itself(&self) -> Self {
        *self
    }
}

impl<D: Base> Scalar for Volume<D> {
    const MOVES: bool = false;

    #[inline(always)]
    fn zero() -> Self {
        Volume { origin: None, negative: 0, log_abs: D::zero(), regular: true }
    }
    #[inline(always)]
    fn neutral() -> Self {
        Self::zero()
    }

    super::shared_as_any!();
}

impl<D: Base> Flowing for Volume<D> {}

impl<T: Number<Value: Rules> + Rules, D: Base + Shadow<T>> Shadow<T> for Volume<D> {
    #[inline(always)]
    fn one() -> Self {
        Self::zero()
    }
}

// A statement adds only what does not depend on its target: the determinant stays as it is.
impl<D: Base> AddFrom<Volume<D>> for Volume<D> {
    type Lost = ();
    #[inline(always)]
    fn add_from(&mut self, _: Volume<D>) {}
    #[inline(always)]
    fn sub_from(&mut self, _: Volume<D>) {}
}

impl<'g, D: Base> AddFrom<&'g Volume<D>> for Volume<D> {
    type Lost = ();
    #[inline(always)]
    fn add_from(&mut self, _: &'g Volume<D>) {}
    #[inline(always)]
    fn sub_from(&mut self, _: &'g Volume<D>) {}
}

super::meets_nothing!((D: Base) Volume<D>);

// A sum is no element any more: where it takes the place of one, the run is refused.
impl<D: Base> Join<Volume<D>> for Volume<D> {
    type Output = Self;
    #[inline(always)]
    fn join(self, _: Self) -> Self {
        Self::zero()
    }
}

impl<D: Base> Negate for Volume<D> {
    #[inline(always)]
    fn negate(self) -> Self {
        Volume { negative: !self.negative, ..self }
    }
}

impl<T: Rules, D: Base + Push<T, Output = D>> Push<T> for Volume<D> {
    type Output = Self;
    // The tangent of an expression, which is added to something.
    #[inline(always)]
    fn push(self, _: T) -> Self {
        Self::zero()
    }

    #[inline(always)]
    fn scale(self, d: T) -> Self {
        Volume { negative: self.negative ^ d.negative(), ..self.scaled(d.log_abs()) }
    }

    // As a map of the plane, multiplication by d has the determinant |d|²: |d| for each of the two.
    #[inline(always)]
    fn push_planar(re: Self, im: Self, d: (T, T)) -> (Self, Self) {
        let factor = T::log_hypot(d.0, d.1);
        (re.scaled(factor), im.scaled(factor))
    }
}

impl<T: Rules, D: Base + Push<T, Output = D>> Pull<T> for Volume<D> {
    type Output = Self;
    #[inline(always)]
    fn pull(self, _: T) -> Self {
        Self::zero()
    }
}

impl<T: Rules, D: Base + Push<T, Output = D>> Times<T> for Volume<D> {
    #[inline(always)]
    fn times(self, _: T) -> Self {
        Self::zero()
    }
}
