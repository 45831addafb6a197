use super::*;
use crate::Fixed;

type L = LogNumber<Fixed<48>>;

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}

#[test]
fn arithmetic_is_that_of_f64() {
    let values = [-7.25, -1.0, -0.001, 0.0, 0.3, 1.0, 2.0, 1000.5];
    for a in values {
        for b in values {
            let (x, y) = (L::lit(a), L::lit(b));
            assert!(near((x + y).to_f64(), a + b, 1e-12), "{a} + {b} = {}", x + y);
            assert!(near((x - y).to_f64(), a - b, 1e-12), "{a} - {b} = {}", x - y);
            assert!(near((x * y).to_f64(), a * b, 1e-12), "{a} * {b} = {}", x * y);
            if b != 0.0 {
                assert!(near((x / y).to_f64(), a / b, 1e-12), "{a} / {b} = {}", x / y);
            }
            assert_eq!((x < y, x == y, x > y), (a < b, a == b, a > b), "{a} and {b}");
            assert!(near(x.hypot(y).to_f64(), a.hypot(b), 1e-12));
        }
    }
}

#[test]
fn functions_are_those_of_f64() {
    type Case = (fn(L) -> L, fn(f64) -> f64);
    let functions: [Case; 12] = [
        (Real::exp, f64::exp),
        (Real::exp2, f64::exp2),
        (Real::ln, f64::ln),
        (Real::log2, f64::log2),
        (Real::log10, f64::log10),
        (Real::sqrt, f64::sqrt),
        (Real::cbrt, f64::cbrt),
        (Real::sin, f64::sin),
        (Real::tanh, f64::tanh),
        (|x| x.powi(-3), |x| x.powi(-3)),
        (|x| x.powf(L::lit(1.5)), |x| x.powf(1.5)),
        (Real::floor, f64::floor),
    ];
    for x in [0.01, 0.5, 1.0, 2.75, 9.5] {
        for (i, (logarithmic, plain)) in functions.iter().enumerate() {
            let (found, expected) = (logarithmic(L::lit(x)).to_f64(), plain(x));
            assert!(near(found, expected, 1e-11), "function {i} of {x}: {found}, not {expected}");
        }
    }
    assert_eq!((L::lit(-2.0).powi(3), L::lit(-2.0).powi(2)), (L::lit(-8.0), L::lit(4.0)));
    assert_eq!((L::zero().powi(2), L::zero().powi(0), L::zero().sqrt()), (L::zero(), L::one(), L::zero()));
}

#[test]
fn a_number_is_shown_as_a_power_of_two() {
    assert_eq!([L::lit(8.0), L::lit(-0.5), L::zero()].map(|x| x.to_string()), ["2^3", "-2^-1", "0"]);
    assert_eq!(format!("{:?}", LogNumber::from_log2(1.5)), "2^1.5");
}

#[test]
fn zero_is_refused_as_a_factor_in_every_build() {
    let site = Site { function: "f", file: "f.rs", line: 1, column: 1, statement: "y *= e;" };
    let mut y = L::lit(3.0);
    for checked in [false, true] {
        assert_eq!(crate::attempt(|| y.mul_update(L::zero(), &site, checked)).unwrap_err().kind, ErrorKind::ZeroFactor);
        assert_eq!(crate::attempt(|| y.div_update(L::zero(), &site, checked)).unwrap_err().kind, ErrorKind::ZeroFactor);
    }
    assert_eq!(y, L::lit(3.0));
}

#[test]
fn checks_compare_all_bits_of_the_logarithm() {
    let other = L::from_log2(Fixed::EPSILON);
    assert!(crate::check::mismatches(&L::one(), &L::one()).is_empty());
    assert_eq!(crate::check::mismatches(&L::one(), &other)[0].path, ".log2");
    assert_eq!(crate::check::mismatches(&L::one(), &-L::one()).len(), 1);
}
