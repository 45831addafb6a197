//! Lanes as real numbers.

use super::registers::{Bank, Element, Register};
use super::{Holds, Lanes};
use crate::Real;
use crate::real::Int;

/// Functions that registers have.
macro_rules! by_register {
    ($($function:ident)*) => {$(
        #[inline(always)]
        fn $function(mut self) -> Self {
            for register in self.bank.get_mut() {
                *register = register.$function();
            }
            self
        }
    )*};
}

/// The same, for functions of two numbers.
macro_rules! by_two_registers {
    ($($function:ident)*) => {$(
        #[inline(always)]
        fn $function(mut self, other: Self) -> Self {
            let (registers, others) = (self.bank.get_mut(), other.bank.get());
            for i in 0..registers.len() {
                registers[i] = registers[i].$function(others[i]);
            }
            self
        }
    )*};
}

/// Functions that are computed for one lane after the other.
macro_rules! by_lane {
    ($($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            self.each(E::$function)
        }
    )*};
}

impl<E: Element, const W: usize, I: Holds<E, W>> Real for Lanes<E, W, I> {
    type Uniform = E;
    const LANES: usize = W;

    #[inline(always)]
    fn spread(uniform: E) -> Self {
        Self::splat(uniform)
    }
    #[inline(always)]
    fn lane(self, i: usize) -> E {
        self.to_array()[i]
    }
    #[inline(always)]
    fn of_lanes(lane: impl FnMut(usize) -> E) -> Self {
        Self::from_array(std::array::from_fn(lane))
    }
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(E::zero())
    }
    #[inline(always)]
    fn one() -> Self {
        Self::splat(E::one())
    }
    #[inline(always)]
    fn lit(value: f64) -> Self {
        Self::splat(E::lit(value))
    }
    #[inline(always)]
    fn from_int(n: impl Int) -> Self {
        Self::splat(E::from_int(n))
    }
    #[track_caller]
    fn to_f64(self) -> f64 {
        let first = Self::splat(self.to_array()[0]);
        let _ = self == first;
        self.to_array()[0].to_f64()
    }
    #[inline(always)]
    #[track_caller]
    fn is_finite(self) -> bool {
        self.abs() < Self::lit(f64::INFINITY)
    }
    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        self.less(other).select(then, otherwise)
    }
    #[inline(always)]
    fn select_equal(self, other: Self, then: Self, otherwise: Self) -> Self {
        self.equal(other).select(then, otherwise)
    }

    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        let (mut power, mut product, mut left) = (self, Self::one(), n.unsigned_abs());
        loop {
            if left % 2 == 1 {
                product = product * power;
            }
            left /= 2;
            if left == 0 {
                break;
            }
            power = power * power;
        }
        if n < 0 { product.recip() } else { product }
    }
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
    #[inline(always)]
    fn cube(self) -> Self {
        self * self * self
    }
    #[inline(always)]
    fn recip(self) -> Self {
        Self::one() / self
    }
    #[inline(always)]
    fn conj(self) -> Self {
        self
    }
    #[inline(always)]
    fn sin_cos(mut self) -> (Self, Self) {
        let mut cosines = self;
        let (sines, others) = (self.bank.get_mut(), cosines.bank.get_mut());
        for i in 0..sines.len() {
            (sines[i], others[i]) = sines[i].sin_cos();
        }
        (self, cosines)
    }
    #[inline(always)]
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    #[inline(always)]
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    #[inline(always)]
    fn mul_add(mut self, a: Self, b: Self) -> Self {
        let (registers, factors, summands) = (self.bank.get_mut(), a.bank.get(), b.bank.get());
        for i in 0..registers.len() {
            registers[i] = registers[i].mul_add(factors[i], summands[i]);
        }
        self
    }
    /// Where one of them is NaN, the other one.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.less(other).select(other, self.equal(self).select(self, other))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        other.less(self).select(other, self.equal(self).select(self, other))
    }
    #[inline(always)]
    #[track_caller]
    fn clamp(self, min: Self, max: Self) -> Self {
        assert!((!max.less(min) & min.equal(min) & max.equal(max)).all(), "min > max, or either is NaN");
        let raised = self.less(min).select(min, self);
        max.less(raised).select(max, raised)
    }
    #[inline(always)]
    fn fract(self) -> Self {
        self - self.trunc()
    }

    #[inline(always)]
    fn to_degrees(self) -> Self {
        self * Self::splat(E::one().to_degrees())
    }
    #[inline(always)]
    fn to_radians(self) -> Self {
        self * Self::splat(E::one().to_radians())
    }

    by_register! {
        abs signum sqrt cbrt floor ceil round trunc exp exp2 exp_m1 ln ln_1p log2 log10
        tan asin acos atan sinh cosh tanh asinh acosh atanh
    }
    by_two_registers! { powf hypot log atan2 rem_euclid }
    by_lane! { erf gamma lgamma }
}
