//! Derivatives of any order along a line.

use crate::{Real, Taylor};

/// The derivatives of order 0 to `K` of `f(x + v t)` at `t = 0`, from one run of `f` on power series.
///
/// Order 0 is the value, order 1 the slope in direction `v`, order 2 the curvature `vᵀ H v`, and so on.
///
/// ```
/// use retrograd::{Real, derive::taylor};
///
/// fn product<T: Real>(x: &[T]) -> T {
///     x[0] * x[0] * x[1]
/// }
///
/// // (1 + t)² (3 + 2 t) = 3 + 8 t + 7 t² + 2 t³
/// let derivatives = taylor::<f64, 3>(product, &[1.0, 3.0], &[1.0, 2.0]);
/// assert_eq!(derivatives, [3.0, 8.0, 14.0, 12.0]);
/// ```
///
/// # Panics
///
/// If `v` and `x` differ in length.
#[track_caller]
pub fn taylor<T: Real, const K: usize>(f: impl FnOnce(&[Taylor<T, K>]) -> Taylor<T, K>, x: &[T], v: &[T]) -> Vec<T> {
    assert!(x.len() == v.len(), "a line needs one slope for each number: {} numbers, {} slopes", x.len(), v.len());
    let line: Vec<Taylor<T, K>> = x.iter().zip(v).map(|(&x, &v)| Taylor::line(x, v)).collect();
    let result = f(&line);
    (0..=K).map(|k| result.derivative(k)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "a line needs one slope for each number: 2 numbers, 1 slopes")]
    fn a_line_needs_all_its_slopes() {
        taylor::<f64, 1>(|x| x[0] * x[1], &[1.0, 2.0], &[1.0]);
    }

    #[test]
    fn the_curvature_is_that_of_the_hessian() {
        let (x, v) = ([0.3, -1.2], [2.0, 0.5]);
        fn f<T: Real>(x: &[T]) -> T {
            (x[0] * x[1]).sin() + x[0].exp()
        }
        let hessian = crate::trace(&x, f).hessian();
        let curvature = v[0] * v[0] * hessian[0] + 2.0 * v[0] * v[1] * hessian[1] + v[1] * v[1] * hessian[3];
        let derivatives = taylor::<f64, 2>(f, &x, &v);
        assert!((derivatives[2] - curvature).abs() < 1e-12);
    }
}
