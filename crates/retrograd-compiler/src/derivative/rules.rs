//! Which methods have a derivative, and what each partial derivative is made of.
//!
//! The partials themselves are functions of `retrograd::private`, by trait, so that they follow types; here is only what
//! each of them needs, because a value that no derivative needs is not restored.

/// What a partial derivative is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The receiver (0) or an argument (1, ..).
    Argument(usize),
    /// The value of the call.
    Value,
}

/// How a derivative goes through one argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Through {
    /// Unchanged: the partial is 1.
    Same,
    /// With the other sign.
    Opposite,
    /// Not at all: the function is constant almost everywhere.
    Nothing,
    /// No derivative is known: the argument must not be active.
    Inactive,
    /// Times the value of a neighbour.
    Times(usize),
    /// Times a partial of `retrograd::private`.
    Partial(&'static str, &'static [Need]),
}

use Need::{Argument, Value};
use Through::{Inactive, Nothing, Opposite, Partial, Same, Times};

const X: &[Need] = &[Argument(0)];
const Y: &[Need] = &[Value];
const XA: &[Need] = &[Argument(0), Argument(1)];
const XAB: &[Need] = &[Argument(0), Argument(1), Argument(2)];

/// The methods with a rule: one entry for the receiver and each argument.
const METHODS: &[(&str, &[Through])] = &[
    ("sin", &[Partial("d_sin", X)]),
    ("cos", &[Partial("d_cos", X)]),
    ("tan", &[Partial("d_tan", Y)]),
    ("asin", &[Partial("d_asin", X)]),
    ("acos", &[Partial("d_acos", X)]),
    ("atan", &[Partial("d_atan", X)]),
    ("atan2", &[Partial("d_atan2_0", XA), Partial("d_atan2_1", XA)]),
    ("sinh", &[Partial("d_sinh", X)]),
    ("cosh", &[Partial("d_cosh", X)]),
    ("tanh", &[Partial("d_tanh", Y)]),
    ("asinh", &[Partial("d_asinh", X)]),
    ("acosh", &[Partial("d_acosh", X)]),
    ("atanh", &[Partial("d_atanh", X)]),
    ("exp", &[Partial("d_exp", Y)]),
    ("exp2", &[Partial("d_exp2", Y)]),
    ("exp_m1", &[Partial("d_exp_m1", Y)]),
    ("ln", &[Partial("d_ln", X)]),
    ("ln_1p", &[Partial("d_ln_1p", X)]),
    ("log2", &[Partial("d_log2", X)]),
    ("log10", &[Partial("d_log10", X)]),
    ("log", &[Partial("d_log_0", XA), Partial("d_log_1", &[Argument(1), Value])]),
    ("powi", &[Partial("d_powi", XA), Inactive]),
    ("powf", &[Partial("d_powf_0", XA), Partial("d_powf_1", &[Argument(0), Value])]),
    ("sqrt", &[Partial("d_sqrt", Y)]),
    ("cbrt", &[Partial("d_cbrt", Y)]),
    ("square", &[Partial("d_square", X)]),
    ("cube", &[Partial("d_cube", X)]),
    ("hypot", &[Partial("d_hypot_0", &[Argument(0), Value]), Partial("d_hypot_1", &[Argument(1), Value])]),
    ("recip", &[Partial("d_recip", Y)]),
    ("conj", &[Partial("d_conj", &[])]),
    ("abs", &[Partial("d_abs", X)]),
    ("max", &[Partial("d_max_0", XA), Partial("d_max_1", XA)]),
    ("min", &[Partial("d_min_0", XA), Partial("d_min_1", XA)]),
    ("clamp", &[Partial("d_clamp_0", XAB), Partial("d_clamp_1", XAB), Partial("d_clamp_2", XAB)]),
    ("select_less", &[Nothing, Nothing, Partial("d_select_less_2", XA), Partial("d_select_less_3", XA)]),
    ("select_equal", &[Nothing, Nothing, Partial("d_select_equal_2", XA), Partial("d_select_equal_3", XA)]),
    ("mul_add", &[Times(1), Times(0), Same]),
    ("rem_euclid", &[Same, Partial("d_rem_euclid_1", XA)]),
    ("to_degrees", &[Partial("d_to_degrees", X)]),
    ("to_radians", &[Partial("d_to_radians", X)]),
    ("erf", &[Partial("d_erf", X)]),
    ("gamma", &[Partial("d_gamma", &[Argument(0), Value])]),
    ("lgamma", &[Partial("d_lgamma", X)]),
    ("fract", &[Same]),
    ("pow", &[Partial("d_bits", X), Partial("d_bits", &[Argument(1)])]),
    ("abs_diff", &[Partial("d_bits", X), Partial("d_bits", &[Argument(1)])]),
    ("isqrt", &[Partial("d_bits", X)]),
    ("wrapping_add", &[Partial("d_bits", X), Partial("d_bits", &[Argument(1)])]),
    ("wrapping_sub", &[Partial("d_bits", X), Partial("d_bits", &[Argument(1)])]),
    ("wrapping_mul", &[Partial("d_bits", X), Partial("d_bits", &[Argument(1)])]),
    ("saturating_add", &[Partial("d_bits", X), Partial("d_bits", &[Argument(1)])]),
    ("saturating_sub", &[Partial("d_bits", X), Partial("d_bits", &[Argument(1)])]),
    ("signum", &[Nothing]),
    ("floor", &[Nothing]),
    ("ceil", &[Nothing]),
    ("round", &[Nothing]),
    ("trunc", &[Nothing]),
];

/// Methods whose value is the receiver, in another form: the derivative is the receiver's.
const FORMS: &[&str] = &["clone", "to_vec"];

/// Methods of numbers and options that have no rule. (Of the others, those that a user may have as well are not here.)
const WITHOUT: &[&str] = &[
    "next_up",
    "next_down",
    "to_bits",
    "copysign",
    "div_euclid",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "expect",
    "map_or",
    "map_or_else",
];

/// Whether a method is known to have no rule.
pub(crate) fn is_without(name: &str) -> bool {
    WITHOUT.contains(&name)
}

/// The rule of a method with that many arguments, the receiver counted.
pub(crate) fn method(name: &str, arguments: usize) -> Option<&'static [Through]> {
    METHODS.iter().find(|(known, through)| *known == name && through.len() == arguments).map(|(_, through)| *through)
}

/// Whether a method is constant almost everywhere.
pub(crate) fn is_step(name: &str, arguments: usize) -> bool {
    method(name, arguments).is_some_and(|rule| rule == [Nothing])
}

/// Whether a method only gives its receiver another form.
pub(crate) fn is_form(name: &str, arguments: usize) -> bool {
    arguments == 1 && FORMS.contains(&name)
}

/// `a + b`, `a - b`, `a * b`, `-a`
pub(crate) const SUM: &[Through] = &[Same, Same];
pub(crate) const DIFFERENCE: &[Through] = &[Same, Opposite];
pub(crate) const PRODUCT: &[Through] = &[Times(1), Times(0)];
pub(crate) const OPPOSITE: &[Through] = &[Opposite];
/// `a / b`, and `1 / b`.
pub(crate) const QUOTIENT: &[Through] =
    &[Partial("d_div_0", &[Argument(1)]), Partial("d_div_1", &[Argument(1), Value])];
pub(crate) const RECIPROCAL: &[Through] = &[Nothing, Partial("d_recip", Y)];
/// `a % b`: constant in the number of times that `b` fits.
pub(crate) const REMAINDER: &[Through] = &[Same, Partial("d_rem_1", XA)];
/// Operators of integers: nothing flows, and what is not an integer has no such rule.
pub(crate) const BITS: &[Through] = &[Partial("d_bits", X), Partial("d_bits", &[Argument(1)])];
