//! Every rule in lanes that lie on all sides of its kinks, edges and changes of method: in each lane it is what it is of one number.

use std::ops::Range;

use retrograd::{Lanes, attempt};
use retrograd_compiler::ir::Elementary;

/// How many numbers go through a rule together.
const WIDTH: usize = 4;

/// The value of a rule and its gradient.
type Slopes<T> = (T, Vec<T>);

/// A rule, in a function of nothing else.
struct Rule {
    /// As the table names it, in small letters.
    name: &'static str,
    /// The range of every argument, with numbers beyond the domain where the function is not a number.
    ranges: &'static [Range<f64>],
    of_numbers: fn(&[f64]) -> Slopes<f64>,
    of_lanes: fn(&[Lanes<f64, WIDTH>]) -> Slopes<Lanes<f64, WIDTH>>,
}

macro_rules! rules {
    ($($name:ident [$($range:expr),+] |$x:ident| { $($body:tt)+ })+) => {
        mod programs {
            use retrograd::prelude::*;

            $(
                #[reversible]
                pub(crate) fn $name<T: Real>($x: &[T; [$(stringify!($range)),+].len()]) -> T {
                    $($body)+
                }
            )+
        }

        const RULES: &[Rule] = &[$(Rule {
            name: stringify!($name),
            ranges: &[$($range),+],
            of_numbers: slopes!($name),
            of_lanes: slopes!($name),
        }),+];
    };
}

macro_rules! slopes {
    ($name:ident) => {
        |point| {
            let (value, gradient) = programs::$name::gradient(point.try_into().unwrap());
            (value, gradient.to_vec())
        }
    };
}

rules! {
    sin [-3.0..3.0] |x| { x[0].sin() }
    cos [-3.0..3.0] |x| { x[0].cos() }
    tan [-1.4..1.4] |x| { x[0].tan() }
    asin [-1.5..1.5] |x| { x[0].asin() }
    acos [-1.5..1.5] |x| { x[0].acos() }
    atan [-3.0..3.0] |x| { x[0].atan() }
    atan2 [-3.0..3.0, -2.0..2.0] |x| { x[0].atan2(x[1]) }
    sinh [-3.0..3.0] |x| { x[0].sinh() }
    cosh [-3.0..3.0] |x| { x[0].cosh() }
    tanh [-30.0..30.0] |x| { x[0].tanh() }
    asinh [-3.0..3.0] |x| { x[0].asinh() }
    acosh [0.2..3.0] |x| { x[0].acosh() }
    atanh [-1.9..1.9] |x| { x[0].atanh() }
    exp [-3.0..3.0] |x| { x[0].exp() }
    exp2 [-3.0..3.0] |x| { x[0].exp2() }
    exp_m1 [-3.0..3.0] |x| { x[0].exp_m1() }
    ln [-0.2..3.0] |x| { x[0].ln() }
    ln_1p [-1.8..3.0] |x| { x[0].ln_1p() }
    log2 [-0.2..3.0] |x| { x[0].log2() }
    log10 [-0.2..3.0] |x| { x[0].log10() }
    log [0.2..3.0, 1.5..4.0] |x| { x[0].log(x[1]) }
    powi [-3.2..3.0] |x| { x[0].powi(-3) }
    powf [-0.2..3.0, -2.0..2.0] |x| { x[0].powf(x[1]) }
    sqrt [-0.2..3.0] |x| { x[0].sqrt() }
    cbrt [-2.2..3.0] |x| { x[0].cbrt() }
    square [-3.0..3.0] |x| { x[0].square() }
    cube [-3.0..3.0] |x| { x[0].cube() }
    hypot [-2.2..3.0, -3.0..3.0] |x| { x[0].hypot(x[1]) }
    recip [-2.2..3.0] |x| { x[0].recip() }
    conj [-3.0..3.0] |x| { x[0].conj() }
    abs [-3.0..3.1] |x| { x[0].abs() }
    max [-3.0..3.0, -3.0..3.0] |x| { x[0].max(x[1]) }
    min [-3.0..3.0, -3.0..3.0] |x| { x[0].min(x[1]) }
    clamp [-3.0..3.0, -1.5..-1.0, 1.0..1.5] |x| { x[0].clamp(x[1], x[2]) }
    select_less [-3.0..3.0, -3.0..3.0, -3.0..3.0, -3.0..3.0] |x| { x[0].select_less(x[1], x[2], x[3]) }
    select_equal [-3.0..3.0, 1.0..3.0, -3.0..3.0, -3.0..3.0] |x| { x[0].round().select_equal(x[1].round(), x[2], x[3]) }
    mul_add [-3.0..3.0, -3.0..3.0, -3.0..3.0] |x| { x[0].mul_add(x[1], x[2]) }
    rem_euclid [-5.9..5.1, -1.0..2.0] |x| { x[0].rem_euclid(x[1]) }
    to_degrees [-3.0..3.0] |x| { x[0].to_degrees() }
    to_radians [-3.0..3.0] |x| { x[0].to_radians() }
    erf [-6.0..6.0] |x| { x[0].erf() }
    gamma [-5.5..13.0] |x| { x[0].gamma() }
    lgamma [-5.5..13.0] |x| { x[0].lgamma() }
    fract [-1.1..1.9] |x| { x[0].fract() }
    signum [-3.0..3.1] |x| { x[0].signum() }
    floor [-1.1..1.9] |x| { x[0].floor() }
    ceil [-1.1..1.9] |x| { x[0].ceil() }
    round [-0.6..1.4] |x| { x[0].round() }
    trunc [-1.1..1.9] |x| { x[0].trunc() }
}

/// Points of a rule, each with a number for every argument: an irrational part of the way through its range.
fn points(rule: &Rule) -> impl Iterator<Item = [Vec<f64>; WIDTH]> {
    let mut counter = 0;
    let mut number = move |range: &Range<f64>| {
        counter += 1;
        range.start + (range.end - range.start) * (f64::from(counter) * 0.618_033_988_749_894_9).fract()
    };
    (0..50).map(move |_| std::array::from_fn(|_| rule.ranges.iter().map(&mut number).collect()))
}

fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-14 * (a.abs() + b.abs())
}

#[test]
fn rules_go_lane_by_lane() {
    for rule in RULES {
        for points in points(rule) {
            let lanes: Vec<_> = (0..rule.ranges.len()).map(|k| Lanes::from(points.each_ref().map(|x| x[k]))).collect();
            let (value, gradient) = attempt(|| (rule.of_lanes)(&lanes))
                .unwrap_or_else(|error| panic!("{} at {points:?}: {error}", rule.name));
            for (lane, point) in points.iter().enumerate() {
                let (expected, slopes) = (rule.of_numbers)(point);
                let found: Vec<f64> = gradient.iter().map(|slope| slope.to_array()[lane]).collect();
                let all =
                    same(value.to_array()[lane], expected) && found.iter().zip(&slopes).all(|(a, b)| same(*a, *b));
                assert!(all, "{} at {point:?}: {found:?}, not {slopes:?}", rule.name);
            }
        }
    }
}

#[test]
fn every_rule_is_tried() {
    let tried: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    let names = Elementary::ALL.iter().filter(|function| !function.is_of_integers()).map(|function| function.name());
    assert_eq!(tried, names.collect::<Vec<_>>());
}
