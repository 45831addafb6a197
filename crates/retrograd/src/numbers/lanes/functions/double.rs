//! A number with twice the digits, as the sum of two.

use super::super::registers::Register;

/// `high + low`, where `low` is small against `high`.
#[derive(Clone, Copy)]
pub(super) struct Double<R> {
    pub(super) high: R,
    pub(super) low: R,
}

impl<R: Register<Element = f64>> Double<R> {
    /// A constant.
    #[inline(always)]
    pub(super) fn constant(high: f64, low: f64) -> Self {
        Double { high: R::splat(high), low: R::splat(low) }
    }

    /// A number as it is.
    #[inline(always)]
    pub(super) fn from(high: R) -> Self {
        Double { high, low: R::ZERO }
    }

    /// `a + b`, exactly.
    #[inline(always)]
    pub(super) fn sum(a: R, b: R) -> Self {
        let high = a.add(b);
        let part = high.sub(a);
        let low = a.sub(high.sub(part)).add(b.sub(part));
        Double { high, low }
    }

    /// `a + b`, exactly, if `a` is zero or the larger one.
    #[inline(always)]
    pub(super) fn ordered_sum(a: R, b: R) -> Self {
        let high = a.add(b);
        Double { high, low: b.sub(high.sub(a)) }
    }

    /// `a * b`, exactly.
    #[inline(always)]
    pub(super) fn product(a: R, b: R) -> Self {
        let high = a.mul(b);
        Double { high, low: a.mul_add(b, high.neg()) }
    }

    /// With something small added.
    #[inline(always)]
    pub(super) fn plus_small(self, x: R) -> Self {
        Double { high: self.high, low: self.low.add(x) }
    }

    /// The product of two.
    #[inline(always)]
    pub(super) fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        product.plus_small(self.high.mul_add(other.low, self.low.mul(other.high)))
    }

    /// The quotient of two.
    #[inline(always)]
    pub(super) fn over(self, other: Self) -> Self {
        let reciprocal = R::splat(1.0).div(other.high);
        let high = self.high.mul(reciprocal);
        let rest = high.neg().mul_add(other.high, self.high);
        let rest = rest.add(high.neg().mul_add(other.low, self.low));
        Double { high, low: rest.mul(reciprocal) }
    }

    /// The square root, also of zero.
    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        let high = self.high.sqrt();
        let rest = high.neg().mul_add(high, self.high).add(self.low);
        Double { high, low: rest.div(high.add(high).add(R::splat(f64::MIN_POSITIVE))) }
    }

    /// The nearest number.
    #[inline(always)]
    pub(super) fn round(self) -> R {
        self.high.add(self.low)
    }
}
