//! The kernels behind the primitives: products, triangular solves and factors, as plain loops over any number. Those that faer has for
//! the same numbers stand in for them with the feature `faer`.

use super::Triangle;
use super::entry::{Carry, Entry, Values};
#[cfg(feature = "faer")]
use super::faer;
use super::view::{View, ViewMut};

/// A matrix of numbers as a factor: as it is, or with each of them conjugated.
#[derive(Debug)]
pub(super) struct Factor<'a, E> {
    pub(super) view: View<'a, E>,
    pub(super) conjugated: bool,
}

impl<E> Clone for Factor<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Factor<'_, E> {}

impl<'a, E: Entry> Factor<'a, E> {
    /// The matrix as it is.
    pub(super) fn plain(view: View<'a, E>) -> Factor<'a, E> {
        Factor { view, conjugated: false }
    }

    /// Its transpose.
    pub(super) fn transposed(self) -> Factor<'a, E> {
        Factor { view: self.view.transposed(), ..self }
    }

    /// Its conjugate.
    pub(super) fn conjugated(self) -> Factor<'a, E> {
        Factor { conjugated: !self.conjugated, ..self }
    }

    /// Its conjugate transpose.
    pub(super) fn adjoint(self) -> Factor<'a, E> {
        self.transposed().conjugated()
    }

    #[inline(always)]
    fn at(&self, i: usize, j: usize) -> E {
        let entry = self.view.at(i, j);
        if self.conjugated { entry.conjugate() } else { entry }
    }
}

/// Whether a term is added or taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    /// Plus, or minus where a run goes backwards.
    pub(super) fn backwards(inverse: bool) -> Sign {
        if inverse { Sign::Minus } else { Sign::Plus }
    }

    pub(super) fn opposite(self) -> Sign {
        if self == Sign::Plus { Sign::Minus } else { Sign::Plus }
    }

    #[inline(always)]
    pub(super) fn put<K: Carry>(self, to: &mut K::Value, value: K::Value) {
        match self {
            Sign::Plus => K::add(to, value),
            Sign::Minus => K::sub(to, value),
        }
    }
}

/// `to += left * right`, or `-=`. With factors in the other order, it is the product of the transposed ones.
pub(super) fn product<K: Carry>(
    mut to: ViewMut<'_, K::Value>,
    left: Factor<'_, K::Entry>,
    right: View<'_, K::Value>,
    sign: Sign,
) {
    #[cfg(feature = "faer")]
    if faer::product::<K>(to.lend(), left, right, sign) {
        return;
    }
    let (rows, inner, columns) = (left.view.rows(), left.view.columns(), right.columns());
    if columns == 1 {
        for i in 0..rows {
            let mut sum = K::zero();
            (0..inner).for_each(|l| K::add(&mut sum, K::times(right.at(l, 0), left.at(i, l))));
            sign.put::<K>(to.at(i, 0), sum);
        }
        return;
    }
    for i in 0..rows {
        for l in 0..inner {
            let factor = left.at(i, l);
            match (to.row(i), right.row(l)) {
                (Some(to), Some(right)) => {
                    to.iter_mut().zip(right).for_each(|(to, &right)| sign.put::<K>(to, K::times(right, factor)));
                }
                _ => {
                    (0..columns).for_each(|j| sign.put::<K>(to.at(i, j), K::times(right.at(l, j), factor)));
                }
            }
        }
    }
}

/// `left * right` as rows.
pub(super) fn product_of<K: Carry>(left: Factor<'_, K::Entry>, right: View<'_, K::Value>) -> Vec<K::Value> {
    let (rows, columns) = (left.view.rows(), right.columns());
    let mut to = vec![K::zero(); rows * columns];
    product::<K>(ViewMut::of_rows(&mut to, rows, columns), left, right, Sign::Plus);
    to
}

/// Solves with one triangle of a matrix, in place. A `unit` matrix has ones on its diagonal, whatever stands there.
pub(super) fn solve_triangular<K: Carry>(
    matrix: Factor<'_, K::Entry>,
    triangle: Triangle,
    unit: bool,
    mut x: ViewMut<'_, K::Value>,
) {
    #[cfg(feature = "faer")]
    if faer::solve_triangular::<K>(matrix, triangle, unit, x.lend()) {
        return;
    }
    let (n, columns) = (matrix.view.rows(), x.read().columns());
    for step in 0..n {
        let (i, solved) = match triangle {
            Triangle::Lower => (step, 0..step),
            Triangle::Upper => (n - 1 - step, n - step..n),
        };
        for column in 0..columns {
            let mut value = *x.at(i, column);
            solved.clone().for_each(|j| K::sub(&mut value, K::times(*x.at(j, column), matrix.at(i, j))));
            *x.at(i, column) = if unit { value } else { K::over(value, matrix.at(i, i)) };
        }
    }
}

/// Multiplies by one triangle of a matrix, in place: the inverse of solving with it.
pub(super) fn multiply_triangular<K: Carry>(
    matrix: Factor<'_, K::Entry>,
    triangle: Triangle,
    mut x: ViewMut<'_, K::Value>,
) {
    #[cfg(feature = "faer")]
    if faer::multiply_triangular::<K>(matrix, triangle, x.lend()) {
        return;
    }
    let (n, columns) = (matrix.view.rows(), x.read().columns());
    for step in 0..n {
        let (i, others) = match triangle {
            Triangle::Lower => (n - 1 - step, 0..n - 1 - step),
            Triangle::Upper => (step, step + 1..n),
        };
        for column in 0..columns {
            let mut value = K::times(*x.at(i, column), matrix.at(i, i));
            others.clone().for_each(|j| K::add(&mut value, K::times(*x.at(j, column), matrix.at(i, j))));
            *x.at(i, column) = value;
        }
    }
}

/// A pivot that is zero or not finite: its column, and what it is.
pub(super) type Pivot<E> = (usize, E);

fn is_pivot<E: Entry>(pivot: E) -> bool {
    use crate::Real;
    let size = pivot.size().to_f64();
    size > 0.0 && size.is_finite()
}

/// The first element of the diagonal that cannot be divided by.
pub(super) fn bad_pivot<E: Entry>(matrix: View<'_, E>) -> Option<Pivot<E>> {
    (0..matrix.rows()).map(|k| (k, matrix.at(k, k))).find(|&(_, pivot)| !is_pivot(pivot))
}

/// The triangular factors of a square matrix whose rows are permuted: row `i` of their product is row `order[i]` of the matrix.
pub(super) struct Lu<E> {
    /// Both factors, column by column: U on and above the diagonal, and below it L, whose own diagonal is 1.
    factors: Vec<E>,
    order: Vec<usize>,
}

impl<E: Entry> Lu<E> {
    /// The factors of a square matrix, or the first pivot that cannot be one.
    pub(super) fn new(matrix: View<'_, E>) -> Result<Lu<E>, Pivot<E>> {
        let n = matrix.rows();
        let mut factors = matrix.transposed().to_rows();
        let mut order: Vec<usize> = (0..n).collect();
        let mut lu = ViewMut::of_rows(&mut factors, n, n).transposed();
        #[cfg(feature = "faer")]
        let done = faer::lu(lu.lend(), &mut order);
        #[cfg(not(feature = "faer"))]
        let done = false;
        if !done {
            eliminate(lu.lend(), &mut order)?;
        }
        match bad_pivot(lu.read()) {
            Some(pivot) => Err(pivot),
            None => Ok(Lu { factors, order }),
        }
    }

    fn factor(&self) -> Factor<'_, E> {
        Factor::plain(View::of_rows(&self.factors, self.order.len(), self.order.len()).transposed())
    }

    /// The diagonal of U.
    pub(super) fn pivots(&self) -> impl Iterator<Item = E> {
        (0..self.order.len()).map(|k| self.factor().at(k, k))
    }

    /// Solves A x = b in place.
    pub(super) fn solve<K: Carry<Entry = E>>(&self, mut x: ViewMut<'_, K::Value>) {
        let columns = x.read().columns();
        let given = x.read().to_rows();
        for (i, &from) in self.order.iter().enumerate() {
            (0..columns).for_each(|j| *x.at(i, j) = given[from * columns + j]);
        }
        solve_triangular::<K>(self.factor(), Triangle::Lower, true, x.lend());
        solve_triangular::<K>(self.factor(), Triangle::Upper, false, x);
    }

    /// Solves Aᴴ x = b in place.
    pub(super) fn solve_adjoint<K: Carry<Entry = E>>(&self, mut x: ViewMut<'_, K::Value>) {
        solve_triangular::<K>(self.factor().adjoint(), Triangle::Lower, false, x.lend());
        solve_triangular::<K>(self.factor().adjoint(), Triangle::Upper, true, x.lend());
        let columns = x.read().columns();
        let permuted = x.read().to_rows();
        for (i, &to) in self.order.iter().enumerate() {
            (0..columns).for_each(|j| *x.at(to, j) = permuted[i * columns + j]);
        }
    }

    /// The inverse of the matrix, row by row.
    pub(super) fn inverse(&self) -> Vec<E> {
        let n = self.order.len();
        let mut inverse = vec![E::zero(); n * n];
        (0..n).for_each(|i| inverse[i * n + i] = E::one());
        self.solve::<Values<E>>(ViewMut::of_rows(&mut inverse, n, n));
        inverse
    }
}

/// Gauss's elimination with the largest pivot of each column.
fn eliminate<E: Entry>(mut a: ViewMut<'_, E>, order: &mut [usize]) -> Result<(), Pivot<E>> {
    use crate::Real;
    let n = order.len();
    for k in 0..n {
        let size = |i: usize| a.read().at(i, k).size().to_f64();
        let largest = (k..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
        order.swap(k, largest);
        for j in 0..n {
            let (one, other) = (*a.at(k, j), *a.at(largest, j));
            (*a.at(k, j), *a.at(largest, j)) = (other, one);
        }
        let pivot = *a.at(k, k);
        if !is_pivot(pivot) {
            return Err((k, pivot));
        }
        for i in k + 1..n {
            let factor = a.at(i, k).over(pivot);
            *a.at(i, k) = factor;
            for j in k + 1..n {
                let product = factor.times(*a.at(k, j));
                *a.at(i, j) = a.at(i, j).minus(product);
            }
        }
    }
    Ok(())
}

/// Replaces the lower triangle of a matrix, stored row by row, by its Cholesky factor; or says which pivot is not positive. Imaginary
/// parts on the diagonal are not read, and set to zero.
pub(super) fn cholesky<E: Entry>(a: &mut [E], n: usize) -> Result<(), Pivot<E::Real>> {
    #[cfg(feature = "faer")]
    {
        // Column by column, as faer likes it.
        let mut columns = View::of_rows(a, n, n).transposed().to_rows();
        (0..n).for_each(|i| columns[i * n + i] = E::of_real(columns[i * n + i].real()));
        if faer::cholesky(ViewMut::of_rows(&mut columns, n, n).transposed()) {
            (0..n).for_each(|i| (0..=i).for_each(|j| a[i * n + j] = columns[j * n + i]));
            return Ok(());
        }
    }
    use crate::Real;
    for j in 0..n {
        let mut pivot = a[j * n + j].real();
        (0..j).for_each(|k| pivot -= a[j * n + k].square_size());
        let size = pivot.to_f64();
        if !(size > 0.0 && size.is_finite()) {
            return Err((j, pivot));
        }
        let root = pivot.sqrt();
        a[j * n + j] = E::of_real(root);
        for i in j + 1..n {
            let mut sum = a[i * n + j];
            (0..j).for_each(|k| sum = sum.minus(a[i * n + k].times(a[j * n + k].conjugate())));
            a[i * n + j] = sum.over(E::of_real(root));
        }
    }
    Ok(())
}
