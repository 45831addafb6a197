//! Complex numbers of `num_complex`: pairs of real numbers, with their own derivatives.

pub(crate) mod elementary;
mod functions;
mod num;
mod runs;
mod shadows;

pub use functions::ComplexFunctions;
pub use num_traits::NumAssign;
pub use runs::ComplexRuns;
pub use shadows::{Gradient, InnerGradient};

use std::borrow::{Borrow, BorrowMut};

use num_complex::Complex;

use crate::check::{Apart, Compare, Report};
use crate::ops::{AddUpdate, MulUpdate, NegUpdate, Site};
use crate::record::recordable_fields;
use crate::shadow::{Misfit, Number, Shadowed, Zero};
use crate::{Active, ErrorKind, ExactAdd, Linear, Real, Recordable};

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

impl<S, T: Shadowed<S>> Shadowed<S> for Complex<T> {
    type Shadow = Complex<T::Owned>;
    type Owned = Complex<T::Owned>;
    const INERT: bool = T::INERT;

    #[inline(always)]
    fn zero_shadow(&self, zero: Zero) -> Self::Owned {
        Complex { re: self.re.zero_shadow(zero), im: self.im.zero_shadow(zero) }
    }
    #[inline(always)]
    fn misfit(&self, shadow: &Self::Shadow) -> Option<Misfit> {
        self.re.misfit(shadow.re.borrow()).or_else(|| self.im.misfit(shadow.im.borrow()))
    }
    #[inline]
    fn scalars(shadow: &Self::Shadow, visit: &mut dyn FnMut(&S)) {
        T::scalars(shadow.re.borrow(), visit);
        T::scalars(shadow.im.borrow(), visit);
    }
    #[inline]
    fn scalars_mut(shadow: &mut Self::Shadow, visit: &mut dyn FnMut(&mut S)) {
        T::scalars_mut(shadow.re.borrow_mut(), visit);
        T::scalars_mut(shadow.im.borrow_mut(), visit);
    }
}

recordable_fields! {
    (T: Recordable) Complex<T> { re, im } "Complex" [T];
}

impl<T: Compare> Compare for Complex<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("re", &self.re, &actual.re);
        report.field("im", &self.im, &actual.im);
    }

    #[inline]
    fn magnitude(&self) -> f64 {
        self.re.magnitude().max(self.im.magnitude())
    }

    #[inline]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        self.re.drifts(&actual.re, scale) | self.im.drifts(&actual.im, scale)
    }

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        self.re.apart(&actual.re) + self.im.apart(&actual.im)
    }
}

impl<T: Number> Number for Complex<T> {
    type Value = Complex<T::Value>;

    #[inline(always)]
    fn number(self) -> Complex<T::Value> {
        Complex { re: self.re.number(), im: self.im.number() }
    }
}

crate::__shadowed_reference! { [T,] S, Complex<T> }
crate::__shadowed_box! { [T,] S, Complex<T> }

impl<T: ExactAdd + Real + NumAssign> ExactAdd for Complex<T> {}

impl<T: Linear> Linear for Complex<T> {}
impl<T: crate::private::PlainCopy> crate::private::PlainCopy for Complex<T> {}
impl<T: AddUpdate> AddUpdate for Complex<T> {}
impl<T: AddUpdate> AddUpdate<&Complex<T>> for Complex<T> {}
impl<T: AddUpdate> AddUpdate<T> for Complex<T> {}
impl<T: AddUpdate> AddUpdate<&T> for Complex<T> {}
impl<T: NegUpdate> NegUpdate for Complex<T> {}

/// What `*=` and `/=` do with an operand, and when they cannot be undone.
macro_rules! mul_update {
    ($(
        $operand:ty, |$e:ident| finite: $finite:expr, zero: $zero:expr, |$y:ident| mul: $mul:expr, div: $div:expr;
    )*) => {$(
        impl<T: Real> MulUpdate<$operand> for Complex<T> {
            #[inline(always)]
            fn mul_update(&mut self, $e: $operand, site: &Site, checked: bool) {
                if checked && ($zero || !$finite) {
                    no_way_back(site, "the factor", format!("{:?}", $e));
                }
                let $y = *self;
                *self = $mul;
            }

            #[inline(always)]
            fn div_update(&mut self, $e: $operand, site: &Site, checked: bool) {
                if checked && ($zero || !$finite) {
                    no_way_back(site, "the divisor", format!("{:?}", $e));
                }
                let $y = *self;
                *self = $div;
            }
        }

        impl<T: Real> MulUpdate<&$operand> for Complex<T> {
            #[inline(always)]
            fn mul_update(&mut self, factor: &$operand, site: &Site, checked: bool) {
                self.mul_update(*factor, site, checked);
            }

            #[inline(always)]
            fn div_update(&mut self, divisor: &$operand, site: &Site, checked: bool) {
                self.div_update(*divisor, site, checked);
            }
        }
    )*};
}

mul_update! {
    Complex<T>, |e| finite: elementary::is_finite(e), zero: elementary::is_zero(e),
        |y| mul: elementary::mul(y, e), div: elementary::div(y, e);
    T, |e| finite: e.is_finite(), zero: e == T::zero(), |y| mul: elementary::scale(y, e), div: elementary::unscale(y, e);
}

#[cold]
#[inline(never)]
fn no_way_back(site: &Site, operand: &str, value: String) -> ! {
    site.fail(ErrorKind::ZeroFactor, operand, "a finite number other than zero", value)
}
