//! Monotone splines: rational functions between knots, straight lines outside.

use super::coupling::bounded;
use super::{Error, Layer, Numbers, Shape, Transform};
use crate::ops::log_sum_exp;
use crate::{Active, Real, bijection, reversible};

/// Maps `x` by the increasing spline through the knots `(xs[k], ys[k])`, with the given slopes there and straight lines outside.
///
/// Between two knots it consists of two pieces (a x + b)/(c x + d) that meet half-way in x with one slope, so the spline has a continuous
/// derivative. Each piece is composed of statements that have an inverse: backwards, no equation is solved.
///
/// The knots have to increase in both coordinates and slopes to be positive, which is not checked here: [`Knots`] does.
///
/// ```
/// use retrograd::flow::monotone_spline;
///
/// let (xs, ys, slopes) = ([0.0, 1.0, 2.0], [0.0, 3.0, 4.0], [1.0, 2.0, 0.5]);
/// let spline = |mut x: f64| {
///     monotone_spline(&mut x, &xs, &ys, &slopes);
///     x
/// };
/// assert_eq!([-1.0, 0.0, 1.0, 2.0, 4.0].map(spline), [-1.0, 0.0, 3.0, 4.0, 5.0]);
/// let mut y = spline(0.3);
/// monotone_spline::uncall(&mut y, &xs, &ys, &slopes);
/// assert!((y - 0.3).abs() < 1e-15);
/// let slope = monotone_spline::log_det(&mut 1.0, &xs, &ys, &slopes).log_abs;
/// assert!((slope - 2.0_f64.ln()).abs() < 1e-15);
/// ```
// At a knot rounding may choose the bin beside, on the way back. There both are one map with one slope, so nothing is checked.
#[reversible(checks = "never")]
pub fn monotone_spline<T: Real>(x: &mut T, xs: &[T], ys: &[T], slopes: &[T]) {
    let mut bin: usize = bin_of(xs, *x);
    if bin == 0 {
        *x -= xs[0];
        *x *= slopes[0];
        *x += ys[0];
    } else if bin == xs.len() {
        *x -= xs[bin - 1];
        *x *= slopes[bin - 1];
        *x += ys[bin - 1];
    } else {
        let width = xs[bin] - xs[bin - 1];
        let height = ys[bin] - ys[bin - 1];
        *x -= xs[bin - 1];
        *x /= width;
        bend(x, slopes[bin - 1] * width / height, slopes[bin] * width / height);
        *x *= height;
        *x += ys[bin - 1];
    }
    release!(bin == bin_of(ys, *x));
}

/// How many knots are not above `x`: the number of the interval in which it lies.
#[reversible]
fn bin_of<T: Real>(knots: &[T], x: T) -> usize {
    let mut below = 0;
    for k in 0..knots.len() {
        if knots[k] <= x {
            below += 1;
        }
    }
    below
}

/// Maps the interval from 0 to 1 to itself, with the slopes `first` at 0 and `last` at 1.
///
/// The two pieces meet at 1/2. Where their values there are √first/(√first + √last) of the whole, they have one slope.
#[reversible(checks = "never")]
fn bend<T: Real>(x: &mut T, first: T, last: T) {
    let middle = first.sqrt() / (first.sqrt() + last.sqrt());
    if (*x < 0.5, *x < middle) {
        *x *= 2.0;
        bend_evenly(x, 0.5 * first / middle);
        *x *= middle;
    } else {
        *x -= 0.5;
        *x *= 2.0;
        bend_evenly(x, 2.0 * (1.0 - middle) / last);
        *x *= 1.0 - middle;
        *x += middle;
    }
}

/// Maps x to r x / (1 + (r − 1) x): from 0 to 1, with the slope r at 0 and 1/r at 1.
///
/// It multiplies x/(1 − x) by r, and 1/x − 1 by 1/r. Each half of the interval is mapped by the form that has no pole there; where the halves meet,
/// they are the same, so it does not matter which one is undone.
#[reversible(checks = "never")]
fn bend_evenly<T: Real>(x: &mut T, r: T) {
    if (*x < 0.5, *x < r / (1.0 + r)) {
        *x = odds(*x);
        *x *= r;
        #[inverse]
        {
            *x = odds(*x);
        }
    } else {
        *x = x.recip();
        *x -= 1.0;
        *x /= r;
        *x += 1.0;
        *x = x.recip();
    }
}

/// x / (1 − x).
#[bijection(inverse = y / (T::one() + y), d = (T::one() - y).square().recip())]
fn odds<T: Real>(y: T) -> T {
    y / (T::one() - y)
}

/// A monotone spline between −bound and bound, and the identity outside: a [`Transform`] for coupling layers.
///
/// With so many bins it takes 3 · bins − 1 numbers: for the widths of the bins, for their heights, and for the slopes between them. Widths
/// and heights are shares of the whole, by a softmax, and slopes are between e⁻² and e², so that every spline has an inverse.
///
/// ```
/// use retrograd::flow::{Error, Numbers, Spline, Transform};
///
/// let spline = Spline::new(4, 3.0)?;
/// assert_eq!(spline.numbers(), 11);
/// let mut numbers = [0.0; 11];
/// numbers[1] = 2.0; // the second bin is wider than others
/// let mut x = 0.5_f64;
/// spline.transform(&mut x, &numbers);
/// assert!(x < 0.0);
/// spline.uncall_transform(&mut x, &numbers);
/// assert!((x - 0.5).abs() < 1e-15);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spline {
    bins: usize,
    bound: f64,
}

impl Spline {
    /// A spline of so many bins between −bound and bound.
    ///
    /// # Errors
    ///
    /// [`Error::Dimension`] if there is no bin, and [`Error::Bound`] unless the bound is positive and finite.
    pub fn new(bins: usize, bound: f64) -> Result<Spline, Error> {
        if bins == 0 {
            return Err(Error::Dimension { what: "bins of a spline", expected: 1, found: 0 });
        }
        if !(bound.is_finite() && bound > 0.0) {
            return Err(Error::Bound { bound });
        }
        Ok(Spline { bins, bound })
    }
}

impl Numbers for Spline {
    fn numbers(&self) -> usize {
        3 * self.bins - 1
    }
}

#[reversible]
impl<T: Real> Transform<T> for Spline {
    fn transform(#[constant] &self, x: &mut T, numbers: &[T]) {
        let mut xs = vec![T::zero(); self.bins + 1];
        let mut ys = vec![T::zero(); self.bins + 1];
        let mut slopes = vec![T::one(); self.bins + 1];
        add_shares(&mut xs, &numbers[..self.bins], self.bound);
        add_shares(&mut ys, &numbers[self.bins..2 * self.bins], self.bound);
        for k in 1..self.bins {
            slopes[k] *= bounded(numbers[2 * self.bins + k - 1]).exp();
        }
        monotone_spline(x, &xs, &ys, &slopes);
    }
}

/// Adds to `knots` numbers from −bound to bound, with distances that are shares of the whole.
///
/// No share is less than a hundredth of what it would be if all were the same.
#[reversible]
fn add_shares<T: Real>(knots: &mut [T], numbers: &[T], bound: f64) {
    let whole = log_sum_exp(numbers);
    knots[0] -= T::lit(bound);
    for k in 0..numbers.len() {
        let share = 0.01 / (numbers.len() as T) + 0.99 * (numbers[k] - whole).exp();
        knots[k + 1] += knots[k] + 2.0 * T::lit(bound) * share;
    }
}

/// A layer that maps each coordinate by one spline, through knots that are given and learned as they are.
///
/// ```
/// use retrograd::flow::{Error, Knots, Layer};
///
/// let knots = Knots::new(2, vec![-1.0, 0.0, 1.0], vec![-1.0, 0.5, 1.0], vec![1.0; 3])?;
/// let mut x = [0.0, 7.0];
/// knots.apply(&mut x);
/// assert_eq!(x, [0.5, 7.0]);
///
/// let error = Knots::new(2, vec![-1.0, 0.0, 0.0], vec![-1.0, 0.5, 1.0], vec![1.0; 3]).unwrap_err();
/// assert_eq!(error, Error::Knots { axis: "x", index: 2 });
/// # Ok::<(), Error>(())
/// ```
///
/// Learning may bring knots out of order. Then every run of the flow is the same error.
#[derive(Active, Clone, Debug, PartialEq)]
pub struct Knots<T> {
    #[constant]
    dimension: usize,
    xs: Vec<T>,
    ys: Vec<T>,
    slopes: Vec<T>,
}

impl<T: Real> Knots<T> {
    /// A spline for each of so many coordinates, through the knots `(xs[k], ys[k])` with these slopes.
    ///
    /// # Errors
    ///
    /// [`Error::Dimension`] unless there are as many of each, and at least two; [`Error::Knots`] unless they increase; [`Error::Slope`]
    /// unless slopes are positive and finite.
    pub fn new(dimension: usize, xs: Vec<T>, ys: Vec<T>, slopes: Vec<T>) -> Result<Knots<T>, Error> {
        let knots = Knots { dimension, xs, ys, slopes };
        knots.check()?;
        Ok(knots)
    }
}

impl<T: Real> Shape for Knots<T> {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn check(&self) -> Result<(), Error> {
        Error::unless_equal("knots of a spline in x", self.xs.len().max(2), self.xs.len())?;
        Error::unless_equal("knots of a spline in y", self.xs.len(), self.ys.len())?;
        Error::unless_equal("slopes of a spline", self.xs.len(), self.slopes.len())?;
        for (axis, knots) in [("x", &self.xs), ("y", &self.ys)] {
            // NaN is above nothing.
            let increases = |index: usize| (index == 0 || knots[index] > knots[index - 1]) && knots[index].is_finite();
            if let Some(index) = (0..knots.len()).find(|index| !increases(*index)) {
                return Err(Error::Knots { axis, index });
            }
        }
        let positive = |slope: &T| *slope > T::zero() && slope.is_finite();
        self.slopes.iter().position(|slope| !positive(slope)).map_or(Ok(()), |index| Err(Error::Slope { index }))
    }
}

#[reversible]
impl<T: Real> Layer<T> for Knots<T> {
    fn apply(&self, x: &mut [T]) {
        for i in 0..x.len() {
            monotone_spline(&mut x[i], &self.xs, &self.ys, &self.slopes);
        }
    }
}
