//! Complex operations as reversible functions of pairs of real numbers, from their definitions.

use std::f64::consts::FRAC_PI_2;

use retrograd::prelude::*;

#[reversible]
pub(crate) fn add<T: Real>(z: [T; 2], w: [T; 2]) -> [T; 2] {
    [z[0] + w[0], z[1] + w[1]]
}

#[reversible]
pub(crate) fn sub<T: Real>(z: [T; 2], w: [T; 2]) -> [T; 2] {
    [z[0] - w[0], z[1] - w[1]]
}

#[reversible]
pub(crate) fn neg<T: Real>(z: [T; 2]) -> [T; 2] {
    [-z[0], -z[1]]
}

#[reversible]
pub(crate) fn conj<T: Real>(z: [T; 2]) -> [T; 2] {
    [z[0], -z[1]]
}

#[reversible]
pub(crate) fn mul<T: Real>(z: [T; 2], w: [T; 2]) -> [T; 2] {
    [z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]]
}

#[reversible]
pub(crate) fn div<T: Real>(z: [T; 2], w: [T; 2]) -> [T; 2] {
    mul(z, recip(w))
}

#[reversible]
pub(crate) fn scale<T: Real>(z: [T; 2], t: T) -> [T; 2] {
    [z[0] * t, z[1] * t]
}

#[reversible]
pub(crate) fn shift<T: Real>(z: [T; 2], t: T) -> [T; 2] {
    [z[0] + t, z[1]]
}

#[reversible]
pub(crate) fn recip<T: Real>(z: [T; 2]) -> [T; 2] {
    [z[0] / norm_sqr(z), -z[1] / norm_sqr(z)]
}

#[reversible]
pub(crate) fn norm_sqr<T: Real>(z: [T; 2]) -> T {
    z[0].square() + z[1].square()
}

#[reversible]
pub(crate) fn norm<T: Real>(z: [T; 2]) -> T {
    norm_sqr(z).sqrt()
}

#[reversible]
pub(crate) fn l1_norm<T: Real>(z: [T; 2]) -> T {
    z[0].abs() + z[1].abs()
}

#[reversible]
pub(crate) fn arg<T: Real>(z: [T; 2]) -> T {
    z[1].atan2(z[0])
}

#[reversible]
pub(crate) fn to_polar<T: Real>(z: [T; 2]) -> [T; 2] {
    [norm(z), arg(z)]
}

#[reversible]
pub(crate) fn from_polar<T: Real>(r: T, theta: T) -> [T; 2] {
    [r * theta.cos(), r * theta.sin()]
}

#[reversible]
pub(crate) fn exp<T: Real>(z: [T; 2]) -> [T; 2] {
    from_polar(z[0].exp(), z[1])
}

#[reversible]
pub(crate) fn ln<T: Real>(z: [T; 2]) -> [T; 2] {
    [norm(z).ln(), arg(z)]
}

#[reversible]
pub(crate) fn sqrt<T: Real>(z: [T; 2]) -> [T; 2] {
    powf(z, 0.5)
}

#[reversible]
pub(crate) fn cbrt<T: Real>(z: [T; 2]) -> [T; 2] {
    from_polar(norm(z).cbrt(), arg(z) / 3.0)
}

#[reversible]
pub(crate) fn powf<T: Real>(z: [T; 2], t: T) -> [T; 2] {
    exp(scale(ln(z), t))
}

#[reversible]
pub(crate) fn powc<T: Real>(z: [T; 2], w: [T; 2]) -> [T; 2] {
    exp(mul(w, ln(z)))
}

#[reversible]
pub(crate) fn log<T: Real>(z: [T; 2], t: T) -> [T; 2] {
    scale(ln(z), t.ln().recip())
}

#[reversible]
pub(crate) fn expf<T: Real>(z: [T; 2], t: T) -> [T; 2] {
    exp(scale(z, t.ln()))
}

#[reversible]
pub(crate) fn exp2<T: Real>(z: [T; 2]) -> [T; 2] {
    expf(z, 2.0)
}

#[reversible]
pub(crate) fn log2<T: Real>(z: [T; 2]) -> [T; 2] {
    log(z, 2.0)
}

#[reversible]
pub(crate) fn log10<T: Real>(z: [T; 2]) -> [T; 2] {
    log(z, 10.0)
}

#[reversible]
pub(crate) fn square<T: Real>(z: [T; 2]) -> [T; 2] {
    mul(z, z)
}

#[reversible]
pub(crate) fn cube<T: Real>(z: [T; 2]) -> [T; 2] {
    mul(mul(z, z), z)
}

/// (e^z − e^−z) / 2
#[reversible]
pub(crate) fn sinh<T: Real>(z: [T; 2]) -> [T; 2] {
    scale(sub(exp(z), exp(neg(z))), 0.5)
}

#[reversible]
pub(crate) fn cosh<T: Real>(z: [T; 2]) -> [T; 2] {
    scale(add(exp(z), exp(neg(z))), 0.5)
}

#[reversible]
pub(crate) fn tanh<T: Real>(z: [T; 2]) -> [T; 2] {
    div(sinh(z), cosh(z))
}

/// iz
#[reversible]
pub(crate) fn turned<T: Real>(z: [T; 2]) -> [T; 2] {
    [-z[1], z[0]]
}

/// −iz
#[reversible]
pub(crate) fn back<T: Real>(z: [T; 2]) -> [T; 2] {
    [z[1], -z[0]]
}

#[reversible]
pub(crate) fn sin<T: Real>(z: [T; 2]) -> [T; 2] {
    back(sinh(turned(z)))
}

#[reversible]
pub(crate) fn cos<T: Real>(z: [T; 2]) -> [T; 2] {
    cosh(turned(z))
}

#[reversible]
pub(crate) fn tan<T: Real>(z: [T; 2]) -> [T; 2] {
    div(sin(z), cos(z))
}

/// −i ln(iz + √(1 − z²))
#[reversible]
pub(crate) fn asin<T: Real>(z: [T; 2]) -> [T; 2] {
    back(ln(add(turned(z), sqrt(shift(neg(square(z)), 1.0)))))
}

/// π/2 − arcsin z
#[reversible]
pub(crate) fn acos<T: Real>(z: [T; 2]) -> [T; 2] {
    shift(neg(asin(z)), T::lit(FRAC_PI_2))
}

#[reversible]
pub(crate) fn atan<T: Real>(z: [T; 2]) -> [T; 2] {
    back(atanh(turned(z)))
}

/// ln(z + √(z² + 1))
#[reversible]
pub(crate) fn asinh<T: Real>(z: [T; 2]) -> [T; 2] {
    ln(add(z, sqrt(shift(square(z), 1.0))))
}

/// ln(z + √(z + 1) √(z − 1))
#[reversible]
pub(crate) fn acosh<T: Real>(z: [T; 2]) -> [T; 2] {
    ln(add(z, mul(sqrt(shift(z, 1.0)), sqrt(shift(z, -1.0)))))
}

/// (ln(1 + z) − ln(1 − z)) / 2
#[reversible]
pub(crate) fn atanh<T: Real>(z: [T; 2]) -> [T; 2] {
    scale(sub(ln(shift(z, 1.0)), ln(shift(neg(z), 1.0))), 0.5)
}
