//! Exponential functions and logarithms.

use std::f64::consts::{LN_2, LN_10};

use super::family;

family! {
    /// The rules of exponential functions and logarithms.
    Exponential:
    /// `x.exp()`, with the result `y`.
    d_exp(y) = y;
    /// `x.exp2()`, with the result `y`.
    d_exp2(y) = y * T::lit(LN_2);
    /// `x.ln()`.
    d_ln(x) = x.recip();
    /// `x.log2()`.
    d_log2(x) = (x * T::lit(LN_2)).recip();
    /// `x.log10()`.
    d_log10(x) = (x * T::lit(LN_10)).recip();
}

family! {
    /// The rules of exponential functions and logarithms that are accurate near zero.
    NearZero:
    /// `x.exp_m1()`, with the result `y`.
    d_exp_m1(y) = y + T::one();
    /// `x.ln_1p()`.
    d_ln_1p(x) = (x + T::one()).recip();
}
