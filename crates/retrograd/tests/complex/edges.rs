//! The derivatives of complex functions at their edges, as the table beside the rules says.

use num_complex::Complex;
use retrograd::numbers::NumAssign;
use retrograd::prelude::*;

type Z = Complex<f64>;

const ZERO: Z = Complex::new(0.0, 0.0);
const ONE: Z = Complex::new(1.0, 0.0);

/// Functions of one complex number, on floats and on any number.
macro_rules! functions {
    ($($name:ident, $generic:ident: |$z:ident| $value:expr;)*) => {$(
        #[reversible]
        fn $name($z: Complex<f64>) -> Complex<f64> {
            $value
        }

        #[reversible]
        fn $generic<T: Real + NumAssign>($z: Complex<T>) -> Complex<T> {
            $value
        }
    )*};
}

functions! {
    reciprocal, any_reciprocal: |z| z.inv();
    logarithm, any_logarithm: |z| z.ln();
    root, any_root: |z| z.sqrt();
    cube_root, any_cube_root: |z| z.cbrt();
    arc_sine, any_arc_sine: |z| z.asin();
    arc_cosine, any_arc_cosine: |z| z.acos();
    arc_tangent, any_arc_tangent: |z| z.atan();
    area_sine, any_area_sine: |z| z.asinh();
    area_cosine, any_area_cosine: |z| z.acosh();
    area_tangent, any_area_tangent: |z| z.atanh();
    power_0, any_power_0: |z| z.powi(0) + z.powu(0);
    power_1, any_power_1: |z| z.powi(1) + z.powu(1);
    real_power_0, any_real_power_0: |z| z.powf(0.0);
    real_power_1, any_real_power_1: |z| z.powf(1.0);
    real_power_2, any_real_power_2: |z| z.powf(2.0);
    complex_power_1, any_complex_power_1: |z| z.powc(Complex::new(1.0, 0.0));
    complex_power_2, any_complex_power_2: |z| z.powc(Complex::new(2.0, 0.5));
}

#[reversible]
fn exponents(c: f64, w: Complex<f64>) -> Complex<f64> {
    Complex::new(0.0, 0.0).powf(c) + Complex::new(0.0, 0.0).powc(w)
}

#[reversible]
fn lengths(z: Complex<f64>) -> (f64, f64, f64) {
    (z.norm(), z.arg(), z.l1_norm())
}

/// The derivative along the real line, beside the value of the function.
macro_rules! slopes {
    ($at:expr; $($function:ident),*) => {
        [$({
            let (value, slope) = $function::pushforward(($at, ONE));
            assert_eq!(format!("{value:?}"), format!("{:?}", $function($at)));
            slope
        }),*]
    };
}

fn is_nan(z: Z) -> bool {
    z.re.is_nan() || z.im.is_nan()
}

#[test]
fn where_a_slope_is_infinite_it_is_not_a_number() {
    let at_0 =
        slopes!(ZERO; reciprocal, any_reciprocal, logarithm, any_logarithm, root, any_root, cube_root, any_cube_root);
    assert!(at_0.into_iter().all(is_nan), "{at_0:?}");
    let at_1 = slopes!(ONE; arc_sine, any_arc_sine, arc_cosine, any_arc_cosine, area_cosine, any_area_cosine);
    assert!(at_1.into_iter().all(is_nan), "{at_1:?}");
    let at_1 = slopes!(ONE; area_tangent, any_area_tangent);
    assert!(at_1.into_iter().all(is_nan), "{at_1:?}");
    let at_i = slopes!(Z::i(); arc_tangent, any_arc_tangent, area_sine, any_area_sine);
    assert!(at_i.into_iter().all(is_nan), "{at_i:?}");
}

#[test]
fn powers_of_zero() {
    assert_eq!(slopes!(ZERO; power_0, any_power_0, real_power_0, any_real_power_0), [ZERO; 4]);
    assert_eq!(slopes!(ZERO; power_1, any_power_1), [ONE + ONE; 2]);
    assert_eq!(slopes!(ZERO; real_power_1, any_real_power_1, complex_power_1, any_complex_power_1), [ONE; 4]);
    assert_eq!(slopes!(ZERO; real_power_2, any_real_power_2, complex_power_2, any_complex_power_2), [ZERO; 4]);
    let (mut gc, mut gw) = (0.0, ZERO);
    let w = Complex::new(2.0, 0.5);
    assert_eq!(exponents::pullback((2.0, &mut gc), (w, &mut gw), ONE), exponents(2.0, w));
    assert_eq!((gc, gw), (0.0, ZERO));
}

#[test]
fn lengths_and_angles_at_the_origin_and_on_the_axes() {
    let mut gradient = ZERO;
    assert_eq!(lengths::pullback((ZERO, &mut gradient), (1.0, 1.0, 1.0)), lengths(ZERO));
    assert_eq!(gradient, ZERO);
    let mut gradient = ZERO;
    lengths::pullback((Complex::new(0.0, -2.0), &mut gradient), (0.0, 0.0, 1.0));
    assert_eq!(gradient, Complex::new(0.0, -1.0));
}

/// On a cut the derivative is that of the side which the sign of zero names, and so is the value: all those of `ComplexFunctions`, and
/// the logarithm and the roots of `num_complex`.
#[test]
fn derivatives_on_a_cut_are_those_of_the_side() {
    const H: f64 = 1e-7;
    type Run = fn((Z, Z)) -> (Z, Z);
    let below_0: [Run; 6] = [
        logarithm::pushforward,
        any_logarithm::pushforward,
        root::pushforward,
        any_root::pushforward,
        cube_root::pushforward,
        any_cube_root::pushforward,
    ];
    let outside: [Run; 3] = [any_arc_sine::pushforward, any_arc_cosine::pushforward, any_area_tangent::pushforward];
    let below_1: [Run; 1] = [any_area_cosine::pushforward];
    let beyond_i: [Run; 2] = [any_arc_tangent::pushforward, any_area_sine::pushforward];
    let across = |run: Run, at: Z, step: Z| {
        let (value, slope) = run((at, ONE));
        let (beside, _) = run((at + step, ONE));
        let expected = (beside - value) / step;
        assert!((slope - expected).norm() < 1e-5, "at {at:?}: {slope}, not {expected}");
    };
    for side in [1.0, -1.0] {
        let on_real_line = |run: Run, re: f64| across(run, Complex::new(re, 0.0 * side), Complex::new(0.0, H * side));
        below_0.into_iter().for_each(|run| on_real_line(run, -2.0));
        below_1.into_iter().for_each(|run| [-2.0, 0.5].into_iter().for_each(|re| on_real_line(run, re)));
        outside.into_iter().for_each(|run| [-2.0, 2.0].into_iter().for_each(|re| on_real_line(run, re)));
        for (run, im) in beyond_i.into_iter().flat_map(|run| [(run, -2.0), (run, 2.0)]) {
            across(run, Complex::new(0.0 * side, im), Complex::new(H * side, 0.0));
        }
    }
}
