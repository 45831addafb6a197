//! Products that are added to a matrix or a vector, which taking them away undoes.

use super::companions::procedure;
use super::entry::{Carried, Entry, Swept, Values, fit_shadow};
use super::kernels::{Factor, Sign, product};
use super::shape::{Call, Dense, Matrix, Needed};
use super::view::View;
use crate::Active;
use crate::shadow::{AdjointArg, Scalar, Shadowed, Sweep, TangentArg, given_by_hand};

type Shape = (usize, usize);

/// The shapes of a sum and of the two factors; the second is transposed in an outer product.
struct Shapes {
    c: Shape,
    a: Shape,
    b: Shape,
    transposed: bool,
}

impl Shapes {
    /// The second factor, as it is multiplied.
    fn right<'a, A>(&self, view: View<'a, A>) -> View<'a, A> {
        if self.transposed { view.transposed() } else { view }
    }
}

/// The three runs of one kind of product, from how it finds the shapes of its arguments.
macro_rules! product_runs {
    ($name:ident($c:ident: $C:path, $a:ident: $A:path, $b:ident: $B:path $(, $p:ident: $P:ty)?), |$call:ident| $shapes:expr) => {
        mod $name {
            use super::*;

            fn shapes<E: Entry, C: $C + Dense<Entry = E> + ?Sized, A: $A + Dense<Entry = E> + ?Sized, B: $B + Dense<Entry = E> + ?Sized>(
                $call: Call,
                $c: &C,
                $a: &A,
                $b: &B,
                $($p: $P)?
            ) -> Shapes {
                $shapes
            }

            pub(super) fn values<
                E: Entry,
                C: $C + Dense<Entry = E> + ?Sized,
                A: $A + Dense<Entry = E> + ?Sized,
                B: $B + Dense<Entry = E> + ?Sized,
            >(
                call: Call,
                inverse: bool,
                c: &mut C,
                a: &A,
                b: &B,
                $($p: $P)?
            ) {
                let s = shapes(call, c, a, b $(, $p)?);
                let (left, right) = (Factor::plain(a.view(s.a)), s.right(b.view(s.b)));
                product::<Values<E>>(c.view_mut(s.c), left, right, Sign::backwards(inverse));
            }

            // With C = A B, dC = dA B + A dB.
            #[allow(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
            pub(super) fn tangents<
                E: Swept<S>,
                S,
                C: $C + Carried<E, S> + ?Sized,
                A: $A + Carried<E, S> + ?Sized,
                B: $B + Carried<E, S> + ?Sized,
            >(
                call: Call,
                inverse: bool,
                _sweep: Sweep<S>,
                c: &mut C,
                dc: &mut C::Shadow,
                a: &A,
                da: &A::Shadow,
                b: &B,
                db: &B::Shadow,
                $($p: $P)?
            ) {
                let (s, sign) = (shapes(call, c, a, b $(, $p)?), Sign::backwards(inverse));
                let (left, right) = (Factor::plain(a.view(s.a)), Factor::plain(s.right(b.view(s.b))));
                product::<E::Carry>(dc.view_mut(s.c), left, s.right(db.view(s.b)), sign);
                product::<E::Carry>(dc.view_mut(s.c).transposed(), right.transposed(), da.view(s.a).transposed(), sign);
                product::<Values<E>>(c.view_mut(s.c), left, right.view, sign);
            }

            // The adjoint of A gains that of C times Bᴴ, and that of B gains Aᴴ times that of C.
            #[allow(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
            pub(super) fn adjoints<
                E: Swept<S>,
                S,
                C: $C + Carried<E, S> + ?Sized,
                A: $A + Carried<E, S> + ?Sized,
                B: $B + Carried<E, S> + ?Sized,
            >(
                call: Call,
                inverse: bool,
                _sweep: Sweep<S>,
                c: &mut C,
                gc: &mut C::Shadow,
                a: &A,
                ga: &mut A::Shadow,
                b: &B,
                gb: &mut B::Shadow,
                $($p: $P)?
            ) {
                let (s, sign) = (shapes(call, c, a, b $(, $p)?), Sign::backwards(inverse));
                let (left, right) = (Factor::plain(a.view(s.a)), Factor::plain(s.right(b.view(s.b))));
                let (gc, gain) = (gc.view(s.c), sign.opposite());
                product::<E::Carry>(ga.view_mut(s.a).transposed(), right.conjugated(), gc.transposed(), gain);
                let gb = gb.view_mut(s.b);
                let gb = if s.transposed { gb.transposed() } else { gb };
                product::<E::Carry>(gb, left.adjoint(), gc, gain);
                product::<Values<E>>(c.view_mut(s.c), left, right.view, sign);
            }
        }
    };
}

product_runs!(of_matrices(c: Matrix, a: Matrix, b: Matrix), |call| {
    let (rows, inner) = a.shape();
    let b = call.fit("b", b, Needed::Rows(inner));
    Shapes { c: call.fit("c", c, Needed::Shape(rows, b.1)), a: (rows, inner), b, transposed: false }
});

product_runs!(of_slices(c: Dense, a: Dense, b: Dense, inner: usize), |call| {
    let (a, b) = (call.fit("a", a, Needed::Columns(inner)), call.fit("b", b, Needed::Rows(inner)));
    Shapes { c: call.fit("c", c, Needed::Shape(a.0, b.1)), a, b, transposed: false }
});

product_runs!(of_a_vector(y: Dense, a: Dense, x: Dense), |call| {
    let (y, x) = (call.fit("y", y, Needed::Vector), call.fit("x", x, Needed::Vector));
    Shapes { c: y, a: call.fit("a", a, Needed::Shape(y.0, x.0)), b: x, transposed: false }
});

product_runs!(of_vectors(a: Dense, x: Dense, y: Dense), |call| {
    let (x, y) = (call.fit("x", x, Needed::Vector), call.fit("y", y, Needed::Vector));
    Shapes { c: call.fit("a", a, Needed::Shape(x.0, y.0)), a: x, b: y, transposed: true }
});

procedure! {
    /// Adds a product of matrices: `c` becomes C + A B.
    ///
    /// Its adjoints are two products by the same kernel: A gains C̄ Bᴴ, and B gains Aᴴ C̄.
    ///
    /// Matrices are those of `faer`, `nalgebra` and `ndarray`; for slices there is [`matmul_slices()`].
    ///
    /// # Errors
    ///
    /// [`Shape`](crate::ErrorKind::Shape), before anything is changed, if the shapes do not fit.
    fn matmul(c gc: C = Matrix; a ga: A = Matrix, b gb: B = Matrix;),
    values: of_matrices::values, tangents: of_matrices::tangents, adjoints: of_matrices::adjoints,
    source: "fn matmul(c: &mut Matrix, a: &Matrix, b: &Matrix)"
}

procedure! {
    /// Adds a product of matrices that lie in slices, row by row: `c` becomes C + A B.
    ///
    /// `inner` is the number of columns of A, and of rows of B; the other lengths follow from those of the slices.
    ///
    /// ```
    /// use retrograd::dense::matmul_slices;
    /// use retrograd::prelude::*;
    ///
    /// /// The sum of the squares of the elements of A B.
    /// #[reversible]
    /// fn energy<T: Real>(a: &[T], b: &[T], inner: usize) -> T {
    ///     let mut c = vec![T::zero(); a.len() / inner * (b.len() / inner)];
    ///     matmul_slices(&mut c, a, b, inner);
    ///     c.iter().map(|c| *c * *c).sum()
    /// }
    ///
    /// let (value, by_a, by_b) = energy::gradient(&[1.0, 2.0], &[3.0, 4.0], 2);
    /// assert_eq!((value, by_a, by_b), (121.0, vec![66.0, 88.0], vec![22.0, 44.0]));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Shape`](crate::ErrorKind::Shape), before anything is changed, if the lengths do not fit.
    fn matmul_slices(c gc: C = Dense; a ga: A = Dense, b gb: B = Dense; inner: usize),
    values: of_slices::values, tangents: of_slices::tangents, adjoints: of_slices::adjoints,
    source: "fn matmul_slices(c: &mut [T], a: &[T], b: &[T], inner: usize)"
}

procedure! {
    /// Adds the product of a matrix and a vector: `y` becomes y + A x.
    ///
    /// ```
    /// use retrograd::{ErrorKind, attempt, dense::matvec};
    ///
    /// let (a, x, mut y) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, -1.0], [10.0, 20.0]);
    /// matvec(&mut y, &a, &x);
    /// assert_eq!(y, [8.0, 18.0]);
    /// matvec::uncall(&mut y, &a, &x);
    /// assert_eq!(y, [10.0, 20.0]);
    ///
    /// let error = attempt(|| matvec(&mut y, &a[..5], &x)).unwrap_err();
    /// assert_eq!((error.kind, &*error.expected, &*error.actual), (ErrorKind::Shape, "2 × 3", "5 elements"));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Shape`](crate::ErrorKind::Shape), before anything is changed, if the shapes do not fit.
    fn matvec(y gy: Y = Dense; a ga: A = Dense, x gx: X = Dense;),
    values: of_a_vector::values, tangents: of_a_vector::tangents, adjoints: of_a_vector::adjoints,
    source: "fn matvec(y: &mut Vector, a: &Matrix, x: &Vector)"
}

procedure! {
    /// Adds the outer product of two vectors: `a` becomes A + x yᵀ.
    ///
    /// ```
    /// use retrograd::dense::outer;
    ///
    /// let mut a = [0.0; 6];
    /// outer(&mut a, &[1.0, 2.0], &[3.0, 4.0, 5.0]);
    /// assert_eq!(a, [3.0, 4.0, 5.0, 6.0, 8.0, 10.0]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Shape`](crate::ErrorKind::Shape), before anything is changed, if the shapes do not fit.
    fn outer(a ga: A = Dense; x gx: X = Dense, y gy: Y = Dense;),
    values: of_vectors::values, tangents: of_vectors::tangents, adjoints: of_vectors::adjoints,
    source: "fn outer(a: &mut Matrix, x: &Vector, y: &Vector)"
}
