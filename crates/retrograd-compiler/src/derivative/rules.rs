//! What each partial derivative is made of.
//!
//! The partials themselves are functions of `retrograd::private`, by trait, so that they follow types; here is only what
//! each of them needs, because a value that no derivative needs is not restored.

use crate::ir::{BinaryOp, Elementary, Expr, ExprKind, Known, Partial};

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
    /// Not at all: the function is constant almost everywhere, or the argument an integer.
    Nothing,
    /// Times the value of a neighbour.
    Times(usize),
    /// Times a partial of `retrograd::private`.
    Partial(Partial, &'static [Need]),
}

use Need::{Argument, Value};
use Through::{Nothing, Opposite, Partial as By, Same, Times};

const X: &[Need] = &[Argument(0)];
const A: &[Need] = &[Argument(1)];
const Y: &[Need] = &[Value];
const XY: &[Need] = &[Argument(0), Value];
const AY: &[Need] = &[Argument(1), Value];
const XA: &[Need] = &[Argument(0), Argument(1)];
const XAB: &[Need] = &[Argument(0), Argument(1), Argument(2)];

/// How derivatives go through a function: one entry for the receiver and each argument.
pub(crate) fn rule(function: Elementary) -> &'static [Through] {
    use Partial as P;
    match function {
        Elementary::Sin => &[By(P::Sin, X)],
        Elementary::Cos => &[By(P::Cos, X)],
        Elementary::Tan => &[By(P::Tan, Y)],
        Elementary::Asin => &[By(P::Asin, X)],
        Elementary::Acos => &[By(P::Acos, X)],
        Elementary::Atan => &[By(P::Atan, X)],
        Elementary::Atan2 => &[By(P::Atan2By0, XA), By(P::Atan2By1, XA)],
        Elementary::Sinh => &[By(P::Sinh, X)],
        Elementary::Cosh => &[By(P::Cosh, X)],
        Elementary::Tanh => &[By(P::Tanh, Y)],
        Elementary::Asinh => &[By(P::Asinh, X)],
        Elementary::Acosh => &[By(P::Acosh, X)],
        Elementary::Atanh => &[By(P::Atanh, X)],
        Elementary::Exp => &[By(P::Exp, Y)],
        Elementary::Exp2 => &[By(P::Exp2, Y)],
        Elementary::ExpM1 => &[By(P::ExpM1, Y)],
        Elementary::Ln => &[By(P::Ln, X)],
        Elementary::Ln1p => &[By(P::Ln1p, X)],
        Elementary::Log2 => &[By(P::Log2, X)],
        Elementary::Log10 => &[By(P::Log10, X)],
        Elementary::Log => &[By(P::LogBy0, XA), By(P::LogBy1, AY)],
        Elementary::Powi => &[By(P::Powi, XA), Nothing],
        Elementary::Powf => &[By(P::PowfBy0, XA), By(P::PowfBy1, XY)],
        Elementary::Sqrt => &[By(P::Sqrt, Y)],
        Elementary::Cbrt => &[By(P::Cbrt, Y)],
        Elementary::Square => &[By(P::Square, X)],
        Elementary::Cube => &[By(P::Cube, X)],
        Elementary::Hypot => &[By(P::HypotBy0, XY), By(P::HypotBy1, AY)],
        Elementary::Recip => &[By(P::Recip, Y)],
        Elementary::Conj => &[By(P::Conj, &[])],
        Elementary::Abs => &[By(P::Abs, X)],
        Elementary::Max => &[By(P::MaxBy0, XA), By(P::MaxBy1, XA)],
        Elementary::Min => &[By(P::MinBy0, XA), By(P::MinBy1, XA)],
        Elementary::Clamp => &[By(P::ClampBy0, XAB), By(P::ClampBy1, XAB), By(P::ClampBy2, XAB)],
        Elementary::SelectLess => &[Nothing, Nothing, By(P::SelectLessBy2, XA), By(P::SelectLessBy3, XA)],
        Elementary::SelectEqual => &[Nothing, Nothing, By(P::SelectEqualBy2, XA), By(P::SelectEqualBy3, XA)],
        Elementary::MulAdd => &[Times(1), Times(0), Same],
        Elementary::RemEuclid => &[Same, By(P::RemEuclidBy1, XA)],
        Elementary::ToDegrees => &[By(P::ToDegrees, X)],
        Elementary::ToRadians => &[By(P::ToRadians, X)],
        Elementary::Erf => &[By(P::Erf, X)],
        Elementary::Gamma => &[By(P::Gamma, XY)],
        Elementary::Lgamma => &[By(P::Lgamma, X)],
        Elementary::Fract => &[Same],
        Elementary::Isqrt => &[By(P::Bits, X)],
        Elementary::Pow
        | Elementary::AbsDiff
        | Elementary::WrappingAdd
        | Elementary::WrappingSub
        | Elementary::WrappingMul
        | Elementary::SaturatingAdd
        | Elementary::SaturatingSub => BITS,
        Elementary::Signum | Elementary::Floor | Elementary::Ceil | Elementary::Round | Elementary::Trunc => &[Nothing],
    }
}

/// Whether a derivative through the outermost operation of an expression is made of its value.
pub(crate) fn asks_for_value(e: &Expr) -> bool {
    let of = |all: &[Through]| all.iter().any(|through| matches!(through, By(_, needs) if needs.contains(&Value)));
    match &e.kind {
        ExprKind::Method { method, .. } => {
            matches!(method.known, Some(Known::Elementary(function)) if of(rule(function)))
        }
        ExprKind::Binary(BinaryOp::Div, ..) => of(QUOTIENT),
        _ => false,
    }
}

/// Whether a function is constant almost everywhere.
pub(crate) fn is_step(function: Elementary) -> bool {
    rule(function) == [Nothing]
}

/// `a + b`, `a - b`, `a * b`, `-a`
pub(crate) const SUM: &[Through] = &[Same, Same];
pub(crate) const DIFFERENCE: &[Through] = &[Same, Opposite];
pub(crate) const PRODUCT: &[Through] = &[Times(1), Times(0)];
pub(crate) const OPPOSITE: &[Through] = &[Opposite];
/// `a / b`, and `1 / b`.
pub(crate) const QUOTIENT: &[Through] = &[By(Partial::DivBy0, A), By(Partial::DivBy1, AY)];
pub(crate) const RECIPROCAL: &[Through] = &[Nothing, By(Partial::Recip, Y)];
/// `a % b`: constant in the number of times that `b` fits.
pub(crate) const REMAINDER: &[Through] = &[Same, By(Partial::RemBy1, XA)];
/// Operators of integers: nothing flows, and what is not an integer has no such rule.
pub(crate) const BITS: &[Through] = &[By(Partial::Bits, X), By(Partial::Bits, A)];
pub(crate) const NOT: &[Through] = &[By(Partial::Bits, X)];
