//! Elementary functions of complex numbers over any real number.
//!
//! `num_complex` has them for floats, with shortcuts, such as that for a root on the real line, that give the value of the
//! function but not its derivatives. There are none here: on dual numbers, a function has its derivatives.
//!
//! All are principal values. On a branch cut the sign of zero says which side is meant.

use num_complex::Complex;

use crate::Real;

/// `a + b`.
#[inline(always)]
pub(crate) fn add<T: Real>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    Complex { re: a.re + b.re, im: a.im + b.im }
}

/// `a - b`.
#[inline(always)]
pub(crate) fn sub<T: Real>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    Complex { re: a.re - b.re, im: a.im - b.im }
}

/// `-z`.
#[inline(always)]
pub(crate) fn neg<T: Real>(z: Complex<T>) -> Complex<T> {
    Complex { re: -z.re, im: -z.im }
}

/// The conjugate.
#[inline(always)]
pub(crate) fn conj<T: Real>(z: Complex<T>) -> Complex<T> {
    Complex { re: z.re, im: -z.im }
}

/// `a * b`.
#[inline(always)]
pub(crate) fn mul<T: Real>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    Complex { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re }
}

/// `z * t` with a real number.
#[inline(always)]
pub(crate) fn scale<T: Real>(z: Complex<T>, t: T) -> Complex<T> {
    Complex { re: z.re * t, im: z.im * t }
}

/// `z / t` with a real number.
#[inline(always)]
pub(crate) fn unscale<T: Real>(z: Complex<T>, t: T) -> Complex<T> {
    Complex { re: z.re / t, im: z.im / t }
}

/// `a / b`, without squares that overflow or underflow.
#[inline(always)]
pub(crate) fn div<T: Real>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    if b.re.abs() >= b.im.abs() {
        let ratio = b.im / b.re;
        let length = b.re + b.im * ratio;
        Complex { re: (a.re + a.im * ratio) / length, im: (a.im - a.re * ratio) / length }
    } else {
        let ratio = b.re / b.im;
        let length = b.re * ratio + b.im;
        Complex { re: (a.re * ratio + a.im) / length, im: (a.im * ratio - a.re) / length }
    }
}

/// `1 / z`.
#[inline(always)]
pub(crate) fn recip<T: Real>(z: Complex<T>) -> Complex<T> {
    div(real(T::one()), z)
}

/// A real number.
#[inline(always)]
pub(crate) fn real<T: Real>(t: T) -> Complex<T> {
    Complex { re: t, im: T::zero() }
}

/// `i * z`.
#[inline(always)]
pub(crate) fn turned<T: Real>(z: Complex<T>) -> Complex<T> {
    Complex { re: -z.im, im: z.re }
}

/// `-i * z`.
#[inline(always)]
pub(crate) fn turned_back<T: Real>(z: Complex<T>) -> Complex<T> {
    Complex { re: z.im, im: -z.re }
}

#[inline(always)]
pub(crate) fn is_zero<T: Real>(z: Complex<T>) -> bool {
    z.re == T::zero() && z.im == T::zero()
}

#[inline(always)]
pub(crate) fn is_finite<T: Real>(z: Complex<T>) -> bool {
    z.re.is_finite() && z.im.is_finite()
}

/// The length.
#[inline(always)]
pub(crate) fn norm<T: Real>(z: Complex<T>) -> T {
    z.re.hypot(z.im)
}

/// The angle, from −π to π.
#[inline(always)]
pub(crate) fn arg<T: Real>(z: Complex<T>) -> T {
    z.im.atan2(z.re)
}

/// `r` times e to the power `i angle`.
#[inline(always)]
pub(crate) fn from_polar<T: Real>(r: T, angle: T) -> Complex<T> {
    let (sin, cos) = angle.sin_cos();
    Complex { re: r * cos, im: r * sin }
}

/// e to the power `z`.
#[inline(always)]
pub(crate) fn exp<T: Real>(z: Complex<T>) -> Complex<T> {
    from_polar(z.re.exp(), z.im)
}

/// The logarithm.
#[inline(always)]
pub(crate) fn ln<T: Real>(z: Complex<T>) -> Complex<T> {
    Complex { re: norm(z).ln(), im: arg(z) }
}

/// The square root in the right half plane.
#[inline]
pub(crate) fn sqrt<T: Real>(z: Complex<T>) -> Complex<T> {
    if is_zero(z) {
        return Complex { re: z.re.abs().sqrt(), im: z.im };
    }
    // A half of the sum of two numbers of the same sign: nothing cancels.
    let half = T::lit(0.5);
    let large = (norm(z) * half + z.re.abs() * half).sqrt();
    let small = z.im * half / large;
    match (z.re >= T::zero(), z.im.to_f64().is_sign_negative()) {
        (true, _) => Complex { re: large, im: small },
        (false, false) => Complex { re: small, im: large },
        (false, true) => Complex { re: -small, im: -large },
    }
}

/// The cube root next to the positive real line.
#[inline]
pub(crate) fn cbrt<T: Real>(z: Complex<T>) -> Complex<T> {
    from_polar(norm(z).cbrt(), arg(z) / T::lit(3.0))
}

/// `z` to an integer power.
#[inline]
pub(crate) fn powi<T: Real>(z: Complex<T>, n: i32) -> Complex<T> {
    let power = powu(z, n.unsigned_abs());
    if n < 0 { recip(power) } else { power }
}

/// `z` to a power that is not negative, by squaring.
#[inline]
pub(crate) fn powu<T: Real>(z: Complex<T>, n: u32) -> Complex<T> {
    let (mut power, mut square, mut rest) = (real(T::one()), z, n);
    while rest > 0 {
        if rest % 2 == 1 {
            power = mul(power, square);
        }
        rest /= 2;
        if rest > 0 {
            square = mul(square, square);
        }
    }
    power
}

/// `z` to a real power.
#[inline]
pub(crate) fn powf<T: Real>(z: Complex<T>, exponent: T) -> Complex<T> {
    from_polar(norm(z).powf(exponent), arg(z) * exponent)
}

/// `z` to a complex power; that of zero is 1 for the exponent 0, and else 0.
#[inline]
pub(crate) fn powc<T: Real>(z: Complex<T>, exponent: Complex<T>) -> Complex<T> {
    match (is_zero(z), is_zero(exponent)) {
        (_, true) => real(T::one()),
        (true, false) => real(T::zero()),
        (false, false) => exp(mul(exponent, ln(z))),
    }
}

/// The logarithm to a real base.
#[inline(always)]
pub(crate) fn log<T: Real>(z: Complex<T>, base: T) -> Complex<T> {
    unscale(ln(z), base.ln())
}

/// A real base to the power `z`.
#[inline(always)]
pub(crate) fn expf<T: Real>(z: Complex<T>, base: T) -> Complex<T> {
    from_polar(base.powf(z.re), z.im * base.ln())
}

/// The sine.
#[inline(always)]
pub(crate) fn sin<T: Real>(z: Complex<T>) -> Complex<T> {
    let (sin, cos) = z.re.sin_cos();
    Complex { re: sin * z.im.cosh(), im: cos * z.im.sinh() }
}

/// The cosine.
#[inline(always)]
pub(crate) fn cos<T: Real>(z: Complex<T>) -> Complex<T> {
    let (sin, cos) = z.re.sin_cos();
    Complex { re: cos * z.im.cosh(), im: -(sin * z.im.sinh()) }
}

/// The tangent: −i tanh iz.
#[inline(always)]
pub(crate) fn tan<T: Real>(z: Complex<T>) -> Complex<T> {
    turned_back(tanh(turned(z)))
}

/// The hyperbolic sine.
#[inline(always)]
pub(crate) fn sinh<T: Real>(z: Complex<T>) -> Complex<T> {
    let (sin, cos) = z.im.sin_cos();
    Complex { re: z.re.sinh() * cos, im: z.re.cosh() * sin }
}

/// The hyperbolic cosine.
#[inline(always)]
pub(crate) fn cosh<T: Real>(z: Complex<T>) -> Complex<T> {
    let (sin, cos) = z.im.sin_cos();
    Complex { re: z.re.cosh() * cos, im: z.re.sinh() * sin }
}

/// The hyperbolic tangent.
#[inline]
pub(crate) fn tanh<T: Real>(z: Complex<T>) -> Complex<T> {
    let (a, b) = (z.re + z.re, z.im + z.im);
    // Far out the hyperbolic functions would overflow, and their quotient is an exponential.
    if z.re.abs() > T::lit(20.0) {
        return Complex { re: z.re.tanh(), im: T::lit(2.0) * b.sin() * (-a.abs()).exp() };
    }
    let (sin, cos) = b.sin_cos();
    let length = a.cosh() + cos;
    Complex { re: a.sinh() / length, im: sin / length }
}

/// √(1 − z) and √(1 + z): what inverse sines are made of.
#[inline(always)]
fn roots<T: Real>(z: Complex<T>) -> (Complex<T>, Complex<T>) {
    let (below, above) = (Complex { re: T::one() - z.re, im: -z.im }, Complex { re: T::one() + z.re, im: z.im });
    (sqrt(below), sqrt(above))
}

/// √(z − 1) and √(z + 1): what the inverse hyperbolic cosine is made of.
#[inline(always)]
fn outer_roots<T: Real>(z: Complex<T>) -> (Complex<T>, Complex<T>) {
    let (below, above) = (Complex { re: z.re - T::one(), im: z.im }, Complex { re: z.re + T::one(), im: z.im });
    (sqrt(below), sqrt(above))
}

/// The arc sine; its cuts are outside −1 to 1.
#[inline]
pub(crate) fn asin<T: Real>(z: Complex<T>) -> Complex<T> {
    let (below, above) = roots(z);
    Complex { re: z.re.atan2(mul(below, above).re), im: mul(conj(below), above).im.asinh() }
}

/// The arc cosine, with the cuts of the arc sine.
#[inline]
pub(crate) fn acos<T: Real>(z: Complex<T>) -> Complex<T> {
    let (below, above) = roots(z);
    Complex { re: T::lit(2.0) * below.re.atan2(above.re), im: mul(conj(above), below).im.asinh() }
}

/// The arc tangent: −i artanh iz.
#[inline]
pub(crate) fn atan<T: Real>(z: Complex<T>) -> Complex<T> {
    turned_back(atanh(turned(z)))
}

/// The inverse of the hyperbolic sine: −i arcsin iz.
#[inline]
pub(crate) fn asinh<T: Real>(z: Complex<T>) -> Complex<T> {
    turned_back(asin(turned(z)))
}

/// The inverse of the hyperbolic cosine; its cut is below 1.
#[inline]
pub(crate) fn acosh<T: Real>(z: Complex<T>) -> Complex<T> {
    let (below, above) = outer_roots(z);
    Complex { re: mul(conj(below), above).re.asinh(), im: T::lit(2.0) * below.im.atan2(above.re) }
}

/// The inverse of the hyperbolic tangent; its cuts are outside −1 to 1.
#[inline]
pub(crate) fn atanh<T: Real>(z: Complex<T>) -> Complex<T> {
    let (below, above) = (Complex { re: T::one() - z.re, im: -z.im }, Complex { re: T::one() + z.re, im: z.im });
    scale(sub(ln(above), ln(below)), T::lit(0.5))
}

/// √(1 − z²), on the side of the cuts on which the arc sine is.
#[inline]
pub(crate) fn root_of_one_minus_square<T: Real>(z: Complex<T>) -> Complex<T> {
    let (below, above) = roots(z);
    mul(below, above)
}

/// √(z² − 1), on the side of the cut on which the inverse hyperbolic cosine is.
#[inline]
pub(crate) fn root_of_square_minus_one<T: Real>(z: Complex<T>) -> Complex<T> {
    let (below, above) = outer_roots(z);
    mul(below, above)
}

/// 1 − z², as a product, in which nothing cancels near ±1.
#[inline(always)]
pub(crate) fn one_minus_square<T: Real>(z: Complex<T>) -> Complex<T> {
    mul(Complex { re: T::one() - z.re, im: -z.im }, Complex { re: T::one() + z.re, im: z.im })
}
