//! Coupling layers: some coordinates are changed by amounts that a net computes from the others.

use super::{Conditioner, Error, Layer, Mask, Shape, Sizes};
use crate::{Active, Real, reversible};

/// How many numbers a [`Transform`] takes.
pub trait Numbers {
    /// How many numbers it takes for each coordinate.
    fn numbers(&self) -> usize;
}

/// An increasing map of one coordinate, which depends on some numbers.
///
/// [`Additive`], [`Affine`] and [`Spline`](super::Spline) come along. One of your own is a `#[reversible] impl` too; it has no learned
/// numbers of its own, so that `self` is marked `#[constant]`.
#[reversible]
pub trait Transform<T: Real>: Numbers {
    /// Changes `x`, in a way that `numbers` decide. If all of them are zero, it changes nothing.
    fn transform(#[constant] &self, x: &mut T, numbers: &[T]);
}

/// Adds a number to the coordinate, as NICE does: volumes stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Additive;

impl Numbers for Additive {
    fn numbers(&self) -> usize {
        1
    }
}

#[reversible]
impl<T: Real> Transform<T> for Additive {
    fn transform(#[constant] &self, x: &mut T, numbers: &[T]) {
        *x += numbers[0];
    }
}

/// Scales the coordinate by a positive factor and adds a number to it, as RealNVP does.
///
/// The factor is between e⁻² and e²: the logarithm of it is 2 tanh(s/2) for the number s, so that no layer loses digits. A flow gets to larger
/// factors by several layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Affine;

impl Numbers for Affine {
    fn numbers(&self) -> usize {
        2
    }
}

#[reversible]
impl<T: Real> Transform<T> for Affine {
    fn transform(#[constant] &self, x: &mut T, numbers: &[T]) {
        *x *= bounded(numbers[0]).exp();
        *x += numbers[1];
    }
}

/// A number between −2 and 2 that is near `x` where that is small.
#[reversible]
pub(super) fn bounded<T: Real>(x: T) -> T {
    2.0 * (0.5 * x).tanh()
}

/// A layer that changes some coordinates, each by the [`Transform`] `M` with numbers that the [`Conditioner`] `C` computes from the others.
///
/// The others stay as they are, so that the inverse computes the same numbers again: the net need not be invertible, and nothing is
/// stored.
///
/// ```
/// use retrograd::flow::{Affine, Coupling, Error, Layer, Mask, Mlp};
/// use std::num::Wrapping;
///
/// // Changes the second of two coordinates. The net computes two numbers, a scale and a shift.
/// let net = Mlp { inputs: 1, hidden: 8, outputs: 2 };
/// let mask = Mask::new(&[true, false])?;
/// let layer = Coupling::new(mask.clone(), net, Affine, net.random(&mut Wrapping(1)))?;
/// let mut x = [0.5_f64, -1.0];
/// layer.apply(&mut x);
/// assert!(x[0] == 0.5 && x[1] != -1.0);
/// layer.uncall_apply(&mut x);
/// assert!((x[1] + 1.0).abs() < 1e-15);
///
/// let narrow = Mlp { outputs: 1, ..net };
/// let error = Coupling::new(mask, narrow, Affine, vec![0.0; 25]).unwrap_err();
/// assert_eq!(error, Error::Dimension { what: "outputs of the conditioner", expected: 2, found: 1 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Active, Clone, Debug, PartialEq)]
pub struct Coupling<T, C, M> {
    /// What the conditioner has learned.
    pub weights: Vec<T>,
    #[constant]
    conditioner: C,
    #[constant]
    transform: M,
    #[constant]
    mask: Mask,
}

impl<T, C: Sizes, M: Numbers> Coupling<T, C, M> {
    /// A layer that changes what the mask does not keep.
    ///
    /// # Errors
    ///
    /// [`Error::Dimension`] unless the conditioner reads as many numbers as the mask keeps, computes as many as the transform
    /// takes for those that it does not keep, and has as many weights as are given.
    pub fn new(mask: Mask, conditioner: C, transform: M, weights: Vec<T>) -> Result<Coupling<T, C, M>, Error> {
        let layer = Coupling { weights, conditioner, transform, mask };
        layer.check()?;
        Ok(layer)
    }

    /// Which coordinates it keeps.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }
}

impl<T, C: Sizes, M: Numbers> Shape for Coupling<T, C, M> {
    fn dimension(&self) -> usize {
        self.mask.dimension()
    }

    fn check(&self) -> Result<(), Error> {
        let outputs = self.transform.numbers() * self.mask.changed();
        Error::unless_equal("inputs of the conditioner", self.mask.kept(), self.conditioner.inputs())?;
        Error::unless_equal("outputs of the conditioner", outputs, self.conditioner.outputs())?;
        Error::unless_equal("weights of the conditioner", self.conditioner.weights(), self.weights.len())
    }
}

#[reversible]
impl<T: Real, C: Conditioner<T>, M: Transform<T>> Layer<T> for Coupling<T, C, M> {
    fn apply(&self, x: &mut [T]) {
        // The kept coordinates come to the front, and go back at the end.
        #[compute]
        {
            for k in 0..self.mask.swaps.len() {
                x.swap(self.mask.swaps[k].0, self.mask.swaps[k].1);
            }
        }
        let (kept, changed) = x.split_at_mut(self.mask.kept);
        #[constant]
        let each = self.transform.numbers();
        let mut numbers = vec![T::zero(); each * changed.len()];
        self.conditioner.add(&mut numbers, &*kept, &self.weights);
        for i in 0..changed.len() {
            self.transform.transform(&mut changed[i], &numbers[each * i..each * (i + 1)]);
        }
    }
}
