//! Rounding and remainders, of numbers with any number of digits: equal to those of the elements, bit for bit.

use super::super::registers::{Element, Register};
use crate::Real;

/// The nearest whole number, halves away from zero.
#[inline(always)]
pub(in super::super) fn round<R: Register>(x: R) -> R {
    // With a half itself, what is a little less than a half would be rounded up too.
    x.add(R::splat(R::Element::BELOW_HALF).with_sign_of(x)).trunc()
}

/// 1 with the sign of `x`; NaN for NaN.
#[inline(always)]
pub(in super::super) fn signum<R: Register>(x: R) -> R {
    R::select(x.equal(x), R::splat(R::Element::one()).with_sign_of(x), x)
}

/// What is left of `x` after taking away a whole multiple of `modulus`, and not negative.
#[inline(always)]
pub(in super::super) fn rem_euclid<R: Register>(x: R, modulus: R) -> R {
    let (a, m) = (x.abs(), modulus.abs());
    let quotient = a.div(m).trunc();
    // Up to here, quotients are at most one too large.
    let near = R::and(quotient.less(R::splat(R::Element::WHOLE)), m.less(R::splat(R::Element::lit(f64::INFINITY))));
    if R::bits(near) != u32::MAX >> (32 - R::WIDTH) {
        return rem_euclid_of_large_quotients(x, modulus);
    }
    let rest = quotient.neg().mul_add(m, a);
    let rest = R::select(rest.less(R::ZERO), rest.add(m), rest).with_sign_of(x);
    R::select(rest.less(R::ZERO), rest.add(m), rest)
}

/// One lane after the other: also where the modulus is zero, or one of them is infinite or NaN.
#[cold]
#[inline(always)]
fn rem_euclid_of_large_quotients<R: Register>(x: R, modulus: R) -> R {
    let mut rests = [R::Element::zero(); 16];
    let mut moduli = rests;
    x.store(&mut rests);
    modulus.store(&mut moduli);
    for (rest, modulus) in rests.iter_mut().zip(moduli).take(R::WIDTH) {
        *rest = Real::rem_euclid(*rest, modulus);
    }
    R::load(&rests)
}
