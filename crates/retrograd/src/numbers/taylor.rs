//! Truncated power series: derivatives of any order along a line.

mod functions;
mod operators;
mod recurrences;

use std::cmp::Ordering;
use std::fmt;

use crate::check::{Apart, Compare, Report};
use crate::numbers::shadows::own_shadow;
use crate::numbers::zeros::is_exactly_zero;
use crate::ops::{MulUpdate, Site};
use crate::record::recordable_fields;
use crate::shadow::Number;
use crate::{InformationBuffer, Real, Recordable};

/// A power series `c₀ + c₁ t + .. + c_K t^K`, truncated after order `K`.
///
/// Run a program over `T: Real` on `Taylor<f64, K>`, starting from a line `x + v t`: the result is the series of
/// `f(x + v t)`, with all derivatives up to order `K` at a cost of order `K²`, where nested dual numbers cost
/// `2^K`. There are `K + 1` coefficients: `Taylor<f64, 1>` carries the same information as `Dual<f64, 1>`.
///
/// ```
/// use retrograd::{Real, Taylor};
///
/// let t = Taylor::<f64, 4>::line(0.0, 1.0);
/// let geometric = (1.0 - t).recip();
/// assert_eq!(geometric.coefficients().collect::<Vec<_>>(), [1.0; 5]);
/// assert_eq!(geometric.derivative(4), 24.0);
/// assert_eq!(t.sin().coefficient(3), -1.0 / 6.0);
/// ```
///
/// [`taylor`](crate::derive::taylor) runs a program along a line. As for [`Dual`](crate::Dual), the value `c₀` is bit for
/// bit that of the run on `T`, `==` and `<` compare values only, the checks of reversible programs compare all
/// coefficients, and a series is its own shadow.
#[derive(Clone, Copy)]
pub struct Taylor<T, const K: usize> {
    value: T,
    /// The coefficients of order 1 to K: `rest[k - 1]` is that of order `k`.
    rest: [T; K],
}

impl<T: Real, const K: usize> Taylor<T, K> {
    /// The series with the value `c0`, and the coefficients of order 1 to `K`.
    ///
    /// ```
    /// use retrograd::Taylor;
    ///
    /// let parabola = Taylor::new(1.0, [0.0, 2.0]);
    /// assert_eq!((parabola.derivative(0), parabola.derivative(2)), (1.0, 4.0));
    /// ```
    #[inline(always)]
    pub fn new(c0: T, rest: [T; K]) -> Self {
        Taylor { value: c0, rest }
    }

    /// A value that does not change along the line.
    ///
    /// ```
    /// use retrograd::Taylor;
    ///
    /// assert_eq!(Taylor::<f64, 3>::constant(2.0).derivative(1), 0.0);
    /// ```
    #[inline(always)]
    pub fn constant(value: T) -> Self {
        Taylor { value, rest: [T::zero(); K] }
    }

    /// The line `x + v t`.
    ///
    /// ```
    /// use retrograd::Taylor;
    ///
    /// let x = Taylor::<f64, 2>::line(3.0, 2.0);
    /// assert_eq!((x * x).coefficients().collect::<Vec<_>>(), [9.0, 12.0, 4.0]);
    /// ```
    #[inline(always)]
    pub fn line(x: T, v: T) -> Self {
        let mut series = Taylor::constant(x);
        if K > 0 {
            series.rest[0] = v;
        }
        series
    }

    /// The value at `t = 0`: the coefficient of order 0.
    ///
    /// ```
    /// use retrograd::Taylor;
    ///
    /// assert_eq!(Taylor::<f64, 2>::line(3.0, 2.0).value(), 3.0);
    /// ```
    #[inline(always)]
    pub fn value(&self) -> T {
        self.value
    }

    /// The coefficient of `t^k`. Panics unless `k <= K`.
    ///
    /// ```
    /// use retrograd::{Real, Taylor};
    ///
    /// assert_eq!(Taylor::<f64, 3>::line(0.0, 1.0).exp().coefficient(3), 1.0 / 6.0);
    /// ```
    #[inline(always)]
    pub fn coefficient(&self, k: usize) -> T {
        assert!(k <= K, "order {k} of a series that is cut off behind order {K}");
        if k == 0 { self.value } else { self.rest[k - 1] }
    }

    /// The coefficients of order 0 to `K`.
    ///
    /// ```
    /// use retrograd::Taylor;
    ///
    /// let x = Taylor::<f64, 2>::line(3.0, 2.0);
    /// assert_eq!(x.coefficients().collect::<Vec<_>>(), [3.0, 2.0, 0.0]);
    /// ```
    pub fn coefficients(&self) -> impl Iterator<Item = T> + '_ {
        std::iter::once(self.value).chain(self.rest)
    }

    /// The derivative of order `k` along the line, which is `k!` times the coefficient. Panics unless `k <= K`.
    ///
    /// ```
    /// use retrograd::Taylor;
    ///
    /// let x = Taylor::<f64, 3>::line(2.0, 1.0);
    /// assert_eq!((x * x * x).derivative(2), 12.0);
    /// ```
    pub fn derivative(&self, k: usize) -> T {
        let mut derivative = self.coefficient(k);
        for i in 2..=k {
            derivative *= T::from_int(i);
        }
        derivative
    }

    /// Whether nothing changes along the line.
    #[cold]
    fn is_constant(&self) -> bool {
        self.rest.iter().all(|&coefficient| is_exactly_zero(coefficient))
    }
}

/// The constant zero.
impl<T: Real, const K: usize> Default for Taylor<T, K> {
    #[inline(always)]
    fn default() -> Self {
        Taylor::constant(T::zero())
    }
}

/// Compares values, not the other coefficients.
impl<T: PartialEq, const K: usize> PartialEq for Taylor<T, K> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// Compares values, not the other coefficients.
impl<T: PartialOrd, const K: usize> PartialOrd for Taylor<T, K> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

/// The coefficients from order 0 on: `Taylor[1.0, 2.0, 0.5]`.
impl<T: fmt::Debug, const K: usize> fmt::Debug for Taylor<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Taylor")?;
        f.debug_list().entry(&self.value).entries(&self.rest).finish()
    }
}

/// The polynomial: `1 + 2 t - 0.5 t^2`.
impl<T: fmt::Display, const K: usize> fmt::Display for Taylor<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, coefficient) in std::iter::once(&self.value).chain(&self.rest).enumerate() {
            let text = match f.precision() {
                Some(precision) => format!("{coefficient:.precision$}"),
                None => coefficient.to_string(),
            };
            let text = if text.contains(' ') { format!("({text})") } else { text };
            match (k, text.strip_prefix('-')) {
                (0, _) => write!(f, "{text}")?,
                (_, Some(digits)) => write!(f, " - {digits} t")?,
                (_, None) => write!(f, " + {text} t")?,
            }
            if k > 1 {
                write!(f, "^{k}")?;
            }
        }
        Ok(())
    }
}

recordable_fields! {
    (T: Recordable, const K: usize) Taylor<T, K> { value, rest } "Taylor" [T];
}

/// Compares all coefficients.
impl<T: Compare, const K: usize> Compare for Taylor<T, K> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.element(0, &self.value, &actual.value);
        report.derivatives(|report| {
            for k in 0..K {
                report.element(k + 1, &self.rest[k], &actual.rest[k]);
            }
        });
    }

    #[inline]
    fn magnitude(&self) -> f64 {
        self.value.magnitude().max(self.rest.magnitude())
    }

    #[inline]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        self.value.drifts(&actual.value, scale) | self.rest.drifts(&actual.rest, scale)
    }

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        self.value.apart(&actual.value) + self.rest.apart(&actual.rest)
    }
}

/// A factor can be divided out again if its value can.
impl<T: Real, const K: usize> MulUpdate for Taylor<T, K> {
    #[inline(always)]
    fn mul_update(&mut self, factor: Self, site: &Site, checked: bool) {
        let product = *self * factor;
        self.value.mul_update(factor.value, site, checked);
        self.rest = product.rest;
    }

    #[inline(always)]
    fn div_update(&mut self, divisor: Self, site: &Site, checked: bool) {
        let quotient = *self / divisor;
        self.value.div_update(divisor.value, site, checked);
        self.rest = quotient.rest;
    }

    #[inline(always)]
    fn damp(&mut self, factor: Self, lost: &mut InformationBuffer, site: &Site) {
        let product = *self * factor;
        self.value.damp(factor.value, lost, site);
        self.rest = product.rest;
    }

    #[inline(always)]
    fn undamp(&mut self, factor: Self, lost: &mut InformationBuffer, site: &Site) {
        let quotient = *self / factor;
        self.value.undamp(factor.value, lost, site);
        self.rest = quotient.rest;
    }
}

own_shadow!([T: Real, const K: usize] Taylor<T, K>, T, held: |x| Taylor::constant(Number::held(x.value)));

#[cfg(test)]
mod tests;
