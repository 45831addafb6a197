//! Matrices of other crates as arguments: their shadows, their elements, and programs that change them.

#![cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]

/// The tests of one crate: the type of its matrices, how one of them is made, the elements of [[0, 1, 2], [10, 11, 12]] in order, and
/// what is as long as there are rows and columns.
macro_rules! tests {
    (
        $feature:literal, $module:ident, $matrix:ty,
        make: |$rows:ident, $columns:ident, $f:ident| $made:expr, in_order: $order:expr, lengths: $lengths:expr
    ) => {
        #[cfg(feature = $feature)]
        mod $module {
            use retrograd::check::mismatches;
            use retrograd::private::{Extent, Misfit, Shadowed, Sweep, Zero, add, join, negate, sub, zero};
            use retrograd::{Dual, ErrorKind, Seeds, attempt, prelude::*};

            type Matrix<T> = $matrix;

            fn make<T: Clone + PartialEq + std::fmt::Debug + 'static>(
                $rows: usize,
                $columns: usize,
                $f: impl Fn(usize, usize) -> T,
            ) -> Matrix<T> {
                $made
            }

            /// The element in row i and column j is 10 i + j.
            fn matrix(rows: usize, columns: usize) -> Matrix<f64> {
                make(rows, columns, |i, j| (10 * i + j) as f64)
            }

            #[reversible]
            fn multiply<T: Real>(y: &mut [T], a: &Matrix<T>, x: &[T]) {
                for i in 0..a.nrows() {
                    for j in 0..a.ncols() {
                        y[i] += a[(i, j)] * x[j];
                    }
                }
            }

            #[reversible]
            fn mix<T: Real>(a: &mut Matrix<T>, factor: T) {
                for j in 0..a.ncols() {
                    a[(1, j)] += factor * a[(0, j)] * a[(0, j)];
                }
                swap(&mut a[(0, 0)], &mut a[(1, 1)]);
                a[(0, 1)] = -a[(0, 1)];
            }

            #[reversible]
            fn copied<T: Real>(y: &mut T, a: &Matrix<T>) {
                let b = a.clone();
                *y += b[(0, 1)] * b[(1, 0)] * b[(1, 0)];
            }

            #[reversible]
            fn changed<T: Real>(a: &Matrix<T>, scale: T) -> T {
                let mut b = a.clone();
                b[(0, 0)] *= scale;
                b[(1, 1)] += b[(0, 0)] * a[(1, 0)];
                let c = b.clone();
                c[(1, 1)] * c[(0, 0)]
            }

            #[reversible]
            fn of_a_copy(a: &Matrix<f64>) -> f64 {
                changed(&a.clone(), 2.0)
            }

            #[reversible]
            fn returned(a: &Matrix<f64>) -> Matrix<f64> {
                a.clone()
            }

            #[test]
            fn a_matrix_comes_back_from_a_record() {
                super::comes_back(&matrix(2, 3), &make(2, 3, |_, _| 0.0));
                super::comes_back(&make(3, 2, |i, j| vec![i as f64; j]), &make(3, 2, |_, j| vec![0.0; j]));
            }

            #[test]
            fn a_copy_of_a_matrix_has_its_derivative() {
                let a = make(2, 2, |i, j| 0.3 + 0.5 * i as f64 - 0.2 * j as f64);
                let (mut y, mut gy, mut ga) = (0.0, 1.0, make(2, 2, |_, _| 0.0));
                copied(&mut y, &a);
                copied::pullback((&mut y, &mut gy), (&a, &mut ga));
                let expected = make(2, 2, |i, j| match (i, j) {
                    (0, 1) => a[(1, 0)] * a[(1, 0)],
                    (1, 0) => 2.0 * a[(0, 1)] * a[(1, 0)],
                    _ => 0.0,
                });
                assert!(mismatches(&expected, &ga).is_empty());

                let (value, by_a, by_scale) = changed::gradient(&a, 2.0);
                assert_eq!((value, value), (changed(&a, 2.0), of_a_copy(&a)));
                assert!(mismatches(&by_a, &of_a_copy::gradient(&a).1).is_empty());
                let moved = |i: usize, j: usize, by: f64| {
                    let mut moved = a.clone();
                    moved[(i, j)] += by;
                    changed(&moved, 2.0)
                };
                for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let difference = (moved(i, j, 1e-5) - moved(i, j, -1e-5)) / 2e-5;
                    assert!((by_a[(i, j)] - difference).abs() < 1e-9, "{} and {difference}", by_a[(i, j)]);
                    let mut direction = make(2, 2, |_, _| 0.0);
                    direction[(i, j)] = 1.0;
                    let (_, slope) = changed::pushforward((&a, &direction), (2.0, 0.0));
                    assert!((by_a[(i, j)] - slope).abs() < 1e-12);
                    let dual = make(2, 2, |k, l| Dual::new(a[(k, l)], [direction[(k, l)]]));
                    assert!((changed(&dual, Dual::new(2.0, [0.0])).eps[0] - slope).abs() < 1e-12);
                }
                let difference = (changed(&a, 2.0 + 1e-5) - changed(&a, 2.0 - 1e-5)) / 2e-5;
                assert!((by_scale - difference).abs() < 1e-9);

                let mut ga = make(2, 2, |_, _| 1.0);
                assert!(mismatches(&a, &returned(&a)).is_empty());
                assert!(
                    mismatches(&a, &returned::pullback((&a, &mut ga), make(2, 2, |i, j| (i + j) as f64))).is_empty()
                );
                assert!(mismatches(&make(2, 2, |i, j| (1 + i + j) as f64), &ga).is_empty());
            }

            #[test]
            fn a_matrix_is_made_of_its_elements() {
                let mut a = matrix(2, 3);
                assert_eq!((a.flatten(), a.count()), ($order.to_vec(), 6));
                a.unflatten(&[0.0; 6]);
                assert_eq!(a, zero(Sweep::<f64>::new(), &matrix(2, 3)));
            }

            #[test]
            fn the_shadow_is_a_matrix() {
                let zeros: Matrix<Seeds<f64, 2>> = matrix(2, 3).zero_shadow(Zero::Plain);
                assert_eq!((zeros.nrows(), zeros.ncols(), zeros[(1, 2)]), (2, 3, Seeds([0.0; 2])));
                let misfit = |expected, actual, path: &str| {
                    Some(Misfit {
                        path: path.into(),
                        expected: Extent::Length(expected),
                        actual: Extent::Length(actual),
                    })
                };
                let lengths = |rows, columns| matrix(2, 3).misfit(&matrix(rows, columns));
                assert_eq!((lengths(2, 3), lengths(4, 3)), (None, misfit(2, 4, $lengths[0])));
                assert_eq!(lengths(2, 1), misfit(3, 1, $lengths[1]));
                let nested = |n| make(1, 2, |_, j| vec![0.0; j * n]);
                assert_eq!(nested(1).misfit(&nested(2)), misfit(1, 2, "[(0, 1)]"));
            }

            #[test]
            fn shadows_are_added_element_by_element() {
                let (one, mut sum) = (matrix(2, 2), matrix(2, 2));
                add(&mut sum, &one);
                add(&mut sum, one.clone());
                add(&mut sum, ());
                assert_eq!(sum[(1, 0)], 30.0);
                sub(&mut sum, &one);
                sub(&mut sum, join(one.clone(), join(one.clone(), ())));
                assert_eq!(sum, negate(zero(Sweep::<f64>::new(), &one)));
                assert_eq!(negate(one)[(0, 1)], -1.0);
            }

            #[test]
            #[should_panic = "of length 3 meets one of length 2"]
            fn shadows_of_different_shapes_are_not_added() {
                add(&mut matrix(2, 2), &matrix(2, 3));
            }

            #[test]
            fn differences_are_found_by_their_places() {
                let mut other = matrix(2, 2);
                other[(1, 0)] = 7.0;
                assert_eq!(mismatches(&matrix(2, 2), &other)[0].to_string(), "[(1, 0)]: expected 10.0, found 7.0");
                let path = format!("{}.len()", $lengths[1]);
                assert_eq!(mismatches(&matrix(2, 2), &matrix(2, 3))[0].path, path);
            }

            #[test]
            fn a_matrix_is_read() {
                let (a, x) = (matrix(2, 3), [1.0, 2.0, 3.0]);
                let (mut y, mut grad_y) = ([0.0; 2], [1.0, -1.0]);
                multiply(&mut y, &a, &x);
                assert_eq!(y, [8.0, 68.0]);
                let (mut grad_a, mut grad_x) = (zero(Sweep::<f64>::new(), &a), [0.0; 3]);
                multiply::pullback((&mut y, &mut grad_y), (&a, &mut grad_a), (&x, &mut grad_x));
                assert_eq!((y, grad_x), ([0.0; 2], [-10.0; 3]));
                assert_eq!(grad_a, make(2, 3, |i: usize, j: usize| if i == 0 { x[j] } else { -x[j] }));
            }

            #[test]
            fn a_matrix_is_changed() {
                let (mut a, mut grad) = (matrix(2, 2), make(2, 2, |i, j| (1 + i + 2 * j) as f64));
                mix(&mut a, 2.0);
                // Column j of row 1 is 10 + j + 2 j², and then the diagonal is exchanged.
                assert_eq!(a, make(2, 2, |i, j| [[13.0, -1.0], [10.0, 0.0]][i][j]));
                let mut grad_factor = 0.0;
                mix::pullback((&mut a, &mut grad), (2.0, &mut grad_factor));
                assert_eq!(a, matrix(2, 2));
                // Before the exchange: [[4, -3], [2, 1]]; the factor and row 0 go into row 1.
                assert_eq!(grad, make(2, 2, |i, j| [[4.0, -3.0 + 4.0], [2.0, 1.0]][i][j]));
                assert_eq!(grad_factor, 1.0);
                mix(&mut a, 2.0);
                mix::uncall(&mut a, 2.0);
                assert_eq!(a, matrix(2, 2));
            }

            #[test]
            fn one_element_is_not_exchanged_with_itself() {
                #[reversible]
                fn exchange(a: &mut Matrix<f64>, i: usize, j: usize) {
                    swap(&mut a[(i, 0)], &mut a[(j, 0)]);
                }
                let mut a = matrix(3, 1);
                exchange(&mut a, 2, 0);
                assert_eq!((a[(0, 0)], a[(2, 0)]), (20.0, 0.0));
                let error = attempt(|| exchange(&mut a, 1, 1)).unwrap_err();
                assert_eq!(error.kind, ErrorKind::EqualIndices);
            }

            #[test]
            fn a_struct_may_have_one() {
                #[derive(Active)]
                struct Layer<T> {
                    weights: Matrix<T>,
                    bias: Vec<T>,
                }
                let layer = Layer { weights: matrix(1, 2), bias: vec![3.0] };
                assert_eq!(layer.flatten(), [0.0, 1.0, 3.0]);
                let gradient: Layer<f64> = layer.zero_shadow(Zero::Plain);
                assert_eq!((gradient.weights[(0, 1)], gradient.bias[0]), (0.0, 0.0));

                #[derive(Active)]
                struct Counted<T> {
                    weights: Matrix<T>,
                    count: usize,
                }
                let counted = Counted { weights: matrix(1, 2), count: 2 };
                let gradient: CountedShadow<f64> = counted.zero_shadow(Zero::Plain);
                assert_eq!((gradient.weights[(0, 1)], gradient.count, counted.count), (0.0, (), 2));
                let gradient: CountedShadow<f64, Seeds<f64, 2>> = gradient.zero_shadow(Zero::Plain);
                assert_eq!(gradient.weights[(0, 1)], Seeds([0.0; 2]));

                #[derive(Active)]
                struct Alone {
                    weights: Matrix<f64>,
                }
                #[derive(Active)]
                struct Beside {
                    alone: Alone,
                    other: Matrix<f64>,
                    bias: f64,
                }
                let beside = Beside { alone: Alone { weights: matrix(1, 1) }, other: matrix(1, 1), bias: 1.0 };
                let gradient: BesideShadow<f64> = beside.zero_shadow(Zero::Plain);
                assert_eq!((beside.flatten(), gradient.flatten()), (vec![0.0, 0.0, 1.0], vec![0.0; 3]));
            }

            #[test]
            #[should_panic]
            fn an_index_out_of_bounds_is_an_ordinary_panic() {
                use retrograd::ops::{Disjoint, Site};
                let site = Site { function: "f", file: "f.rs", line: 1, column: 1, statement: "s" };
                matrix(2, 2).disjoint_mut([(0, 0), (0, 2)], &site);
            }
        }
    };
}

/// The tests of one type of vectors: how one is made.
#[allow(unused_macros)]
/// Keeps a value and its shape in a record, and takes them back.
#[track_caller]
fn comes_back<T: retrograd::Recordable + PartialEq + std::fmt::Debug>(value: &T, shape: &T) {
    let (mut record, slot) = (retrograd::Record::new(), retrograd::private::Slot::new());
    slot.keep(&mut record, value);
    slot.keep_shape(&mut record, value);
    assert_eq!(&slot.recall_shape(&mut record), shape);
    assert_eq!((&slot.recall(&mut record), record.bytes()), (value, 0));
}

macro_rules! vectors {
    ($($name:ident: |$elements:ident| $vector:expr;)*) => {$(
        #[test]
        fn $name() {
            use retrograd::ops::{Disjoint, Site};
            use retrograd::prelude::*;
            use retrograd::private::{Extent, Misfit, Shadowed, Zero};

            let make = |$elements: Vec<f64>| $vector;
            let mut x = make(vec![1.0, 2.0, 3.0]);
            assert_eq!(x.flatten(), [1.0, 2.0, 3.0]);
            assert_eq!(Shadowed::<f64>::zero_shadow(&x, Zero::Plain), make(vec![0.0; 3]));
            let misfit = Misfit { path: String::new(), expected: Extent::Length(3), actual: Extent::Length(1) };
            assert_eq!(x.misfit(&make(vec![0.0])), Some(misfit));
            let site = Site { function: "f", file: "f.rs", line: 1, column: 1, statement: "s" };
            let [c, a, b] = x.disjoint_mut([2, 0, 1], &site);
            std::mem::swap(a, c);
            *b += *a;
            assert_eq!(x, make(vec![3.0, 5.0, 1.0]));
            super::comes_back(&x, &make(vec![0.0; 3]));
        }
    )*};
}

tests!(
    "faer", with_faer, faer::Mat<T>,
    make: |rows, columns, f| faer::Mat::from_fn(rows, columns, f),
    in_order: [0.0, 10.0, 1.0, 11.0, 2.0, 12.0], lengths: [".col(0)", ".row(0)"]
);

tests!(
    "nalgebra", with_nalgebra, nalgebra::DMatrix<T>,
    make: |rows, columns, f| nalgebra::DMatrix::from_fn(rows, columns, f),
    in_order: [0.0, 10.0, 1.0, 11.0, 2.0, 12.0], lengths: [".column(0)", ".row(0)"]
);

tests!(
    "ndarray", with_ndarray, ndarray::Array2<T>,
    make: |rows, columns, f| ndarray::Array2::from_shape_fn((rows, columns), |(i, j)| f(i, j)),
    in_order: [0.0, 1.0, 2.0, 10.0, 11.0, 12.0], lengths: [".axis(0)", ".axis(1)"]
);

#[cfg(feature = "faer")]
mod faer_vectors {
    vectors! {
        a_column: |x| faer::Col::from_fn(x.len(), |i| x[i]);
        a_row: |x| faer::Row::from_fn(x.len(), |i| x[i]);
    }
}

#[cfg(feature = "nalgebra")]
mod nalgebra_vectors {
    use retrograd::private::{Shadowed, Zero};
    use retrograd::{Dual, Seeds, Taylor, prelude::*};

    vectors! {
        a_vector: |x| nalgebra::DVector::from_vec(x);
        a_row: |x| nalgebra::RowDVector::from_vec(x);
    }

    #[test]
    fn a_matrix_of_fixed_size() {
        let a = nalgebra::Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        assert_eq!(a.flatten(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        let zeros: nalgebra::Matrix2x3<Seeds<f64, 2>> = a.zero_shadow(Zero::Plain);
        assert_eq!((zeros[(1, 2)], a.misfit(&zeros)), (Seeds([0.0; 2]), None));
        super::comes_back(&a, &nalgebra::Matrix2x3::zeros());
    }

    #[test]
    fn shadows_can_be_stored() {
        fn scalar<T: nalgebra::Scalar>(value: T) -> nalgebra::DVector<T> {
            nalgebra::DVector::from_element(2, value)
        }
        assert_eq!(scalar(Seeds([1.0, 2.0]))[1], Seeds([1.0, 2.0]));
        assert_eq!(scalar(Dual::<f64, 1>::lit(3.0))[1].to_f64(), 3.0);
        assert_eq!(scalar(Taylor::<f64, 2>::lit(3.0))[1].to_f64(), 3.0);
    }
}

#[cfg(feature = "ndarray")]
mod ndarray_layouts {
    use ndarray::{Array2, Array3, array, s};
    use retrograd::ops::{Disjoint, Site};
    use retrograd::{ErrorKind, attempt, prelude::*};

    vectors! {
        a_vector: |x| ndarray::Array1::from(x);
    }

    const SITE: Site = Site { function: "f", file: "f.rs", line: 1, column: 1, statement: "s" };

    /// Elements are lent by their indices, however the array lies in memory.
    #[test]
    fn every_layout_lends_its_elements() {
        let cube = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as f64);
        let (mut transposed, mut reversed) = (cube.clone().reversed_axes(), cube.clone());
        reversed.invert_axis(ndarray::Axis(1));
        let mut sparse = cube.clone().slice_move(s![.., ..;2, ..;3]);
        let [a, b] = transposed.disjoint_mut([(3, 2, 1), (0, 1, 0)], &SITE);
        assert_eq!((*a, *b), (123.0, 10.0));
        let [a, b] = reversed.disjoint_mut([[1, 0, 3], [0, 1, 0]], &SITE);
        assert_eq!((*a, *b), (123.0, 10.0));
        let [a, b] = sparse.disjoint_mut([[1, 1, 1], [0, 0, 1]], &SITE);
        assert_eq!((*a, *b), (123.0, 3.0));
        for array in [cube, transposed, reversed, sparse] {
            let mut array = array;
            let error = attempt(|| array.disjoint_mut([(1, 0, 1), (1, 0, 1)], &SITE).map(|x| *x)).unwrap_err();
            assert_eq!((error.kind, &*error.actual), (ErrorKind::EqualIndices, "[(1, 0, 1), (1, 0, 1)]"));
        }
    }

    #[reversible]
    fn energy(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
        let c = a - b;
        let d = &c + a;
        let mut sum = 0.0;
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                sum += c[(i, j)] * d[(i, j)];
            }
        }
        sum
    }

    /// The value is (a - b)(2a - b), summed up.
    #[test]
    fn sums_of_arrays_are_linear() {
        let (a, b) = (array![[1.0, 2.0], [3.0, 5.0]], array![[4.0, -1.0], [0.5, 2.0]]);
        let (value, ga, gb) = energy::gradient(&a, &b);
        assert_eq!(value, ((&a - &b) * (2.0 * &a - &b)).sum());
        assert_eq!((&ga, &gb), (&(4.0 * &a - 3.0 * &b), &(2.0 * &b - 3.0 * &a)));
        let (da, db) = (array![[0.5, 1.0], [-1.0, 2.0]], array![[1.0, 0.0], [3.0, -2.0]]);
        assert_eq!(energy::pushforward((&a, &da), (&b, &db)), (value, (ga * da + gb * db).sum()));
    }

    #[test]
    #[should_panic(expected = "a derivative with `.axis(0)` of length 2 meets one of length 1")]
    fn arrays_that_are_broadcast_have_no_derivative() {
        energy::gradient(&array![[1.0, 2.0], [3.0, 5.0]], &array![[1.0, 2.0]]);
    }

    #[reversible]
    fn add_squares<T: Real>(y: &mut T, a: &Array2<T>) {
        for i in 0..a.shape()[0] {
            for j in 0..a.shape()[1] {
                *y += a[(i, j)] * a[(i, j)];
            }
        }
    }

    #[reversible]
    fn diagonal<T: Real>(a: &Array3<T>) -> T {
        let mut product = T::one();
        for i in 0..a.shape()[2].min(a.dim().0) {
            product *= a[[i, i, i]];
        }
        product
    }

    /// A shape is a slice of integers, `&[usize]`.
    #[test]
    fn loops_go_along_the_shape_of_an_array() {
        let (mut y, mut grad_y, a, mut grad_a) = (0.5, 2.0, array![[1.0, 2.0], [3.0, 5.0]], Array2::zeros((2, 2)));
        add_squares(&mut y, &a);
        assert_eq!(y, 39.5);
        add_squares::pullback((&mut y, &mut grad_y), (&a, &mut grad_a));
        assert_eq!((y, grad_a), (0.5, 4.0 * &a));
        let cube = array![[[2.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 7.0]]];
        let (value, gradient) = diagonal::gradient(&cube);
        assert_eq!((value, gradient[(0, 0, 0)], gradient[(1, 1, 1)], gradient.sum()), (14.0, 7.0, 2.0, 9.0));
    }

    #[test]
    fn elements_come_in_the_order_of_their_indices() {
        let transposed = ndarray::array![[1.0, 2.0], [3.0, 4.0]].reversed_axes();
        assert_eq!(transposed.flatten(), [1.0, 3.0, 2.0, 4.0]);
        super::comes_back(&transposed, &Array2::zeros((2, 2)));
    }
}

#[cfg(feature = "nalgebra")]
mod small_matrices {
    use nalgebra::Matrix2;
    use retrograd::prelude::*;

    #[reversible]
    fn determinant(m: Matrix2<f64>) -> f64 {
        m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)]
    }

    #[reversible]
    fn passed(y: &mut f64, m: &Matrix2<f64>) {
        *y += determinant(*m);
        let mut n = *m;
        n[(0, 0)] *= 2.0;
        *y += n[(0, 0)] * n[(0, 0)];
    }

    #[reversible]
    fn sums(y: &mut Matrix2<f64>, a: Matrix2<f64>, b: &Matrix2<f64>) {
        *y += a + *b;
        *y -= *b;
    }

    #[test]
    fn matrices_that_are_copied_have_their_derivatives() {
        let m = Matrix2::new(3.0, 2.0, 5.0, 7.0);
        let (mut y, mut gy, mut gm) = (0.0, 1.0, Matrix2::zeros());
        passed(&mut y, &m);
        assert_eq!(y, 47.0);
        passed::pullback((&mut y, &mut gy), (&m, &mut gm));
        assert_eq!((y, gm), (0.0, Matrix2::new(31.0, -5.0, -2.0, 3.0)));
    }

    #[test]
    fn sums_of_matrices_are_linear() {
        let (mut y, a, b) = (Matrix2::zeros(), Matrix2::new(1.0, 2.0, 3.0, 4.0), Matrix2::identity());
        sums(&mut y, a, &b);
        assert_eq!(y, a);
        let (mut gy, mut ga, mut gb) = (Matrix2::new(1.0, 0.5, 0.25, 0.125), Matrix2::zeros(), Matrix2::zeros());
        sums::pullback((&mut y, &mut gy), (a, &mut ga), (&b, &mut gb));
        assert_eq!((y, ga, gb), (Matrix2::zeros(), gy, Matrix2::zeros()));
    }
}

#[cfg(feature = "ndarray")]
mod indices_of_two_kinds {
    use ndarray::{Array2, Array3, array};
    use retrograd::{ErrorKind, attempt, prelude::*};

    #[reversible]
    fn visibly(a: &mut Array2<f64>, i: usize) {
        a[[i, 0]] += a[(i, 1)];
    }

    #[reversible(checks = "always")]
    fn at_run_time(a: &mut Array2<f64>, i: usize, j: usize) {
        a[[i, 0]] += a[(j, 0)];
    }

    #[reversible]
    fn visibly_in_a_cube(a: &mut Array3<f64>, i: usize) {
        a[[i, 0, 1]] += a[(i, 1, 1)];
    }

    #[reversible(checks = "always")]
    fn in_a_cube_at_run_time(a: &mut Array3<f64>, i: usize, j: usize) {
        swap(&mut a[(i, 0, 1)], &mut a[[j, 0, 1]]);
    }

    #[test]
    fn arrays_and_tuples_are_compared_component_by_component() {
        let mut a = array![[1.0, 2.0], [3.0, 4.0]];
        visibly(&mut a, 1);
        at_run_time(&mut a, 0, 1);
        assert_eq!(a, array![[8.0, 2.0], [7.0, 4.0]]);
        assert_eq!(attempt(|| at_run_time(&mut a, 1, 1)).unwrap_err().kind, ErrorKind::EqualIndices);
        at_run_time::uncall(&mut a, 0, 1);
        visibly::uncall(&mut a, 1);
        assert_eq!(a, array![[1.0, 2.0], [3.0, 4.0]]);

        let mut cube = array![[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]];
        visibly_in_a_cube(&mut cube, 1);
        in_a_cube_at_run_time(&mut cube, 0, 1);
        assert_eq!(cube, array![[[1.0, 14.0], [3.0, 4.0]], [[5.0, 2.0], [7.0, 8.0]]]);
        assert_eq!(attempt(|| in_a_cube_at_run_time(&mut cube, 1, 1)).unwrap_err().kind, ErrorKind::EqualIndices);
        in_a_cube_at_run_time::uncall(&mut cube, 0, 1);
        visibly_in_a_cube::uncall(&mut cube, 1);
        assert_eq!(cube, array![[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]);
    }
}
