//! The elementary functions of dual numbers: each by its rule and the chain rule.

use super::Dual;
use crate::real::Int;
use crate::{Real, rules};

/// Functions whose rule takes the argument.
macro_rules! by_argument {
    ($($function:ident: $rule:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            self.chain(self.re.$function(), rules::$rule(self.re))
        }
    )*};
}

/// Functions whose rule takes the result.
macro_rules! by_result {
    ($($function:ident: $rule:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            let value = self.re.$function();
            self.chain(value, rules::$rule(value))
        }
    )*};
}

/// Functions that are constant between their jumps.
macro_rules! steps {
    ($($function:ident),* $(,)?) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            Dual::constant(self.re.$function())
        }
    )*};
}

/// The derivatives are those of the rules of the reverse mode, at the edges too: one rule for each function, used by all.
impl<T: Real, const N: usize> Real for Dual<T, N> {
    type Uniform = Dual<T::Uniform, N>;
    const LANES: usize = T::LANES;

    #[inline(always)]
    fn spread(uniform: Dual<T::Uniform, N>) -> Self {
        let mut x = Dual::constant(T::spread(uniform.re));
        for i in 0..N {
            x.eps[i] = T::spread(uniform.eps[i]);
        }
        x
    }
    #[inline(always)]
    fn lane(self, i: usize) -> Dual<T::Uniform, N> {
        Dual { re: self.re.lane(i), eps: self.eps.map(|eps| eps.lane(i)) }
    }
    #[inline(always)]
    fn of_lanes(mut lane: impl FnMut(usize) -> Dual<T::Uniform, N>) -> Self {
        if T::LANES == 1 {
            let only = lane(0);
            return Dual { re: T::of_lanes(|_| only.re), eps: only.eps.map(|eps| T::of_lanes(|_| eps)) };
        }
        let parts: Vec<Dual<T::Uniform, N>> = (0..T::LANES).map(lane).collect();
        Dual { re: T::of_lanes(|i| parts[i].re), eps: std::array::from_fn(|k| T::of_lanes(|i| parts[i].eps[k])) }
    }

    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        let mut chosen = then;
        chosen.re = self.re.select_less(other.re, then.re, otherwise.re);
        for i in 0..N {
            chosen.eps[i] = self.re.select_less(other.re, then.eps[i], otherwise.eps[i]);
        }
        chosen
    }

    #[inline(always)]
    fn select_equal(self, other: Self, then: Self, otherwise: Self) -> Self {
        let mut chosen = then;
        chosen.re = self.re.select_equal(other.re, then.re, otherwise.re);
        for i in 0..N {
            chosen.eps[i] = self.re.select_equal(other.re, then.eps[i], otherwise.eps[i]);
        }
        chosen
    }

    #[inline(always)]
    fn zero() -> Self {
        Dual::constant(T::zero())
    }

    #[inline(always)]
    fn one() -> Self {
        Dual::constant(T::one())
    }

    #[inline(always)]
    fn lit(value: f64) -> Self {
        Dual::constant(T::lit(value))
    }

    #[inline(always)]
    fn from_int(n: impl Int) -> Self {
        Dual::constant(T::from_int(n))
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.re.to_f64()
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        self.re.is_finite()
    }

    by_argument! {
        sin: d_sin, cos: d_cos, asin: d_asin, acos: d_acos, atan: d_atan,
        sinh: d_sinh, cosh: d_cosh, asinh: d_asinh, acosh: d_acosh, atanh: d_atanh,
        ln: d_ln, ln_1p: d_ln_1p, log2: d_log2, log10: d_log10,
        abs: d_abs, square: d_square, cube: d_cube, to_degrees: d_to_degrees, to_radians: d_to_radians,
        erf: d_erf, lgamma: d_lgamma,
    }

    by_result! {
        exp: d_exp, exp2: d_exp2, exp_m1: d_exp_m1, tan: d_tan, tanh: d_tanh,
        sqrt: d_sqrt, cbrt: d_cbrt, recip: d_recip,
    }

    steps! { signum, floor, ceil, round, trunc }

    #[inline(always)]
    fn gamma(self) -> Self {
        let value = self.re.gamma();
        self.chain(value, rules::d_gamma(self.re, value))
    }

    #[inline(always)]
    fn conj(self) -> Self {
        self
    }

    #[inline(always)]
    fn fract(self) -> Self {
        Dual { re: self.re.fract(), eps: self.eps }
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.re.sin_cos();
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        self.chain(self.re.powi(n), rules::d_powi(self.re, n))
    }

    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        let value = self.re.powf(exponent.re);
        let partials = (rules::d_powf_0(self.re, exponent.re), rules::d_powf_1(self.re, value));
        self.chain2_by_need(exponent, value, partials)
    }

    #[inline(always)]
    fn hypot(self, other: Self) -> Self {
        let value = self.re.hypot(other.re);
        let partials = (rules::d_hypot_0(self.re, value), rules::d_hypot_1(other.re, value));
        self.chain2(other, value, partials)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let partials = (rules::d_atan2_0(self.re, x.re), rules::d_atan2_1(self.re, x.re));
        self.chain2(x, self.re.atan2(x.re), partials)
    }

    #[inline(always)]
    fn log(self, base: Self) -> Self {
        let value = self.re.log(base.re);
        let partials = (rules::d_log_0(self.re, base.re), rules::d_log_1(base.re, value));
        self.chain2_by_need(base, value, partials)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let partials = (rules::d_max_0(self.re, other.re), rules::d_max_1(self.re, other.re));
        self.chain2(other, self.re.max(other.re), partials)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        let partials = (rules::d_min_0(self.re, other.re), rules::d_min_1(self.re, other.re));
        self.chain2(other, self.re.min(other.re), partials)
    }

    #[inline(always)]
    fn clamp(self, min: Self, max: Self) -> Self {
        let value = self.re.clamp(min.re, max.re);
        let of_self = rules::d_clamp_0(self.re, min.re, max.re);
        let of_min = rules::d_clamp_1(self.re, min.re, max.re);
        let of_max = rules::d_clamp_2(self.re, min.re, max.re);
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = eps[i] * of_self + min.eps[i] * of_min + max.eps[i] * of_max;
        }
        Dual { re: value, eps }
    }

    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = eps[i] * a.re + self.re * a.eps[i] + b.eps[i];
        }
        Dual { re: self.re.mul_add(a.re, b.re), eps }
    }

    #[inline(always)]
    fn rem_euclid(self, modulus: Self) -> Self {
        let partials = (T::one(), rules::d_rem_euclid_1(self.re, modulus.re));
        self.chain2(modulus, self.re.rem_euclid(modulus.re), partials)
    }
}
