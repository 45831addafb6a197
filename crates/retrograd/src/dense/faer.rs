//! Kernels of faer, for the numbers that it knows: `f32`, `f64` and complex numbers of these. Each function returns whether it has done
//! what it was asked for.

#![allow(unsafe_code, reason = "views become those of faer")]

use std::any::TypeId;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::lu::partial_pivoting::factor as partial_pivoting;
use faer::linalg::matmul::triangular::BlockStructure;
use faer::linalg::{matmul, triangular_solve};
use faer::traits::ComplexField;
use faer::{Accum, Conj, MatMut, MatRef, Par};

use super::Triangle;
use super::entry::{Carry, Entry};
use super::kernels::{Factor, Sign};
use super::view::{View, ViewMut};

/// Runs the first block whose type is that of all the others, for each number of faer.
macro_rules! for_numbers {
    ($number:ident is $($type:ty),+ => $run:expr) => {{
        for_numbers! { @ $number f32, $run, $($type),+ }
        for_numbers! { @ $number f64, $run, $($type),+ }
        #[cfg(feature = "num-complex")]
        for_numbers! { @ $number num_complex::Complex<f32>, $run, $($type),+ }
        #[cfg(feature = "num-complex")]
        for_numbers! { @ $number num_complex::Complex<f64>, $run, $($type),+ }
        false
    }};
    (@ $number:ident $one:ty, $run:expr, $($type:ty),+) => {
        if $(TypeId::of::<$type>() == TypeId::of::<$one>())&&+ {
            type $number = $one;
            $run;
            return true;
        }
    };
}

/// A view as a matrix of faer.
///
/// # Safety
///
/// `N` is `A`.
unsafe fn matrix<'a, A: 'static, N: 'static>(view: View<'a, A>) -> MatRef<'a, N> {
    debug_assert_eq!(TypeId::of::<A>(), TypeId::of::<N>());
    let (first, (rows, columns), strides) = view.parts();
    // SAFETY: the view promises these elements.
    unsafe { MatRef::from_raw_parts(first.cast(), rows, columns, strides.0, strides.1) }
}

/// The same, to be changed.
///
/// # Safety
///
/// `N` is `A`.
unsafe fn matrix_mut<'a, A: 'static, N: 'static>(view: ViewMut<'a, A>) -> MatMut<'a, N> {
    debug_assert_eq!(TypeId::of::<A>(), TypeId::of::<N>());
    let (first, (rows, columns), strides) = view.parts();
    // SAFETY: the view promises these elements, each of them once.
    unsafe { MatMut::from_raw_parts_mut(first.cast(), rows, columns, strides.0, strides.1) }
}

fn conj(conjugated: bool) -> Conj {
    if conjugated { Conj::Yes } else { Conj::No }
}

/// `to += left * right`, or `-=`.
pub(super) fn product<K: Carry>(
    to: ViewMut<'_, K::Value>,
    left: Factor<'_, K::Entry>,
    right: View<'_, K::Value>,
    sign: Sign,
) -> bool {
    for_numbers!(N is K::Entry, K::Value => {
        let one: N = ComplexField::one_impl();
        let alpha = if sign == Sign::Plus { one } else { -one };
        // SAFETY: the types have just been compared.
        let (to, from, right) = unsafe { (matrix_mut::<_, N>(to), matrix(left.view), matrix(right)) };
        matmul::matmul_with_conj(to, Accum::Add, from, conj(left.conjugated), right, Conj::No, alpha, Par::Seq);
    })
}

/// Solves with a triangle, in place.
pub(super) fn solve_triangular<K: Carry>(
    factor: Factor<'_, K::Entry>,
    triangle: Triangle,
    unit: bool,
    x: ViewMut<'_, K::Value>,
) -> bool {
    for_numbers!(N is K::Entry, K::Value => {
        // SAFETY: the types have just been compared.
        let (from, x) = unsafe { (matrix::<_, N>(factor.view), matrix_mut::<_, N>(x)) };
        let conj = conj(factor.conjugated);
        match (triangle, unit) {
            (Triangle::Lower, false) => {
                triangular_solve::solve_lower_triangular_in_place_with_conj(from, conj, x, Par::Seq)
            }
            (Triangle::Lower, true) => {
                triangular_solve::solve_unit_lower_triangular_in_place_with_conj(from, conj, x, Par::Seq)
            }
            (Triangle::Upper, false) => {
                triangular_solve::solve_upper_triangular_in_place_with_conj(from, conj, x, Par::Seq)
            }
            (Triangle::Upper, true) => {
                triangular_solve::solve_unit_upper_triangular_in_place_with_conj(from, conj, x, Par::Seq)
            }
        }
    })
}

/// Multiplies by a triangle, in place.
pub(super) fn multiply_triangular<K: Carry>(
    factor: Factor<'_, K::Entry>,
    triangle: Triangle,
    x: ViewMut<'_, K::Value>,
) -> bool {
    for_numbers!(N is K::Entry, K::Value => {
        // SAFETY: the types have just been compared.
        let (from, x) = unsafe { (matrix::<_, N>(factor.view), matrix_mut::<_, N>(x)) };
        let given = x.to_owned();
        let structure = match triangle {
            Triangle::Lower => BlockStructure::TriangularLower,
            Triangle::Upper => BlockStructure::TriangularUpper,
        };
        matmul::triangular::matmul_with_conj(
            x,
            BlockStructure::Rectangular,
            Accum::Replace,
            from,
            structure,
            conj(factor.conjugated),
            given.as_ref(),
            BlockStructure::Rectangular,
            Conj::No,
            ComplexField::one_impl(),
            Par::Seq,
        );
    })
}

/// Replaces a square matrix by its triangular factors; `order` says where its rows have gone.
pub(super) fn lu<E: Entry>(a: ViewMut<'_, E>, order: &mut [usize]) -> bool {
    for_numbers!(N is E => {
        // SAFETY: the types have just been compared.
        let a = unsafe { matrix_mut::<_, N>(a) };
        let (n, mut inverse) = (order.len(), vec![0; order.len()]);
        let mut memory = MemBuffer::new(partial_pivoting::lu_in_place_scratch::<usize, N>(n, n, Par::Seq, Default::default()));
        partial_pivoting::lu_in_place(a, order, &mut inverse, Par::Seq, MemStack::new(&mut memory), Default::default());
    })
}

/// Replaces the lower triangle of a matrix by its Cholesky factor. If it is not positive, that has not been done.
pub(super) fn cholesky<E: Entry>(a: ViewMut<'_, E>) -> bool {
    for_numbers!(N is E => {
        // SAFETY: the types have just been compared.
        let a = unsafe { matrix_mut::<_, N>(a) };
        let mut memory =
            MemBuffer::new(llt::factor::cholesky_in_place_scratch::<N>(a.nrows(), Par::Seq, Default::default()));
        let stack = MemStack::new(&mut memory);
        if llt::factor::cholesky_in_place(a, Default::default(), Par::Seq, stack, Default::default()).is_err() {
            return false;
        }
    })
}
