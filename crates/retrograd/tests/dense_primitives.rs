//! The primitives of `dense` keep the laws, for every kind of number: runs undo each other, adjoints are transposed tangents, and
//! tangents are those of dual numbers and of finite differences. What does not fit is an error, and changes nothing.

use proptest::prelude::*;
use retrograd::dense::{
    Triangle, cholesky, inverse, log_det, lu_solve, matmul_slices, matvec, norm, outer, triangular_solve,
};
use retrograd::{Dual, ErrorKind, attempt, prelude::*};

/// A number, as the laws look at it.
trait Number: Copy + std::fmt::Debug {
    /// How far apart two numbers may be that should be the same; the step of finite differences, and how far these may be off.
    const TOLERANCE: (f64, f64, f64);
    fn of(re: f64, im: f64) -> Self;
    /// Each real component.
    fn components(self) -> Vec<f64>;
    /// The real part of the product of the conjugate and another number, by components.
    fn inner(self, other: Self) -> Vec<f64>;
    /// `self + by * other`
    fn moved(self, by: f64, other: Self) -> Self;
    /// The same with a derivative.
    type Dual: Copy;
    fn dual(self, tangent: Self) -> Self::Dual;
    fn tangent(dual: Self::Dual) -> Self;
}

macro_rules! real_numbers {
    ($($type:ty, $tolerance:expr;)*) => {$(
        impl Number for $type {
            const TOLERANCE: (f64, f64, f64) = $tolerance;
            fn of(re: f64, _im: f64) -> Self {
                re as $type
            }
            fn components(self) -> Vec<f64> {
                vec![self as f64]
            }
            fn inner(self, other: Self) -> Vec<f64> {
                vec![self as f64 * other as f64]
            }
            fn moved(self, by: f64, other: Self) -> Self {
                self + by as $type * other
            }
            type Dual = Dual<$type, 1>;
            fn dual(self, tangent: Self) -> Self::Dual {
                Dual::new(self, [tangent])
            }
            fn tangent(dual: Self::Dual) -> Self {
                dual.eps[0]
            }
        }
    )*};
}

real_numbers! {
    f64, (1e-9, 1e-5, 1e-6);
    f32, (2e-3, 1e-2, 3e-2);
}

impl Number for Dual<f64, 1> {
    const TOLERANCE: (f64, f64, f64) = (1e-8, 1e-5, 1e-5);
    fn of(re: f64, im: f64) -> Self {
        Dual::new(re, [im])
    }
    fn components(self) -> Vec<f64> {
        vec![self.re, self.eps[0]]
    }
    fn inner(self, other: Self) -> Vec<f64> {
        (self * other).components()
    }
    fn moved(self, by: f64, other: Self) -> Self {
        self + Dual::constant(by) * other
    }
    type Dual = Dual<Dual<f64, 1>, 1>;
    fn dual(self, tangent: Self) -> Self::Dual {
        Dual::new(self, [tangent])
    }
    fn tangent(dual: Self::Dual) -> Self {
        dual.eps[0]
    }
}

#[cfg(feature = "num-complex")]
impl<T: Number> Number for num_complex::Complex<T> {
    const TOLERANCE: (f64, f64, f64) = T::TOLERANCE;
    fn of(re: f64, im: f64) -> Self {
        num_complex::Complex { re: T::of(re, 0.3 * im), im: T::of(im, -0.2 * re) }
    }
    fn components(self) -> Vec<f64> {
        [self.re.components(), self.im.components()].concat()
    }
    fn inner(self, other: Self) -> Vec<f64> {
        let (re, im) = (self.re.inner(other.re), self.im.inner(other.im));
        re.iter().zip(im).map(|(re, im)| re + im).collect()
    }
    fn moved(self, by: f64, other: Self) -> Self {
        num_complex::Complex { re: self.re.moved(by, other.re), im: self.im.moved(by, other.im) }
    }
    type Dual = num_complex::Complex<T::Dual>;
    fn dual(self, tangent: Self) -> Self::Dual {
        num_complex::Complex { re: self.re.dual(tangent.re), im: self.im.dual(tangent.im) }
    }
    fn tangent(dual: Self::Dual) -> Self {
        num_complex::Complex { re: T::tangent(dual.re), im: T::tangent(dual.im) }
    }
}

/// Numbers between −1 and 1, from a seed.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1_u64 << 30) as f64 - 1.0
    }

    fn numbers<E: Number>(&mut self, count: usize) -> Vec<E> {
        (0..count).map(|_| E::of(self.next(), self.next())).collect()
    }
}

/// The sum of inner products, by components.
fn inner<E: Number>(a: &[Vec<E>], b: &[Vec<E>]) -> Vec<f64> {
    let mut sum = vec![0.0; E::of(0.0, 0.0).inner(E::of(0.0, 0.0)).len()];
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        sum.iter_mut().zip(a.inner(*b)).for_each(|(sum, term)| *sum += term);
    }
    sum
}

#[track_caller]
fn close<E: Number>(found: &[Vec<E>], expected: &[Vec<E>], what: &str) {
    let components = |all: &[Vec<E>]| -> Vec<f64> { all.iter().flatten().flat_map(|e| e.components()).collect() };
    close_numbers(&components(found), &components(expected), E::TOLERANCE.0, what);
}

#[track_caller]
fn close_numbers(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0_f64, |scale, e| scale.max(e.abs()));
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= tolerance * scale, "{what}: {found:?} instead of {expected:?}");
    }
}

/// The runs of a procedure over all of its active arguments, the first of which it changes.
struct Runs<E: Number> {
    name: &'static str,
    call: fn(&mut [Vec<E>]),
    of_duals: fn(&mut [Vec<E::Dual>]),
    uncall: fn(&mut [Vec<E>]),
    pullback: fn(&mut [Vec<E>], &mut [Vec<E>]),
    unpullback: fn(&mut [Vec<E>], &mut [Vec<E>]),
    pushforward: fn(&mut [Vec<E>], &mut [Vec<E>]),
    unpushforward: fn(&mut [Vec<E>], &mut [Vec<E>]),
}

/// `runs!(triangular_solve(x gx, a ga), Triangle::Lower)`
macro_rules! runs {
    ($name:ident($x:ident $gx:ident $(, $a:ident $ga:ident)*) $(, $extra:expr)?) => {{
        Runs {
            name: stringify!($name),
            call: |values| {
                let [$x $(, $a)*] = values else { unreachable!() };
                $name($x $(, &*$a)* $(, $extra)?);
            },
            of_duals: |values| {
                let [$x $(, $a)*] = values else { unreachable!() };
                $name($x $(, &*$a)* $(, $extra)?);
            },
            uncall: |values| {
                let [$x $(, $a)*] = values else { unreachable!() };
                $name::uncall($x $(, &*$a)* $(, $extra)?);
            },
            pullback: runs!(@ pullback, $name, $x $gx $(, $a $ga (&mut *$ga))* $(; $extra)?),
            unpullback: runs!(@ unpullback, $name, $x $gx $(, $a $ga (&mut *$ga))* $(; $extra)?),
            pushforward: runs!(@ pushforward, $name, $x $gx $(, $a $ga (&*$ga))* $(; $extra)?),
            unpushforward: runs!(@ unpushforward, $name, $x $gx $(, $a $ga (&*$ga))* $(; $extra)?),
        }
    }};
    (@ $run:ident, $name:ident, $x:ident $gx:ident $(, $a:ident $ga:ident ($lent:expr))* $(; $extra:expr)?) => {
        |values, shadows| {
            let ([$x $(, $a)*], [$gx $(, $ga)*]) = (values, shadows) else { unreachable!() };
            $name::$run(($x, $gx) $(, (&*$a, $lent))* $(, $extra)?);
        }
    };
}

fn keep_the_laws<E: Number>(runs: &Runs<E>, start: &[Vec<E>], stream: &mut Stream) {
    let Runs { name, call, of_duals, uncall, pullback, unpullback, pushforward, unpushforward } = runs;
    let like = |stream: &mut Stream| -> Vec<Vec<E>> { start.iter().map(|v| stream.numbers(v.len())).collect() };
    let (direction, seed) = (like(stream), like(stream));

    let mut end = start.to_vec();
    call(&mut end);
    let mut back = end.clone();
    uncall(&mut back);
    close(&back, start, &format!("{name}: uncall"));

    let (mut values, mut tangent) = (start.to_vec(), direction.clone());
    pushforward(&mut values, &mut tangent);
    close(&values, &end, &format!("{name}: values of the pushforward"));
    let moved = tangent.clone();
    unpushforward(&mut values, &mut tangent);
    close(&values, start, &format!("{name}: values of the unpushforward"));
    close(&tangent, &direction, &format!("{name}: unpushforward"));

    let (mut values, mut adjoint) = (end.clone(), seed.clone());
    pullback(&mut values, &mut adjoint);
    close(&values, start, &format!("{name}: values of the pullback"));
    let what = format!("{name}: dot-product identity");
    close_numbers(&inner(&seed, &moved), &inner(&adjoint, &direction), E::TOLERANCE.0 * 10.0, &what);
    unpullback(&mut values, &mut adjoint);
    close(&values, &end, &format!("{name}: values of the unpullback"));
    close(&adjoint, &seed, &format!("{name}: unpullback"));

    let dual = |(value, tangent): (&E, &E)| value.dual(*tangent);
    let both = |(values, tangents): (&Vec<E>, &Vec<E>)| values.iter().zip(tangents).map(dual).collect();
    let mut duals: Vec<Vec<E::Dual>> = start.iter().zip(&direction).map(both).collect();
    of_duals(&mut duals);
    let tangents: Vec<E> = duals[0].iter().map(|&dual| E::tangent(dual)).collect();
    close(&[tangents], &moved[..1], &format!("{name}: dual numbers"));

    let (_, step, off) = E::TOLERANCE;
    let at = |by: f64| -> Vec<f64> {
        let mut values = start.to_vec();
        let pairs = values.iter_mut().flatten().zip(direction.iter().flatten());
        pairs.for_each(|(value, direction)| *value = value.moved(by, *direction));
        call(&mut values);
        values[0].iter().flat_map(|e| e.components()).collect()
    };
    let differences: Vec<f64> = at(step).iter().zip(at(-step)).map(|(a, b)| (a - b) / (2.0 * step)).collect();
    let tangents: Vec<f64> = moved[0].iter().flat_map(|e| e.components()).collect();
    close_numbers(&differences, &tangents, off, &format!("{name}: finite differences"));
}

/// The laws for one kind of number. `$real` is what norms and determinants are.
macro_rules! suite {
    ($module:ident, $type:ty, $real:ty) => {
        mod $module {
            use super::*;

            type E = $type;

            /// A matrix far from a singular one.
            fn regular(stream: &mut Stream, n: usize) -> Vec<E> {
                let mut a = stream.numbers::<E>(n * n);
                (0..n).for_each(|i| a[i * n + i] = a[i * n + i].moved(2.0 + n as f64, E::of(1.0, 0.0)));
                a
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(12))]

                #[test]
                fn procedures_keep_the_laws(seed: u64, m in 1_usize..5, n in 1_usize..5, k in 1_usize..4) {
                    let stream = &mut Stream(seed);
                    let (mut of, mut square) = (Stream(!seed), Stream(seed / 3));
                    let mut of = |count: usize| of.numbers::<E>(count);
                    let mut square = || regular(&mut square, n);

                    let start = [of(m * n), of(m * k), of(k * n)];
                    // The number of inner columns is not an argument with a derivative, and so part of the program.
                    match k {
                        1 => keep_the_laws(&runs!(matmul_slices(c gc, a ga, b gb), 1), &start, stream),
                        2 => keep_the_laws(&runs!(matmul_slices(c gc, a ga, b gb), 2), &start, stream),
                        _ => keep_the_laws(&runs!(matmul_slices(c gc, a ga, b gb), 3), &start, stream),
                    }
                    keep_the_laws(&runs!(matvec(y gy, a ga, x gx)), &[of(m), of(m * n), of(n)], stream);
                    keep_the_laws(&runs!(outer(a ga, x gx, y gy)), &[of(m * n), of(m), of(n)], stream);
                    let lower = runs!(triangular_solve(x gx, a ga), Triangle::Lower);
                    keep_the_laws(&lower, &[of(n * k), square()], stream);
                    let upper = runs!(triangular_solve(x gx, a ga), Triangle::Upper);
                    keep_the_laws(&upper, &[of(n * k), square()], stream);
                    keep_the_laws(&runs!(lu_solve(x gx, a ga)), &[of(n * k), square()], stream);
                    keep_the_laws(&runs!(inverse(a ga)), &[square()], stream);
                    keep_the_laws(&runs!(cholesky(a ga)), &[square()], stream);
                }

                #[test]
                fn functions_keep_the_laws(seed: u64, n in 1_usize..5) {
                    let stream = &mut Stream(seed);
                    let (a, direction) = (regular(stream, n), stream.numbers::<E>(n * n));
                    let dual: Vec<_> = a.iter().zip(&direction).map(|(a, d)| a.dual(*d)).collect();
                    let (tolerance, step, off) = E::TOLERANCE;
                    macro_rules! check {
                        ($name:ident) => {
                            let (value, slope) = $name::pushforward((&a, &direction));
                            let (same, gradient) = $name::gradient(&a);
                            assert_eq!((value, value), ($name(&a), same));
                            let what = stringify!($name);
                            let slopes = slope.components();
                            let found = inner(&[gradient], std::slice::from_ref(&direction));
                            close_numbers(&found, &slopes, tolerance * 10.0, what);
                            close_numbers(&<$real>::tangent($name(&dual)).components(), &slopes, tolerance, what);
                            let at = |by: f64| {
                                let moved: Vec<E> = a.iter().zip(&direction).map(|(a, d)| a.moved(by, *d)).collect();
                                $name(&moved).components()
                            };
                            let differences = at(step).into_iter().zip(at(-step)).map(|(a, b)| (a - b) / (2.0 * step));
                            close_numbers(&differences.collect::<Vec<f64>>(), &slopes, off, what);
                        };
                    }
                    check!(norm);
                    check!(log_det);
                }
            }
        }
    };
}

suite!(of_doubles, f64, f64);
suite!(of_singles, f32, f32);
suite!(of_duals, Dual<f64, 1>, Dual<f64, 1>);
#[cfg(feature = "num-complex")]
suite!(of_complex_doubles, num_complex::Complex<f64>, f64);
#[cfg(feature = "num-complex")]
suite!(of_complex_singles, num_complex::Complex<f32>, f32);

/// The normal equations of a line, solved, and the size of the solution.
#[reversible]
fn fitted<T: Real>(a: &[T], b: &[T]) -> T {
    let mut x = b.to_vec();
    lu_solve(&mut x, a);
    norm(&x) + log_det(a)
}

#[reversible(record)]
fn fitted_in_steps<T: Real>(a: &[T], b: &[T]) -> T {
    let mut x = b.to_vec();
    let mut y = vec![T::zero(); b.len()];
    for _ in 0..3 {
        lu_solve(&mut x, a);
        matvec(&mut y, a, &x);
        x[0] = x[0] * y[0];
    }
    norm(&y)
}

const A: [f64; 9] = [3.0, 0.5, -0.2, 0.1, 2.5, 0.7, -0.4, 0.3, 4.0];

#[test]
fn programs_have_gradients_and_hessians() {
    let (_, gradient, hessian) = fitted::hessian(&A, &[1.0, -2.0, 0.5]);
    for j in 0..9 {
        let at = |by: f64| {
            let mut a = A;
            a[j] += by;
            fitted::gradient(&a, &[1.0, -2.0, 0.5]).1
        };
        let (above, below) = (at(1e-5), at(-1e-5));
        for i in 0..9 {
            let difference = (above[i] - below[i]) / 2e-5;
            assert!((difference - hessian[i * 12 + j]).abs() < 1e-7, "{difference} {}", hessian[i * 12 + j]);
        }
    }
    assert_eq!(gradient.len(), 12);
}

#[test]
fn programs_with_a_record_have_gradients() {
    let b = [1.0, -2.0, 0.5];
    let (_, by_a, by_b) = fitted_in_steps::gradient(&A, &b);
    let slope = |a: [f64; 9], da: [f64; 9], db: [f64; 3]| {
        let dual = |x: &[f64], d: &[f64]| x.iter().zip(d).map(|(x, d)| Dual::new(*x, [*d])).collect::<Vec<_>>();
        fitted_in_steps(&dual(&a, &da), &dual(&b, &db)).eps[0]
    };
    for i in 0..9 {
        let mut da = [0.0; 9];
        da[i] = 1.0;
        assert!((slope(A, da, [0.0; 3]) - by_a[i]).abs() < 1e-10);
    }
    assert!((slope(A, [0.0; 9], [0.0, 1.0, 0.0]) - by_b[1]).abs() < 1e-10);
}

#[test]
fn what_does_not_fit_is_an_error_and_changes_nothing() {
    let shapes = |run: &mut dyn FnMut()| {
        let error = attempt(run).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Shape);
        format!("{} {}: {} instead of {}", error.function, error.variable, error.actual, error.expected)
    };
    let (mut c, mut a) = ([1.0; 6], [2.0; 5]);
    let (b, x) = ([3.0; 6], [4.0; 4]);
    let found = [
        shapes(&mut || matmul_slices(&mut c, &a, &b, 2)),
        shapes(&mut || matmul_slices::uncall(&mut c, &b, &b, 2)),
        shapes(&mut || matvec(&mut c, &b, &x)),
        shapes(&mut || outer(&mut c, &b, &x)),
        shapes(&mut || triangular_solve(&mut c, &b, Triangle::Upper)),
        shapes(&mut || lu_solve(&mut c, &[1.0; 16])),
        shapes(&mut || cholesky(&mut a)),
        shapes(&mut || inverse(&mut a)),
        shapes(&mut || assert_eq!(log_det(&b), 0.0)),
    ];
    assert_eq!(
        found,
        [
            "matmul_slices a: 5 elements instead of 2 columns",
            "matmul_slices c: 6 elements instead of 3 × 3",
            "matvec a: 6 elements instead of 6 × 4",
            "outer a: 6 elements instead of 6 × 4",
            "triangular_solve a: 6 elements instead of a square matrix",
            "lu_solve x: 6 elements instead of 4 rows",
            "cholesky a: 5 elements instead of a square matrix",
            "inverse a: 5 elements instead of a square matrix",
            "log_det a: 6 elements instead of a square matrix",
        ]
    );
    assert_eq!((c, a), ([1.0; 6], [2.0; 5]));
}

#[test]
fn pivots_that_cannot_be_are_errors_and_change_nothing() {
    let kind = |run: &mut dyn FnMut()| {
        let error = attempt(run).unwrap_err();
        (error.kind, error.expected.into_string(), error.actual.into_string())
    };
    let singular = |column: usize, found: &str| {
        (ErrorKind::Singular, format!("a finite pivot other than zero in column {column}"), found.to_owned())
    };
    let not_positive = |column: usize, found: &str| {
        (ErrorKind::NotPositive, format!("a positive pivot in column {column}"), found.to_owned())
    };
    let mut x = [1.0, 2.0];
    let mut flat = [1.0, 2.0, 2.0, 4.0];
    let triangle = [1.0, 0.0, 5.0, 0.0];
    assert_eq!(kind(&mut || triangular_solve(&mut x, &triangle, Triangle::Lower)), singular(1, "0.0"));
    assert_eq!(kind(&mut || triangular_solve::uncall(&mut x, &triangle, Triangle::Lower)), singular(1, "0.0"));
    assert_eq!(kind(&mut || lu_solve(&mut x, &flat)), singular(1, "0.0"));
    assert_eq!(kind(&mut || lu_solve(&mut x, &[f64::NAN; 4])).0, ErrorKind::Singular);
    assert_eq!(kind(&mut || assert_eq!(log_det(&flat), 0.0)), singular(1, "0.0"));
    let before = flat;
    assert_eq!(kind(&mut || inverse(&mut flat)), singular(1, "0.0"));
    assert_eq!(kind(&mut || cholesky(&mut flat)), not_positive(1, "0.0"));
    let mut negative = [4.0, 0.0, 2.0, -3.0];
    assert_eq!(kind(&mut || cholesky(&mut negative)), not_positive(1, "-4.0"));
    assert_eq!(kind(&mut || cholesky::uncall(&mut negative)), not_positive(1, "-3.0"));
    assert_eq!((x, flat, negative), ([1.0, 2.0], before, [4.0, 0.0, 2.0, -3.0]));
}

#[test]
fn what_is_empty_is_no_error() {
    let mut none: [f64; 0] = [];
    matmul_slices(&mut none, &[], &[], 0);
    matvec(&mut none, &[], &[1.0, 2.0]);
    lu_solve(&mut none, &[]);
    cholesky(&mut none);
    inverse(&mut none);
    assert_eq!((log_det(&none), norm(&none)), (0.0, 0.0));
}
