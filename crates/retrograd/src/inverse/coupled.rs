//! Unknowns that determine each other: a square system of their own, factorised.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::{colamd, lu::simplicial};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par};

/// Systems up to this size are dense ones.
const DENSE: usize = 16;

/// The factors of a square matrix.
#[derive(Clone)]
pub(super) enum Factors {
    Dense(Dense),
    Sparse(Box<Sparse>),
}

impl Factors {
    /// Of the matrix with these entries `(row, column, value)`; or the column that depends on those before it.
    pub(super) fn new(n: usize, entries: &[(usize, usize, f64)]) -> Result<Factors, usize> {
        let scales = Scales::new(n, entries)?;
        match n <= DENSE {
            true => Dense::new(n, entries, &scales).map(Factors::Dense),
            false => Sparse::new(n, entries, &scales).map(|sparse| Factors::Sparse(Box::new(sparse))),
        }
    }

    /// Replaces columns of right-hand sides by solutions.
    pub(super) fn solve(&self, columns: &mut [f64]) {
        match self {
            Factors::Dense(dense) => columns.chunks_exact_mut(dense.n).for_each(|column| dense.solve(column)),
            Factors::Sparse(sparse) => sparse.solve(columns, false),
        }
    }

    /// The same for the transposed matrix.
    pub(super) fn solve_transposed(&self, columns: &mut [f64]) {
        match self {
            Factors::Dense(dense) => {
                columns.chunks_exact_mut(dense.n).for_each(|column| dense.solve_transposed(column))
            }
            Factors::Sparse(sparse) => sparse.solve(columns, true),
        }
    }

    /// The sign of the determinant, and the logarithm of its magnitude.
    pub(super) fn log_det(&self) -> (f64, f64) {
        match self {
            Factors::Dense(dense) => dense.log_det,
            Factors::Sparse(sparse) => sparse.log_det,
        }
    }
}

/// Rows are scaled to the same size, so that pivots can be compared; and how small a pivot in a column counts as none.
struct Scales {
    rows: Vec<f64>,
    least: Vec<f64>,
}

impl Scales {
    fn new(n: usize, entries: &[(usize, usize, f64)]) -> Result<Scales, usize> {
        let mut rows = vec![0.0_f64; n];
        for &(row, column, value) in entries {
            if !value.is_finite() {
                return Err(column);
            }
            rows[row] = rows[row].max(value.abs());
        }
        rows.iter_mut().for_each(|row| *row = row.recip());
        let mut least = vec![0.0_f64; n];
        for &(row, column, value) in entries {
            least[column] = least[column].max(value.abs() * rows[row]);
        }
        least.iter_mut().for_each(|least| *least *= n as f64 * f64::EPSILON);
        Ok(Scales { rows, least })
    }

    /// The sign and the logarithm that the scaling has taken from a determinant.
    fn log_abs(&self) -> f64 {
        -self.rows.iter().map(|row| row.ln()).sum::<f64>()
    }
}

/// L and U in one array, row by row, and the rows in the order of their pivots.
#[derive(Clone)]
pub(super) struct Dense {
    n: usize,
    factors: Vec<f64>,
    order: Vec<usize>,
    scales: Vec<f64>,
    log_det: (f64, f64),
}

impl Dense {
    fn new(n: usize, entries: &[(usize, usize, f64)], scales: &Scales) -> Result<Dense, usize> {
        let mut a = vec![0.0; n * n];
        for &(row, column, value) in entries {
            a[row * n + column] += value * scales.rows[row];
        }
        let mut order: Vec<usize> = (0..n).collect();
        let mut log_det = (1.0, scales.log_abs());
        for k in 0..n {
            let size = |row: &usize| a[row * n + k].abs();
            let largest = (k..n).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(k);
            let pivot = a[largest * n + k];
            if pivot.is_nan() || pivot.abs() <= scales.least[k] {
                return Err(k);
            }
            if largest != k {
                order.swap(k, largest);
                (0..n).for_each(|j| a.swap(k * n + j, largest * n + j));
                log_det.0 = -log_det.0;
            }
            log_det = (log_det.0 * pivot.signum(), log_det.1 + pivot.abs().ln());
            for i in k + 1..n {
                let factor = a[i * n + k] / pivot;
                a[i * n + k] = factor;
                for j in k + 1..n {
                    a[i * n + j] -= factor * a[k * n + j];
                }
            }
        }
        Ok(Dense { n, factors: a, order, scales: scales.rows.clone(), log_det })
    }

    fn solve(&self, column: &mut [f64]) {
        let Dense { n, factors: a, .. } = self;
        let mut x = [0.0; DENSE];
        for i in 0..*n {
            let row = self.order[i];
            let known: f64 = (0..i).map(|j| a[i * n + j] * x[j]).sum();
            x[i] = column[row] * self.scales[row] - known;
        }
        for i in (0..*n).rev() {
            let known: f64 = (i + 1..*n).map(|j| a[i * n + j] * x[j]).sum();
            x[i] = (x[i] - known) / a[i * n + i];
        }
        column.copy_from_slice(&x[..*n]);
    }

    fn solve_transposed(&self, column: &mut [f64]) {
        let Dense { n, factors: a, .. } = self;
        let mut x = [0.0; DENSE];
        for i in 0..*n {
            let known: f64 = (0..i).map(|j| a[j * n + i] * x[j]).sum();
            x[i] = (column[i] - known) / a[i * n + i];
        }
        for i in (0..*n).rev() {
            let known: f64 = (i + 1..*n).map(|j| a[j * n + i] * x[j]).sum();
            x[i] -= known;
        }
        for (i, &row) in self.order.iter().enumerate() {
            column[row] = x[i] * self.scales[row];
        }
    }
}

/// The factors of faer, with columns in an order that keeps them sparse.
#[derive(Clone)]
pub(super) struct Sparse {
    n: usize,
    factors: simplicial::SimplicialLu<usize, f64>,
    rows: [Vec<usize>; 2],
    columns: [Vec<usize>; 2],
    scales: Vec<f64>,
    log_det: (f64, f64),
}

impl Sparse {
    fn new(n: usize, entries: &[(usize, usize, f64)], scales: &Scales) -> Result<Sparse, usize> {
        let scaled = |&(row, column, value): &(usize, usize, f64)| Triplet::new(row, column, value * scales.rows[row]);
        let triplets: Vec<_> = entries.iter().map(scaled).collect();
        let matrix = SparseColMat::try_new_from_triplets(n, n, &triplets).expect("rows and columns are in range");
        let mut columns = [vec![0; n], vec![0; n]];
        let mut memory = MemBuffer::new(colamd::order_scratch::<usize>(n, n, matrix.compute_nnz()));
        let [forward, inverse] = &mut columns;
        colamd::order(forward, inverse, matrix.symbolic(), colamd::Control::default(), MemStack::new(&mut memory))
            .expect("the matrix fits into memory");
        let mut sparse = Sparse {
            n,
            factors: simplicial::SimplicialLu::new(),
            rows: [vec![0; n], vec![0; n]],
            columns,
            scales: scales.rows.clone(),
            log_det: (1.0, scales.log_abs()),
        };
        let scratch = simplicial::factorize_simplicial_numeric_lu_scratch::<usize, f64>(n, n);
        let mut memory = MemBuffer::new(scratch);
        let [forward, inverse] = &mut sparse.rows;
        let columns = PermRef::new_checked(&sparse.columns[0], &sparse.columns[1], n);
        let stack = MemStack::new(&mut memory);
        simplicial::factorize_simplicial_numeric_lu(
            forward,
            inverse,
            &mut sparse.factors,
            matrix.as_ref(),
            columns,
            stack,
        )
        .map_err(|_| 0_usize)?;
        let upper = sparse.factors.u_factor_unsorted();
        for k in 0..n {
            let column = sparse.columns[0][k];
            let diagonal = upper.row_idx_of_col(k).zip(upper.val_of_col(k)).find(|&(row, _)| row == k);
            match diagonal {
                Some((_, &pivot)) if pivot.abs() > scales.least[column] => {
                    let (sign, log_abs) = sparse.log_det;
                    sparse.log_det = (sign * pivot.signum(), log_abs + pivot.abs().ln());
                }
                _ => return Err(column),
            }
        }
        sparse.log_det.0 *= sign(n, |i| sparse.rows[0][i]) * sign(n, |i| sparse.columns[0][i]);
        Ok(sparse)
    }

    fn solve(&self, columns: &mut [f64], is_transposed: bool) {
        let n = self.n;
        let count = columns.len() / n;
        let scale = |columns: &mut [f64]| {
            for column in columns.chunks_exact_mut(n) {
                column.iter_mut().zip(&self.scales).for_each(|(x, scale)| *x *= scale);
            }
        };
        let scratch = simplicial::solve_in_place_scratch::<usize, f64>(n, count, Par::Seq);
        let mut memory = MemBuffer::new(scratch);
        let stack = MemStack::new(&mut memory);
        let row_order = PermRef::new_checked(&self.rows[0], &self.rows[1], n);
        let column_order = PermRef::new_checked(&self.columns[0], &self.columns[1], n);
        if is_transposed {
            let x = MatMut::from_column_major_slice_mut(columns, n, count);
            self.factors.solve_transpose_in_place_with_conj(row_order, column_order, Conj::No, x, Par::Seq, stack);
            scale(columns);
        } else {
            scale(columns);
            let x = MatMut::from_column_major_slice_mut(columns, n, count);
            self.factors.solve_in_place_with_conj(row_order, column_order, Conj::No, x, Par::Seq, stack);
        }
    }
}

/// 1 for an even permutation of `n` numbers, and -1 for an odd one.
pub(super) fn sign(n: usize, permuted: impl Fn(usize) -> usize) -> f64 {
    let mut is_seen = vec![false; n];
    let mut sign = 1.0;
    for start in 0..n {
        let (mut i, mut length) = (start, 0);
        while !std::mem::replace(&mut is_seen[i], true) {
            i = permuted(i);
            length += 1;
        }
        if length > 0 && length % 2 == 0 {
            sign = -sign;
        }
    }
    sign
}
