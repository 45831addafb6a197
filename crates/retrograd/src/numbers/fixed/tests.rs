use super::*;

type F = Fixed<32>;

#[test]
fn literals_are_rounded_once_and_shown_by_their_digits() {
    for (text, x) in [("0.1", 0.1), ("-2.5", -2.5), ("0", 0.0), ("3", 3.0), ("1000000.7", 1000000.7)] {
        assert_eq!(F::lit(x).to_string(), text);
    }
    assert_eq!(
        format!("{:.3}|{:8.1}|{:.12}", F::lit(-0.0625), F::lit(9.96), F::lit(0.5)),
        "-0.063|    10.0|0.500000000000"
    );
    assert_eq!(Fixed::<62>::lit(-1.25).to_string(), "-1.25");
    assert_eq!(Fixed::<0>::MAX.to_string(), i64::MAX.to_string());
}

#[test]
fn whole_numbers_are_those_of_f64() {
    for x in [-2.5, -2.25, -2.0, -1.75, -0.5, -0.25, 0.0, 0.25, 0.5, 1.75, 2.0, 2.5] {
        let fixed = F::lit(x);
        let found =
            [fixed.floor(), fixed.ceil(), fixed.round(), fixed.trunc(), fixed.fract(), fixed.signum(), fixed.abs()];
        let fract = if x.fract() == 0.0 { 0.0 } else { x.fract() };
        let expected = [x.floor(), x.ceil(), x.round(), x.trunc(), fract, x.signum(), x.abs()].map(F::lit);
        assert_eq!(found, expected, "{x}");
        assert_eq!(fixed.rem_euclid(F::lit(0.75)), F::lit(x.rem_euclid(0.75)));
        assert_eq!(Fixed::<0>::lit(x.trunc()).round().to_f64(), x.trunc());
    }
}

#[test]
fn what_does_not_fit_is_told_from_what_does() {
    assert_eq!(F::try_from(-2147483648.0), Ok(F::MIN));
    for value in [2147483648.0, -2147483649.0, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(F::try_from(value), Err(OutOfRange { value, frac: 32 }));
    }
    assert!(F::try_from(f64::NAN).is_err());
    assert_eq!(F::from_int(-7_i8), F::lit(-7.0));
    assert_eq!(Fixed::<0>::from_int(i64::MAX), Fixed::MAX);
}

#[test]
fn sums_wrap_around() {
    assert_eq!(F::MAX + F::EPSILON, F::MIN);
    assert_eq!(-F::MIN, F::MIN);
}

#[test]
fn a_panic_says_what_is_wrong_and_what_to_write() {
    let message =
        |operation: fn() -> F| *std::panic::catch_unwind(operation).unwrap_err().downcast::<String>().unwrap();
    type Case = (fn() -> F, &'static str);
    let table: [Case; 9] = [
        (|| F::lit(1.0) / F::zero(), "1 is divided by zero, and fixed-point numbers have no infinity; write `if d !="),
        (|| F::zero().recip(), "1 is divided by zero"),
        (
            || F::zero().ln(),
            "`ln` of 0 is not a number, and fixed-point numbers have no NaN: a logarithm needs a positive number",
        ),
        (|| F::lit(-2.0).sqrt(), "`sqrt` of -2 is not a number"),
        (|| F::lit(1.5).asin(), "`asin` of 1.5 is not a number"),
        (|| F::lit(-1.5).powf(F::lit(0.5)), "a power that is not whole needs a positive number"),
        (
            || F::lit(65536.0) * F::lit(32768.0),
            "the value of `a * b` does not fit into Fixed<32>, which goes from -2147483648",
        ),
        (|| F::lit(22.0).exp(), "the value of `x.exp()` does not fit into Fixed<32>"),
        (|| F::lit(1e10), "10000000000.0 does not fit into Fixed<32>"),
    ];
    for (operation, expected) in table {
        let message = message(operation);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn powers_at_their_edges() {
    assert_eq!(F::zero().powf(F::zero()), F::one());
    assert_eq!(F::zero().powf(F::lit(0.5)), F::zero());
    assert_eq!(F::lit(-2.0).powf(F::lit(3.0)), F::lit(-8.0));
    assert_eq!(F::lit(-2.0).powi(-2), F::lit(0.25));
}

#[test]
fn checks_compare_all_bits() {
    let x = F::lit(0.3);
    assert!(crate::check::mismatches(&x, &x).is_empty());
    assert_eq!(crate::check::mismatches(&x, &(x + F::EPSILON)).len(), 1);
}

// Whether a value comes from floats or from sums of two of them is not seen.
#[test]
fn both_ways_to_a_value_are_rounded_to_the_same_bits() {
    use super::double::Double;
    type Case = (fn(F) -> F, fn(Double) -> Double);
    let cases: [Case; 12] = [
        (Real::sin, |x| elementary::sin_cos(x).0),
        (Real::cos, |x| elementary::sin_cos(x).1),
        (Real::exp, elementary::exp),
        (Real::ln, elementary::ln),
        (Real::log2, elementary::log2),
        (Real::exp2, elementary::exp2),
        (Real::tanh, elementary::tanh),
        (Real::asinh, elementary::asinh),
        (Real::acosh, elementary::acosh),
        (Real::cbrt, elementary::cbrt),
        (Real::sinh, elementary::sinh),
        (Real::atan, |x| elementary::atan2(x, Double::ONE)),
    ];
    for i in 0..500 {
        // From one to twenty, with all digits.
        let x = F::from_bits((1 << 32) + i * 163_577_856 + i * i * 7919);
        for (k, (function, exactly)) in cases.iter().enumerate() {
            let expected = exactly(Double::from_bits(x.to_bits(), 32)).to_bits(32);
            assert_eq!(i128::from(function(x).to_bits()), expected, "function {k} of {x}");
        }
    }
}
