//! A filter of Kalman with four states and two measurements: how unlikely it finds what is measured.

mod hand;

use retrograd::prelude::*;

use super::{Input, Lossy, array, array_mut, constants};

/// The product of two matrices.
#[reversible]
fn product<T: Real, const N: usize, const M: usize, const K: usize>(a: &[[T; M]; N], b: &[[T; K]; M]) -> [[T; K]; N] {
    let mut c = [[T::zero(); K]; N];
    for i in 0..N {
        for j in 0..M {
            for k in 0..K {
                c[i][k] += a[i][j] * b[j][k];
            }
        }
    }
    c
}

/// The transposed matrix.
#[reversible]
fn transposed<T: Real, const N: usize, const M: usize>(a: &[[T; M]; N]) -> [[T; N]; M] {
    let mut c = [[T::zero(); N]; M];
    for i in 0..N {
        for j in 0..M {
            c[j][i] += a[i][j];
        }
    }
    c
}

/// How unlikely all measurements are, as a logarithm and up to a factor and a constant.
///
/// States follow `f` with variances `q`, and measurements `h` with variances `r`.
///
/// ```
/// use lab_corpus::lossy::kalman::kalman;
///
/// // Nothing is expected, and nothing is measured.
/// assert_eq!(kalman(&[[0.0; 4]; 4], &[[0.0; 4]; 2], &[1.0; 4], &[1.0; 2], &[[0.0; 2]; 10]), 0.0);
/// ```
#[reversible(record)]
pub fn kalman<T: Real>(f: &[[T; 4]; 4], h: &[[T; 4]; 2], q: &[T; 4], r: &[T; 2], #[constant] measured: &[[T; 2]]) -> T {
    let mut x = [T::zero(); 4];
    let mut p = [[T::zero(); 4]; 4];
    for i in 0..4 {
        p[i][i] = T::one();
    }
    let mut loss = T::zero();
    for t in 0..measured.len() {
        // What it should be now.
        let before = x;
        for i in 0..4 {
            x[i] = f[i][0] * before[0] + f[i][1] * before[1] + f[i][2] * before[2] + f[i][3] * before[3];
        }
        p = product(&product(f, &p), &transposed(f));
        for i in 0..4 {
            p[i][i] += q[i];
        }
        // How far off that is.
        let ph = product(&p, &transposed(h));
        let mut s = product(h, &ph);
        for i in 0..2 {
            s[i][i] += r[i];
        }
        let mut error = measured[t];
        for i in 0..2 {
            for j in 0..4 {
                error[i] -= h[i][j] * x[j];
            }
        }
        let det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        let inverse = [[s[1][1] / det, -s[0][1] / det], [-s[1][0] / det, s[0][0] / det]];
        let gain = product(&ph, &inverse);
        loss += det.ln();
        for i in 0..2 {
            for j in 0..2 {
                loss += error[i] * inverse[i][j] * error[j];
            }
        }
        // What it is.
        for i in 0..4 {
            for j in 0..2 {
                x[i] += gain[i][j] * error[j];
            }
            for k in 0..4 {
                p[i][k] -= gain[i][0] * ph[k][0] + gain[i][1] * ph[k][1];
            }
        }
    }
    loss
}

/// The same with all states and covariances kept in arrays.
///
/// ```
/// use lab_corpus::lossy::kalman::kalman_reversible;
///
/// assert_eq!(kalman_reversible(&[[0.0; 4]; 4], &[[0.0; 4]; 2], &[1.0; 4], &[1.0; 2], &[[0.0; 2]; 10]), 0.0);
/// ```
#[reversible]
pub fn kalman_reversible<T: Real>(
    f: &[[T; 4]; 4],
    h: &[[T; 4]; 2],
    q: &[T; 4],
    r: &[T; 2],
    #[constant] measured: &[[T; 2]],
) -> T {
    let mut x = vec![[T::zero(); 4]; measured.len() + 1];
    let mut p = vec![[[T::zero(); 4]; 4]; measured.len() + 1];
    for i in 0..4 {
        p[0][i][i] += T::one();
    }
    let mut loss = T::zero();
    for t in 0..measured.len() {
        let mut expected = [T::zero(); 4];
        for i in 0..4 {
            for j in 0..4 {
                expected[i] += f[i][j] * x[t][j];
            }
        }
        let mut cov = product(&product(f, &p[t]), &transposed(f));
        for i in 0..4 {
            cov[i][i] += q[i];
        }
        let ph = product(&cov, &transposed(h));
        let mut s = product(h, &ph);
        for i in 0..2 {
            s[i][i] += r[i];
        }
        let mut error = measured[t];
        for i in 0..2 {
            for j in 0..4 {
                error[i] -= h[i][j] * expected[j];
            }
        }
        let det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        let inverse = [[s[1][1] / det, -s[0][1] / det], [-s[1][0] / det, s[0][0] / det]];
        let gain = product(&ph, &inverse);
        loss += det.ln();
        for i in 0..2 {
            for j in 0..2 {
                loss += error[i] * inverse[i][j] * error[j];
            }
        }
        for i in 0..4 {
            x[t + 1][i] += expected[i] + gain[i][0] * error[0] + gain[i][1] * error[1];
            for k in 0..4 {
                p[t + 1][i][k] += cov[i][k] - (gain[i][0] * ph[k][0] + gain[i][1] * ph[k][1]);
            }
        }
    }
    loss
}

/// The parameters of a filter.
#[derive(Clone, Copy, Debug)]
struct Parameters<M, H, Q, R> {
    f: M,
    h: H,
    q: Q,
    r: R,
}

/// The parameters to compute with.
type Given<'a, T> = Parameters<&'a [[T; 4]; 4], &'a [[T; 4]; 2], &'a [T; 4], &'a [T; 2]>;
/// Their adjoints.
type Adjoint<'a> = Parameters<&'a mut [[f64; 4]; 4], &'a mut [[f64; 4]; 2], &'a mut [f64; 4], &'a mut [f64; 2]>;

/// Those among numbers in a row.
fn parts<T>(x: &[T]) -> Given<'_, T> {
    let (rows, variances) = x.split_at(24);
    let (f, h) = array(rows.as_chunks().0);
    let (q, r) = array(variances);
    Parameters { f, h: array(h).0, q, r: array(r).0 }
}

/// The same, to be changed.
fn parts_mut(x: &mut [f64]) -> Adjoint<'_> {
    let (rows, variances) = x.split_at_mut(24);
    let (f, h) = array_mut(rows.as_chunks_mut().0);
    let (q, r) = array_mut(variances);
    Parameters { f, h: array_mut(h).0, q, r: array_mut(r).0 }
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "Kalman filter",
    input: |steps| {
        let f = [[0.99, 0.0, 0.1, 0.0], [0.0, 0.99, 0.0, 0.1], [-0.1, 0.0, 0.98, 0.01], [0.0, -0.12, 0.02, 0.97]];
        let h = [[1.0, 0.1, 0.0, 0.0], [0.0, 1.0, 0.05, 0.0]];
        let variances = [0.01, 0.02, 0.03, 0.04, 0.5, 0.6];
        Input {
            x: [f.as_flattened(), h.as_flattened(), &variances].concat(),
            data: (0..2 * steps).map(|i| (0.1 * i as f64).sin() + 0.3 * (7.0 * i as f64).cos()).collect(),
            steps,
        }
    },
    steps: 1000,
    plain: |Input { x, data, .. }| hand::plain(&parts(x), data.as_chunks().0),
    by_hand: |tape, Input { x, data, .. }, g| hand::gradient(tape, &parts(x), data.as_chunks().0, parts_mut(g)),
    recorded: |record, Input { x, data, .. }, g| {
        let (Parameters { f, h, q, r }, g, measured) = (parts(x), parts_mut(g), data.as_chunks().0);
        kalman::pullback_in(record, (f, g.f), (h, g.h), (q, g.q), (r, g.r), measured, 1.0)
    },
    reversible: |Input { x, data, .. }, g| {
        let (Parameters { f, h, q, r }, g, measured) = (parts(x), parts_mut(g), data.as_chunks().0);
        kalman_reversible::pullback((f, g.f), (h, g.h), (q, g.q), (r, g.r), measured, 1.0)
    },
    dual: |Input { data, .. }, x| {
        let (Parameters { f, h, q, r }, data) = (parts(x), constants(data));
        kalman(f, h, q, r, data.as_chunks().0)
    },
};
