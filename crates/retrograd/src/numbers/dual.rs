//! Dual numbers: a value, and its derivatives in several directions.

mod functions;
mod operators;

use std::cmp::Ordering;
use std::fmt;

use crate::check::{Apart, Compare, Report};
use crate::numbers::shadows::own_shadow;
use crate::numbers::zeros::is_exactly_zero;
use crate::ops::{MulUpdate, Site};
use crate::record::recordable_fields;
use crate::shadow::Number;
use crate::{InformationBuffer, Real, Recordable};

/// A number with its derivatives in `N` directions: forward mode, all directions in one run.
///
/// Run a program over `T: Real` on `Dual<f64, N>`: `re` has the value, bit for bit as in the run on `f64`,
/// and `eps[i]` is the derivative in direction `i`.
///
/// ```
/// use retrograd::{Dual, Real};
///
/// fn polar<T: Real>(x: T, y: T) -> (T, T) {
///     (x.hypot(y), y.atan2(x))
/// }
///
/// let (r, phi) = polar(Dual::<f64, 2>::variable(3.0, 0), Dual::variable(4.0, 1));
/// assert_eq!((r.re, r.eps), (5.0, [0.6, 0.8]));
/// assert_eq!(phi.eps, [-0.16, 0.12]);
/// ```
///
/// Dual numbers of dual numbers have second derivatives. A dual number is also its own shadow: a pullback on dual numbers
/// gives the gradient in `re`, and the product of the Hessian with the direction in `eps`.
///
/// ```
/// use retrograd::{Dual, Real};
///
/// // d²/dx² x⁴ = 12 x²
/// let x = Dual::<Dual<f64, 1>, 1>::new(Dual::variable(2.0, 0), [Dual::constant(1.0)]);
/// assert_eq!(x.powi(4).eps[0].eps[0], 48.0);
/// ```
///
/// Where a slope is infinite, as that of `sqrt` at 0, it is infinite in the directions in which the argument changes, and
/// 0 · ∞ = NaN in the others.
///
/// Comparisons, and with them branches, only look at the value: `==` and `<` compare `re`, recursively for
/// dual numbers of dual numbers. The checks of reversible programs compare the derivatives too, since a derivative that
/// was not restored is as wrong as a value that was not.
///
/// ```
/// use retrograd::{Dual, check::mismatches};
///
/// let (a, b) = (Dual::new(1.0, [0.0]), Dual::new(1.0, [5.0]));
/// assert!(a == b && a <= b && a < Dual::constant(2.0));
/// assert_eq!(mismatches(&a, &b)[0].path, ".eps[0]");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dual<T, const N: usize> {
    /// The value.
    pub re: T,
    /// The derivatives of the value, one for each direction.
    pub eps: [T; N],
}

impl<T: Real, const N: usize> Dual<T, N> {
    /// A value with its derivatives.
    ///
    /// ```
    /// use retrograd::Dual;
    ///
    /// let x = Dual::new(2.0, [1.0, 0.0]);
    /// assert_eq!((x * x).eps, [4.0, 0.0]);
    /// ```
    #[inline(always)]
    pub fn new(re: T, eps: [T; N]) -> Self {
        Dual { re, eps }
    }

    /// A value that does not change in any direction.
    ///
    /// ```
    /// use retrograd::Dual;
    ///
    /// assert_eq!(Dual::<f64, 3>::constant(2.0).eps, [0.0, 0.0, 0.0]);
    /// ```
    #[inline(always)]
    pub fn constant(re: T) -> Self {
        Dual { re, eps: [T::zero(); N] }
    }

    /// The variable with this value that moves along direction `i`. Panics unless `i < N`.
    ///
    /// ```
    /// use retrograd::Dual;
    ///
    /// assert_eq!(Dual::<f64, 3>::variable(2.0, 1).eps, [0.0, 1.0, 0.0]);
    /// ```
    #[inline(always)]
    pub fn variable(re: T, i: usize) -> Self {
        assert!(i < N, "direction {i} of a dual number with {N} directions");
        let mut x = Dual::constant(re);
        x.eps[i] = T::one();
        x
    }

    /// The chain rule for `f(self)`, with `f` and its derivative at `self.re`.
    #[inline(always)]
    fn chain(self, value: T, partial: T) -> Self {
        let mut eps = self.eps;
        for e in &mut eps {
            *e *= partial;
        }
        Dual { re: value, eps }
    }

    /// The chain rule for `f(self, other)`, with `f` and its partial derivatives.
    #[inline(always)]
    fn chain2(self, other: Self, value: T, partials: (T, T)) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = eps[i] * partials.0 + other.eps[i] * partials.1;
        }
        Dual { re: value, eps }
    }

    /// The same for partial derivatives that may not exist: `x.powf(3.0)` has none with respect to its exponent for a negative `x`, and
    /// needs none where the exponent does not change.
    #[inline(always)]
    fn chain2_by_need(self, other: Self, value: T, partials: (T, T)) -> Self {
        if partials.0.is_finite() && partials.1.is_finite() {
            self.chain2(other, value, partials)
        } else {
            self.chain2_where_it_changes(other, value, partials)
        }
    }

    #[cold]
    #[inline(never)]
    fn chain2_where_it_changes(self, other: Self, value: T, partials: (T, T)) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = match (is_exactly_zero(self.eps[i]), is_exactly_zero(other.eps[i])) {
                (true, true) => T::zero(),
                (true, false) => other.eps[i] * partials.1,
                (false, true) => self.eps[i] * partials.0,
                (false, false) => self.eps[i] * partials.0 + other.eps[i] * partials.1,
            };
        }
        Dual { re: value, eps }
    }
}

/// Zero, which does not change in any direction.
impl<T: Real, const N: usize> Default for Dual<T, N> {
    #[inline(always)]
    fn default() -> Self {
        Dual::constant(T::zero())
    }
}

/// Compares values, not derivatives.
impl<T: PartialEq, const N: usize> PartialEq for Dual<T, N> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.re == other.re
    }
}

/// Compares values, not derivatives.
impl<T: PartialOrd, const N: usize> PartialOrd for Dual<T, N> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.re.partial_cmp(&other.re)
    }
}

/// The value, and behind it each derivative: `2 + 1ε0 - 3ε1`.
impl<T: fmt::Display, const N: usize> fmt::Display for Dual<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A part that is a sum itself gets parentheses.
        let part = |f: &mut fmt::Formatter<'_>, part: &T, sign: &str| -> fmt::Result {
            let text = match f.precision() {
                Some(precision) => format!("{part:.precision$}"),
                None => part.to_string(),
            };
            match (text.contains(' '), text.strip_prefix('-')) {
                (true, _) => write!(f, "{sign}({text})"),
                (false, Some(digits)) if !sign.is_empty() => write!(f, " - {digits}"),
                (false, _) => write!(f, "{sign}{text}"),
            }
        };
        part(f, &self.re, "")?;
        for (i, e) in self.eps.iter().enumerate() {
            part(f, e, " + ")?;
            write!(f, "ε{i}")?;
        }
        Ok(())
    }
}

recordable_fields! {
    (T: Recordable, const N: usize) Dual<T, N> { re, eps } "Dual" [T];
}

/// Compares value and derivatives.
impl<T: Compare, const N: usize> Compare for Dual<T, N> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("re", &self.re, &actual.re);
        report.derivatives(|report| report.field("eps", &self.eps, &actual.eps));
    }

    #[inline]
    fn magnitude(&self) -> f64 {
        self.re.magnitude().max(self.eps.magnitude())
    }

    #[inline]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        self.re.drifts(&actual.re, scale) | self.eps.drifts(&actual.eps, scale)
    }

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        self.re.apart(&actual.re) + self.eps.apart(&actual.eps)
    }
}

/// A factor can be divided out again if its value can.
impl<T: Real, const N: usize> MulUpdate for Dual<T, N> {
    #[inline(always)]
    fn mul_update(&mut self, factor: Self, site: &Site, checked: bool) {
        let product = *self * factor;
        self.re.mul_update(factor.re, site, checked);
        self.eps = product.eps;
    }

    #[inline(always)]
    fn div_update(&mut self, divisor: Self, site: &Site, checked: bool) {
        let quotient = *self / divisor;
        self.re.div_update(divisor.re, site, checked);
        self.eps = quotient.eps;
    }

    #[inline(always)]
    fn damp(&mut self, factor: Self, lost: &mut InformationBuffer, site: &Site) {
        let product = *self * factor;
        self.re.damp(factor.re, lost, site);
        self.eps = product.eps;
    }

    #[inline(always)]
    fn undamp(&mut self, factor: Self, lost: &mut InformationBuffer, site: &Site) {
        let quotient = *self / factor;
        self.re.undamp(factor.re, lost, site);
        self.eps = quotient.eps;
    }
}

own_shadow!([T: Real, const N: usize] Dual<T, N>, T, held: |x| Dual::constant(Number::held(x.re)));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_compare_and_derivatives_do_not() {
        let (a, b) = (Dual::new(1.0, [0.0, 3.0]), Dual::new(1.0, [7.0, 0.0]));
        assert!(a == b && a <= b && a.partial_cmp(&b) == Some(Ordering::Equal));
        assert!(Dual::new(f64::NAN, [0.0]) != Dual::new(f64::NAN, [0.0]));
    }

    #[test]
    fn a_dual_number_shows_all_it_has() {
        assert_eq!(Dual::new(2.0, [1.0, -3.5]).to_string(), "2 + 1ε0 - 3.5ε1");
        assert_eq!(format!("{:.1}", Dual::new(-2.0, [1.0])), "-2.0 + 1.0ε0");
        let nested = Dual::new(Dual::new(1.0, [0.0]), [Dual::new(-1.0, [2.0])]);
        assert_eq!(nested.to_string(), "(1 + 0ε0) + (-1 + 2ε0)ε0");
    }

    #[test]
    #[should_panic(expected = "direction 2 of a dual number with 2 directions")]
    fn a_direction_that_is_not_there_is_refused() {
        Dual::<f64, 2>::variable(1.0, 2);
    }

    const SITE: Site = Site { function: "f", file: "f.rs", line: 1, column: 1, statement: "y *= x;" };

    #[test]
    fn multiplication_in_place_comes_back_with_its_derivatives() {
        let (y, x) = (Dual::new(3.0, [1.0, 0.5]), Dual::new(0.25, [-2.0, 1.0]));
        let mut z = y;
        z.mul_update(x, &SITE, true);
        assert_eq!((z.re, z.eps), (0.75, (y * x).eps));
        z.div_update(x, &SITE, true);
        assert_eq!((z.re, z.eps), (y.re, y.eps));
    }

    #[test]
    fn a_factor_without_a_way_back_is_refused_and_nothing_has_changed() {
        for factor in [Dual::new(0.0, [1.0]), Dual::new(f64::INFINITY, [1.0])] {
            let mut y = Dual::new(3.0, [1.0]);
            assert!(crate::attempt(|| y.mul_update(factor, &SITE, true)).is_err());
            assert!(crate::attempt(|| y.div_update(factor, &SITE, true)).is_err());
            assert_eq!((y.re, y.eps), (3.0, [1.0]));
        }
    }
}
