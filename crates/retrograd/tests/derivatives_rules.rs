//! Every rule in generated code, for `f64` and `f32`: `pullback` is the transpose of `pushforward`, and both follow
//! differences.

use std::ops::Range;

use retrograd_compiler::ir::Elementary;

/// The rules of the compiler; those of operators have no other list.
const TABLE: &str = include_str!("../../retrograd-compiler/src/derivative/rules.rs");

/// What the derivative runs of a rule say about one direction.
struct Slopes {
    /// `J ẋ`, by the pushforward.
    pushed: f64,
    /// `⟨Jᵀ 1, ẋ⟩`, by the pullback.
    pulled: f64,
    /// The sum of the magnitudes of the terms in `⟨Jᵀ 1, ẋ⟩`.
    size: f64,
}

/// A rule, in a function of nothing else.
struct Rule {
    /// As the table names it, in small letters.
    name: &'static str,
    /// The range of every argument: no kink and no jump is near.
    domain: &'static [Range<f64>],
    value: fn(&[f64]) -> f64,
    slopes: fn(&[f64], &[f64]) -> Slopes,
    slopes_of_f32: fn(&[f64], &[f64]) -> Slopes,
}

macro_rules! rules {
    ($($name:ident [$($domain:expr),+] |$x:ident| { $($body:tt)+ })+) => {
        mod programs {
            use std::ops::Rem;

            use retrograd::prelude::*;

            $(
                #[reversible]
                pub(crate) fn $name<T: Real + Rem<Output = T>>($x: &[T; [$(stringify!($domain)),+].len()]) -> T {
                    $($body)+
                }
            )+
        }

        const RULES: &[Rule] = &[$(Rule {
            name: stringify!($name),
            domain: &[$($domain),+],
            value: |point| programs::$name(point.try_into().unwrap()),
            slopes: slopes!($name, f64),
            slopes_of_f32: slopes!($name, f32),
        }),+];
    };
}

macro_rules! slopes {
    ($name:ident, $number:ty) => {
        |point, direction| {
            let [x, dx] = [point, direction].map(|numbers| numbers.iter().map(|&n| n as $number).collect::<Vec<_>>());
            let (x, dx) = (x.as_slice().try_into().unwrap(), dx.as_slice().try_into().unwrap());
            let (value, pushed) = programs::$name::pushforward((x, dx));
            let mut gradient = x.map(|_| 0.0);
            assert_eq!(programs::$name::pullback((x, &mut gradient), 1.0), value);
            let terms = gradient.iter().zip(dx).map(|(g, d)| *g as f64 * *d as f64);
            Slopes { pushed: pushed as f64, pulled: terms.clone().sum(), size: terms.map(f64::abs).sum() }
        }
    };
}

rules! {
    sin [-3.0..3.0] |x| { x[0].sin() }
    cos [-3.0..3.0] |x| { x[0].cos() }
    tan [-1.4..1.4] |x| { x[0].tan() }
    asin [-0.9..0.9] |x| { x[0].asin() }
    acos [-0.9..0.9] |x| { x[0].acos() }
    atan [-3.0..3.0] |x| { x[0].atan() }
    atan2 [-3.0..3.0, 0.5..2.0] |x| { x[0].atan2(x[1]) }
    sinh [-3.0..3.0] |x| { x[0].sinh() }
    cosh [-3.0..3.0] |x| { x[0].cosh() }
    tanh [-3.0..3.0] |x| { x[0].tanh() }
    asinh [-3.0..3.0] |x| { x[0].asinh() }
    acosh [1.2..3.0] |x| { x[0].acosh() }
    atanh [-0.9..0.9] |x| { x[0].atanh() }
    exp [-3.0..3.0] |x| { x[0].exp() }
    exp2 [-3.0..3.0] |x| { x[0].exp2() }
    exp_m1 [-3.0..3.0] |x| { x[0].exp_m1() }
    ln [0.2..3.0] |x| { x[0].ln() }
    ln_1p [-0.8..3.0] |x| { x[0].ln_1p() }
    log2 [0.2..3.0] |x| { x[0].log2() }
    log10 [0.2..3.0] |x| { x[0].log10() }
    log [0.2..3.0, 1.5..4.0] |x| { x[0].log(x[1]) }
    powi [0.2..3.0] |x| { x[0].powi(-3) }
    powf [0.2..3.0, -2.0..2.0] |x| { x[0].powf(x[1]) }
    sqrt [0.2..3.0] |x| { x[0].sqrt() }
    cbrt [0.2..3.0] |x| { x[0].cbrt() }
    square [-3.0..3.0] |x| { x[0].square() }
    cube [-3.0..3.0] |x| { x[0].cube() }
    hypot [0.2..3.0, -3.0..3.0] |x| { x[0].hypot(x[1]) }
    recip [0.2..3.0] |x| { x[0].recip() }
    conj [-3.0..3.0] |x| { x[0].conj() }
    abs [-3.0..-0.1] |x| { x[0].abs() }
    max [-1.0..3.0, -3.0..1.0] |x| { x[0].max(x[1]) }
    min [-1.0..3.0, -3.0..1.0] |x| { x[0].min(x[1]) }
    clamp [-3.0..3.0, -1.5..-1.0, 1.0..1.5] |x| { x[0].clamp(x[1], x[2]) }
    select_less [-3.0..-1.0, 1.0..3.0, -3.0..3.0, -3.0..3.0] |x| { x[0].select_less(x[1], x[2], x[3]) }
    select_equal [-3.0..-1.0, 1.0..3.0, -3.0..3.0, -3.0..3.0] |x| { x[0].select_equal(x[1], x[2], x[3]) }
    mul_add [-3.0..3.0, -3.0..3.0, -3.0..3.0] |x| { x[0].mul_add(x[1], x[2]) }
    rem_euclid [-0.9..-0.1, 1.0..2.0] |x| { x[0].rem_euclid(x[1]) }
    to_degrees [-3.0..3.0] |x| { x[0].to_degrees() }
    to_radians [-3.0..3.0] |x| { x[0].to_radians() }
    erf [-2.0..2.0] |x| { x[0].erf() }
    gamma [0.5..3.0] |x| { x[0].gamma() }
    lgamma [0.5..3.0] |x| { x[0].lgamma() }
    fract [1.1..1.9] |x| { x[0].fract() }
    signum [-3.0..-0.1] |x| { x[0].signum() }
    floor [1.1..1.9] |x| { x[0].floor() }
    ceil [1.1..1.9] |x| { x[0].ceil() }
    round [0.6..1.4] |x| { x[0].round() }
    trunc [1.1..1.9] |x| { x[0].trunc() }
    sum [-3.0..3.0, -3.0..3.0] |x| { x[0] + x[1] }
    difference [-3.0..3.0, -3.0..3.0] |x| { x[0] - x[1] }
    product [-3.0..3.0, -3.0..3.0] |x| { x[0] * x[1] }
    opposite [-3.0..3.0] |x| { -x[0] }
    quotient [-3.0..3.0, 0.2..3.0] |x| { x[0] / x[1] }
    reciprocal [0.2..3.0] |x| { 1.0 / x[0] }
    remainder [2.1..2.9, 0.95..1.04] |x| { x[0] % x[1] }
}

/// A number in a range, from a counter: an irrational part of the way.
fn spread(range: &Range<f64>, counter: &mut u32) -> f64 {
    *counter += 1;
    range.start + (range.end - range.start) * (*counter as f64 * 0.618_033_988_749_894_9).fract()
}

/// Points of a rule's domain, each with a direction.
fn cases(rule: &Rule) -> impl Iterator<Item = (Vec<f64>, Vec<f64>)> {
    let mut counter = 0;
    (0..20).map(move |_| {
        // Numbers that `f32` has too.
        let mut number = |range: &Range<f64>| f64::from(spread(range, &mut counter) as f32);
        let point = rule.domain.iter().map(&mut number).collect();
        (point, rule.domain.iter().map(|_| number(&(0.5..1.5))).collect())
    })
}

#[track_caller]
fn transposed(rule: &Rule, slopes: fn(&[f64], &[f64]) -> Slopes, epsilon: f64) {
    for (point, direction) in cases(rule) {
        let Slopes { pushed, pulled, size } = slopes(&point, &direction);
        let close = (pushed - pulled).abs() <= 8.0 * epsilon * size;
        assert!(close, "{} at {point:?} along {direction:?}: {pushed} pushed, {pulled} pulled", rule.name);
    }
}

#[test]
fn the_pullback_of_a_rule_is_the_transpose_of_its_pushforward() {
    for rule in RULES {
        transposed(rule, rule.slopes, f64::EPSILON);
        transposed(rule, rule.slopes_of_f32, f32::EPSILON.into());
    }
}

#[test]
fn rules_follow_differences() {
    const STEP: f64 = 1e-3;
    for rule in RULES {
        for (point, direction) in cases(rule) {
            let at = |t: f64| {
                let moved: Vec<f64> = point.iter().zip(&direction).map(|(x, d)| x + t * STEP * d).collect();
                (rule.value)(&moved)
            };
            let expected = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * STEP);
            let close = |slope: f64, digits: f64| (slope - expected).abs() <= digits * (1.0 + expected.abs());
            let (wide, narrow) = ((rule.slopes)(&point, &direction), (rule.slopes_of_f32)(&point, &direction));
            assert!(close(wide.pulled, 1e-7), "{} at {point:?}: {}, not {expected}", rule.name, wide.pulled);
            assert!(close(narrow.pulled, 1e-4), "{} at {point:?}: {}, not {expected}", rule.name, narrow.pulled);
        }
    }
}

/// The names in the table that something active can go through: what is of integers alone is left out.
fn names() -> Vec<String> {
    let functions = Elementary::ALL.iter().filter(|function| !function.is_of_integers()).map(|f| f.name().to_string());
    let operators = TABLE.lines().filter_map(|line| line.strip_prefix("pub(crate) const ")?.split_once(": &[Through]"));
    let operators = operators.filter(|(_, rule)| !rule.contains("Partial::Bits")).map(|(name, _)| name.to_lowercase());
    functions.chain(operators).collect()
}

#[test]
fn every_rule_of_the_table_is_tried() {
    let tried: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(tried, names());
}
