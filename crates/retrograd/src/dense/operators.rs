//! The operator `*` of other crates: derivatives through `a * b`, which is a product of matrices in `faer` and `nalgebra`, and one of
//! elements in `ndarray`.

use super::entry::{ActsOn, Carry};
#[cfg(any(feature = "faer", feature = "nalgebra"))]
use super::kernels::{Factor, Sign, product};
#[cfg(any(feature = "faer", feature = "nalgebra"))]
use super::shape::{Dense, Needed};
#[cfg(any(feature = "faer", feature = "nalgebra"))]
use super::view::{View, ViewMut};
use crate::shadow::{LeftFactor, Multiplied, Pull, Push, RightFactor};

/// Factors know on which side they stand.
macro_rules! multiplied {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        multiplied! { @ [$($generics)*] $type }
        multiplied! { @ ['a, $($generics)*] &'a $type }
    )*};
    (@ [$($generics:tt)*] $type:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Multiplied for $type {
            type Left = LeftFactor<$type>;
            type Right = RightFactor<$type>;
            fn left(self) -> LeftFactor<$type> {
                LeftFactor(self)
            }
            fn right(self) -> RightFactor<$type> {
                RightFactor(self)
            }
        }
    };
}

/// The elements of a matrix, whatever its shape.
#[cfg(any(feature = "faer", feature = "nalgebra"))]
fn read<D: Dense>(matrix: &D) -> View<'_, D::Entry> {
    matrix.view(matrix.fitted(Needed::Any).expect("any shape will do"))
}

/// The same, to be changed.
#[cfg(any(feature = "faer", feature = "nalgebra"))]
fn written<D: Dense>(matrix: &mut D) -> ViewMut<'_, D::Entry> {
    let shape = matrix.fitted(Needed::Any).expect("any shape will do");
    matrix.view_mut(shape)
}

/// `a * b` as a product of matrices: the types of the factors, those of the derivatives of both and of the product, and how matrices of
/// zeros are made of a shape.
#[cfg(any(feature = "faer", feature = "nalgebra"))]
macro_rules! products {
    ($(
        [$($generics:tt)*] ($a:ty) * ($b:ty), derivatives: ($da:ty) * ($db:ty) = ($dc:ty),
        zeros: |$rows:ident, $columns:ident, $zero:ident| $of_a:expr, $of_b:expr, $of_c:expr;
    )*) => {$(
        products! { @ [$($generics)*] ($a, $a) ($b, $b) $da, $db, $dc, |$rows, $columns, $zero| $of_a, $of_b, $of_c, }
        products! { @ ['f, $($generics)*] (&'f $a, $a) (&'f $b, $b) $da, $db, $dc, |$rows, $columns, $zero| $of_a, $of_b, $of_c, }
    )*};
    (@ [$($generics:tt)*] ($a:ty, $A:ty) ($b:ty, $B:ty) $da:ty, $db:ty, $dc:ty,
        |$rows:ident, $columns:ident, $zero:ident| $of_a:expr, $of_b:expr, $of_c:expr,
    ) => {
        // The adjoint of A is that of the product times Bᴴ.
        impl<$($generics)* E: ActsOn<G>, G: Copy> Pull<RightFactor<$b>> for $dc {
            type Output = $da;
            fn pull(self, RightFactor(b): RightFactor<$b>) -> $da {
                let (g, b) = (read::<$dc>(&self), read::<$B>(&b));
                let ($rows, $columns, $zero) = (g.rows(), b.rows(), E::Carry::zero());
                let mut a: $da = $of_a;
                let to = written(&mut a).transposed();
                product::<E::Carry>(to, Factor::plain(b).conjugated(), g.transposed(), Sign::Plus);
                a
            }
        }

        // The adjoint of B is Aᴴ times that of the product.
        impl<$($generics)* E: ActsOn<G>, G: Copy> Pull<LeftFactor<$a>> for $dc {
            type Output = $db;
            fn pull(self, LeftFactor(a): LeftFactor<$a>) -> $db {
                let (g, a) = (read::<$dc>(&self), read::<$A>(&a));
                let ($rows, $columns, $zero) = (a.columns(), g.columns(), E::Carry::zero());
                let mut b: $db = $of_b;
                product::<E::Carry>(written(&mut b), Factor::plain(a).adjoint(), g, Sign::Plus);
                b
            }
        }

        products! { @push [$($generics)*] ($a, $A) ($b, $B) ($da, $da) ($db, $db) $dc, |$rows, $columns, $zero| $of_c, }
        products! { @push ['g, $($generics)*] ($a, $A) ($b, $B) (&'g $da, $da) (&'g $db, $db) $dc, |$rows, $columns, $zero| $of_c, }
    };
    (@push [$($generics:tt)*] ($a:ty, $A:ty) ($b:ty, $B:ty) ($da:ty, $DA:ty) ($db:ty, $DB:ty) $dc:ty,
        |$rows:ident, $columns:ident, $zero:ident| $of_c:expr,
    ) => {
        // The tangent of the product is dA B + A dB.
        impl<$($generics)* E: ActsOn<G>, G: Copy> Push<RightFactor<$b>> for $da {
            type Output = $dc;
            fn push(self, RightFactor(b): RightFactor<$b>) -> $dc {
                let (t, b) = (read::<$DA>(&self), read::<$B>(&b));
                let ($rows, $columns, $zero) = (t.rows(), b.columns(), E::Carry::zero());
                let mut c: $dc = $of_c;
                let to = written(&mut c).transposed();
                product::<E::Carry>(to, Factor::plain(b).transposed(), t.transposed(), Sign::Plus);
                c
            }
        }

        impl<$($generics)* E: ActsOn<G>, G: Copy> Push<LeftFactor<$a>> for $db {
            type Output = $dc;
            fn push(self, LeftFactor(a): LeftFactor<$a>) -> $dc {
                let (t, a) = (read::<$DB>(&self), read::<$A>(&a));
                let ($rows, $columns, $zero) = (a.rows(), t.columns(), E::Carry::zero());
                let mut c: $dc = $of_c;
                product::<E::Carry>(written(&mut c), Factor::plain(a), t, Sign::Plus);
                c
            }
        }
    };
}

#[cfg(feature = "faer")]
mod of_faer {
    use faer::{Col, Mat};

    use super::*;

    multiplied! {
        [A] Mat<A>;
        [A] Col<A>;
    }

    products! {
        [] (Mat<E>) * (Mat<E>), derivatives: (Mat<G>) * (Mat<G>) = (Mat<G>),
            zeros: |rows, columns, zero| Mat::from_fn(rows, columns, |_, _| zero), Mat::from_fn(rows, columns, |_, _| zero),
            Mat::from_fn(rows, columns, |_, _| zero);
        [] (Mat<E>) * (Col<E>), derivatives: (Mat<G>) * (Col<G>) = (Col<G>),
            zeros: |rows, _columns, zero| Mat::from_fn(rows, _columns, |_, _| zero), Col::from_fn(rows, |_| zero), Col::from_fn(rows, |_| zero);
    }
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use nalgebra::{ArrayStorage, Const, DMatrix, DVector, Dyn, SMatrix, VecStorage};

    use super::*;

    multiplied! {
        [A] DMatrix<A>;
        [A] DVector<A>;
        [A, const R: usize, const C: usize] SMatrix<A, R, C>;
    }

    fn matrix<G: Copy>(rows: usize, columns: usize, zero: G) -> DMatrix<G> {
        DMatrix::from_vec_storage(VecStorage::new(Dyn(rows), Dyn(columns), vec![zero; rows * columns]))
    }

    fn vector<G: Copy>(rows: usize, zero: G) -> DVector<G> {
        DVector::from_vec_storage(VecStorage::new(Dyn(rows), Const, vec![zero; rows]))
    }

    products! {
        [] (DMatrix<E>) * (DMatrix<E>), derivatives: (DMatrix<G>) * (DMatrix<G>) = (DMatrix<G>),
            zeros: |rows, columns, zero| matrix(rows, columns, zero), matrix(rows, columns, zero), matrix(rows, columns, zero);
        [] (DMatrix<E>) * (DVector<E>), derivatives: (DMatrix<G>) * (DVector<G>) = (DVector<G>),
            zeros: |rows, _columns, zero| matrix(rows, _columns, zero), vector(rows, zero), vector(rows, zero);
        [const R: usize, const K: usize, const C: usize,]
            (SMatrix<E, R, K>) * (SMatrix<E, K, C>),
            derivatives: (SMatrix<G, R, K>) * (SMatrix<G, K, C>) = (SMatrix<G, R, C>),
            zeros: |_rows, _columns, zero| SMatrix::from_array_storage(ArrayStorage([[zero; R]; K])),
            SMatrix::from_array_storage(ArrayStorage([[zero; K]; C])), SMatrix::from_array_storage(ArrayStorage([[zero; R]; C]));
    }
}

#[cfg(feature = "ndarray")]
mod of_ndarray {
    use ndarray::{Array, Dimension, Zip};

    use super::*;

    multiplied! {
        [A, D: Dimension] Array<A, D>;
    }

    fn elements<G: Copy, E: Copy, D: Dimension>(
        derivative: &Array<G, D>,
        factor: &Array<E, D>,
        times: impl Fn(G, E) -> G,
    ) -> Array<G, D> {
        Zip::from(derivative).and(factor).map_collect(|&derivative, &factor| times(derivative, factor))
    }

    /// Elements times elements. Shapes that differ, which `ndarray` would make fit, are refused by its `Zip`.
    macro_rules! elementwise {
        ($([$($generics:tt)*] $side:ident<$factor:ty>, $derivative:ty;)*) => {$(
            impl<$($generics)* E: ActsOn<G>, G: Copy, D: Dimension> Pull<$side<$factor>> for $derivative {
                type Output = Array<G, D>;
                fn pull(self, factor: $side<$factor>) -> Array<G, D> {
                    elements(&self, &factor.0, |g, d| E::Carry::times(g, d.conjugate()))
                }
            }

            impl<$($generics)* E: ActsOn<G>, G: Copy, D: Dimension> Push<$side<$factor>> for $derivative {
                type Output = Array<G, D>;
                fn push(self, factor: $side<$factor>) -> Array<G, D> {
                    elements(&self, &factor.0, |t, d| E::Carry::times(t, d))
                }
            }
        )*};
    }

    elementwise! {
        [] LeftFactor<Array<E, D>>, Array<G, D>;
        [] RightFactor<Array<E, D>>, Array<G, D>;
        ['f,] LeftFactor<&'f Array<E, D>>, Array<G, D>;
        ['f,] RightFactor<&'f Array<E, D>>, Array<G, D>;
        ['g,] LeftFactor<Array<E, D>>, &'g Array<G, D>;
        ['g,] RightFactor<Array<E, D>>, &'g Array<G, D>;
        ['f, 'g,] LeftFactor<&'f Array<E, D>>, &'g Array<G, D>;
        ['f, 'g,] RightFactor<&'f Array<E, D>>, &'g Array<G, D>;
    }
}
