//! Matrices that are replaced by their factor or their inverse.

use super::Triangle;
use super::companions::procedure;
use super::entry::{Carried, Carry, Entry, Swept, Values, fit_shadow};
use super::kernels::{Factor, Lu, product_of, solve_triangular};
use super::shape::{Call, Dense, Needed};
use super::view::{View, ViewMut};
use crate::shadow::{AdjointArg, Scalar, Shadowed, Sweep, given_by_hand};
use crate::{Active, Real};

/// The indices of a lower triangle.
fn lower(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)))
}

/// The lower triangle of a matrix as rows, with zeros above it and no imaginary parts on the diagonal.
fn lower_rows<K: Carry>(matrix: View<'_, K::Value>) -> Vec<K::Value> {
    let n = matrix.rows();
    let mut rows = vec![K::zero(); n * n];
    lower(n).for_each(|(i, j)| {
        let value = matrix.at(i, j);
        rows[i * n + j] = if i == j { K::with_real(K::zero(), value) } else { value };
    });
    rows
}

/// The Hermitian matrix with this lower triangle, whose diagonal is multiplied by `factor`.
fn hermitian<K: Carry>(matrix: View<'_, K::Value>, factor: f64) -> Vec<K::Value> {
    let n = matrix.rows();
    let mut rows = lower_rows::<K>(matrix);
    for (i, j) in lower(n) {
        rows[j * n + i] = K::conjugate(rows[i * n + j]);
        if i == j {
            rows[i * n + i] = K::times(rows[i * n + i], K::Entry::of_real(Real::lit(factor)));
        }
    }
    rows
}

/// The lower triangle, with half of its diagonal: Φ.
fn halved<K: Carry>(mut rows: Vec<K::Value>, n: usize) -> Vec<K::Value> {
    rows = lower_rows::<K>(View::of_rows(&rows, n, n));
    (0..n).for_each(|i| rows[i * n + i] = K::times(rows[i * n + i], K::Entry::of_real(Real::lit(0.5))));
    rows
}

/// Writes rows into the lower triangle of a matrix; the imaginary parts of its diagonal stay.
fn put_lower<K: Carry>(mut matrix: ViewMut<'_, K::Value>, rows: &[K::Value]) {
    let n = matrix.read().rows();
    for (i, j) in lower(n) {
        let (to, from) = (matrix.at(i, j), rows[i * n + j]);
        *to = if i == j { K::with_real(*to, from) } else { from };
    }
}

/// The factor of a Hermitian matrix, as rows.
fn factor<E: Entry>(call: Call, a: View<'_, E>) -> Vec<E> {
    let mut rows = lower_rows::<Values<E>>(a);
    if let Err((pivot, value)) = super::kernels::cholesky(&mut rows, a.rows()) {
        call.not_positive("a", pivot, value);
    }
    rows
}

/// A factor, as rows, which has to be one.
fn given_factor<E: Entry>(call: Call, a: View<'_, E>) -> Vec<E> {
    let bad = (0..a.rows()).map(|k| (k, a.at(k, k).real())).find(|(_, pivot)| {
        let pivot = pivot.to_f64();
        !(pivot > 0.0 && pivot.is_finite())
    });
    if let Some((pivot, value)) = bad {
        call.not_positive("a", pivot, value);
    }
    lower_rows::<Values<E>>(a)
}

/// M + Mᴴ on and below the diagonal, from the rows of M; L Lᴴ is that for half of it.
fn with_adjoint<K: Carry>(rows: &[K::Value], n: usize) -> Vec<K::Value> {
    let mut sums = rows.to_vec();
    lower(n).for_each(|(i, j)| K::add(&mut sums[i * n + j], K::conjugate(rows[j * n + i])));
    sums
}

/// Solves with a factor from both sides: L⁻¹ M L⁻ᴴ, or L⁻ᴴ M L⁻¹.
fn between<K: Carry>(l: View<'_, K::Entry>, adjoint: bool, mut rows: Vec<K::Value>) -> Vec<K::Value> {
    let n = l.rows();
    let mut matrix = ViewMut::of_rows(&mut rows, n, n);
    let l = Factor::plain(l);
    // From the right, the transposed equations are solved: M R⁻¹ is R⁻ᵀ Mᵀ, transposed.
    let (left, right, triangle) = match adjoint {
        false => (l, l.conjugated(), Triangle::Lower),
        true => (l.adjoint(), l.transposed(), Triangle::Upper),
    };
    solve_triangular::<K>(left, triangle, false, matrix.lend());
    solve_triangular::<K>(right, triangle, false, matrix.transposed());
    rows
}

/// L Lᴴ, as rows.
fn multiplied<E: Entry>(l: View<'_, E>) -> Vec<E> {
    let adjoint: Vec<E> = l.transposed().to_rows().into_iter().map(E::conjugate).collect();
    product_of::<Values<E>>(Factor::plain(l), View::of_rows(&adjoint, l.rows(), l.rows()))
}

fn cholesky_values<E: Entry, A: Dense<Entry = E> + ?Sized>(call: Call, inverse: bool, a: &mut A) {
    let shape @ (n, _) = call.fit("a", a, Needed::Square);
    let rows = match inverse {
        false => factor(call, a.view(shape)),
        true => multiplied(View::of_rows(&given_factor(call, a.view(shape)), n, n)),
    };
    put_lower::<Values<E>>(a.view_mut(shape), &rows);
}

/// dL = L Φ(L⁻¹ dA L⁻ᴴ), and dA = dL Lᴴ + L dLᴴ.
fn cholesky_tangents<E: Swept<S>, S, A: Carried<E, S> + ?Sized>(
    call: Call,
    inverse: bool,
    _sweep: Sweep<S>,
    a: &mut A,
    da: &mut A::Shadow,
) {
    let shape @ (n, _) = call.fit("a", a, Needed::Square);
    let rows = if inverse { given_factor(call, a.view(shape)) } else { factor(call, a.view(shape)) };
    let l = View::of_rows(&rows, n, n);
    if inverse {
        let moved = lower_rows::<E::Carry>(da.view(shape));
        // (dL Lᴴ)ᵀ = conj(L) dLᵀ
        let transposed =
            product_of::<E::Carry>(Factor::plain(l).conjugated(), View::of_rows(&moved, n, n).transposed());
        let product = View::of_rows(&transposed, n, n).transposed().to_rows();
        put_lower::<E::Carry>(da.view_mut(shape), &with_adjoint::<E::Carry>(&product, n));
        put_lower::<Values<E>>(a.view_mut(shape), &multiplied(l));
    } else {
        let inner = between::<E::Carry>(l, false, hermitian::<E::Carry>(da.view(shape), 1.0));
        let inner = halved::<E::Carry>(inner, n);
        let moved = product_of::<E::Carry>(Factor::plain(l), View::of_rows(&inner, n, n));
        put_lower::<E::Carry>(da.view_mut(shape), &moved);
        put_lower::<Values<E>>(a.view_mut(shape), &rows);
    }
}

/// With S = L⁻ᴴ Φ(Lᴴ L̄) L⁻¹ the adjoint of A is S + Sᴴ, with half of the diagonal; and that of L is 2 Â L, where Â has half of the
/// adjoint of A outside of its diagonal.
fn cholesky_adjoints<E: Swept<S>, S, A: Carried<E, S> + ?Sized>(
    call: Call,
    inverse: bool,
    _sweep: Sweep<S>,
    a: &mut A,
    ga: &mut A::Shadow,
) {
    let shape @ (n, _) = call.fit("a", a, Needed::Square);
    let rows = if inverse { given_factor(call, a.view(shape)) } else { factor(call, a.view(shape)) };
    let l = View::of_rows(&rows, n, n);
    if inverse {
        let given = lower_rows::<E::Carry>(ga.view(shape));
        let inner = product_of::<E::Carry>(Factor::plain(l).adjoint(), View::of_rows(&given, n, n));
        let outer = between::<E::Carry>(l, true, halved::<E::Carry>(inner, n));
        let mut sums = with_adjoint::<E::Carry>(&outer, n);
        (0..n).for_each(|i| sums[i * n + i] = outer[i * n + i]);
        put_lower::<E::Carry>(ga.view_mut(shape), &sums);
        put_lower::<Values<E>>(a.view_mut(shape), &multiplied(l));
    } else {
        let doubled = hermitian::<E::Carry>(ga.view(shape), 2.0);
        // (2 Â L)ᵀ = Lᵀ (2 Â)ᵀ
        let transposed =
            product_of::<E::Carry>(Factor::plain(l).transposed(), View::of_rows(&doubled, n, n).transposed());
        let product = View::of_rows(&transposed, n, n).transposed().to_rows();
        put_lower::<E::Carry>(ga.view_mut(shape), &product);
        put_lower::<Values<E>>(a.view_mut(shape), &rows);
    }
}

fn inverted<E: Entry>(call: Call, a: View<'_, E>) -> Vec<E> {
    match Lu::new(a) {
        Ok(factors) => factors.inverse(),
        Err((pivot, value)) => call.singular("a", pivot, value),
    }
}

fn inverse_values<E: Entry, A: Dense<Entry = E> + ?Sized>(call: Call, _inverse: bool, a: &mut A) {
    let shape = call.fit("a", a, Needed::Square);
    let rows = inverted(call, a.view(shape));
    a.view_mut(shape).write_rows(&rows);
}

/// Replaces a derivative D by −F D G.
fn sandwich<K: Carry>(f: Factor<'_, K::Entry>, mut d: ViewMut<'_, K::Value>, g: Factor<'_, K::Entry>) {
    let n = f.view.rows();
    let left = product_of::<K>(f, d.read());
    let transposed = product_of::<K>(g.transposed(), View::of_rows(&left, n, n).transposed());
    for (k, &value) in transposed.iter().enumerate() {
        let mut opposite = K::zero();
        K::sub(&mut opposite, value);
        *d.at(k % n, k / n) = opposite;
    }
}

/// The tangent becomes −B dA B, where B is the inverse of A. It is its own inverse, with A in the place of B.
fn inverse_tangents<E: Swept<S>, S, A: Carried<E, S> + ?Sized>(
    call: Call,
    _inverse: bool,
    _sweep: Sweep<S>,
    a: &mut A,
    da: &mut A::Shadow,
) {
    let shape @ (n, _) = call.fit("a", a, Needed::Square);
    let rows = inverted(call, a.view(shape));
    let inverse = Factor::plain(View::of_rows(&rows, n, n));
    sandwich::<E::Carry>(inverse, da.view_mut(shape), inverse);
    a.view_mut(shape).write_rows(&rows);
}

/// The adjoint becomes −Aᴴ Ā Aᴴ, where A is what is inverted, in either direction.
fn inverse_adjoints<E: Swept<S>, S, A: Carried<E, S> + ?Sized>(
    call: Call,
    _inverse: bool,
    _sweep: Sweep<S>,
    a: &mut A,
    ga: &mut A::Shadow,
) {
    let shape = call.fit("a", a, Needed::Square);
    let rows = inverted(call, a.view(shape));
    let adjoint = Factor::plain(a.view(shape)).adjoint();
    sandwich::<E::Carry>(adjoint, ga.view_mut(shape), adjoint);
    a.view_mut(shape).write_rows(&rows);
}

procedure! {
    /// Replaces the lower triangle of a positive definite matrix by its Cholesky factor: A becomes L, with L Lᴴ = A.
    ///
    /// Only the lower triangle is read and changed; what is above the diagonal, and imaginary parts on it, stay as they are. The inverse
    /// multiplies L by Lᴴ.
    ///
    /// ```
    /// use retrograd::dense::cholesky;
    ///
    /// let mut a = [4.0, 0.0, 2.0, 10.0];
    /// cholesky(&mut a);
    /// assert_eq!(a, [2.0, 0.0, 1.0, 3.0]);
    /// cholesky::uncall(&mut a);
    /// assert_eq!(a, [4.0, 0.0, 2.0, 10.0]);
    /// ```
    ///
    /// # Errors
    ///
    /// Before anything is changed: [`Shape`](crate::ErrorKind::Shape) if the matrix is not square, and
    /// [`NotPositive`](crate::ErrorKind::NotPositive) with the pivot if it is not positive definite.
    fn cholesky(a ga: A = Dense; ;),
    values: cholesky_values, tangents: cholesky_tangents, adjoints: cholesky_adjoints,
    source: "fn cholesky(a: &mut Matrix)"
}

procedure! {
    /// Replaces a matrix by its inverse, which undoes itself.
    ///
    /// ```
    /// use retrograd::dense::inverse;
    ///
    /// let mut a = [2.0, 1.0, 0.0, 4.0];
    /// inverse(&mut a);
    /// assert_eq!(a, [0.5, -0.125, 0.0, 0.25]);
    /// inverse::uncall(&mut a);
    /// assert_eq!(a, [2.0, 1.0, 0.0, 4.0]);
    /// ```
    ///
    /// # Errors
    ///
    /// Before anything is changed: [`Shape`](crate::ErrorKind::Shape) if the matrix is not square, and
    /// [`Singular`](crate::ErrorKind::Singular) if a pivot is zero or not finite.
    fn inverse(a ga: A = Dense; ;),
    values: inverse_values, tangents: inverse_tangents, adjoints: inverse_adjoints,
    source: "fn inverse(a: &mut Matrix)"
}
