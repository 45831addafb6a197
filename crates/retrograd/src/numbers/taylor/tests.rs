use super::*;
use crate::Dual;

/// The series of `f` at `x`, coefficient by coefficient.
fn series<const K: usize>(f: impl Fn(Taylor<f64, K>) -> Taylor<f64, K>, x: f64) -> Vec<f64> {
    f(Taylor::line(x, 1.0)).coefficients().collect()
}

#[track_caller]
fn assert_series(name: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{name}");
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() <= 1e-14 * expected.abs().max(1.0),
            "{name}, order {k}: {found}, not {expected}"
        );
    }
}

type Function = fn(Taylor<f64, 6>) -> Taylor<f64, 6>;

#[test]
fn known_series_at_zero() {
    let ln_2 = std::f64::consts::LN_2;
    let from_pi = std::f64::consts::FRAC_2_SQRT_PI;
    let table: [(&str, Function, [f64; 7]); 17] = [
        ("exp", Real::exp, [1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0]),
        ("exp_m1", Real::exp_m1, [0.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0]),
        ("sin", Real::sin, [0.0, 1.0, 0.0, -1.0 / 6.0, 0.0, 1.0 / 120.0, 0.0]),
        ("cos", Real::cos, [1.0, 0.0, -1.0 / 2.0, 0.0, 1.0 / 24.0, 0.0, -1.0 / 720.0]),
        ("tan", Real::tan, [0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0]),
        ("asin", Real::asin, [0.0, 1.0, 0.0, 1.0 / 6.0, 0.0, 3.0 / 40.0, 0.0]),
        ("atan", Real::atan, [0.0, 1.0, 0.0, -1.0 / 3.0, 0.0, 1.0 / 5.0, 0.0]),
        ("sinh", Real::sinh, [0.0, 1.0, 0.0, 1.0 / 6.0, 0.0, 1.0 / 120.0, 0.0]),
        ("cosh", Real::cosh, [1.0, 0.0, 1.0 / 2.0, 0.0, 1.0 / 24.0, 0.0, 1.0 / 720.0]),
        ("tanh", Real::tanh, [0.0, 1.0, 0.0, -1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0]),
        ("asinh", Real::asinh, [0.0, 1.0, 0.0, -1.0 / 6.0, 0.0, 3.0 / 40.0, 0.0]),
        ("atanh", Real::atanh, [0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 1.0 / 5.0, 0.0]),
        ("ln_1p", Real::ln_1p, [0.0, 1.0, -1.0 / 2.0, 1.0 / 3.0, -1.0 / 4.0, 1.0 / 5.0, -1.0 / 6.0]),
        ("exp2", Real::exp2, std::array::from_fn(|k| ln_2.powi(k as i32) / (1..=k).product::<usize>() as f64)),
        ("erf", Real::erf, [0.0, from_pi, 0.0, -from_pi / 3.0, 0.0, from_pi / 10.0, 0.0]),
        ("exp(sin t)", |t| t.sin().exp(), [1.0, 1.0, 0.5, 0.0, -1.0 / 8.0, -1.0 / 15.0, -1.0 / 240.0]),
        ("t / (exp t - 1)", bernoulli, [1.0, -0.5, 1.0 / 12.0, 0.0, -1.0 / 720.0, 0.0, 1.0 / 30240.0]),
    ];
    for (name, function, expected) in table {
        assert_series(name, &series(function, 0.0), &expected);
    }
}

/// Both divided by t: what is left of the exponential is 1 + t/2! + t²/3! + ..
fn bernoulli(_t: Taylor<f64, 6>) -> Taylor<f64, 6> {
    let divisor = Taylor::new(1.0, [1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0]);
    1.0 / divisor
}

#[test]
fn known_series_at_one() {
    let table: [(&str, Function, [f64; 7]); 4] = [
        ("ln", Real::ln, [0.0, 1.0, -1.0 / 2.0, 1.0 / 3.0, -1.0 / 4.0, 1.0 / 5.0, -1.0 / 6.0]),
        ("recip", Real::recip, [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]),
        ("sqrt", Real::sqrt, [1.0, 0.5, -1.0 / 8.0, 1.0 / 16.0, -5.0 / 128.0, 7.0 / 256.0, -21.0 / 1024.0]),
        ("cbrt", Real::cbrt, [1.0, 1.0 / 3.0, -1.0 / 9.0, 5.0 / 81.0, -10.0 / 243.0, 22.0 / 729.0, -154.0 / 6561.0]),
    ];
    for (name, function, expected) in table {
        assert_series(name, &series(function, 1.0), &expected);
    }
}

// Each pair is one function, written in two ways.
#[test]
fn identities_hold_in_every_order() {
    let table: [(&str, f64, Function, Function); 14] = [
        ("sin² + cos²", 0.7, |x| x.sin().square() + x.cos().square(), |_| Taylor::one()),
        ("cosh² - sinh²", 0.7, |x| x.cosh().square() - x.sinh().square(), |_| Taylor::one()),
        ("tan", 0.7, Real::tan, |x| x.sin() / x.cos()),
        ("tanh", 0.7, Real::tanh, |x| x.sinh() / x.cosh()),
        ("exp ln", 1.7, |x| x.ln().exp(), |x| x),
        ("asin sin", 0.7, |x| x.sin().asin(), |x| x),
        ("acos cos", 0.7, |x| x.cos().acos(), |x| x),
        ("acosh cosh", 0.7, |x| x.cosh().acosh(), |x| x),
        ("sqrt square", 1.7, |x| x.sqrt().square(), |x| x),
        ("cbrt cube", -1.7, |x| x.cbrt().cube(), |x| x),
        ("hypot", 1.3, |x| x.hypot(x.sin()), |x| (x * x + x.sin() * x.sin()).sqrt()),
        ("atan2", 1.3, |x| x.exp().atan2(x), |x| (x.exp() / x).atan()),
        ("Γ(x + 1) = x Γ(x)", 1.3, |x| (x + 1.0).gamma(), |x| x * x.gamma()),
        ("ln Γ", 1.3, |x| x.gamma().ln(), Real::lgamma),
    ];
    for (name, x, left, right) in table {
        let (left, right) = (left(Taylor::line(x, 1.0)), right(Taylor::line(x, 1.0)));
        for k in 0..=6 {
            let (left, right) = (left.coefficient(k), right.coefficient(k));
            assert!((left - right).abs() < 1e-10 * left.abs().max(1.0), "{name}, order {k}: {left} and {right}");
        }
    }
}

#[test]
fn powers_do_not_mind_zero() {
    assert_eq!(series::<4>(|t| t.powi(3), 0.0), [0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(series::<4>(|t| t.powf(Taylor::constant(3.0)), 0.0), [0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(series::<2>(|t| t.powf(Taylor::constant(2.5)), 0.0), [0.0, 0.0, 0.0]);
    assert_eq!(series::<3>(|t| t.powf(Taylor::constant(2.5)), 0.0)[3], f64::INFINITY);
    assert_eq!(series::<3>(|t| t.powf(Taylor::constant(2.0)), -3.0), [9.0, -6.0, 1.0, 0.0]);
}

#[test]
fn a_long_hypotenuse_does_not_overflow() {
    let h = Taylor::<f64, 2>::line(3e200, 1e200).hypot(Taylor::constant(4e200));
    assert!(h.coefficients().zip([5e200, 0.6e200, 0.064e200]).all(|(a, b)| (a / b - 1.0).abs() < 1e-14));
}

// The order of nesting does not matter: a series of dual numbers is a dual number of series.
#[test]
fn series_and_dual_numbers_nest_in_either_order() {
    fn f<T: Real>(x: T) -> T {
        (x.sin() + x.sqrt()).exp() / x.powf(x)
    }
    let x = 1.3;
    let inside = f(Taylor::<Dual<f64, 1>, 3>::line(Dual::variable(x, 0), Dual::constant(1.0)));
    let outside = f(Dual::<Taylor<f64, 3>, 1>::variable(Taylor::line(x, 1.0), 0));
    for k in 0..=3 {
        assert_eq!(inside.coefficient(k).re, outside.re.coefficient(k));
        let (inside, outside) = (inside.coefficient(k).eps[0], outside.eps[0].coefficient(k));
        assert!((inside - outside).abs() < 1e-11 * inside.abs().max(1.0), "order {k}: {inside} and {outside}");
    }
}

#[test]
fn a_series_of_order_zero_is_a_value() {
    let x = Taylor::<f64, 0>::line(0.5, 1.0);
    assert_eq!((x * x + x.sin() / x).value(), 0.25 + 0.5_f64.sin() / 0.5);
    assert_eq!(x.coefficients().count(), 1);
}

#[test]
fn a_series_shows_all_its_coefficients() {
    let x = Taylor::new(1.0, [2.0, -0.5]);
    assert_eq!(x.to_string(), "1 + 2 t - 0.5 t^2");
    assert_eq!(format!("{x:?}"), "Taylor[1.0, 2.0, -0.5]");
    assert_eq!(format!("{x:.2}"), "1.00 + 2.00 t - 0.50 t^2");
}

#[test]
fn checks_see_every_coefficient_and_comparisons_the_value() {
    let (a, b) = (Taylor::new(1.0, [2.0, 3.0]), Taylor::new(1.0, [2.0, 4.0]));
    assert!(a == b && a <= b);
    assert_eq!(crate::check::mismatches(&a, &b)[0].path, "[2]");
}

#[test]
#[should_panic(expected = "order 3 of a series that is cut off behind order 2")]
fn an_order_that_is_not_there_is_refused() {
    Taylor::<f64, 2>::line(1.0, 1.0).derivative(3);
}
