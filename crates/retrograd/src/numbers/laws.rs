//! Laws of all number types, over one table of functions.

use crate::{Dual, Real, Taylor, Traced, trace};

const K: usize = 6;
type Nested = Dual<Dual<f64, 1>, 1>;

/// A function of one number on every number type, and points where it is smooth.
struct Case {
    name: &'static str,
    points: &'static [f64],
    plain: fn(f64) -> f64,
    dual: fn(Dual<f64, 1>) -> Dual<f64, 1>,
    nested: fn(Nested) -> Nested,
    taylor: fn(Taylor<f64, K>) -> Taylor<f64, K>,
    taylor_of_dual: fn(Taylor<Dual<f64, 1>, K>) -> Taylor<Dual<f64, 1>, K>,
    traced: fn(Traced) -> Traced,
}

macro_rules! cases {
    ($($function:expr, $points:expr;)*) => {vec![$(
        Case {
            name: stringify!($function),
            points: &$points,
            plain: $function,
            dual: $function,
            nested: $function,
            taylor: $function,
            taylor_of_dual: $function,
            traced: $function,
        },
    )*]};
}

/// Functions of several numbers, along a curve on which all of them change.
mod curves {
    use crate::Real;

    pub(super) fn mul<T: Real>(x: T) -> T {
        x * (x + T::lit(1.5))
    }
    pub(super) fn div<T: Real>(x: T) -> T {
        (x + T::lit(2.0)) / (x * x + T::lit(0.5))
    }
    pub(super) fn square_of_difference<T: Real>(x: T) -> T {
        let difference = T::lit(3.0) - x;
        -(difference * difference)
    }
    pub(super) fn powi_5<T: Real>(x: T) -> T {
        x.powi(5)
    }
    pub(super) fn powi_1<T: Real>(x: T) -> T {
        x.powi(1)
    }
    pub(super) fn powi_minus_3<T: Real>(x: T) -> T {
        x.powi(-3)
    }
    pub(super) fn powf<T: Real>(x: T) -> T {
        x.powf(x * T::lit(0.5) + T::lit(1.25))
    }
    pub(super) fn powf_of_constant<T: Real>(x: T) -> T {
        x.powf(T::lit(3.0))
    }
    pub(super) fn powf_to_constant<T: Real>(x: T) -> T {
        T::lit(2.5).powf(x)
    }
    pub(super) fn hypot<T: Real>(x: T) -> T {
        (x + T::one()).hypot(x * x)
    }
    pub(super) fn atan2<T: Real>(x: T) -> T {
        (x - T::lit(2.0)).atan2(x * x - T::lit(3.0))
    }
    pub(super) fn log<T: Real>(x: T) -> T {
        (x + T::lit(3.0)).log(x * x + T::lit(1.5))
    }
    pub(super) fn max<T: Real>(x: T) -> T {
        (x * x).max(x + T::one())
    }
    pub(super) fn min<T: Real>(x: T) -> T {
        (x * x).min(x + T::one())
    }
    pub(super) fn clamp<T: Real>(x: T) -> T {
        (x * x).clamp(x * T::lit(0.3) + T::lit(0.5), x * T::lit(0.5) + T::one())
    }
    pub(super) fn mul_add<T: Real>(x: T) -> T {
        x.mul_add(x.sin(), x * x)
    }
    pub(super) fn rem_euclid<T: Real>(x: T) -> T {
        (x * x * T::lit(2.0) - T::lit(3.0)).rem_euclid(x + T::lit(4.0))
    }
    pub(super) fn sin_times_cos<T: Real>(x: T) -> T {
        let (sin, cos) = x.sin_cos();
        sin * cos
    }
    pub(super) fn steps<T: Real>(x: T) -> T {
        x * x + x * x.floor() - x * x.ceil() + x * x.round() + x * x.trunc() + x * x.signum()
    }
}

const ALL: [f64; 5] = [-2.3, -0.4, 0.3, 0.9, 2.2];
const POSITIVE: [f64; 4] = [0.07, 0.6, 1.3, 4.5];
const NOT_ZERO: [f64; 4] = [-1.7, -0.3, 0.4, 2.6];
const UNIT: [f64; 4] = [-0.8, -0.2, 0.3, 0.7];

fn cases() -> Vec<Case> {
    cases! {
        Real::sin, ALL; Real::cos, ALL; Real::tan, ALL; curves::sin_times_cos, ALL;
        Real::asin, UNIT; Real::acos, UNIT; Real::atan, ALL; curves::atan2, ALL;
        Real::sinh, ALL; Real::cosh, ALL; Real::tanh, ALL;
        Real::asinh, ALL; Real::acosh, [1.2, 2.0, 5.0]; Real::atanh, UNIT;
        Real::exp, ALL; Real::exp2, ALL; Real::exp_m1, ALL;
        Real::ln, POSITIVE; Real::ln_1p, [-0.6, -0.1, 0.2, 3.0]; Real::log2, POSITIVE; Real::log10, POSITIVE;
        curves::log, ALL;
        Real::sqrt, POSITIVE; Real::cbrt, NOT_ZERO; Real::square, ALL; Real::cube, ALL; Real::recip, NOT_ZERO;
        curves::powi_5, ALL; curves::powi_1, ALL; curves::powi_minus_3, NOT_ZERO;
        curves::powf, POSITIVE; curves::powf_of_constant, ALL; curves::powf_to_constant, ALL; curves::hypot, ALL;
        Real::erf, ALL; Real::gamma, [0.4, 1.3, 3.7, -0.6, -2.3]; Real::lgamma, [0.4, 1.3, 3.7, -0.6, -2.3];
        Real::abs, NOT_ZERO; curves::max, ALL; curves::min, ALL; curves::clamp, ALL;
        Real::fract, NOT_ZERO; curves::rem_euclid, ALL; curves::steps, ALL;
        Real::to_degrees, ALL; Real::to_radians, ALL; Real::conj, ALL;
        curves::mul, ALL; curves::div, ALL; curves::square_of_difference, ALL; curves::mul_add, ALL;
    }
}

/// Runs a law at every point of every case.
fn for_each_point(law: impl Fn(&Case, f64)) {
    for case in cases() {
        for &x in case.points {
            law(&case, x);
        }
    }
}

#[track_caller]
fn assert_near(case: &Case, x: f64, what: &str, expected: f64, actual: f64, tolerance: f64) {
    let error = (expected - actual).abs() / expected.abs().max(1.0);
    assert!(error <= tolerance, "{} at {x}, {what}: expected {expected}, found {actual}", case.name);
}

/// The derivative of `f` from differences, extrapolated to a step of zero.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let mut estimates: Vec<f64> =
        (0..5).map(|i| 0.02 / f64::powi(2.0, i)).map(|h| (f(x + h) - f(x - h)) / (2.0 * h)).collect();
    for order in 1..5 {
        let factor = f64::powi(4.0, order);
        estimates = estimates.windows(2).map(|pair| (factor * pair[1] - pair[0]) / (factor - 1.0)).collect();
    }
    estimates[0]
}

fn nested(x: f64) -> Nested {
    Dual::variable(Dual::variable(x, 0), 0)
}

#[test]
fn every_number_computes_the_value_that_f64_does() {
    for_each_point(|case, x| {
        let value = (case.plain)(x);
        let found = [
            (case.dual)(Dual::variable(x, 0)).re,
            (case.nested)(nested(x)).re.re,
            (case.taylor)(Taylor::line(x, 1.0)).value(),
            trace(&[x], |x| (case.traced)(x[0])).value(),
        ];
        assert_eq!(found, [value; 4], "{} at {x}", case.name);
    });
}

#[test]
fn the_derivative_of_a_dual_number_is_that_of_the_function() {
    for_each_point(|case, x| {
        let derivative = (case.dual)(Dual::variable(x, 0)).eps[0];
        assert_near(case, x, "first derivative", difference(case.plain, x), derivative, 1e-9);
    });
}

#[test]
fn the_derivative_of_a_derivative_is_the_second_one() {
    for_each_point(|case, x| {
        let second = (case.nested)(nested(x)).eps[0].eps[0];
        let of_first = difference(|x| (case.dual)(Dual::variable(x, 0)).eps[0], x);
        assert_near(case, x, "second derivative", of_first, second, 1e-8);
        let taylor = (case.taylor)(Taylor::line(x, 1.0));
        assert_near(case, x, "second derivative as a series", second, taylor.derivative(2), 1e-11);
    });
}

// The derivative of the k-th derivative is the (k + 1)-st: one from a dual number in a series, one from the series alone.
#[test]
fn each_order_of_a_series_is_the_derivative_of_the_one_before() {
    for_each_point(|case, x| {
        let series = (case.taylor_of_dual)(Taylor::line(Dual::variable(x, 0), Dual::constant(1.0)));
        for k in 0..K {
            let (lower, higher) = (series.derivative(k), series.derivative(k + 1));
            assert_near(case, x, &format!("order {}", k + 1), lower.eps[0], higher.re, 1e-9);
        }
    });
}

#[test]
fn a_slope_scales_the_orders_by_its_powers() {
    for_each_point(|case, x| {
        let (one, two) = ((case.taylor)(Taylor::line(x, 1.0)), (case.taylor)(Taylor::line(x, -2.0)));
        for k in 0..=K {
            let expected = one.coefficient(k) * f64::powi(-2.0, k as i32);
            assert_near(case, x, &format!("order {k}"), expected, two.coefficient(k), 1e-12);
        }
    });
}

#[test]
fn a_graph_has_the_derivatives_of_dual_numbers() {
    for_each_point(|case, x| {
        let expected = (case.nested)(nested(x));
        let graph = trace(&[x], |x| (case.traced)(x[0]));
        assert_near(case, x, "gradient", expected.eps[0].re, graph.gradient()[0], 1e-13);
        assert_near(case, x, "hessian", expected.eps[0].eps[0], graph.hessian()[0], 1e-12);
        assert_near(case, x, "sparse hessian", expected.eps[0].eps[0], graph.sparse_hessian().get(0, 0), 1e-12);
    });
}

// Directions do not know of each other.
#[test]
fn several_directions_are_several_runs() {
    fn f<T: Real>(x: T, y: T) -> T {
        (x * y).sin() / (x - y.exp()) + x.hypot(y).powf(y)
    }
    let (x, y) = (0.7, 1.9);
    let both = f(Dual::<f64, 2>::variable(x, 0), Dual::variable(y, 1));
    let by_x = f(Dual::<f64, 1>::variable(x, 0), Dual::constant(y));
    let by_y = f(Dual::<f64, 1>::constant(x), Dual::variable(y, 0));
    assert_eq!(both.eps, [by_x.eps[0], by_y.eps[0]]);
}

// What the rules say where there is no derivative, or an infinite one, is what every number says.
#[test]
fn edges_are_those_of_the_rules() {
    fn squared_root<T: Real>(x: T) -> T {
        x.powf(T::lit(0.5))
    }
    fn to_the_0<T: Real>(x: T) -> T {
        x.powf(T::zero())
    }
    fn to_the_1<T: Real>(x: T) -> T {
        x.powf(T::one())
    }
    fn to_the_minus_1<T: Real>(x: T) -> T {
        x.powf(-T::one())
    }
    fn powi_0<T: Real>(x: T) -> T {
        x.powi(0)
    }
    fn binary_logarithm<T: Real>(x: T) -> T {
        x.log(T::lit(2.0))
    }
    fn to_the_x<T: Real>(x: T) -> T {
        T::zero().powf(x)
    }
    fn max<T: Real>(x: T) -> T {
        x.max(T::one())
    }
    fn max_of<T: Real>(x: T) -> T {
        T::one().max(x)
    }
    fn clamp<T: Real>(x: T) -> T {
        x.clamp(T::zero(), x * T::lit(1.0))
    }
    fn hypot<T: Real>(x: T) -> T {
        x.hypot(x)
    }
    fn atan2<T: Real>(x: T) -> T {
        x.atan2(x)
    }
    let infinity = f64::INFINITY;
    let edges = [
        (0.0, infinity, cases!(Real::sqrt, []; Real::cbrt, []; Real::ln, []; squared_root, []; binary_logarithm, [];)),
        (0.0, 0.0, cases!(Real::abs, []; powi_0, []; to_the_0, []; hypot, []; atan2, [];)),
        (0.0, 1.0, cases!(to_the_1, []; clamp, []; curves::powi_1, []; Real::fract, []; Real::conj, [];)),
        (0.0, -infinity, cases!(to_the_minus_1, []; Real::recip, []; Real::gamma, []; Real::lgamma, [];)),
        (1.0, 1.0, cases!(max, []; clamp, []; to_the_1, []; Real::fract, []; Real::abs, [];)),
        (1.0, 0.0, cases!(max_of, []; Real::floor, []; Real::signum, []; powi_0, []; to_the_x, [];)),
        (1.0, infinity, cases!(Real::asin, []; Real::acosh, []; Real::atanh, [];)),
    ];
    for (x, expected, cases) in edges {
        for case in cases {
            let found = [
                (case.dual)(Dual::variable(x, 0)).eps[0],
                (case.nested)(nested(x)).re.eps[0],
                (case.taylor)(Taylor::line(x, 1.0)).derivative(1),
                trace(&[x], |x| (case.traced)(x[0])).gradient()[0],
            ];
            assert_eq!(found, [expected; 4], "{} at {x}", case.name);
        }
    }
}
