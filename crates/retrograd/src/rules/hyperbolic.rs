//! Hyperbolic functions.

use super::{family, one_minus_square};

family! {
    /// The rules of hyperbolic functions.
    Hyperbolic:
    /// `x.sinh()`.
    d_sinh(x) = x.cosh();
    /// `x.cosh()`.
    d_cosh(x) = x.sinh();
    /// `x.tanh()`, with the result `y`.
    d_tanh(y) = T::one() - y * y;
    /// `x.asinh()`.
    // A square would overflow long before the derivative is lost.
    d_asinh(x) = x.hypot(T::one()).recip();
    /// `x.acosh()`.
    d_acosh(x) = ((x - T::one()).sqrt() * (x + T::one()).sqrt()).recip();
    /// `x.atanh()`.
    d_atanh(x) = one_minus_square(x).recip();
}
