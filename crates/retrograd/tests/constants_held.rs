//! Through a `#[constant] let` no derivative flows, of whatever order and by whatever number it is carried.

use retrograd::Dual;
use retrograd::prelude::*;

/// In each program the constants are named, and the same function of fixed ones has the derivatives that are expected.
#[reversible]
fn weighted<T: Real>(x: &[T]) -> T {
    #[constant]
    let w = 1.0 / (1.0 + x[0] * x[0]);
    x[0] * w + x[1] * x[1] * w
}

#[reversible]
fn copied<T: Real>(x: &[T]) -> T {
    #[constant]
    let w = x[0];
    x[0] * w + x[1] * x[1] * w
}

#[reversible]
fn inside<T: Real>(x: &[T]) -> T {
    x[1] * x[1] * {
        #[constant]
        let w = x[0];
        w * w
    } + x[0]
}

#[reversible]
fn arrays<T: Real>(x: &[T]) -> T {
    #[constant]
    let (w, n) = ([x[0], x[1]], x.len());
    #[constant]
    let v = x.to_vec();
    x[1] * x[1] * w[0] * w[1] + x[0] * v[1] * (n as T)
}

#[reversible]
fn add_held<T: Real>(y: &mut T, x: T) {
    #[constant]
    let v = x * x;
    *y += v * x;
}

#[reversible]
fn by_procedure<T: Real>(x: &[T]) -> T {
    let mut y = T::zero();
    add_held(&mut y, x[0]);
    add_held(&mut y, x[1]);
    y * y
}

#[reversible(record)]
fn recorded<T: Real>(x: &[T]) -> T {
    let mut y = x[0];
    for i in 0..x.len() {
        #[constant]
        let v = y * x[i];
        y = y * v + x[1] * x[i];
    }
    y * y
}

#[reversible]
fn behind<T: Real>(x: &[T]) -> T {
    #[constant]
    let v = &x[1..];
    x[0] * v[0]
}

const X: [f64; 2] = [0.8, 1.3];

/// The gradient and the Hessian of a function, by dual numbers in dual numbers.
fn derivatives(f: impl Fn([Dual<Dual<f64, 2>, 2>; 2]) -> Dual<Dual<f64, 2>, 2>) -> ([f64; 2], [f64; 4]) {
    let y = f([0, 1].map(|i| Dual::variable(Dual::variable(X[i], i), i)));
    (y.re.eps, std::array::from_fn(|k| y.eps[k / 2].eps[k % 2]))
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + b.abs()))
}

/// All that carries derivatives finds those of the function in which the constants are fixed.
macro_rules! agrees {
    ($($program:ident: $fixed:expr;)*) => {$(
        #[test]
        fn $program() {
            let (gradient, hessian) = derivatives($fixed);
            let found = super::$program::hessian(&X);
            assert!(near(&found.1, &gradient) && near(&found.2, &hessian), "{found:?}, not {gradient:?}, {hessian:?}");
            assert!(near(&super::$program::gradient(&X).1, &gradient));
            let graph = trace(&X, |x| super::$program(x));
            assert!(near(&graph.gradient(), &gradient));
            for i in 0..2 {
                let direction = [0, 1].map(|k| f64::from(k == i));
                let (_, slope, product) = super::$program::hvp((&X, &direction));
                assert!(near(&[slope], &gradient[i..=i]) && near(&product, &hessian[2 * i..2 * i + 2]));
                let series = super::$program(&[0, 1].map(|k| Taylor::<f64, 2>::line(X[k], direction[k])));
                assert!(near(&[series.derivative(1), series.derivative(2)], &[gradient[i], hessian[3 * i]]));
            }
        }
    )*};
}

mod programs {
    use retrograd::{Dual, Taylor, trace};

    use super::{X, derivatives, near};

    fn lit(value: f64) -> Dual<Dual<f64, 2>, 2> {
        Dual::constant(Dual::constant(value))
    }

    agrees! {
        weighted: |[a, b]| (a + b * b) * lit(1.0 / (1.0 + X[0] * X[0]));
        copied: |[a, b]| (a + b * b) * lit(X[0]);
        inside: |[a, b]| b * b * lit(X[0] * X[0]) + a;
        arrays: |[a, b]| b * b * lit(X[0] * X[1]) + a * lit(2.0 * X[1]);
        by_procedure: |[a, b]| {
            let y = a * lit(X[0] * X[0]) + b * lit(X[1] * X[1]);
            y * y
        };
        recorded: |[a, b]| {
            let first = X[0] * X[0];
            let second = (X[0] * first + X[1] * X[0]) * X[1];
            let y = (a * lit(first) + b * a) * lit(second) + b * b;
            y * y
        };
    }
}

#[test]
fn a_reference_cannot_keep_them_out() {
    assert_eq!(behind::gradient(&X).1, [X[1], 0.0]);
    let panic = std::panic::catch_unwind(|| behind::hessian(&X)).unwrap_err();
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    assert!(text.unwrap().contains("name a copy"));
}
