//! The rules of complex numbers.
//!
//! The derivative of a function that is holomorphic is one complex number d: a tangent is multiplied by it, and an adjoint by its
//! conjugate. So a gradient is ∂/∂re + i ∂/∂im, as if the two parts were separate numbers. `norm`, `norm_sqr`, `l1_norm` and `arg`
//! give real numbers, and their rules are their gradients: an adjoint is multiplied by it, and of a tangent the part along it
//! counts. `conj` takes the conjugate of an adjoint or a tangent. A real operand next to a complex one gets the real part of what
//! arrives.
//!
//! # Edges
//!
//! | function | where | derivative |
//! |---|---|---|
//! | `z / w`, `z.inv()`, `z.ln()`, `log`, `log2`, `log10` | 0 | NaN |
//! | `z.sqrt()`, `z.cbrt()` | 0 | NaN: the slope is infinite, and has no direction |
//! | `z.asin()`, `z.acos()`, `z.acosh()`, `z.atanh()` | ±1 | NaN |
//! | `z.asinh()`, `z.atan()` | ±i | NaN |
//! | `z.powi(n)`, `z.powu(n)` | `n == 0` | 0, also at 0 |
//! | | `n == 1` | 1, also at 0 |
//! | `z.powf(c)`, with respect to `z` | `z == 0` | 0 for `c > 1` and `c == 0`, 1 for `c == 1`; else NaN |
//! | `z.powf(c)`, with respect to `c` | `z == 0` | 0 for `c >= 0` |
//! | `z.powc(w)` | `z == 0` | with respect to `z` 1 for `w == 1`, else 0; with respect to `w` 0 |
//! | `z.norm()`, `z.arg()` | 0 | 0 |
//! | `z.l1_norm()` | a part is 0 | 0 for that part |
//! | all with a branch cut | on the cut | that of the side which the sign of zero names |
//!
//! On a cut, the inverse functions of `num_complex` on floats do not all heed the sign of zero: their value may be that of the
//! other side. Those of [`ComplexFunctions`](crate::numbers::ComplexFunctions) do.

use num_complex::Complex;

use super::{
    Bends, Division, Exponential, Hyperbolic, Magnitude, Powers, Quotients, RealArgument, Rules, Trigonometric,
};
use crate::Real;
use crate::numbers::complex::{Gradient, InnerGradient, elementary as of};

/// The rules of complex numbers over this number; a trait, so that they are known where only [`Rules`] is.
macro_rules! planar {
    ($($(#[$doc:meta])* $rule:ident($($argument:ident: $type:ty),*) = $partial:expr;)*) => {
        /// The rules of complex numbers, by the type of their parts.
        pub trait Planar: Sized {
            $($(#[$doc])* fn $rule($($argument: $type),*) -> Complex<Self>;)*
        }

        impl<T: Real> Planar for T {
            $(
                #[inline(always)]
                fn $rule($($argument: $type),*) -> Complex<Self> {
                    $partial
                }
            )*
        }
    };
}

planar! {
    /// `x / b` with respect to `x`.
    by_dividend(b: Complex<Self>) = of::recip(b);
    /// `x / b` with respect to `b`, with the quotient `y`.
    by_divisor(b: Complex<Self>, y: Complex<Self>) = of::neg(of::div(y, b));
    /// `x.recip()`, with the result `y`.
    recip(y: Complex<Self>) = of::neg(of::mul(y, y));
    /// `x.square()`.
    square(x: Complex<Self>) = of::add(x, x);
    /// `x.cube()`.
    cube(x: Complex<Self>) = of::scale(of::mul(x, x), T::lit(3.0));
    /// `x.sqrt()`, with the result `y`.
    sqrt(y: Complex<Self>) = of::recip(of::add(y, y));
    /// `x.cbrt()`, with the result `y`.
    cbrt(y: Complex<Self>) = of::recip(of::scale(of::mul(y, y), T::lit(3.0)));
    /// `x.powi(n)`.
    powi(x: Complex<Self>, n: i32) = match n {
        // At 0, the general rule would be 0 · ∞.
        0 => of::real(T::zero()),
        i32::MIN => of::scale(of::div(of::powi(x, n), x), T::from_int(n)),
        _ => of::scale(of::powi(x, n - 1), T::from_int(n)),
    };
    /// `x.powu(n)`.
    powu(x: Complex<Self>, n: u32) = match n {
        0 => of::real(T::zero()),
        _ => of::scale(of::powu(x, n - 1), T::from_int(n)),
    };
    /// `x.powf(exponent)` with respect to `x`.
    powf(x: Complex<Self>, exponent: Self) = if of::is_zero(x) && exponent == T::zero() {
        of::real(T::zero())
    } else {
        of::scale(of::powf(x, exponent - T::one()), exponent)
    };
    /// A power by its exponent, with the result `y`.
    // x^c ln x goes to 0 with x, for c > 0.
    by_exponent(x: Complex<Self>, y: Complex<Self>) = if of::is_zero(x) && of::is_finite(y) {
        of::real(T::zero())
    } else {
        of::mul(y, of::ln(x))
    };
    /// `x.powc(exponent)` with respect to `x`.
    powc(x: Complex<Self>, exponent: Complex<Self>) = {
        of::mul(exponent, of::powc(x, of::sub(exponent, of::real(T::one()))))
    };
    /// `x.expf(base)` with respect to `x`, with the result `y`.
    expf(base: Self, y: Complex<Self>) = of::scale(y, base.ln());
    /// `x.expf(base)` by the base, with the result `y`.
    by_base(x: Complex<Self>, base: Self, y: Complex<Self>) = of::unscale(of::mul(x, y), base);
    /// `x.exp()`, with the result `y`.
    exp(y: Complex<Self>) = y;
    /// `x.exp2()`, with the result `y`.
    exp2(y: Complex<Self>) = of::scale(y, T::lit(std::f64::consts::LN_2));
    /// `x.ln()`.
    ln(x: Complex<Self>) = of::recip(x);
    /// `x.log2()`.
    log2(x: Complex<Self>) = of::recip(of::scale(x, T::lit(std::f64::consts::LN_2)));
    /// `x.log10()`.
    log10(x: Complex<Self>) = of::recip(of::scale(x, T::lit(std::f64::consts::LN_10)));
    /// `x.log(base)` with respect to `x`.
    log(x: Complex<Self>, base: Self) = of::recip(of::scale(x, base.ln()));
    /// `x.log(base)` by the base, with the result `y`.
    by_base_of_log(base: Self, y: Complex<Self>) = of::neg(of::unscale(y, base * base.ln()));
    /// `x.sin()`.
    sin(x: Complex<Self>) = of::cos(x);
    /// `x.cos()`.
    cos(x: Complex<Self>) = of::neg(of::sin(x));
    /// `x.tan()`, with the result `y`.
    tan(y: Complex<Self>) = of::add(of::real(T::one()), of::mul(y, y));
    /// `x.asin()`.
    asin(x: Complex<Self>) = of::recip(of::root_of_one_minus_square(x));
    /// `x.acos()`.
    acos(x: Complex<Self>) = of::neg(of::recip(of::root_of_one_minus_square(x)));
    /// `x.atan()`.
    atan(x: Complex<Self>) = of::recip(of::one_minus_square(of::turned(x)));
    /// `x.sinh()`.
    sinh(x: Complex<Self>) = of::cosh(x);
    /// `x.cosh()`.
    cosh(x: Complex<Self>) = of::sinh(x);
    /// `x.tanh()`, with the result `y`.
    tanh(y: Complex<Self>) = of::one_minus_square(y);
    /// `x.asinh()`.
    asinh(x: Complex<Self>) = of::recip(of::root_of_one_minus_square(of::turned(x)));
    /// `x.acosh()`.
    acosh(x: Complex<Self>) = of::recip(of::root_of_square_minus_one(x));
    /// `x.atanh()`.
    atanh(x: Complex<Self>) = of::recip(of::one_minus_square(x));
    /// m″/m′ of `x.exp()`.
    bend_exp(_x: Complex<Self>) = of::real(T::one());
    /// That of `x.ln()`.
    bend_ln(x: Complex<Self>) = of::neg(of::recip(x));
    /// That of `x.sinh()`.
    bend_sinh(x: Complex<Self>) = of::tanh(x);
    /// That of `x.asinh()`.
    bend_asinh(x: Complex<Self>) = of::neg(of::div(x, of::add(of::real(T::one()), of::mul(x, x))));
    /// That of `x.tanh()`.
    bend_tanh(x: Complex<Self>) = of::scale(of::tanh(x), T::lit(-2.0));
    /// That of `x.atanh()`.
    bend_atanh(x: Complex<Self>) = of::div(of::add(x, x), of::one_minus_square(x));
    /// That of `x.cbrt()`.
    bend_cbrt(x: Complex<Self>) = of::scale(of::recip(x), T::lit(-2.0) / T::lit(3.0));
    /// That of `x.cube()`.
    bend_cube(x: Complex<Self>) = of::scale(of::recip(x), T::lit(2.0));
    /// That of `x.recip()`.
    bend_recip(x: Complex<Self>) = of::scale(of::recip(x), T::lit(-2.0));
    /// The gradient of `x.norm()`.
    norm(x: Complex<Self>) = if of::is_zero(x) { of::real(T::zero()) } else { of::unscale(x, of::norm(x)) };
    /// The gradient of `x.norm_sqr()`.
    norm_sqr(x: Complex<Self>) = of::add(x, x);
    /// The gradient of `x.l1_norm()`.
    l1_norm(x: Complex<Self>) = {
        let sign = |part: T| if part == T::zero() { T::zero() } else { part.signum() };
        Complex { re: sign(x.re), im: sign(x.im) }
    };
    /// The gradient of `x.arg()`, which is i / conj(x).
    arg(x: Complex<Self>) = if of::is_zero(x) {
        of::real(T::zero())
    } else {
        of::turned(of::recip(of::conj(x)))
    };
    /// e to the power `i angle`, by the angle, with the result `y`.
    cis(y: Complex<Self>) = of::turned(y);
    /// e to the power `i angle`: what a length is multiplied by.
    direction(angle: Self) = of::from_polar(T::one(), angle);
}

/// Families whose rules are those of complex numbers under the same name.
macro_rules! families {
    ($($family:ident { $($rule:ident($($argument:ident $(: $type:ty)?),*) = $planar:ident;)* })*) => {$(
        impl<D: Rules> $family for Complex<D> {
            $(
                #[inline(always)]
                fn $rule($($argument: $crate::rules::or_self!($($type)?)),*) -> Self {
                    <D as Planar>::$planar($($argument),*)
                }
            )*
        }
    )*};
}

families! {
    Division { d_div_0(b) = by_dividend; }
    Powers {
        d_recip(y) = recip;
        d_square(x) = square;
        d_cube(x) = cube;
        d_sqrt(y) = sqrt;
        d_cbrt(y) = cbrt;
        d_powi(x, n: i32) = powi;
        d_powf_1(x, y) = by_exponent;
    }
    Exponential { d_exp(y) = exp; d_exp2(y) = exp2; d_ln(x) = ln; d_log2(x) = log2; d_log10(x) = log10; }
    Trigonometric {
        d_sin(x) = sin;
        d_cos(x) = cos;
        d_tan(y) = tan;
        d_asin(x) = asin;
        d_acos(x) = acos;
        d_atan(x) = atan;
    }
    Hyperbolic {
        d_sinh(x) = sinh;
        d_cosh(x) = cosh;
        d_tanh(y) = tanh;
        d_asinh(x) = asinh;
        d_acosh(x) = acosh;
        d_atanh(x) = atanh;
    }
    Bends {
        bend_exp(x) = bend_exp;
        bend_ln(x) = bend_ln;
        bend_sinh(x) = bend_sinh;
        bend_asinh(x) = bend_asinh;
        bend_tanh(x) = bend_tanh;
        bend_atanh(x) = bend_atanh;
        bend_cbrt(x) = bend_cbrt;
        bend_cube(x) = bend_cube;
        bend_recip(x) = bend_recip;
    }
}

impl<D: Rules> Quotients<Complex<D>> for Complex<D> {
    #[inline(always)]
    fn d_div_1(b: Complex<D>, y: Self) -> Self {
        D::by_divisor(b, y)
    }
}

impl<D: Rules> Quotients<D> for Complex<D> {
    #[inline(always)]
    fn d_div_1(b: D, y: Self) -> Self {
        Complex { re: D::d_div_1(b, y.re), im: D::d_div_1(b, y.im) }
    }
}

impl<D: Rules> RealArgument<D> for Complex<D> {
    #[inline(always)]
    fn d_powf_0(x: Self, exponent: D) -> Self {
        D::powf(x, exponent)
    }
    #[inline(always)]
    fn d_log_0(x: Self, base: D) -> Self {
        D::log(x, base)
    }
    #[inline(always)]
    fn d_log_1(base: D, y: Self) -> Self {
        D::by_base_of_log(base, y)
    }
}

impl<D: Rules> Magnitude for Complex<D> {
    type Slope = InnerGradient<D>;
    #[inline(always)]
    fn d_abs(self) -> InnerGradient<D> {
        InnerGradient(Gradient(D::norm(self)))
    }
}
