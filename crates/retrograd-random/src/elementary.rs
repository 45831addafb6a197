//! Elementary functions: every method with a derivative, with arguments inside its domain and away from kinks and jumps.

use super::text::Expr;
use super::writer::Writer;

/// Values and slopes of about 1 at most, for `U` and `V` between -1 and 1. Zeros are common, so that kinks are elsewhere.
const ELEMENTARY: [(&str, &str); 40] = [
    ("exp(..)", "0.3 * U.exp()"),
    ("exp2(..)", "0.4 * U.exp2()"),
    ("exp_m1(..)", "0.4 * U.exp_m1()"),
    ("ln(..)", "(2.0 + U).ln()"),
    ("ln_1p(..)", "(0.6 * U).ln_1p()"),
    ("log2(..)", "0.6 * (2.0 + U).log2()"),
    ("log10(..)", "(1.5 + U).log10()"),
    ("log(..)", "(2.5 + U).log(3.5 + V)"),
    ("sin_cos(..)", "U.sin_cos().1"),
    ("tan(..)", "(0.7 * U).tan()"),
    ("asin(..)", "(0.7 * U).asin()"),
    ("acos(..)", "0.5 * (0.7 * U).acos()"),
    ("atan2(..)", "0.6 * U.atan2(1.7 + V)"),
    ("sinh(..)", "0.6 * U.sinh()"),
    ("cosh(..)", "0.5 * U.cosh()"),
    ("asinh(..)", "U.asinh()"),
    ("acosh(..)", "0.5 * (2.5 + U).acosh()"),
    ("atanh(..)", "(0.6 * U).atanh()"),
    ("sqrt(..)", "(1.5 + U).sqrt()"),
    ("cbrt(..)", "(1.7 + U).cbrt()"),
    ("square(..)", "0.5 * (U + 0.3).square()"),
    ("cube(..)", "0.3 * U.cube()"),
    ("powi(..)", "0.2 * (1.4 + U).powi(-1)"),
    ("powi by an integer", "0.2 * (0.4 + U).powi(N as i32 % 3)"),
    ("powf(..)", "0.3 * (1.6 + U).powf(V)"),
    ("powf by a literal", "0.3 * (1.6 + U).powf(1.7)"),
    ("hypot(..)", "0.5 * U.hypot(1.3 + V)"),
    ("recip(..)", "0.4 * (1.6 + U).recip()"),
    ("quotient(..)", "0.5 * U / (1.7 + V)"),
    ("abs(..)", "(U + 0.0371).abs()"),
    ("signum(..)", "V * (U + 0.0371).signum()"),
    ("max and min", "U.max(V + 0.0371).min(0.9 - U)"),
    ("clamp(..)", "U.clamp(V - 1.2, V + 0.2)"),
    ("mul_add(..)", "0.5 * U.mul_add(V, U)"),
    ("rem_euclid(..)", "0.4 * (2.5 * U + 0.137).rem_euclid(1.7 + 0.5 * V)"),
    ("rounding(..)", "0.3 * V * (2.5 * U + 0.137).ROUND()"),
    ("fract(..)", "0.4 * (2.5 * U + 0.137).fract()"),
    ("to_degrees(..)", "(0.01 * U).to_degrees().to_radians().cos()"),
    ("erf(..)", "0.7 * Real::erf(U)"),
    ("gamma(..)", "0.5 * Real::gamma(2.0 + 0.8 * U) - 0.3 * Real::lgamma(2.5 + V)"),
];

impl Writer<'_> {
    /// An elementary function of one or two values.
    pub(super) fn elementary(&mut self, depth: usize) -> Expr {
        let (function, form) = self.rng.pick(&ELEMENTARY);
        self.note(function);
        let (first, second) = (self.unit_float(depth - 1), self.unit_float(0));
        let round = self.rng.pick(&["floor", "ceil", "round", "trunc"]);
        let integer = self.index_below(6).operand();
        Expr::loose(
            form.replace("ROUND", round).replace('U', &first.text).replace('V', &second.text).replace('N', &integer),
        )
    }

    /// `[a, b][i]`, `(a, b).1`: a part of a value that has no name.
    pub(super) fn part_of_value(&mut self, depth: usize) -> Expr {
        let (first, second) = (self.raw_float(depth - 1), self.bounded_float(depth - 1));
        if self.rng.chance(40) {
            self.note("part of a tuple");
            return Expr::atom(format!("({}, {}).{}", first.text, second.text, self.rng.below(2)));
        }
        self.note("part of an array");
        let index = self.index_below(2);
        Expr::atom(format!("[{}, {}][{}]", first.text, second.text, index.text))
    }
}
