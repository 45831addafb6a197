//! Shadows of complex numbers: a tangent is multiplied by a derivative, and an adjoint by its conjugate.
//!
//! Where a real number meets a complex one, its shadow meets a complex one. A tangent is then a complex number whose imaginary part
//! is zero; and of an adjoint the real part arrives.

use num_complex::Complex;

use crate::rules::{Conjugation, Rules};
use crate::shadow::{
    AddFrom, Arrives, Constant, Flowing, Join, Negate, NoBend, OfNumber, Pull, Push, Scalar, Times, Weighs,
};

/// The gradient ∂/∂re + i ∂/∂im of a real-valued function with respect to a complex argument.
///
/// The derivative of a holomorphic function is a complex factor. A real-valued function is not holomorphic: its derivative is a
/// gradient, and `#[primitive]` needs to know that.
///
/// ```
/// use num_complex::Complex;
/// use retrograd::{numbers::Gradient, prelude::*};
///
/// #[primitive(d_z = Gradient(z * 2.0))]
/// fn power(z: Complex<f64>) -> f64 {
///     z.re * z.re + z.im * z.im
/// }
///
/// let (value, gradient) = power::gradient(Complex::new(1.0, 2.0));
/// assert_eq!((value, gradient), (5.0, Complex::new(2.0, 4.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient<D>(pub Complex<D>);

impl<S: Copy> OfNumber for Complex<S> {
    type Itself = Complex<S>;
    #[inline(always)]
    fn itself(&self) -> Complex<S> {
        *self
    }
}

impl<S: Flowing + Times<D>, D> Pull<Gradient<D>> for S {
    type Output = Complex<S>;
    #[inline(always)]
    fn pull(self, Gradient(gradient): Gradient<D>) -> Complex<S> {
        Complex { re: self.times(gradient.re), im: self.times(gradient.im) }
    }
}

impl<S: Flowing + Times<D>, D> Push<Gradient<D>> for Complex<S> {
    type Output = S;
    #[inline(always)]
    fn push(self, Gradient(gradient): Gradient<D>) -> S {
        self.re.times(gradient.re).join(self.im.times(gradient.im))
    }
}

/// The gradient of a real value inside an expression, where what arrives may be complex: the real part counts; and where what moves
/// may be real.
#[derive(Clone, Copy, Debug)]
pub struct InnerGradient<D>(pub Gradient<D>);

impl<S: Flowing + Times<D>, D> Pull<InnerGradient<D>> for S {
    type Output = Complex<S>;
    #[inline(always)]
    fn pull(self, InnerGradient(gradient): InnerGradient<D>) -> Complex<S> {
        self.pull(gradient)
    }
}

impl<S: Flowing + Times<D>, D> Pull<InnerGradient<D>> for Complex<S> {
    type Output = Complex<S>;
    #[inline(always)]
    fn pull(self, InnerGradient(gradient): InnerGradient<D>) -> Complex<S> {
        self.re.pull(gradient)
    }
}

impl<S: Flowing + Times<D>, D> Push<InnerGradient<D>> for Complex<S> {
    type Output = S;
    #[inline(always)]
    fn push(self, InnerGradient(gradient): InnerGradient<D>) -> S {
        self.push(gradient)
    }
}

impl<S: Flowing + Times<D>, D> Push<InnerGradient<D>> for S {
    type Output = S;
    #[inline(always)]
    fn push(self, InnerGradient(Gradient(gradient)): InnerGradient<D>) -> S {
        self.times(gradient.re)
    }
}

/// `impl AddFrom<from> for to`, by what happens to a part.
macro_rules! add {
    ($([$($generics:tt)*] $from:ty => $to:ty, lost: $lost:ty, |$a:ident, $g:ident| $add:expr, $sub:expr;)*) => {$(
        impl<$($generics)*> AddFrom<$from> for $to {
            type Lost = $lost;
            #[inline(always)]
            fn add_from(&mut self, $g: $from) {
                let $a = self;
                $add;
            }
            #[inline(always)]
            fn sub_from(&mut self, $g: $from) {
                let $a = self;
                $sub;
            }
        }
    )*};
}

add! {
    [A: AddFrom<G>, G] Complex<G> => Complex<A>, lost: A::Lost,
        |a, g| (a.re.add_from(g.re), a.im.add_from(g.im)), (a.re.sub_from(g.re), a.im.sub_from(g.im));
    ['g, A: AddFrom<&'g G>, G] &'g Complex<G> => Complex<A>, lost: A::Lost,
        |a, g| (a.re.add_from(&g.re), a.im.add_from(&g.im)), (a.re.sub_from(&g.re), a.im.sub_from(&g.im));
    // The tangent of a real number.
    [S: Flowing] S => Complex<S>, lost: (), |a, g| a.re.add_from(g), a.re.sub_from(g);
    // The adjoint of a real number.
    [S: Flowing] Complex<S> => S, lost: (), |a, g| a.add_from(g.re), a.sub_from(g.re);
}

/// What leaves a complex shadow unchanged.
macro_rules! meets_nothing {
    ($($nothing:ty)*) => {$(
        add! { [A] $nothing => Complex<A>, lost: (), |_a, _g| (), (); }

        impl<A> Join<$nothing> for Complex<A> {
            type Output = Complex<A>;
            #[inline(always)]
            fn join(self, _: $nothing) -> Complex<A> {
                self
            }
        }
    )*};
}

meets_nothing!(() Constant);

impl<A: Join<B>, B> Join<Complex<B>> for Complex<A> {
    type Output = Complex<A::Output>;
    #[inline(always)]
    fn join(self, other: Complex<B>) -> Self::Output {
        Complex { re: self.re.join(other.re), im: self.im.join(other.im) }
    }
}

impl<S: Flowing> Join<S> for Complex<S> {
    type Output = Complex<S>;
    #[inline(always)]
    fn join(self, other: S) -> Complex<S> {
        Complex { re: self.re.join(other), im: self.im }
    }
}

impl<S: Flowing> Join<Complex<S>> for S {
    type Output = Complex<S>;
    #[inline(always)]
    fn join(self, other: Complex<S>) -> Complex<S> {
        Complex { re: self.join(other.re), im: other.im }
    }
}

impl<A: Negate> Negate for Complex<A> {
    #[inline(always)]
    fn negate(self) -> Self {
        Complex { re: self.re.negate(), im: self.im.negate() }
    }
}

impl<S: Flowing> Arrives<S> for Complex<S> {
    #[inline(always)]
    fn arrive(self) -> S {
        self.re
    }
}

// Both parts weigh: log |det| of a factor is twice its logarithm.
impl<S: Scalar> Weighs for Complex<S> {
    const WEIGHS: bool = <S as Scalar>::WEIGHS;
    #[inline(always)]
    fn weight(self) -> Complex<S> {
        Complex { re: Scalar::weight(self.re).join(Scalar::weight(self.im)), im: S::zero() }
    }
}

impl<S: Scalar> Pull<NoBend> for Complex<S> {
    type Output = Self;
    #[inline(always)]
    fn pull(self, _: NoBend) -> Self {
        const { NoBend::refused::<S>() };
        self
    }
}

// By a complex number.

impl<S: Copy + Pull<D, Output = S> + Join<S, Output = S> + Negate, D: Copy> Pull<Complex<D>> for Complex<S> {
    type Output = Self;
    #[inline(always)]
    fn pull(self, d: Complex<D>) -> Self {
        Complex {
            re: self.re.pull(d.re).join(self.im.pull(d.im)),
            im: self.im.pull(d.re).join(self.re.pull(d.im).negate()),
        }
    }
}

impl<S: Copy + Push<D, Output = S> + Join<S, Output = S> + Negate, D: Copy> Push<Complex<D>> for Complex<S> {
    type Output = Self;
    #[inline(always)]
    fn push(self, d: Complex<D>) -> Self {
        Complex {
            re: self.re.push(d.re).join(self.im.push(d.im).negate()),
            im: self.re.push(d.im).join(self.im.push(d.re)),
        }
    }
    #[inline(always)]
    fn scale(self, d: Complex<D>) -> Self {
        let (re, im) = S::push_planar(self.re, self.im, (d.re, d.im));
        Complex { re, im }
    }
}

impl<S: Flowing + Times<D>, D> Push<Complex<D>> for S {
    type Output = Complex<S>;
    #[inline(always)]
    fn push(self, d: Complex<D>) -> Complex<S> {
        Complex { re: self.times(d.re), im: self.times(d.im) }
    }
}

// By a real number, and by conjugation.

impl<S: Pull<D, Output = S>, D: Rules> Pull<D> for Complex<S> {
    type Output = Self;
    #[inline(always)]
    fn pull(self, d: D) -> Self {
        Complex { re: self.re.pull(d), im: self.im.pull(d) }
    }
}

impl<S: Push<D, Output = S>, D: Rules> Push<D> for Complex<S> {
    type Output = Self;
    #[inline(always)]
    fn push(self, d: D) -> Self {
        Complex { re: self.re.push(d), im: self.im.push(d) }
    }
    #[inline(always)]
    fn scale(self, d: D) -> Self {
        Complex { re: self.re.scale(d), im: self.im.scale(d) }
    }
}

impl<S: Negate> Pull<Conjugation> for Complex<S> {
    type Output = Self;
    #[inline(always)]
    fn pull(self, _: Conjugation) -> Self {
        Complex { re: self.re, im: self.im.negate() }
    }
}

impl<S: Negate> Push<Conjugation> for Complex<S> {
    type Output = Self;
    #[inline(always)]
    fn push(self, conjugation: Conjugation) -> Self {
        self.pull(conjugation)
    }
}
