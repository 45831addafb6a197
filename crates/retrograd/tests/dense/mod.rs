//! Small dense matrices, inverted by elimination with pivots.

use retrograd::LogDet;

/// A v
pub(crate) fn times(matrix: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(v).map(|(a, v)| a * v).sum()).collect()
}

/// Aᵀ
pub(crate) fn transposed(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..matrix.len()).map(|j| matrix.iter().map(|row| row[j]).collect()).collect()
}

/// The inverse, the determinant and the condition number, by Gauss and Jordan with pivots from the whole matrix; none if a pivot is tiny.
pub(crate) fn inverted(matrix: &[Vec<f64>]) -> Option<(Vec<Vec<f64>>, LogDet, f64)> {
    let n = matrix.len();
    let mut a: Vec<Vec<f64>> = matrix.to_vec();
    for (i, row) in a.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(i == j)));
    }
    let mut det = LogDet { sign: 1.0, log_abs: 0.0 };
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        if a[pivot][k].abs() < 1e-9 {
            return None;
        }
        if pivot != k {
            a.swap(pivot, k);
            det.sign = -det.sign;
        }
        let scale = a[k][k];
        det = LogDet { sign: det.sign * scale.signum(), log_abs: det.log_abs + scale.abs().ln() };
        a[k].iter_mut().for_each(|x| *x /= scale);
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k];
            let row = a[k].clone();
            a[i].iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let inverse: Vec<Vec<f64>> = a.into_iter().map(|row| row[n..].to_vec()).collect();
    let norm = |m: &[Vec<f64>]| m.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let condition = norm(matrix) * norm(&inverse);
    Some((inverse, det, condition))
}
