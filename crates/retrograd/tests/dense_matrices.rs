//! Primitives on matrices of other crates do what they do on slices, however the elements lie in memory.

#![cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]

/// The tests of one kind of matrix and vector: how they are made of functions of their indices.
macro_rules! tests {
    (
        $feature:literal, $module:ident, $matrix:ty, $vector:ty,
        make: |$rows:ident, $columns:ident, $f:ident| $made:expr, vector: |$length:ident, $g:ident| $vector_made:expr
    ) => {
        #[cfg(feature = $feature)]
        mod $module {
            use retrograd::dense::{
                Triangle, cholesky, inverse, log_det, lu_solve, matmul, matmul_slices, matvec, norm, outer,
                triangular_solve,
            };
            use retrograd::{ErrorKind, attempt, prelude::*};

            type Matrix = $matrix;
            type Vector = $vector;

            fn make($rows: usize, $columns: usize, $f: impl Fn(usize, usize) -> f64) -> Matrix {
                $made
            }

            fn vector($length: usize, $g: impl Fn(usize) -> f64) -> Vector {
                $vector_made
            }

            fn element(i: usize, j: usize, shift: f64) -> f64 {
                ((i * 5 + j * 3) as f64 + shift).sin() + if i == j { 4.0 } else { 0.0 }
            }

            fn rows(a: &Matrix) -> Vec<f64> {
                let of = |i: usize| (0..a.ncols()).map(move |j| a[(i, j)]);
                (0..a.nrows()).flat_map(of).collect()
            }

            #[track_caller]
            fn close(a: &[f64], b: &[f64]) {
                assert_eq!(a.len(), b.len());
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
            }

            #[test]
            fn products_are_those_of_slices() {
                let (a, b) = (make(2, 3, |i, j| element(i, j, 0.1)), make(3, 4, |i, j| element(i, j, 0.2)));
                let (mut c, mut gc) = (make(2, 4, |i, j| element(i, j, 0.3)), make(2, 4, |i, j| element(i, j, 0.4)));
                let (mut ga, mut gb) = (make(2, 3, |_, _| 1.0), make(3, 4, |_, _| 2.0));
                let (mut c2, mut gc2) = (rows(&c), rows(&gc));
                let (a2, b2, mut ga2, mut gb2) = (rows(&a), rows(&b), rows(&ga), rows(&gb));
                matmul(&mut c, &a, &b);
                matmul_slices(&mut c2, &a2, &b2, 3);
                close(&rows(&c), &c2);
                matmul::pullback((&mut c, &mut gc), (&a, &mut ga), (&b, &mut gb));
                matmul_slices::pullback((&mut c2, &mut gc2), (&a2, &mut ga2), (&b2, &mut gb2), 3);
                for (found, expected) in [(&c, &c2), (&gc, &gc2), (&ga, &ga2), (&gb, &gb2)] {
                    close(&rows(found), expected);
                }

                let (x, mut y) = (vector(3, |i| i as f64 + 1.0), vector(2, |i| i as f64));
                let mut expected = vec![0.0, 1.0];
                matvec(&mut y, &a, &x);
                matvec(&mut expected, &a2, &[1.0, 2.0, 3.0]);
                close(&[y[0], y[1]], &expected);
                let (mut d, mut d2) = (make(2, 3, |_, _| 0.0), vec![0.0; 6]);
                outer(&mut d, &y, &x);
                outer(&mut d2, &expected, &[1.0, 2.0, 3.0]);
                close(&rows(&d), &d2);
            }

            #[test]
            fn solves_and_factors_are_those_of_slices() {
                let a = make(3, 3, |i, j| element(i, j, 0.1));
                let mut x = make(3, 2, |i, j| element(i, j, 0.5));
                let (a2, mut x2) = (rows(&a), rows(&x));
                lu_solve(&mut x, &a);
                lu_solve(&mut x2, &a2);
                close(&rows(&x), &x2);
                for triangle in [Triangle::Lower, Triangle::Upper] {
                    triangular_solve(&mut x, &a, triangle);
                    triangular_solve(&mut x2, &a2, triangle);
                    close(&rows(&x), &x2);
                }
                let (mut l, mut l2) = (a.clone(), a2.clone());
                cholesky(&mut l);
                cholesky(&mut l2);
                close(&rows(&l), &l2);
                inverse(&mut l);
                inverse(&mut l2);
                close(&rows(&l), &l2);
                close(&[log_det(&a), norm(&x)], &[log_det(&a2), norm(&x2)]);
                close(&rows(&log_det::gradient(&a).1), &log_det::gradient(&a2).1);
            }

            #[reversible]
            fn energy(a: &Matrix, x: &Vector) -> f64 {
                let mut y = x.clone();
                lu_solve(&mut y, a);
                norm(&y)
            }

            #[test]
            fn programs_have_gradients() {
                let (a, x) = (make(3, 3, |i, j| element(i, j, 0.1)), vector(3, |i| 1.0 - i as f64));
                let (_, by_a, by_x) = energy::gradient(&a, &x);
                for (i, j) in [(0, 0), (1, 2), (2, 1)] {
                    let at = |by: f64| {
                        let mut moved = a.clone();
                        moved[(i, j)] += by;
                        energy(&moved, &x)
                    };
                    assert!((by_a[(i, j)] - (at(1e-5) - at(-1e-5)) / 2e-5).abs() < 1e-8);
                }
                let mut moved = x.clone();
                moved[1] += 1e-5;
                assert!((by_x[1] - (energy(&a, &moved) - energy(&a, &x)) / 1e-5).abs() < 1e-4);
            }

            #[test]
            fn both_shapes_are_in_the_error() {
                let (a, b) = (make(2, 3, |_, _| 1.0), make(2, 4, |_, _| 1.0));
                let mut c = make(2, 4, |_, _| 5.0);
                let error = attempt(|| matmul(&mut c, &a, &b)).unwrap_err();
                assert_eq!((error.kind, &*error.variable), (ErrorKind::Shape, "b"));
                assert_eq!((&*error.expected, &*error.actual), ("3 rows", "2 × 4"));
                let b = make(3, 2, |_, _| 1.0);
                let error = attempt(|| matmul(&mut c, &a, &b)).unwrap_err();
                assert_eq!((&*error.variable, &*error.expected, &*error.actual), ("c", "2 × 2", "2 × 4"));
                assert_eq!(attempt(|| lu_solve(&mut vector(2, |_| 1.0), &a)).unwrap_err().kind, ErrorKind::Shape);
                assert!(rows(&c).iter().all(|&c| c == 5.0));
            }
        }
    };
}

tests! {
    "faer", of_faer, faer::Mat<f64>, faer::Col<f64>,
    make: |rows, columns, f| faer::Mat::from_fn(rows, columns, f), vector: |length, f| faer::Col::from_fn(length, f)
}

tests! {
    "nalgebra", of_nalgebra, nalgebra::DMatrix<f64>, nalgebra::DVector<f64>,
    make: |rows, columns, f| nalgebra::DMatrix::from_fn(rows, columns, f),
    vector: |length, f| nalgebra::DVector::from_fn(length, |i, _| f(i))
}

tests! {
    "ndarray", of_ndarray, ndarray::Array2<f64>, ndarray::Array1<f64>,
    make: |rows, columns, f| ndarray::Array2::from_shape_fn((rows, columns), |(i, j)| f(i, j)),
    vector: |length, f| ndarray::Array1::from_shape_fn(length, f)
}

tests! {
    "ndarray", of_ndarray_in_reverse, ndarray::Array2<f64>, ndarray::Array1<f64>,
    make: |rows, columns, f| {
        let mut a = ndarray::Array2::from_shape_fn((columns, rows), |(j, i)| f(i, columns - 1 - j));
        a.invert_axis(ndarray::Axis(0));
        a.reversed_axes()
    },
    vector: |length, f| {
        let mut v = ndarray::Array1::from_shape_fn(length, |i| f(length - 1 - i));
        v.invert_axis(ndarray::Axis(0));
        v
    }
}
