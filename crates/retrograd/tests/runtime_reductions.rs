//! The reductions of `ops`: values, edges, and derivatives that agree with each other and with dual numbers.

use retrograd::ops::{argmax, dot, log_sum_exp, maximum, sum};
use retrograd::private::{NoShadow, Sweep};
use retrograd::{Dual, Real, Seeds};

const X: [f64; 5] = [0.5, -1.25, 3.0, 2.75, -0.125];
const DX: [f64; 5] = [1.0, 0.5, -0.25, 2.0, -4.0];

/// The directional derivative by dual numbers, for which the function has to be generic and nothing else.
fn along(f: impl Fn(&[Dual<f64, 1>]) -> Dual<f64, 1>) -> f64 {
    let x: Vec<_> = X.iter().zip(DX).map(|(&x, d)| Dual::new(x, [d])).collect();
    f(&x).eps[0]
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-15 * (1.0 + a.abs() + b.abs())
}

macro_rules! agree {
    ($($name:ident),*) => {$({
        let (value, tangent) = $name::pushforward((&X, &DX));
        let (again, gradient) = $name::gradient(&X);
        let pulled: f64 = gradient.iter().zip(DX).map(|(g, d)| g * d).sum();
        assert_eq!((value, again), ($name(&X), $name(&X)));
        assert!(close(tangent, pulled) && close(tangent, along($name)), concat!(stringify!($name), " {} {}"), tangent, pulled);

        let mut gx = [10.0; 5];
        assert_eq!($name::pullback((&X, &mut gx), 2.0), value);
        for (g, d) in gx.iter().zip(&gradient) {
            assert!(close(*g, 10.0 + 2.0 * d), "an adjoint is added to");
        }

        let mut seeds = [Seeds([0.0; 2]); 5];
        $name::__pullback(Sweep::<Seeds<f64, 2>>::new(), &X, &mut seeds, Seeds([1.0, -1.0]));
        for (seed, d) in seeds.iter().zip(&gradient) {
            assert!(close(seed[0], *d) && close(seed[1], -*d));
        }
        assert_eq!($name::__pushforward(Sweep::<f64>::new(), &X, NoShadow), (value, 0.0));
        $name::__pullback(Sweep::<f64>::new(), &X, NoShadow, 1.0);
    })*};
}

#[test]
fn pullback_pushforward_and_dual_numbers_agree() {
    agree!(sum, maximum, log_sum_exp);
}

#[test]
fn the_inner_product_with_itself_has_both_parts() {
    let (value, gx, gy) = dot::gradient(&X, &X);
    assert_eq!((value, &gx[..], &gy[..]), (dot(&X, &X), &X[..], &X[..]));
    assert!(close(dot::pushforward((&X, &DX), (&X, &DX)).1, along(|x| dot(x, x))));
    assert_eq!(dot::__pullback(Sweep::<f64>::new(), &X, NoShadow, &X, NoShadow, 1.0), value);
}

#[test]
fn hessians_follow_from_dual_numbers() {
    // The Hessian of log-sum-exp times a direction, forward over reverse: w (d − w·d).
    let x: Vec<Dual<f64, 1>> = X.iter().zip(DX).map(|(&x, d)| Dual::new(x, [d])).collect();
    let (_, gradient) = log_sum_exp::gradient(&x);
    let mean: f64 = gradient.iter().zip(DX).map(|(g, d)| g.re * d).sum();
    for (g, d) in gradient.iter().zip(DX) {
        assert!(close(g.eps[0], g.re * (d - mean)), "{} {}", g.eps[0], g.re * (d - mean));
    }
}

#[test]
fn nothing_is_reduced_to_the_neutral_element() {
    assert_eq!((sum::<f64>(&[]), dot::<f64>(&[], &[])), (0.0, 0.0));
    assert_eq!((maximum::<f64>(&[]), log_sum_exp::<f64>(&[])), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    assert_eq!(maximum::gradient::<f64>(&[]).1.len() + log_sum_exp::gradient::<f64>(&[]).1.len(), 0);
    assert_eq!(maximum::pushforward::<f64>((&[], &[])).1, 0.0);
}

#[test]
fn infinite_and_missing_numbers() {
    const NEVER: f64 = f64::NEG_INFINITY;
    assert_eq!(log_sum_exp::gradient(&[NEVER, 0.0]), (0.0, vec![0.0, 1.0]));
    assert_eq!(log_sum_exp::gradient(&[NEVER, NEVER]), (NEVER, vec![0.0, 0.0]));
    assert_eq!(log_sum_exp(&[f64::INFINITY, 0.0]), f64::INFINITY);
    assert!(log_sum_exp(&[0.0, f64::NAN]).is_nan() && maximum(&[0.0, f64::NAN, 1.0]).is_nan());
    assert_eq!((argmax(&[NEVER, NEVER]), argmax(&[0.0, f64::NAN, f64::NAN, 1.0])), (0, 1));
    assert_eq!(maximum::gradient(&[-0.0, 0.0]).1, [1.0, 0.0]);
}

#[test]
fn large_numbers_neither_overflow_nor_lose_their_weights() {
    let (value, weights) = log_sum_exp::gradient(&[1e5, 1e5 + 1.0, -1e5]);
    assert!(close(value, 1e5 + 1.0 + (-1_f64).exp().ln_1p()));
    assert!(close(weights.iter().sum(), 1.0) && close(weights[0] / weights[1], (-1_f64).exp()), "{weights:?}");
    assert_eq!(log_sum_exp(&[-1e5_f32, -1e5]), -1e5 + std::f32::consts::LN_2);
}

#[test]
fn reductions_are_generic() {
    fn soft<T: Real>(x: &[T]) -> T {
        log_sum_exp(x) - maximum(x) + sum(x) * dot(x, x)
    }
    assert!((soft(&X.map(|x| x as f32)) as f64 - soft(&X)).abs() < 1e-4);
}

#[test]
#[should_panic = "the inner product of 2 numbers with 1 numbers"]
fn different_lengths_are_refused() {
    dot(&[1.0, 2.0], &[1.0]);
}

#[test]
#[should_panic = "`x` has length 2, but its derivative has length 1"]
fn a_derivative_of_another_length_is_refused() {
    sum::pullback((&[1.0, 2.0], &mut [0.0]), 1.0);
}

#[test]
#[should_panic = "the largest of no numbers"]
fn nothing_has_no_largest() {
    argmax::<f64>(&[]);
}
