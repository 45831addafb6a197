//! Linear equations, solved in place: multiplying by the matrix undoes that.

use super::Triangle;
use super::companions::procedure;
use super::entry::{Carried, Carry, Entry, Swept, Values, fit_shadow};
use super::kernels::{Factor, Lu, Sign, bad_pivot, multiply_triangular, product, product_of, solve_triangular};
use super::shape::{Call, Dense, Needed};
use super::view::{View, ViewMut};
use crate::Active;
use crate::shadow::{AdjointArg, Scalar, Shadowed, Sweep, TangentArg, given_by_hand};

/// A square matrix with an inverse.
trait System<E: Entry>: Sized {
    /// The numbers of the matrix.
    fn matrix(&self) -> View<'_, E>;
    /// Whether an element of the matrix is read.
    fn reads(&self, i: usize, j: usize) -> bool;
    /// A⁻¹ x
    fn solve<K: Carry<Entry = E>>(&self, x: ViewMut<'_, K::Value>);
    /// A⁻ᴴ x
    fn solve_adjoint<K: Carry<Entry = E>>(&self, x: ViewMut<'_, K::Value>);
    /// A x, or Aᴴ x
    fn multiply<K: Carry<Entry = E>>(&self, adjoint: bool, x: ViewMut<'_, K::Value>);
}

struct Triangular<'a, E>(View<'a, E>, Triangle);

impl<'a, E: Entry> Triangular<'a, E> {
    fn new(call: Call, matrix: View<'a, E>, triangle: Triangle) -> Self {
        if let Some((pivot, value)) = bad_pivot(matrix) {
            call.singular("a", pivot, value);
        }
        Triangular(matrix, triangle)
    }
}

impl<E: Entry> System<E> for Triangular<'_, E> {
    fn matrix(&self) -> View<'_, E> {
        self.0
    }
    fn reads(&self, i: usize, j: usize) -> bool {
        self.1.contains(i, j)
    }
    fn solve<K: Carry<Entry = E>>(&self, x: ViewMut<'_, K::Value>) {
        solve_triangular::<K>(Factor::plain(self.0), self.1, false, x);
    }
    fn solve_adjoint<K: Carry<Entry = E>>(&self, x: ViewMut<'_, K::Value>) {
        solve_triangular::<K>(Factor::plain(self.0).adjoint(), self.1.opposite(), false, x);
    }
    fn multiply<K: Carry<Entry = E>>(&self, adjoint: bool, x: ViewMut<'_, K::Value>) {
        match adjoint {
            false => multiply_triangular::<K>(Factor::plain(self.0), self.1, x),
            true => multiply_triangular::<K>(Factor::plain(self.0).adjoint(), self.1.opposite(), x),
        }
    }
}

struct General<'a, E>(View<'a, E>, Lu<E>);

impl<'a, E: Entry> General<'a, E> {
    fn new(call: Call, matrix: View<'a, E>) -> Self {
        match Lu::new(matrix) {
            Ok(factors) => General(matrix, factors),
            Err((pivot, value)) => call.singular("a", pivot, value),
        }
    }
}

impl<E: Entry> System<E> for General<'_, E> {
    fn matrix(&self) -> View<'_, E> {
        self.0
    }
    fn reads(&self, _i: usize, _j: usize) -> bool {
        true
    }
    fn solve<K: Carry<Entry = E>>(&self, x: ViewMut<'_, K::Value>) {
        self.1.solve::<K>(x);
    }
    fn solve_adjoint<K: Carry<Entry = E>>(&self, x: ViewMut<'_, K::Value>) {
        self.1.solve_adjoint::<K>(x);
    }
    fn multiply<K: Carry<Entry = E>>(&self, adjoint: bool, mut x: ViewMut<'_, K::Value>) {
        let factor = Factor::plain(self.0);
        let product = product_of::<K>(if adjoint { factor.adjoint() } else { factor }, x.read());
        x.write_rows(&product);
    }
}

/// x becomes A⁻¹ x, or A x.
fn values<E: Entry>(system: impl System<E>, inverse: bool, x: ViewMut<'_, E>) {
    match inverse {
        false => system.solve::<Values<E>>(x),
        true => system.multiply::<Values<E>>(false, x),
    }
}

/// With x₁ = A⁻¹ x₀: dx₁ = A⁻¹ (dx₀ − dA x₁), and dx₀ = A dx₁ + dA x₁.
fn tangents<E: Swept<S>, S>(
    system: impl System<E>,
    inverse: bool,
    mut x: ViewMut<'_, E>,
    mut dx: ViewMut<'_, E::Shadow>,
    da: View<'_, E::Shadow>,
) {
    let n = da.rows();
    let mut moved = da.to_rows();
    let unread = (0..n * n).filter(|k| !system.reads(k / n, k % n));
    unread.for_each(|k| moved[k] = E::Carry::zero());
    let moved = View::of_rows(&moved, n, n).transposed();
    let gain = |x: View<'_, E>, dx: ViewMut<'_, E::Shadow>, sign| {
        product::<E::Carry>(dx.transposed(), Factor::plain(x).transposed(), moved, sign);
    };
    if inverse {
        system.multiply::<E::Carry>(false, dx.lend());
        gain(x.read(), dx, Sign::Plus);
        system.multiply::<Values<E>>(false, x);
    } else {
        system.solve::<Values<E>>(x.lend());
        gain(x.read(), dx.lend(), Sign::Minus);
        system.solve::<E::Carry>(dx);
    }
}

/// The adjoint of x₀ is A⁻ᴴ times that of x₁, and A loses its product with x₁ᴴ.
fn adjoints<E: Swept<S>, S>(
    system: impl System<E>,
    inverse: bool,
    mut x: ViewMut<'_, E>,
    mut gx: ViewMut<'_, E::Shadow>,
    mut ga: ViewMut<'_, E::Shadow>,
) {
    let n = system.matrix().rows();
    let mut gain = |x: View<'_, E>, gx: View<'_, E::Shadow>, sign: Sign| {
        // By transposed factors: the product of conj(x₁) and the transposed adjoint.
        let product = product_of::<E::Carry>(Factor::plain(x).conjugated(), gx.transposed());
        for (k, &term) in product.iter().enumerate().filter(|(k, _)| system.reads(k % n, k / n)) {
            sign.put::<E::Carry>(ga.at(k % n, k / n), term);
        }
    };
    if inverse {
        system.solve_adjoint::<E::Carry>(gx.lend());
        gain(x.read(), gx.read(), Sign::Minus);
        system.multiply::<Values<E>>(false, x);
    } else {
        system.solve::<Values<E>>(x.lend());
        gain(x.read(), gx.read(), Sign::Plus);
        system.multiply::<E::Carry>(true, gx);
    }
}

/// The three runs of one kind of solve, from how it makes a system of its matrix.
macro_rules! solve_runs {
    ($name:ident($($p:ident: $P:ty)?), |$call:ident, $matrix:ident| $system:expr) => {
        mod $name {
            use super::*;

            fn shapes<E, X: Dense<Entry = E> + ?Sized, A: Dense<Entry = E> + ?Sized>(
                call: Call,
                x: &X,
                a: &A,
            ) -> ((usize, usize), (usize, usize)) {
                let a = call.fit("a", a, Needed::Square);
                (call.fit("x", x, Needed::Rows(a.0)), a)
            }

            pub(super) fn values<E: Entry, X: Dense<Entry = E> + ?Sized, A: Dense<Entry = E> + ?Sized>(
                $call: Call,
                inverse: bool,
                x: &mut X,
                a: &A,
                $($p: $P)?
            ) {
                let (of_x, of_a) = shapes($call, x, a);
                let $matrix = a.view(of_a);
                super::values::<E>($system, inverse, x.view_mut(of_x));
            }

            #[allow(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
            pub(super) fn tangents<E: Swept<S>, S, X: Carried<E, S> + ?Sized, A: Carried<E, S> + ?Sized>(
                $call: Call,
                inverse: bool,
                _sweep: Sweep<S>,
                x: &mut X,
                dx: &mut X::Shadow,
                a: &A,
                da: &A::Shadow,
                $($p: $P)?
            ) {
                let (of_x, of_a) = shapes($call, x, a);
                let $matrix = a.view(of_a);
                super::tangents::<E, S>($system, inverse, x.view_mut(of_x), dx.view_mut(of_x), da.view(of_a));
            }

            #[allow(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
            pub(super) fn adjoints<E: Swept<S>, S, X: Carried<E, S> + ?Sized, A: Carried<E, S> + ?Sized>(
                $call: Call,
                inverse: bool,
                _sweep: Sweep<S>,
                x: &mut X,
                gx: &mut X::Shadow,
                a: &A,
                ga: &mut A::Shadow,
                $($p: $P)?
            ) {
                let (of_x, of_a) = shapes($call, x, a);
                let $matrix = a.view(of_a);
                super::adjoints::<E, S>($system, inverse, x.view_mut(of_x), gx.view_mut(of_x), ga.view_mut(of_a));
            }
        }
    };
}

solve_runs!(with_a_triangle(triangle: Triangle), |call, matrix| Triangular::new(call, matrix, triangle));
solve_runs!(with_factors(), |call, matrix| General::new(call, matrix));

procedure! {
    /// Solves with one triangle of a matrix, in place: `x` becomes A⁻¹ x, for the triangle of A that is named.
    ///
    /// `x` is a vector, or a matrix of which each column is solved for. The other triangle of A is not read. The inverse multiplies by
    /// the triangle.
    ///
    /// ```
    /// use retrograd::dense::{Triangle, triangular_solve};
    ///
    /// let (l, mut x) = ([2.0, 0.0, 1.0, 4.0], [4.0, 6.0]);
    /// triangular_solve(&mut x, &l, Triangle::Lower);
    /// assert_eq!(x, [2.0, 1.0]);
    /// triangular_solve::uncall(&mut x, &l, Triangle::Lower);
    /// assert_eq!(x, [4.0, 6.0]);
    /// ```
    ///
    /// # Errors
    ///
    /// Before anything is changed: [`Shape`](crate::ErrorKind::Shape) if the shapes do not fit, and
    /// [`Singular`](crate::ErrorKind::Singular) if an element of the diagonal is zero or not finite.
    fn triangular_solve(x gx: X = Dense; a ga: A = Dense; triangle: Triangle),
    values: with_a_triangle::values, tangents: with_a_triangle::tangents, adjoints: with_a_triangle::adjoints,
    source: "fn triangular_solve(x: &mut Matrix, a: &Matrix, triangle: Triangle)"
}

procedure! {
    /// Solves linear equations, in place: `x` becomes A⁻¹ x, by the triangular factors of A with pivots.
    ///
    /// `x` is a vector, or a matrix of which each column is solved for. The inverse multiplies by A.
    ///
    /// ```
    /// use retrograd::{ErrorKind, attempt, dense::lu_solve};
    ///
    /// let (a, mut x) = ([0.0, 2.0, 4.0, 1.0], [6.0, 7.0]);
    /// lu_solve(&mut x, &a);
    /// assert_eq!(x, [1.0, 3.0]);
    /// lu_solve::uncall(&mut x, &a);
    /// assert_eq!(x, [6.0, 7.0]);
    ///
    /// let error = attempt(|| lu_solve(&mut x, &[1.0, 2.0, 2.0, 4.0])).unwrap_err();
    /// assert_eq!((error.kind, &*error.actual, x), (ErrorKind::Singular, "0.0", [6.0, 7.0]));
    /// ```
    ///
    /// # Errors
    ///
    /// Before anything is changed: [`Shape`](crate::ErrorKind::Shape) if the shapes do not fit, and
    /// [`Singular`](crate::ErrorKind::Singular) if a pivot is zero or not finite.
    fn lu_solve(x gx: X = Dense; a ga: A = Dense;),
    values: with_factors::values, tangents: with_factors::tangents, adjoints: with_factors::adjoints,
    source: "fn lu_solve(x: &mut Matrix, a: &Matrix)"
}
