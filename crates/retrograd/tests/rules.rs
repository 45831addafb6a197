//! Every rule against derivatives to 50 digits, and at its edges.

use retrograd::private::*;
use retrograd::{Dual, Real};

/// The references; `scripts/rules-reference` has made them, and says what the columns are.
const REFERENCE: &str = include_str!("rules/reference.tsv");

struct Line {
    rule: &'static str,
    point: Vec<f64>,
    derivative: f64,
    scale: f64,
    second: f64,
    second_scale: f64,
}

fn lines() -> impl Iterator<Item = Line> {
    REFERENCE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap();
        let (rule, point) = (next(), next().split(',').map(|x| x.parse().unwrap()).collect());
        // Parsed from 50 digits, a number is rounded once.
        let mut number = || next().parse().unwrap();
        let (derivative, scale, second, second_scale) = (number(), number(), number(), number());
        Line { rule, point, derivative, scale, second, second_scale }
    })
}

/// What a rule gives where generated code uses it: with the result of the function where it takes one.
fn rule<T: Real>(rule: &str, point: &[T]) -> T {
    let (x, arguments) = (point[0], &point[1..]);
    match (rule, arguments) {
        ("d_sin", _) => d_sin(x),
        ("d_cos", _) => d_cos(x),
        ("d_tan", _) => d_tan(x.tan()),
        ("d_asin", _) => d_asin(x),
        ("d_acos", _) => d_acos(x),
        ("d_atan", _) => d_atan(x),
        ("d_ln", _) => d_ln(x),
        ("d_ln_1p", _) => d_ln_1p(x),
        ("d_log2", _) => d_log2(x),
        ("d_log10", _) => d_log10(x),
        ("d_sinh", _) => d_sinh(x),
        ("d_cosh", _) => d_cosh(x),
        ("d_tanh", _) => d_tanh(x.tanh()),
        ("d_asinh", _) => d_asinh(x),
        ("d_acosh", _) => d_acosh(x),
        ("d_atanh", _) => d_atanh(x),
        ("d_abs", _) => d_abs(x),
        ("d_erf", _) => d_erf(x),
        ("d_gamma", _) => d_gamma(x, x.gamma()),
        ("d_lgamma", _) => d_lgamma(x),
        ("d_square", _) => d_square(x),
        ("d_cube", _) => d_cube(x),
        ("d_to_degrees", _) => d_to_degrees(x),
        ("d_to_radians", _) => d_to_radians(x),
        ("d_exp", _) => d_exp(x.exp()),
        ("d_exp2", _) => d_exp2(x.exp2()),
        ("d_exp_m1", _) => d_exp_m1(x.exp_m1()),
        ("d_sqrt", _) => d_sqrt(x.sqrt()),
        ("d_cbrt", _) => d_cbrt(x.cbrt()),
        ("d_recip", _) => d_recip(x.recip()),
        ("d_powi", &[n]) => d_powi(x, n.to_f64() as i32),
        ("d_powf_0", &[c]) => d_powf_0(x, c),
        ("d_powf_1", &[c]) => d_powf_1(x, x.powf(c)),
        ("d_hypot_0", &[o]) => d_hypot_0(x, x.hypot(o)),
        ("d_hypot_1", &[o]) => d_hypot_1(o, x.hypot(o)),
        ("d_atan2_0", &[o]) => d_atan2_0(x, o),
        ("d_atan2_1", &[o]) => d_atan2_1(x, o),
        ("d_log_0", &[b]) => d_log_0(x, b),
        ("d_log_1", &[b]) => d_log_1(b, x.log(b)),
        ("d_max_0", &[o]) => d_max_0(x, o),
        ("d_max_1", &[o]) => d_max_1(x, o),
        ("d_min_0", &[o]) => d_min_0(x, o),
        ("d_min_1", &[o]) => d_min_1(x, o),
        ("d_clamp_0", &[lo, hi]) => d_clamp_0(x, lo, hi),
        ("d_clamp_1", &[lo, hi]) => d_clamp_1(x, lo, hi),
        ("d_clamp_2", &[lo, hi]) => d_clamp_2(x, lo, hi),
        ("d_rem_1", &[m]) => d_rem_1(x, m),
        ("d_rem_euclid_1", &[m]) => d_rem_euclid_1(x, m),
        ("d_div_0", &[b]) => d_div_0(b),
        ("d_div_1", &[b]) => d_div_1(b, x / b),
        _ => panic!("{rule} has no line here"),
    }
}

/// The largest error of each rule, in units of `epsilon` times the scale.
fn worst(errors: impl Iterator<Item = (&'static str, f64, Vec<f64>)>) -> Vec<(&'static str, f64, Vec<f64>)> {
    let mut worst: Vec<(&str, f64, Vec<f64>)> = Vec::new();
    for (rule, error, point) in errors {
        match worst.iter_mut().find(|(known, ..)| *known == rule) {
            Some(known) if known.1 >= error => {}
            Some(known) => *known = (rule, error, point),
            None => worst.push((rule, error, point)),
        }
    }
    worst
}

#[track_caller]
fn assert_within(limit: f64, errors: impl Iterator<Item = (&'static str, f64, Vec<f64>)>) {
    let worst = worst(errors);
    let too_large: Vec<_> = worst.iter().filter(|(_, error, _)| error.is_nan() || *error > limit).collect();
    assert!(too_large.is_empty(), "errors in units of what the conditioning allows: {too_large:#?}");
    assert!(worst.len() > 40);
}

#[test]
fn rules_are_accurate_for_f64() {
    assert_within(
        3.0,
        lines().map(|line| {
            let error = (rule::<f64>(line.rule, &line.point) - line.derivative).abs();
            (line.rule, if error == 0.0 { 0.0 } else { error / (line.scale * f64::EPSILON) }, line.point)
        }),
    );
}

#[test]
fn rules_are_accurate_for_f32() {
    let in_range = |&x: &f64| x == 0.0 || (1e-30..1e30).contains(&x.abs());
    let lines = lines().filter(|line| line.point.iter().chain([&line.derivative, &line.scale]).all(in_range));
    assert_within(
        3.0,
        lines.map(|line| {
            let point: Vec<f32> = line.point.iter().map(|&x| x as f32).collect();
            let error = (rule(line.rule, &point) as f64 - line.derivative).abs();
            (line.rule, if error == 0.0 { 0.0 } else { error / (line.scale * f32::EPSILON as f64) }, line.point)
        }),
    );
}

/// The argument that a rule is a derivative by: the last digit of its name.
fn argument(rule: &str) -> usize {
    rule.rsplit_once('_').and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}

#[test]
fn rules_run_on_dual_numbers_give_second_derivatives() {
    assert_within(
        8.0,
        lines().filter(|line| line.second_scale == 0.0 || (1e-305..1e290).contains(&line.second_scale)).map(|line| {
            let point = line.point.iter().enumerate().map(|(i, &x)| match i == argument(line.rule) {
                true => Dual::<f64, 1>::variable(x, 0),
                false => Dual::constant(x),
            });
            let found = rule(line.rule, &point.collect::<Vec<_>>());
            assert_eq!(found.re.to_bits(), rule(line.rule, &line.point).to_bits(), "{} {:?}", line.rule, line.point);
            let error = (found.eps[0] - line.second).abs();
            (line.rule, if error == 0.0 { 0.0 } else { error / (line.second_scale * f64::EPSILON) }, line.point)
        }),
    );
}

#[test]
fn digamma_keeps_its_digits_where_it_vanishes() {
    let lines = lines().filter(|line| line.rule == "d_lgamma" && line.point[0] > 0.0);
    assert_within_digits(1e-14, lines.map(|line| (digamma(line.point[0]), line.derivative, line.point[0])));
}

#[track_caller]
fn assert_within_digits(limit: f64, found: impl Iterator<Item = (f64, f64, f64)>) {
    for (found, expected, x) in found {
        assert!((found - expected).abs() <= limit * expected.abs(), "{found} instead of {expected} at {x}");
    }
}

const INFINITY: f64 = f64::INFINITY;

#[test]
fn rules_at_their_edges() {
    let edges = [
        ("powi(0)", d_powi(0.0, 0), 0.0),
        ("powi(1)", d_powi(0.0, 1), 1.0),
        ("powi(2)", d_powi(0.0, 2), 0.0),
        ("powi(-1)", d_powi(0.0, -1), -INFINITY),
        ("powi(0), elsewhere", d_powi(2.0, 0), 0.0),
        ("the least exponent", d_powi(1.0, i32::MIN), i32::MIN as f64),
        ("powf, c > 1", d_powf_0(0.0, 1.5), 0.0),
        ("powf, c == 1", d_powf_0(0.0, 1.0), 1.0),
        ("powf, 0 < c < 1", d_powf_0(0.0, 0.5), INFINITY),
        ("powf, c == 0", d_powf_0(0.0, 0.0), 0.0),
        ("powf, c < 0", d_powf_0(0.0, -1.0), -INFINITY),
        ("powf by c, c > 0", d_powf_1(0.0, 0_f64.powf(0.5)), 0.0),
        ("powf by c, c == 0", d_powf_1(0.0, 0_f64.powf(0.0)), 0.0),
        ("powf by c, c < 0", d_powf_1(0.0, 0_f64.powf(-1.0)), -INFINITY),
        ("sqrt", d_sqrt(0_f64.sqrt()), INFINITY),
        ("sqrt of -0", d_sqrt((-0_f64).sqrt()), INFINITY),
        ("cbrt", d_cbrt(0_f64.cbrt()), INFINITY),
        ("cbrt of -0", d_cbrt((-0_f64).cbrt()), INFINITY),
        ("ln", d_ln(0.0), INFINITY),
        ("log2", d_log2(0.0), INFINITY),
        ("log10", d_log10(0.0), INFINITY),
        ("ln_1p", d_ln_1p(-1.0), INFINITY),
        ("asin", d_asin(1.0), INFINITY),
        ("asin below", d_asin(-1.0), INFINITY),
        ("acos", d_acos(1.0), -INFINITY),
        ("acosh", d_acosh(1.0), INFINITY),
        ("atanh", d_atanh(1.0), INFINITY),
        ("abs", d_abs(0.0), 0.0),
        ("abs of -0", d_abs(-0.0), 0.0),
        ("max, tie", d_max_0(2.0, 2.0), 1.0),
        ("max, tie, other", d_max_1(2.0, 2.0), 0.0),
        ("min, tie", d_min_0(2.0, 2.0), 1.0),
        ("min, tie, other", d_min_1(2.0, 2.0), 0.0),
        ("clamp below", d_clamp_0(1.0, 1.0, 2.0), 1.0),
        ("clamp below, border", d_clamp_1(1.0, 1.0, 2.0), 0.0),
        ("clamp above", d_clamp_0(2.0, 1.0, 2.0), 1.0),
        ("clamp above, border", d_clamp_2(2.0, 1.0, 2.0), 0.0),
        ("atan2", d_atan2_0(0.0, 0.0), 0.0),
        ("atan2, other", d_atan2_1(0.0, 0.0), 0.0),
        ("hypot", d_hypot_0(0.0, 0.0), 0.0),
        ("hypot, other", d_hypot_1(0.0, 0.0), 0.0),
        ("lgamma", d_lgamma(0.0), -INFINITY),
        ("gamma", d_gamma(0.0, Real::gamma(0.0)), -INFINITY),
        ("rem_euclid, at a jump", d_rem_euclid_1(4.0, 2.0), -2.0),
    ];
    for (edge, found, expected) in edges {
        assert_eq!(found, expected, "{edge}");
    }
}

#[test]
fn a_derivative_follows_the_value_that_a_comparison_chooses() {
    for (x, o) in [(1.0, 2.0), (2.0, 1.0), (1.0, f64::NAN), (f64::NAN, 1.0)] {
        let chosen = |y: f64| if y == x { (1.0, 0.0) } else { (0.0, 1.0) };
        assert_eq!((d_max_0(x, o), d_max_1(x, o)), chosen(x.max(o)), "max({x}, {o})");
        assert_eq!((d_min_0(x, o), d_min_1(x, o)), chosen(x.min(o)), "min({x}, {o})");
    }
}

#[test]
fn nan_goes_through() {
    let nan = f64::NAN;
    let names =
        lines().map(|line| line.rule).filter(|name| !["d_max", "d_min", "d_clamp"].iter().any(|c| name.starts_with(c)));
    for name in names.filter(|name| !name.starts_with("d_to_") && *name != "d_powi") {
        let others = [nan, nan];
        let count = lines().find(|line| line.rule == name).unwrap().point.len();
        assert!(rule::<f64>(name, &[&[nan], &others[..count - 1]].concat()).is_nan(), "{name}");
    }
    assert!(d_powi(nan, 3).is_nan() && d_powf_0(nan, 2.0).is_nan() && d_powf_0(2.0, nan).is_nan());
    assert!(
        d_powf_1(-1.0_f64, 1.0).is_nan() && digamma(-3.0_f64).is_nan() && d_gamma(-3.0, Real::gamma(-3.0_f64)).is_nan()
    );
}

#[test]
fn integers_have_the_rules_of_what_integers_can_do() {
    assert_eq!((d_abs(-3), d_max_0(1_u8, 2), d_min_1(1_i64, 2), d_clamp_2(1_usize, 0, 2)), (0, 0, 0, 0));
    assert_eq!((d_div_0(0), d_div_1(0, 0), d_rem_euclid_1(7_i128, 0)), (0, 0, 0));
}

#[test]
fn every_rule_has_references() {
    let sources = [
        include_str!("../src/rules/arithmetic.rs"),
        include_str!("../src/rules/comparison.rs"),
        include_str!("../src/rules/exponential.rs"),
        include_str!("../src/rules/hyperbolic.rs"),
        include_str!("../src/rules/special.rs"),
        include_str!("../src/rules/trigonometric.rs"),
    ];
    let rules: Vec<_> = sources
        .iter()
        .flat_map(|source| source.lines())
        .filter_map(|line| line.strip_prefix("    d_")?.split_once(") = ")?.0.split_once('('))
        .map(|(rule, _)| format!("d_{rule}"))
        .chain(["d_abs", "d_div_1", "d_powf_0", "d_log_0", "d_log_1"].map(String::from))
        .collect();
    assert!(rules.len() > 45);
    for rule in rules {
        assert!(lines().any(|line| line.rule == rule), "{rule} has no reference");
    }
}
