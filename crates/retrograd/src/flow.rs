//! Normalizing flows: densities that are learned by bijections.
//!
//! A [`Flow`] is a sequence of layers, each of which is a bijection of vectors with learned numbers. Run forwards, it maps points of a distribution
//! to points that should be distributed normally. The determinant of its Jacobian then says how likely each point is, and run
//! backwards it turns normal points into new points of the distribution.
//!
//! ```
//! use retrograd::flow::{Affine, Coupling, Error, Flow, Mask, Mlp};
//! use retrograd::prelude::*;
//! use std::num::Wrapping;
//!
//! // Four layers, by turns for each of the two coordinates.
//! let mut random = Wrapping(1);
//! let net = Mlp { inputs: 1, hidden: 8, outputs: 2 };
//! let layer = |k| Coupling::new(Mask::alternating(2, k)?, net, Affine, net.random(&mut random));
//! let mut flow = Flow::new(2, (0..4).map(layer).collect::<Result<_, Error>>()?)?;
//!
//! // Three points, one after the other, and 200 steps downhill.
//! let points = [1.0, 2.0, 1.5, 2.5, 0.5, 2.0];
//! let before = flow.loss(&points)?;
//! for _ in 0..200 {
//!     let (_, gradient) = flow.gradient(&points)?;
//!     let mut numbers = flow.layers().flatten();
//!     numbers.iter_mut().zip(gradient.flatten()).for_each(|(number, slope)| *number -= 0.02 * slope);
//!     flow.layers_mut().unflatten(&numbers);
//! }
//! assert!(flow.loss(&points)? < before - 2.0);
//!
//! // There and back.
//! let mut x = [1.0, 2.0];
//! let there = flow.forward(&mut x)?;
//! let back = flow.inverse(&mut x)?;
//! assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14);
//! assert!((there.log_abs + back.log_abs).abs() < 1e-14);
//!
//! let new = flow.sample(&mut random)?;
//! assert!(flow.log_prob(&new)?.is_finite());
//! # Ok::<(), Error>(())
//! ```
//!
//! # Memory
//!
//! [`Flow::gradient`] restores the input of each layer by running the layer backwards. It keeps nothing of a layer, however many there are:
//! beside the gradient it needs as much memory as the points and one layer.
//!
//! # Layers
//!
//! | layer | what it does |
//! |---|---|
//! | [`Coupling`] with [`Additive`] | adds to some coordinates what a net computes from the others (NICE) |
//! | [`Coupling`] with [`Affine`] | scales them too (RealNVP) |
//! | [`Coupling`] with [`Spline`] | maps them by monotone splines |
//! | [`Knots`] | maps each coordinate by one spline, whose knots are learned |
//! | [`Linear`] | a linear map, by its triangular factors |
//!
//! The net of a coupling layer is any [`Conditioner`]; [`Mlp`] is a small one. A layer of your own is a struct with
//! [`derive(Active)`](derive@crate::Active), [`Shape`], and a [`Layer`] as a `#[reversible] impl`: its inverse, its determinant
//! and its derivatives follow from that. All layers of a flow have one type; for several kinds in turns, make a struct of one of each, whose
//! `apply` calls theirs:
//!
//! ```
//! use retrograd::flow::{Affine, Coupling, Error, Flow, Layer, Linear, Mask, Mlp, Shape};
//! use retrograd::prelude::*;
//! use std::num::Wrapping;
//!
//! #[derive(Active)]
//! #[active(shadow = BlockShadow)]
//! struct Block<T> {
//!     mixing: Linear<T>,
//!     coupling: Coupling<T, Mlp, Affine>,
//! }
//!
//! impl<T> Shape for Block<T> {
//!     fn dimension(&self) -> usize {
//!         self.mixing.dimension()
//!     }
//!     fn check(&self) -> Result<(), Error> {
//!         self.coupling.check()
//!     }
//! }
//!
//! #[reversible]
//! impl<T: Real> Layer<T> for Block<T> {
//!     fn apply(&self, x: &mut [T]) {
//!         self.mixing.apply(x);
//!         self.coupling.apply(x);
//!     }
//! }
//!
//! let net = Mlp { inputs: 2, hidden: 8, outputs: 4 };
//! let coupling = Coupling::new(Mask::alternating(4, 0)?, net, Affine, net.random(&mut Wrapping(1)))?;
//! let flow = Flow::new(4, vec![Block { mixing: Linear::identity(4), coupling }])?;
//! let (loss, gradient) = flow.gradient(&[0.5, 1.0, -1.0, 2.0])?;
//! assert_eq!(gradient[0].mixing.count(), 20);
//! # Ok::<(), Error>(())
//! ```

mod conditioner;
mod coupling;
mod error;
mod linear;
mod mask;
mod model;
mod spline;

pub use conditioner::{Conditioner, Mlp, Sizes};
pub use coupling::{Additive, Affine, Coupling, Numbers, Transform};
pub use error::Error;
pub use linear::Linear;
pub use mask::Mask;
pub use model::{Coordinate, Flow, Learned};
pub use spline::{Knots, Spline, monotone_spline};

use crate::{Real, reversible};

/// For which points a layer is made.
pub trait Shape {
    /// How many coordinates a point has.
    fn dimension(&self) -> usize;

    /// Whether the layer can be run. A [`Flow`] asks before every run, because learning may have changed its numbers.
    ///
    /// # Errors
    ///
    /// What keeps it from being run; by default, nothing does.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// A bijection of points, with numbers that are learned.
///
/// ```
/// use retrograd::flow::{Error, Flow, Layer, Shape};
/// use retrograd::prelude::*;
///
/// /// Stretches all coordinates alike.
/// #[derive(Active)]
/// struct Stretch<T> {
///     exponent: T,
/// }
///
/// impl<T> Shape for Stretch<T> {
///     fn dimension(&self) -> usize {
///         3
///     }
/// }
///
/// #[reversible]
/// impl<T: Real> Layer<T> for Stretch<T> {
///     fn apply(&self, x: &mut [T]) {
///         for i in 0..x.len() {
///             x[i] *= self.exponent.exp();
///         }
///     }
/// }
///
/// let flow = Flow::new(3, vec![Stretch { exponent: 0.5 }, Stretch { exponent: 1.0 }])?;
/// let mut x = [1.0_f64, 0.0, -1.0];
/// assert!((flow.forward(&mut x)?.log_abs - 4.5).abs() < 1e-14);
/// // d/dc (½·2·e²ᶜ − 3c), with c the sum of both exponents.
/// let (_, gradient) = flow.gradient(&[1.0_f64, 0.0, -1.0])?;
/// assert!((gradient[0].exponent - (2.0 * 3.0_f64.exp() - 3.0)).abs() < 1e-12);
/// # Ok::<(), Error>(())
/// ```
#[reversible]
pub trait Layer<T: Real>: Shape {
    /// Maps a point, in place.
    fn apply(&self, x: &mut [T]);
}
