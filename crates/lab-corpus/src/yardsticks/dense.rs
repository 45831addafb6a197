//! Dense linear algebra, and adjoints by hand.

/// Undoes [`matvec`](super::matvec::matvec), and takes the adjoint of `y` back.
///
/// ```
/// use lab_corpus::programs::matvec::matvec;
/// use lab_corpus::yardsticks::dense::matvec_pullback;
///
/// let (a, x) = ([1.0, 2.0, 3.0, 4.0], [10.0, 20.0]);
/// let (mut y, g_y, mut g_a, mut g_x) = ([50.0, 110.0], [1.0, 3.0], [0.0; 4], [0.0; 2]);
/// let (mut z, mut g_z, mut h_a, mut h_x) = (y, g_y, g_a, g_x);
/// matvec_pullback(&mut y, &g_y, &a, &mut g_a, &x, &mut g_x);
/// matvec::pullback((&mut z, &mut g_z), (&a, &mut h_a), (&x, &mut h_x));
/// assert_eq!((y, g_a, g_x), (z, h_a, h_x));
/// ```
pub fn matvec_pullback(y: &mut [f64], g_y: &[f64], a: &[f64], g_a: &mut [f64], x: &[f64], g_x: &mut [f64]) {
    let n = x.len();
    let g_x = &mut g_x[..n];
    for ((y, g), (a, g_a)) in y.iter_mut().zip(g_y).zip(a.chunks_exact(n).zip(g_a.chunks_exact_mut(n))) {
        let mut sum = 0.0;
        for j in 0..n {
            sum += a[j] * x[j];
            g_a[j] += g * x[j];
            g_x[j] += g * a[j];
        }
        *y -= sum;
    }
}

/// The sum of the squares of all elements of a product, as [`product`](crate::dense::product()) has it, and the product.
fn multiplied(a: &[f64], b: &[f64], n: usize) -> (f64, Vec<f64>) {
    let mut c = vec![0.0; n * n];
    for (c, a) in c.chunks_exact_mut(n).zip(a.chunks_exact(n)) {
        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
            c.iter_mut().zip(b).for_each(|(c, b)| *c += a * b);
        }
    }
    (c.iter().map(|c| c * c).sum(), c)
}

/// The sum of the squares of all elements of a product, as [`product`](crate::dense::product()) has it.
pub fn product(a: &[f64], b: &[f64], n: usize) -> f64 {
    multiplied(a, b, n).0
}

/// Its gradient.
///
/// ```
/// use lab_corpus::dense::product;
/// use lab_corpus::yardsticks::dense::product_gradient;
///
/// let (a, b) = ([1.0, 2.0, 3.0, 4.0], [0.5, -1.0, 1.5, 2.0]);
/// assert_eq!(product_gradient(&a, &b, 2), product::gradient(&a, &b, 2));
/// ```
pub fn product_gradient(a: &[f64], b: &[f64], n: usize) -> (f64, Vec<f64>, Vec<f64>) {
    let (value, c) = multiplied(a, b, n);
    let (mut g_a, mut g_b) = (vec![0.0; n * n], vec![0.0; n * n]);
    for ((a, g_a), c) in a.chunks_exact(n).zip(g_a.chunks_exact_mut(n)).zip(c.chunks_exact(n)) {
        for (k, (a, g_a)) in a.iter().zip(g_a).enumerate() {
            let (b, g_b) = (&b[k * n..][..n], &mut g_b[k * n..][..n]);
            let mut sum = 0.0;
            for j in 0..n {
                let g = 2.0 * c[j];
                sum += g * b[j];
                g_b[j] += g * a;
            }
            *g_a = sum;
        }
    }
    (value, g_a, g_b)
}

/// A triangular solve, as [`solve`](crate::dense::solve()) does it.
pub fn solve(x: &mut [f64], l: &[f64], n: usize) {
    for i in 0..n {
        let (solved, rest) = x.split_at_mut(i);
        let row = &l[i * n..][..=i];
        rest[0] = row.iter().zip(&*solved).fold(rest[0], |x, (l, solved)| x - l * solved) / row[i];
    }
}

/// Undoes [`solve`], and takes the adjoint of the solution back.
///
/// ```
/// use lab_corpus::dense::solve;
/// use lab_corpus::yardsticks::dense::solve_pullback;
///
/// let l = [2.0, 0.0, 1.0, 4.0];
/// let (mut x, mut g_x, mut g_l) = ([1.0, 2.0], [1.0, 10.0], [0.0; 4]);
/// let (mut y, mut g_y, mut h_l) = (x, g_x, g_l);
/// solve_pullback(&mut x, &mut g_x, &l, &mut g_l, 2);
/// solve::pullback((&mut y, &mut g_y), (&l, &mut h_l), 2);
/// assert_eq!((x, g_x, g_l), (y, g_y, h_l));
/// ```
pub fn solve_pullback(x: &mut [f64], g_x: &mut [f64], l: &[f64], g_l: &mut [f64], n: usize) {
    for i in (0..n).rev() {
        let (row, g_row) = (&l[i * n..][..=i], &mut g_l[i * n..][..=i]);
        let g = g_x[i] / row[i];
        g_row[i] -= g * x[i];
        let mut b = x[i] * row[i];
        for j in 0..i {
            b += row[j] * x[j];
            g_row[j] -= g * x[j];
            g_x[j] -= g * row[j];
        }
        (x[i], g_x[i]) = (b, g);
    }
}

/// The lower triangle of the decomposition, and half the logarithm of the determinant.
fn decomposed(a: &[f64], n: usize) -> (f64, Vec<f64>) {
    let mut l = vec![0.0; n * n];
    for j in 0..n {
        let d = (0..j).fold(a[j * n + j], |d, k| d - l[j * n + k] * l[j * n + k]).sqrt();
        l[j * n + j] = d;
        for i in j + 1..n {
            let s = (0..j).fold(a[i * n + j], |s, k| s - l[i * n + k] * l[j * n + k]);
            l[i * n + j] = s / d;
        }
    }
    ((0..n).map(|j| l[j * n + j].ln()).sum(), l)
}

/// Half the logarithm of a determinant, as [`cholesky`](crate::dense::cholesky()) has it.
pub fn cholesky(a: &[f64], n: usize) -> f64 {
    decomposed(a, n).0
}

/// Its gradient.
///
/// ```
/// use lab_corpus::dense::cholesky;
/// use lab_corpus::yardsticks::dense::cholesky_gradient;
///
/// let a = [4.0, 0.0, 2.0, 3.0];
/// let (hand, ours) = (cholesky_gradient(&a, 2), cholesky::gradient(&a, 2));
/// assert!(hand.1.iter().zip(&ours.1).all(|(a, b)| (a - b).abs() < 1e-15));
/// ```
pub fn cholesky_gradient(a: &[f64], n: usize) -> (f64, Vec<f64>) {
    let (value, l) = decomposed(a, n);
    let (mut g_l, mut g_a) = (vec![0.0; n * n], vec![0.0; n * n]);
    for j in 0..n {
        g_l[j * n + j] = 1.0 / l[j * n + j];
    }
    for j in (0..n).rev() {
        let d = l[j * n + j];
        let (before, from) = g_l.split_at_mut((j + 1) * n);
        let (row, (g_row, rest)) = (&l[j * n..][..j], before[j * n..].split_at_mut(j));
        let mut g_d = rest[0];
        for i in (j + 1..n).rev() {
            let (other, g_other) = (&l[i * n..][..=j], &mut from[(i - j - 1) * n..][..=j]);
            let g = g_other[j] / d;
            g_d -= g * other[j];
            g_a[i * n + j] += g;
            for k in 0..j {
                g_other[k] -= g * row[k];
                g_row[k] -= g * other[k];
            }
        }
        let g = g_d / (2.0 * d);
        g_a[j * n + j] += g;
        g_row.iter_mut().zip(row).for_each(|(g_row, l)| *g_row -= 2.0 * g * l);
    }
    (value, g_a)
}
