//! The derivative runs of functions that `num_complex` has under names that are not the language's own.
//!
//! Generated code calls them as it calls those of any other type: `z.norm()` has the runs `z.__pullback_norm(..)` and
//! `z.__pushforward_norm(..)`. The values are computed as `num_complex` computes them, bit for bit.

use num_complex::Complex;

use super::elementary as of;
use super::{ComplexFunctions, Gradient};
use crate::Real;
use crate::rules::{Planar, d_div_0, d_div_1, d_recip};
use crate::shadow::{AddFrom, AdjointArg, Base, Shadow, Shadowed, Sweep, TangentArg, add, join, number, pull, push};

/// Adds to the adjoint of an argument.
#[inline(always)]
fn give<V: Shadowed<S, Shadow: AddFrom<G>>, S, G>(to: impl AdjointArg<V, S>, value: &V, g: G) {
    let mut keep = to.keep(value);
    add(to.reach(&mut keep), g);
}

/// The tangent of an argument.
#[inline(always)]
fn take<V: Shadowed<S, Shadow: Copy>, S>(from: impl TangentArg<V, S>, value: &V) -> V::Shadow {
    let keep = from.keep(value);
    *from.reach(&keep)
}

/// Says of methods that they have derivative runs.
macro_rules! with_runs {
    ($($name:ident,)*) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            self
        }
    )*};
}

/// Functions that give a real number: their value, and their gradient with respect to the number in which rules compute.
macro_rules! real_valued {
    ($($pullback:ident, $pushforward:ident: |$z:ident| $value:expr, $gradient:ident;)*) => {$(
        #[inline(always)]
        fn $pullback<S: Base + Shadow<T>>(self, _: Sweep<S>, grad: impl AdjointArg<Complex<T>, S>, seed: S) -> T {
            let $z = self.plane();
            give(grad, &$z, pull(seed, Gradient(Planar::$gradient(number($z)))));
            $value
        }
        #[inline(always)]
        fn $pushforward<S: Base + Shadow<T>>(self, _: Sweep<S>, d: impl TangentArg<Complex<T>, S>) -> (T, S) {
            let $z = self.plane();
            ($value, push(take(d, &$z), Gradient(Planar::$gradient(number($z)))))
        }
    )*};
}

/// Holomorphic functions: their value, and their derivative, which may need it. Further arguments have none.
macro_rules! holomorphic {
    ($($pullback:ident, $pushforward:ident: |$z:ident $(, $other:ident: $type:ty)?| $value:expr, |$y:ident| $slope:expr;)*) => {$(
        #[inline(always)]
        fn $pullback<S: Base + Shadow<T>>(
            self,
            _: Sweep<S>,
            grad: impl AdjointArg<Complex<T>, S>,
            $($other: $type, _: impl Sized,)?
            seed: Complex<S>,
        ) -> Complex<T> {
            let $z = self.plane();
            let value = $value;
            let $y = value;
            give(grad, &$z, pull(seed, $slope));
            value
        }
        #[inline(always)]
        fn $pushforward<S: Base + Shadow<T>>(
            self,
            _: Sweep<S>,
            d: impl TangentArg<Complex<T>, S>,
            $($other: $type, _: impl Sized,)?
        ) -> (Complex<T>, Complex<S>) {
            let $z = self.plane();
            let value = $value;
            let $y = value;
            (value, push(take(d, &$z), $slope))
        }
    )*};
}

/// Functions of a complex number and another one, complex or real: their value, and the derivatives with respect to both.
macro_rules! of_two {
    ($(
        $pullback:ident, $pushforward:ident: |$z:ident, $w:ident: $type:ty| $value:expr, |$y:ident| $by_z:expr, $by_w:expr;
    )*) => {$(
        #[inline(always)]
        fn $pullback<S: Base + Shadow<T>>(
            self,
            _: Sweep<S>,
            grad: impl AdjointArg<Complex<T>, S>,
            $w: $type,
            grad_other: impl AdjointArg<$type, S>,
            seed: Complex<S>,
        ) -> Complex<T> {
            let $z = self.plane();
            let value = $value;
            let $y = value;
            give(grad, &$z, pull(seed, $by_z));
            give(grad_other, &$w, pull(seed, $by_w));
            value
        }
        #[inline(always)]
        fn $pushforward<S: Base + Shadow<T>>(
            self,
            _: Sweep<S>,
            d: impl TangentArg<Complex<T>, S>,
            $w: $type,
            d_other: impl TangentArg<$type, S>,
        ) -> (Complex<T>, Complex<S>) {
            let $z = self.plane();
            let value = $value;
            let $y = value;
            (value, join(push(take(d, &$z), $by_z), push(take(d_other, &$w), $by_w)))
        }
    )*};
}

/// The derivative runs of functions of complex numbers. Nothing here is for users, and all of it may change.
#[doc(hidden)]
#[allow(missing_docs, reason = "the documentation of a function says what its runs do")]
pub trait ComplexRuns<T: Real>: ComplexFunctions<T> {
    with_runs! {
        __norm_with_reversible_on_its_impl, __norm_sqr_with_reversible_on_its_impl, __l1_norm_with_reversible_on_its_impl, __arg_with_reversible_on_its_impl, __to_polar_with_reversible_on_its_impl,
        __inv_with_reversible_on_its_impl, __finv_with_reversible_on_its_impl, __powu_with_reversible_on_its_impl, __powc_with_reversible_on_its_impl, __fdiv_with_reversible_on_its_impl,
        __expf_with_reversible_on_its_impl, __scale_with_reversible_on_its_impl, __unscale_with_reversible_on_its_impl,
    }

    real_valued! {
        __pullback_norm, __pushforward_norm: |z| of::norm(z), norm;
        __pullback_norm_sqr, __pushforward_norm_sqr: |z| z.re * z.re + z.im * z.im, norm_sqr;
        __pullback_l1_norm, __pushforward_l1_norm: |z| z.re.abs() + z.im.abs(), l1_norm;
        __pullback_arg, __pushforward_arg: |z| of::arg(z), arg;
    }

    #[inline(always)]
    fn __pullback_to_polar<S: Base + Shadow<T>>(
        self,
        _: Sweep<S>,
        grad: impl AdjointArg<Complex<T>, S>,
        (of_norm, of_arg): (S, S),
    ) -> (T, T) {
        let z = self.plane();
        let x = number(z);
        give(grad, &z, join(pull(of_norm, Gradient(Planar::norm(x))), pull(of_arg, Gradient(Planar::arg(x)))));
        (of::norm(z), of::arg(z))
    }
    #[inline(always)]
    fn __pushforward_to_polar<S: Base + Shadow<T>>(
        self,
        _: Sweep<S>,
        d: impl TangentArg<Complex<T>, S>,
    ) -> ((T, T), (S, S)) {
        let z = self.plane();
        let (x, t) = (number(z), take(d, &z));
        let tangents = (push(t, Gradient(Planar::norm(x))), push(t, Gradient(Planar::arg(x))));
        ((of::norm(z), of::arg(z)), tangents)
    }

    holomorphic! {
        __pullback_inv, __pushforward_inv: |z| inverse(z), |y| d_recip(number(y));
        __pullback_finv, __pushforward_finv: |z| scaled_inverse(z), |y| d_recip(number(y));
        __pullback_powu, __pushforward_powu: |z, n: u32| of::powu(z, n), |_y| Planar::powu(number(z), n);
    }

    of_two! {
        __pullback_powc, __pushforward_powc: |z, w: Complex<T>| of::powc(z, w),
            |y| Planar::powc(number(z), number(w)), Planar::by_exponent(number(z), number(y));
        __pullback_fdiv, __pushforward_fdiv: |z, w: Complex<T>| of::mul(z, scaled_inverse(w)),
            |y| d_div_0(number(w)), d_div_1(number(w), number(y));
        __pullback_expf, __pushforward_expf: |z, base: T| of::expf(z, base),
            |y| Planar::expf(number(base), number(y)), Planar::by_base(number(z), number(base), number(y));
        __pullback_scale, __pushforward_scale: |z, factor: T| of::scale(z, factor),
            |_y| number(factor), number(z);
        __pullback_unscale, __pushforward_unscale: |z, divisor: T| of::unscale(z, divisor),
            |y| d_div_0(number(divisor)), d_div_1(number(divisor), number(y));
    }

    #[inline(always)]
    fn __pullback_new<S: Base + Shadow<T>>(
        re: T,
        _: Sweep<S>,
        grad_re: impl AdjointArg<T, S>,
        im: T,
        grad_im: impl AdjointArg<T, S>,
        seed: Complex<S>,
    ) -> Complex<T> {
        give(grad_re, &re, seed.re);
        give(grad_im, &im, seed.im);
        Complex { re, im }
    }
    #[inline(always)]
    fn __pushforward_new<S: Base + Shadow<T>>(
        re: T,
        _: Sweep<S>,
        d_re: impl TangentArg<T, S>,
        im: T,
        d_im: impl TangentArg<T, S>,
    ) -> (Complex<T>, Complex<S>) {
        (Complex { re, im }, Complex { re: take(d_re, &re), im: take(d_im, &im) })
    }

    #[inline(always)]
    fn __pullback_from<S: Base + Shadow<T>>(
        re: T,
        _: Sweep<S>,
        grad_re: impl AdjointArg<T, S>,
        seed: Complex<S>,
    ) -> Complex<T> {
        give(grad_re, &re, seed.re);
        of::real(re)
    }
    #[inline(always)]
    fn __pushforward_from<S: Base + Shadow<T>>(
        re: T,
        _: Sweep<S>,
        d_re: impl TangentArg<T, S>,
    ) -> (Complex<T>, Complex<S>) {
        (of::real(re), Complex { re: take(d_re, &re), im: S::zero() })
    }

    #[inline(always)]
    fn __pullback_cis<S: Base + Shadow<T>>(
        phase: T,
        _: Sweep<S>,
        grad_phase: impl AdjointArg<T, S>,
        seed: Complex<S>,
    ) -> Complex<T> {
        let y = direction(phase);
        give(grad_phase, &phase, pull(seed, Planar::cis(number(y))));
        y
    }
    #[inline(always)]
    fn __pushforward_cis<S: Base + Shadow<T>>(
        phase: T,
        _: Sweep<S>,
        d_phase: impl TangentArg<T, S>,
    ) -> (Complex<T>, Complex<S>) {
        let y = direction(phase);
        (y, push(take(d_phase, &phase), Planar::cis(number(y))))
    }

    #[inline(always)]
    fn __pullback_from_polar<S: Base + Shadow<T>>(
        r: T,
        _: Sweep<S>,
        grad_r: impl AdjointArg<T, S>,
        theta: T,
        grad_theta: impl AdjointArg<T, S>,
        seed: Complex<S>,
    ) -> Complex<T> {
        let y = of::from_polar(r, theta);
        give(grad_r, &r, pull(seed, number(direction(theta))));
        give(grad_theta, &theta, pull(seed, Planar::cis(number(y))));
        y
    }
    #[inline(always)]
    fn __pushforward_from_polar<S: Base + Shadow<T>>(
        r: T,
        _: Sweep<S>,
        d_r: impl TangentArg<T, S>,
        theta: T,
        d_theta: impl TangentArg<T, S>,
    ) -> (Complex<T>, Complex<S>) {
        let y = of::from_polar(r, theta);
        let (of_r, of_theta) = (take(d_r, &r), take(d_theta, &theta));
        (y, join(push(of_r, number(direction(theta))), push(of_theta, Planar::cis(number(y)))))
    }
}

impl<T: Real> ComplexRuns<T> for Complex<T> {}

/// e to the power `i phase`.
#[inline(always)]
fn direction<T: Real>(phase: T) -> Complex<T> {
    let (im, re) = phase.sin_cos();
    Complex { re, im }
}

/// `z.inv()`.
#[inline(always)]
fn inverse<T: Real>(z: Complex<T>) -> Complex<T> {
    let square = z.re * z.re + z.im * z.im;
    Complex { re: z.re / square, im: -z.im / square }
}

/// `z.finv()`.
#[inline(always)]
fn scaled_inverse<T: Real>(z: Complex<T>) -> Complex<T> {
    let norm = of::norm(z);
    of::unscale(of::unscale(of::conj(z), norm), norm)
}
