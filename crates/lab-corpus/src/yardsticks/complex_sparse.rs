//! Sparse matrices of complex numbers, products with them, and the adjoints of these by hand.

use num_complex::Complex;

use super::data::{Random, sparse};
use super::sparse_dot::merge;
use crate::programs::sparse_dot::Csc;

type Number = Complex<f64>;

/// That many random complex numbers.
pub fn numbers(count: usize, random: &mut Random) -> Vec<Number> {
    (0..count).map(|_| Complex::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0))).collect()
}

/// A random sparse matrix of complex numbers, with entries where [`sparse`] has them.
pub fn complex_matrix(size: usize, density: f64, seed: u64) -> Csc<Number> {
    let Csc { starts, rows, values } = sparse(size, density, seed);
    let mut random = Random::new(seed);
    let values = values.into_iter().map(|re| Complex::new(re, random.between(-1.0, 1.0))).collect();
    Csc { starts, rows, values }
}

/// How long one of so many columns is. Of nothing, it is one, so that there are no columns.
fn height(numbers: &[Number], columns: usize) -> usize {
    (numbers.len() / columns).max(1)
}

/// Adds `alpha` times the product of `a` and `x` to `y`, as
/// [`complex_sparse`](crate::programs::complex_sparse::complex_sparse()) does.
pub fn complex_sparse(y: &mut [Number], a: &Csc<Number>, x: &[Number], alpha: Number, columns: usize) {
    let heights = (height(y, columns), height(x, columns));
    for (y, x) in y.chunks_exact_mut(heights.0).zip(x.chunks_exact(heights.1)) {
        for (ends, x) in a.starts.windows(2).zip(x) {
            let scaled = alpha * x;
            for k in ends[0]..ends[1] {
                y[a.rows[k]] += a.values[k] * scaled;
            }
        }
    }
}

/// Adds `alpha` times the product of a matrix like `a` in rows and `x` to `y`. The entries of a row are what `entry` makes of those of
/// a column.
#[inline(always)]
fn gather(
    y: &mut [Number],
    a: &Csc<Number>,
    x: &[Number],
    alpha: Number,
    columns: usize,
    entry: impl Fn(Number) -> Number,
) {
    let heights = (height(y, columns), height(x, columns));
    for (y, x) in y.chunks_exact_mut(heights.0).zip(x.chunks_exact(heights.1)) {
        for (ends, y) in a.starts.windows(2).zip(y) {
            *y += alpha * (ends[0]..ends[1]).map(|k| entry(a.values[k]) * x[a.rows[k]]).sum::<Number>();
        }
    }
}

/// Adds `alpha` times the product of the transpose of `a` and `x` to `y`, as
/// [`complex_sparse_transposed`](crate::programs::complex_sparse::complex_sparse_transposed()) does.
pub fn complex_sparse_transposed(y: &mut [Number], a: &Csc<Number>, x: &[Number], alpha: Number, columns: usize) {
    gather(y, a, x, alpha, columns, |entry| entry);
}

/// Adds `alpha` times the product of the conjugate transpose of `a` and `x` to `y`, as
/// [`complex_sparse_adjoint`](crate::programs::complex_sparse::complex_sparse_adjoint()) does.
pub fn complex_sparse_adjoint(y: &mut [Number], a: &Csc<Number>, x: &[Number], alpha: Number, columns: usize) {
    gather(y, a, x, alpha, columns, |entry| entry.conj());
}

/// Adds to the adjoints of the entries of `a`, of `x` and of `alpha`, from those of `y`, for
/// [`complex_sparse`].
///
/// ```
/// use lab_corpus::programs::sparse_dot::Csc;
/// use lab_corpus::yardsticks::complex_sparse::pullback;
/// use num_complex::Complex;
///
/// let (one, i) = (Complex::ONE, Complex::I);
/// let a = Csc::from_columns(&[[i * 2.0]]);
/// let (mut g_a, mut g_x, mut g_alpha) = ([Complex::ZERO], [Complex::ZERO], Complex::ZERO);
/// pullback(&[one], (&a, &mut g_a), (&[i], &mut g_x), (one, &mut g_alpha), 1);
/// assert_eq!((g_a, g_x, g_alpha), ([-i], [-i * 2.0], -one * 2.0));
/// ```
pub fn pullback(
    g_y: &[Number],
    (a, g_a): (&Csc<Number>, &mut [Number]),
    (x, g_x): (&[Number], &mut [Number]),
    (alpha, g_alpha): (Number, &mut Number),
    columns: usize,
) {
    let heights = (height(g_y, columns), height(x, columns));
    let of_x = x.chunks_exact(heights.1).zip(g_x.chunks_exact_mut(heights.1));
    for (g_y, (x, g_x)) in g_y.chunks_exact(heights.0).zip(of_x) {
        for (ends, (x, g_x)) in a.starts.windows(2).zip(x.iter().zip(g_x)) {
            let scaled = (alpha * x).conj();
            let mut g_scaled = Number::ZERO;
            for k in ends[0]..ends[1] {
                let g = g_y[a.rows[k]];
                g_a[k] += g * scaled;
                g_scaled += g * a.values[k].conj();
            }
            *g_x += g_scaled * alpha.conj();
            *g_alpha += g_scaled * x.conj();
        }
    }
}

/// The inner product of two matrices, as [`complex_sparse_dot`](crate::programs::complex_sparse::complex_sparse_dot()) adds it.
pub fn complex_sparse_dot(a: &Csc<Number>, b: &Csc<Number>) -> Number {
    let mut sum = Number::ZERO;
    merge(a, b, |i, k| sum += a.values[i].conj() * b.values[k]);
    sum
}

/// Adds to the adjoints of all entries, from that of the inner product, `seed`.
///
/// ```
/// use lab_corpus::programs::sparse_dot::Csc;
/// use lab_corpus::yardsticks::complex_sparse::pullback_of_dot;
/// use num_complex::Complex;
///
/// let (one, i) = (Complex::ONE, Complex::I);
/// let (a, b) = (Csc::from_columns(&[[i * 2.0]]), Csc::from_columns(&[[one + i]]));
/// let (mut g_a, mut g_b) = ([Complex::ZERO], [Complex::ZERO]);
/// pullback_of_dot(&a, &mut g_a, &b, &mut g_b, i);
/// assert_eq!((g_a, g_b), ([one - i], [-one * 2.0]));
/// ```
pub fn pullback_of_dot(a: &Csc<Number>, g_a: &mut [Number], b: &Csc<Number>, g_b: &mut [Number], seed: Number) {
    merge(a, b, |i, k| {
        g_a[i] += b.values[k] * seed.conj();
        g_b[k] += a.values[i] * seed;
    });
}
