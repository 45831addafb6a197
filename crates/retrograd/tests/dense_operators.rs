//! The operators of other crates on whole matrices have derivatives inside reversible programs.

#![cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]

use retrograd::Active;

fn element(i: usize, j: usize, shift: f64) -> f64 {
    ((i * 5 + j * 3) as f64 + shift).sin()
}

/// The gradient and the pushforward of a function of two matrices and a vector are those of finite differences.
#[track_caller]
fn check<A, B, X>(
    (a, b, x): (A, B, X),
    value: impl Fn(&A, &B, &X) -> f64,
    (by_a, by_b, by_x): (A, B, X),
    slope: impl Fn(&A, &B, &X) -> f64,
) where
    A: Active<Number = f64> + Clone,
    B: Active<Number = f64> + Clone,
    X: Active<Number = f64> + Clone,
{
    let all = |a: &A, b: &B, x: &X| [a.flatten(), b.flatten(), x.flatten()].concat();
    let (gradient, count) = (all(&by_a, &by_b, &by_x), (a.count(), b.count()));
    let split = |numbers: &[f64]| {
        let (mut a, mut b, mut x) = (a.clone(), b.clone(), x.clone());
        a.unflatten(&numbers[..count.0]);
        b.unflatten(&numbers[count.0..count.0 + count.1]);
        x.unflatten(&numbers[count.0 + count.1..]);
        (a, b, x)
    };
    let start = all(&a, &b, &x);
    for k in 0..start.len() {
        let at = |by: f64| {
            let mut moved = start.clone();
            moved[k] += by;
            let (a, b, x) = split(&moved);
            value(&a, &b, &x)
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        let mut direction = vec![0.0; start.len()];
        direction[k] = 1.0;
        let (da, db, dx) = split(&direction);
        assert!((gradient[k] - difference).abs() < 1e-8, "{k}: {} and {difference}", gradient[k]);
        assert!((slope(&da, &db, &dx) - difference).abs() < 1e-8, "{k}: the tangent and {difference}");
    }
}

#[cfg(feature = "faer")]
mod of_faer {
    use super::*;
    use faer::{Col, Mat};
    use retrograd::dense::norm;
    use retrograd::prelude::*;

    #[reversible]
    fn energy(a: &Mat<f64>, b: &Mat<f64>, x: &Col<f64>) -> f64 {
        let c = a * b;
        let d = &c + b;
        let y = &d * x;
        let square = a * a;
        norm(&y) + c[(0, 1)] * square[(2, 0)]
    }

    #[test]
    fn products_have_derivatives() {
        let a = Mat::from_fn(3, 3, |i, j| element(i, j, 0.1));
        let b = Mat::from_fn(3, 2, |i, j| element(i, j, 0.2));
        let x = Col::from_fn(2, |i| element(i, 1, 0.3));
        let (_, by_a, by_b, by_x) = energy::gradient(&a, &b, &x);
        let slope = |da: &Mat<f64>, db: &Mat<f64>, dx: &Col<f64>| energy::pushforward((&a, da), (&b, db), (&x, dx)).1;
        check((a.clone(), b.clone(), x.clone()), energy, (by_a, by_b, by_x), slope);
    }

    #[cfg(feature = "num-complex")]
    mod of_complex_numbers {
        use super::*;
        use num_complex::Complex;

        type Matrix = Mat<Complex<f64>>;

        #[reversible]
        fn size(a: &Matrix, b: &Matrix) -> f64 {
            let c = a * b;
            norm(&c)
        }

        #[test]
        fn products_have_derivatives() {
            let of = |shift: f64| move |i, j| Complex::new(element(i, j, shift), element(j, i, shift + 0.5));
            let (a, b) = (Mat::from_fn(2, 3, of(0.1)), Mat::from_fn(3, 2, of(0.2)));
            let (_, by_a, by_b) = size::gradient(&a, &b);
            check(
                (a.clone(), b.clone(), 0.0),
                |a, b, _| size(a, b),
                (by_a, by_b, 0.0),
                |da, db, _| size::pushforward((&a, da), (&b, db)).1,
            );
        }
    }
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use super::*;
    use nalgebra::{DMatrix, DVector, SMatrix};
    use retrograd::dense::norm;
    use retrograd::prelude::*;

    #[reversible]
    fn energy(a: &DMatrix<f64>, b: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
        let c = a * b;
        let y = &c * x;
        let square = &c * &c;
        norm(&y) + c[(0, 1)] * square[(1, 0)]
    }

    #[reversible]
    fn of_known_shapes(a: &SMatrix<f64, 2, 3>, b: &SMatrix<f64, 3, 2>, x: &SMatrix<f64, 2, 1>) -> f64 {
        let c = a * b;
        let y = c * x;
        norm(&y) + c[(0, 1)]
    }

    #[test]
    fn products_have_derivatives() {
        let a = DMatrix::from_fn(2, 3, |i, j| element(i, j, 0.1));
        let b = DMatrix::from_fn(3, 2, |i, j| element(i, j, 0.2));
        let x = DVector::from_fn(2, |i, _| element(i, 1, 0.3));
        let (_, by_a, by_b, by_x) = energy::gradient(&a, &b, &x);
        check((a.clone(), b.clone(), x.clone()), energy, (by_a, by_b, by_x), |da, db, dx| {
            energy::pushforward((&a, da), (&b, db), (&x, dx)).1
        });
    }

    #[test]
    fn products_of_known_shapes_have_derivatives() {
        let a = SMatrix::from_fn(|i, j| element(i, j, 0.1));
        let b = SMatrix::from_fn(|i, j| element(i, j, 0.2));
        let x = SMatrix::from_fn(|i, _| element(i, 1, 0.3));
        let (_, by_a, by_b, by_x) = of_known_shapes::gradient(&a, &b, &x);
        check((a, b, x), of_known_shapes, (by_a, by_b, by_x), |da, db, dx| {
            of_known_shapes::pushforward((&a, da), (&b, db), (&x, dx)).1
        });
    }
}

#[cfg(feature = "ndarray")]
mod of_ndarray {
    use super::*;
    use ndarray::{Array1, Array2};
    use retrograd::dense::{matvec, norm};
    use retrograd::prelude::*;

    #[reversible]
    fn energy(a: &Array2<f64>, b: &Array2<f64>, x: &Array1<f64>) -> f64 {
        let c = a * b;
        let square = a * a;
        let d = &c - &square;
        let mut y = x.clone();
        matvec(&mut y, &d, x);
        norm(&y)
    }

    #[test]
    fn products_of_elements_have_derivatives() {
        let a = Array2::from_shape_fn((2, 2), |(i, j)| element(i, j, 0.1));
        let b = Array2::from_shape_fn((2, 2), |(i, j)| element(i, j, 0.2));
        let x = Array1::from_shape_fn(2, |i| element(i, 1, 0.3));
        let (_, by_a, by_b, by_x) = energy::gradient(&a, &b, &x);
        check((a.clone(), b.clone(), x.clone()), energy, (by_a, by_b, by_x), |da, db, dx| {
            energy::pushforward((&a, da), (&b, db), (&x, dx)).1
        });
    }
}
