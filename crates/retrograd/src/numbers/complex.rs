//! Complex numbers as pairs of real ones: their parts have derivatives of their own.

use num_complex::Complex;

use crate::Active;
use crate::check::{Compare, Report};
use crate::shadow::{AddFrom, Join, Misfit, Negate, Shadowed, Zero};

impl<T: Active<Shadow: Sized>> Active for Complex<T> {
    type Shadow = Complex<T::Shadow>;
    type Number = T::Number;

    #[inline(always)]
    fn visit(&self, visit: &mut dyn FnMut(&T::Number)) {
        self.re.visit(visit);
        self.im.visit(visit);
    }
    #[inline(always)]
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut T::Number)) {
        self.re.visit_mut(visit);
        self.im.visit_mut(visit);
    }
}

impl<S, T: Shadowed<S, Shadow: Sized, Owned = <T as Shadowed<S>>::Shadow>> Shadowed<S> for Complex<T> {
    type Shadow = Complex<T::Shadow>;
    type Owned = Complex<T::Shadow>;

    #[inline(always)]
    fn zero_shadow(&self, zero: Zero) -> Self::Owned {
        Complex { re: self.re.zero_shadow(zero), im: self.im.zero_shadow(zero) }
    }
    fn misfit(&self, shadow: &Self::Shadow) -> Option<Misfit> {
        self.re.misfit(&shadow.re).or_else(|| self.im.misfit(&shadow.im))
    }
    fn scalars(shadow: &Self::Shadow, visit: &mut dyn FnMut(&S)) {
        T::scalars(&shadow.re, visit);
        T::scalars(&shadow.im, visit);
    }
    fn scalars_mut(shadow: &mut Self::Shadow, visit: &mut dyn FnMut(&mut S)) {
        T::scalars_mut(&mut shadow.re, visit);
        T::scalars_mut(&mut shadow.im, visit);
    }
}

impl<A: AddFrom<G>, G> AddFrom<Complex<G>> for Complex<A> {
    type Lost = A::Lost;
    #[inline(always)]
    fn add_from(&mut self, g: Complex<G>) {
        self.re.add_from(g.re);
        self.im.add_from(g.im);
    }
    #[inline(always)]
    fn sub_from(&mut self, g: Complex<G>) {
        self.re.sub_from(g.re);
        self.im.sub_from(g.im);
    }
}

impl<A: Join<B>, B> Join<Complex<B>> for Complex<A> {
    type Output = Complex<A::Output>;
    #[inline(always)]
    fn join(self, other: Complex<B>) -> Self::Output {
        Complex { re: self.re.join(other.re), im: self.im.join(other.im) }
    }
}

impl<A: Negate> Negate for Complex<A> {
    #[inline(always)]
    fn negate(self) -> Self {
        Complex { re: self.re.negate(), im: self.im.negate() }
    }
}

impl<T: Compare> Compare for Complex<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("re", &self.re, &actual.re);
        report.field("im", &self.im, &actual.im);
    }
}
