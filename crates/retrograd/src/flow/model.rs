//! A sequence of layers as a density.

use std::f64::consts::TAU;
use std::num::Wrapping;

use super::{Error, Layer, Shape};
use crate::private::{Local, check_drift};
use crate::shadow::{Shadowed, Volume, Weighted, Zero};
use crate::site::Site;
use crate::{Active, Dual, LogDet, Real, attempt, random, reversible};

/// Maps points that lie one after the other, each by itself.
#[reversible]
fn through<T: Real, L: Layer<T>>(points: &mut [T], layer: &L, dimension: usize) {
    for p in 0..points.len() / dimension {
        layer.apply(&mut points[p * dimension..(p + 1) * dimension]);
    }
}

/// A layer that has derivatives: every [`Layer`] that derives [`Active`](derive@Active).
///
/// This is what a program that trains any flow asks of its layers:
///
/// ```
/// use retrograd::flow::{Error, Flow, Learned, Linear};
/// use retrograd::prelude::*;
///
/// fn step<L: Learned<f64>>(flow: &mut Flow<L>, points: &[f64], rate: f64) -> Result<f64, Error> {
///     let (loss, gradient) = flow.gradient(points)?;
///     let mut numbers = flow.layers().flatten();
///     numbers.iter_mut().zip(gradient.flatten()).for_each(|(number, slope)| *number -= rate * slope);
///     flow.layers_mut().unflatten(&numbers);
///     Ok(loss)
/// }
///
/// let (mut flow, points) = (Flow::new(2, vec![Linear::identity(2)])?, [1.0, 2.0, 2.0, 1.0]);
/// let before = step(&mut flow, &points, 0.1)?;
/// assert!(step(&mut flow, &points, 0.1)? < before);
/// # Ok::<(), Error>(())
/// ```
pub trait Learned<T: Coordinate>:
    Layer<T>
    + Active<Shadow = Self::Gradient, Number = T>
    + Shadowed<T::Shadow, Shadow = Self::Gradient, Owned = Self::Gradient>
    + Shadowed<Volume<T::Shadow>>
    + Shadowed<Weighted<T::Shadow>>
{
    /// Derivatives with respect to the numbers of the layer.
    type Gradient: Active<Number = T, Shadow: Sized>;
}

impl<T: Coordinate, L, G> Learned<T> for L
where
    L: Layer<T>
        + Active<Shadow = G, Number = T>
        + Shadowed<T::Shadow, Shadow = G, Owned = G>
        + Shadowed<Volume<T::Shadow>>
        + Shadowed<Weighted<T::Shadow>>,
    G: Active<Number = T, Shadow: Sized>,
{
    type Gradient = G;
}

/// A number that densities are computed in: `f64`, `f32`, and [`Dual`] over these. Its derivatives have its own type.
pub trait Coordinate: Real {
    /// A number from a derivative.
    #[doc(hidden)]
    fn of_shadow(shadow: Self::Shadow) -> Self;
    /// A derivative from a number.
    #[doc(hidden)]
    fn shadow(self) -> Self::Shadow;
}

macro_rules! coordinates {
    ($(($($generics:tt)*) $type:ty;)*) => {$(
        impl $($generics)* Coordinate for $type {
            #[inline(always)]
            fn of_shadow(shadow: $type) -> $type {
                shadow
            }
            #[inline(always)]
            fn shadow(self) -> $type {
                self
            }
        }
    )*};
}

coordinates! {
    () f64; () f32; (<const N: usize>) Dual<f64, N>; (<const N: usize>) Dual<f32, N>;
}

/// A sequence of layers, and the density that it gives points: that of the standard normal distribution where they are mapped to, times
/// the determinant.
///
/// The [module](super) has an example. All points are given by their coordinates, one point after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow<L> {
    dimension: usize,
    layers: Vec<L>,
}

impl<L: Shape> Flow<L> {
    /// A flow of points with so many coordinates.
    ///
    /// # Errors
    ///
    /// [`Error::Dimension`] if a layer is made for other points, or if they have no coordinates; and what [`Shape::check`] says of a layer.
    pub fn new(dimension: usize, layers: Vec<L>) -> Result<Flow<L>, Error> {
        Error::unless_equal("coordinates of a flow", dimension.max(1), dimension)?;
        let flow = Flow { dimension, layers };
        flow.check()?;
        Ok(flow)
    }

    /// How many coordinates a point has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The layers. Their numbers, as a vector, are `flow.layers().flatten()`; see [`Active`].
    pub fn layers(&self) -> &[L] {
        &self.layers
    }

    /// The layers, to be changed: `flow.layers_mut().unflatten(&numbers)`.
    pub fn layers_mut(&mut self) -> &mut [L] {
        &mut self.layers
    }

    fn check(&self) -> Result<(), Error> {
        self.layers.iter().try_for_each(|layer| {
            Error::unless_equal("coordinates of a layer", self.dimension, layer.dimension())?;
            layer.check()
        })
    }

    /// Maps a point of the distribution to one of the normal distribution, in place, and returns the determinant of the Jacobian there.
    ///
    /// # Errors
    ///
    /// [`Error::Dimension`] if the point has another number of coordinates, [`Error::NotFinite`] if one of them is not finite or does not
    /// stay so, [`Error::NotInvertible`] if a factor is zero, and what [`Shape::check`] says of a layer. The point is then as it was.
    pub fn forward<T: Coordinate>(&self, x: &mut [T]) -> Result<LogDet<T>, Error>
    where
        L: Learned<T>,
    {
        self.map_one(x, false)
    }

    /// Maps a point of the normal distribution to one of the learned distribution, in place, and returns the determinant of that map.
    ///
    /// # Errors
    ///
    /// Those of [`forward`](Flow::forward).
    pub fn inverse<T: Coordinate>(&self, z: &mut [T]) -> Result<LogDet<T>, Error>
    where
        L: Learned<T>,
    {
        self.map_one(z, true)
    }

    /// The logarithm of the density at a point.
    ///
    /// # Errors
    ///
    /// Those of [`forward`](Flow::forward).
    pub fn log_prob<T: Coordinate>(&self, x: &[T]) -> Result<T, Error>
    where
        L: Learned<T>,
    {
        Error::unless_equal("coordinates of a point", self.dimension, x.len())?;
        self.loss(x).map(|loss| -loss)
    }

    /// A point from the learned distribution: one from the normal distribution, mapped backwards. `state` is moved on; see [`random`].
    ///
    /// # Errors
    ///
    /// Those of [`forward`](Flow::forward).
    pub fn sample<T: Coordinate>(&self, state: &mut Wrapping<u64>) -> Result<Vec<T>, Error>
    where
        L: Learned<T>,
    {
        let draw = |_| {
            random::advance(state);
            random::normal(*state)
        };
        let mut point: Vec<T> = (0..self.dimension).map(draw).collect();
        self.map(&mut point, true)?;
        Ok(point)
    }

    /// The mean over all points of −log p, where p is the density.
    ///
    /// # Errors
    ///
    /// [`Error::NoPoints`] if there are none; [`Error::Dimension`] if the last point is incomplete; and those of [`forward`](Flow::forward).
    pub fn loss<T: Coordinate>(&self, points: &[T]) -> Result<T, Error>
    where
        L: Learned<T>,
    {
        self.mapped(points).map(|(_, loss)| loss)
    }

    /// The mean of −log p, and its derivatives with respect to all numbers of each layer.
    ///
    /// # Errors
    ///
    /// Those of [`add_gradient`](Flow::add_gradient).
    pub fn gradient<T: Coordinate>(&self, points: &[T]) -> Result<(T, Vec<L::Gradient>), Error>
    where
        L: Learned<T>,
    {
        let zero = |layer: &L| Shadowed::<T::Shadow>::zero_shadow(layer, Zero::Plain);
        let mut gradient: Vec<L::Gradient> = self.layers.iter().map(zero).collect();
        let loss = self.add_gradient(points, &mut gradient)?;
        Ok((loss, gradient))
    }

    /// Adds the derivatives of the mean of −log p to `gradient`, and returns the mean.
    ///
    /// What each layer started from is restored by running it backwards: beside `gradient`, memory does not depend on how many layers there are.
    ///
    /// # Errors
    ///
    /// Those of [`loss`](Flow::loss); [`Error::Dimension`] unless `gradient` has an element for each layer; and [`Error::NotInvertible`] if
    /// the points did not come back, so that the derivatives would be wrong. What has been added to `gradient` until then stays there.
    pub fn add_gradient<T: Coordinate>(&self, points: &[T], gradient: &mut [L::Gradient]) -> Result<T, Error>
    where
        L: Learned<T>,
    {
        Error::unless_equal("layers of a gradient", self.layers.len(), gradient.len())?;
        let (mut z, loss) = self.mapped(points)?;
        let share = T::from_int(z.len() / self.dimension).recip();
        // The mean of z²/2 − log|det|.
        let mut adjoints: Vec<T::Shadow> = z.iter().map(|z| (*z * share).shadow()).collect();
        attempt(|| {
            for (layer, gradient) in self.layers.iter().zip(gradient).rev() {
                let seed = (-share).shadow();
                through::pullback_log_det((&mut z, &mut adjoints), (layer, gradient), self.dimension, seed);
            }
            let site = Site::caller("Flow::add_gradient", "");
            check_drift!(&site, &Local::at_let("points"), points, &z[..], 0.0);
        })?;
        Ok(loss)
    }

    /// Where points are mapped to, and the mean of −log p.
    fn mapped<T: Coordinate>(&self, points: &[T]) -> Result<(Vec<T>, T), Error>
    where
        L: Learned<T>,
    {
        let mut z = points.to_vec();
        let det = self.map(&mut z, false)?;
        let count = T::from_int(z.len() / self.dimension);
        let normal = T::lit(0.5 * TAU.ln()) * T::from_int(self.dimension);
        let squares: T = z.iter().map(|z| z.square()).sum();
        let loss = (T::lit(0.5) * squares - det.log_abs) / count + normal;
        // Squares overflow where the points do not.
        finite("the density of a flow", &[loss])?;
        Ok((z, loss))
    }

    fn map_one<T: Coordinate>(&self, x: &mut [T], back: bool) -> Result<LogDet<T>, Error>
    where
        L: Learned<T>,
    {
        Error::unless_equal("coordinates of a point", self.dimension, x.len())?;
        let mut mapped = x.to_vec();
        let det = self.map(&mut mapped, back)?;
        x.copy_from_slice(&mapped);
        Ok(det)
    }

    /// Maps points, and returns the product of their determinants.
    fn map<T: Coordinate>(&self, points: &mut [T], back: bool) -> Result<LogDet<T>, Error>
    where
        L: Learned<T>,
    {
        self.check()?;
        let (points_given, incomplete) = (points.len() / self.dimension, points.len() % self.dimension);
        if points.is_empty() {
            return Err(Error::NoPoints);
        }
        if incomplete != 0 {
            let expected = (points_given + 1) * self.dimension;
            return Err(Error::Dimension { what: "coordinates of all points", expected, found: points.len() });
        }
        finite("a point", points)?;
        let mut product = LogDet { sign: 1.0, log_abs: T::zero() };
        attempt(|| {
            let mut multiply = |det: LogDet<T::Shadow>| {
                product.sign *= det.sign;
                product.log_abs += T::of_shadow(det.log_abs);
            };
            match back {
                false => {
                    self.layers.iter().for_each(|layer| multiply(through::log_det(points, layer, self.dimension)));
                }
                true => {
                    let layers = self.layers.iter().rev();
                    layers.for_each(|layer| multiply(through::uncall_log_det(points, layer, self.dimension)));
                }
            }
        })?;
        finite("what a flow maps a point to", points)?;
        Ok(product)
    }
}

fn finite<T: Real>(what: &'static str, numbers: &[T]) -> Result<(), Error> {
    if numbers.iter().all(|number| number.is_finite()) { Ok(()) } else { Err(Error::NotFinite { what }) }
}
