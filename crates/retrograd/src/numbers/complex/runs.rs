//! The derivative runs of functions that `num_complex` has under names that are not the language's own.
//!
//! Generated code calls them as it calls those of any other type: `z.norm()` has the runs `z.__pullback_norm(..)` and
//! `z.__pushforward_norm(..)`, and in a recorded program `z.__keep_norm(..)` and `z.__spend_norm(..)`. The values are computed as `num_complex` computes them, bit for bit.

use num_complex::Complex;

use super::elementary as of;
use super::{ComplexFunctions, Gradient};
use crate::rules::{Planar, d_div_0, d_div_1, d_recip};
use crate::shadow::{AddFrom, AdjointArg, Base, Shadow, Shadowed, Sweep, TangentArg, add, join, number, pull, push};
use crate::{Real, Record};

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
    ($($pullback:ident, $pushforward:ident, $keep:ident, $spend:ident: |$z:ident| $value:expr, $gradient:ident;)*) => {$(
        #[inline(always)]
        fn $keep(self, _: &mut Record) -> T {
            let $z = self.plane();
            $value
        }
        #[inline(always)]
        fn $spend<S: Base + Shadow<T>>(
            self,
            sweep: Sweep<S>,
            _: &mut Record,
            grad: impl AdjointArg<Complex<T>, S>,
            seed: S,
        ) {
            self.$pullback(sweep, grad, seed);
        }
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
    ($(
        $pullback:ident, $pushforward:ident, $keep:ident, $spend:ident:
            |$z:ident $(, $other:ident: $type:ty)?| $value:expr, |$y:ident| $slope:expr;
    )*) => {$(
        #[inline(always)]
        fn $keep(self, _: &mut Record, $($other: $type)?) -> Complex<T> {
            let $z = self.plane();
            $value
        }
        #[inline(always)]
        fn $spend<S: Base + Shadow<T>>(
            self,
            sweep: Sweep<S>,
            _: &mut Record,
            grad: impl AdjointArg<Complex<T>, S>,
            $($other: $type, no_shadow: impl Sized,)?
            seed: Complex<S>,
        ) {
            self.$pullback(sweep, grad, $($other, no_shadow,)? seed);
        }
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
        $pullback:ident, $pushforward:ident, $keep:ident, $spend:ident:
            |$z:ident, $w:ident: $type:ty| $value:expr, |$y:ident| $by_z:expr, $by_w:expr;
    )*) => {$(
        #[inline(always)]
        fn $keep(self, _: &mut Record, $w: $type) -> Complex<T> {
            let $z = self.plane();
            $value
        }
        #[inline(always)]
        fn $spend<S: Base + Shadow<T>>(
            self,
            sweep: Sweep<S>,
            _: &mut Record,
            grad: impl AdjointArg<Complex<T>, S>,
            $w: $type,
            grad_other: impl AdjointArg<$type, S>,
            seed: Complex<S>,
        ) {
            self.$pullback(sweep, grad, $w, grad_other, seed);
        }
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
        __pullback_norm, __pushforward_norm, __keep_norm, __spend_norm: |z| of::norm(z), norm;
        __pullback_norm_sqr, __pushforward_norm_sqr, __keep_norm_sqr, __spend_norm_sqr: |z| z.re * z.re + z.im * z.im, norm_sqr;
        __pullback_l1_norm, __pushforward_l1_norm, __keep_l1_norm, __spend_l1_norm: |z| z.re.abs() + z.im.abs(), l1_norm;
        __pullback_arg, __pushforward_arg, __keep_arg, __spend_arg: |z| of::arg(z), arg;
    }

    #[inline(always)]
    fn __keep_to_polar(self, _: &mut Record) -> (T, T) {
        let z = self.plane();
        (of::norm(z), of::arg(z))
    }
    #[inline(always)]
    fn __spend_to_polar<S: Base + Shadow<T>>(
        self,
        sweep: Sweep<S>,
        _: &mut Record,
        grad: impl AdjointArg<Complex<T>, S>,
        seeds: (S, S),
    ) {
        self.__pullback_to_polar(sweep, grad, seeds);
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
        __pullback_inv, __pushforward_inv, __keep_inv, __spend_inv: |z| inverse(z), |y| d_recip(number(y));
        __pullback_finv, __pushforward_finv, __keep_finv, __spend_finv: |z| scaled_inverse(z), |y| d_recip(number(y));
        __pullback_powu, __pushforward_powu, __keep_powu, __spend_powu: |z, n: u32| of::powu(z, n), |_y| Planar::powu(number(z), n);
    }

    of_two! {
        __pullback_powc, __pushforward_powc, __keep_powc, __spend_powc: |z, w: Complex<T>| of::powc(z, w),
            |y| Planar::powc(number(z), number(w)), Planar::by_exponent(number(z), number(y));
        __pullback_fdiv, __pushforward_fdiv, __keep_fdiv, __spend_fdiv: |z, w: Complex<T>| of::mul(z, scaled_inverse(w)),
            |y| d_div_0(number(w)), d_div_1(number(w), number(y));
        __pullback_expf, __pushforward_expf, __keep_expf, __spend_expf: |z, base: T| of::expf(z, base),
            |y| Planar::expf(number(base), number(y)), Planar::by_base(number(z), number(base), number(y));
        __pullback_scale, __pushforward_scale, __keep_scale, __spend_scale: |z, factor: T| of::scale(z, factor),
            |_y| number(factor), number(z);
        __pullback_unscale, __pushforward_unscale, __keep_unscale, __spend_unscale: |z, divisor: T| of::unscale(z, divisor),
            |y| d_div_0(number(divisor)), d_div_1(number(divisor), number(y));
    }

    #[inline(always)]
    fn __keep_new(re: T, _: &mut Record, im: T) -> Complex<T> {
        Complex { re, im }
    }
    #[inline(always)]
    fn __spend_new<S: Base + Shadow<T>>(
        re: T,
        sweep: Sweep<S>,
        _: &mut Record,
        grad_re: impl AdjointArg<T, S>,
        im: T,
        grad_im: impl AdjointArg<T, S>,
        seed: Complex<S>,
    ) {
        Self::__pullback_new(re, sweep, grad_re, im, grad_im, seed);
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
    fn __keep_from(re: T, _: &mut Record) -> Complex<T> {
        of::real(re)
    }
    #[inline(always)]
    fn __spend_from<S: Base + Shadow<T>>(
        re: T,
        sweep: Sweep<S>,
        _: &mut Record,
        grad_re: impl AdjointArg<T, S>,
        seed: Complex<S>,
    ) {
        Self::__pullback_from(re, sweep, grad_re, seed);
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
    fn __keep_cis(phase: T, _: &mut Record) -> Complex<T> {
        direction(phase)
    }
    #[inline(always)]
    fn __spend_cis<S: Base + Shadow<T>>(
        phase: T,
        sweep: Sweep<S>,
        _: &mut Record,
        grad_phase: impl AdjointArg<T, S>,
        seed: Complex<S>,
    ) {
        Self::__pullback_cis(phase, sweep, grad_phase, seed);
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
    fn __keep_from_polar(r: T, _: &mut Record, theta: T) -> Complex<T> {
        of::from_polar(r, theta)
    }
    #[inline(always)]
    fn __spend_from_polar<S: Base + Shadow<T>>(
        r: T,
        sweep: Sweep<S>,
        _: &mut Record,
        grad_r: impl AdjointArg<T, S>,
        theta: T,
        grad_theta: impl AdjointArg<T, S>,
        seed: Complex<S>,
    ) {
        Self::__pullback_from_polar(r, sweep, grad_r, theta, grad_theta, seed);
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
