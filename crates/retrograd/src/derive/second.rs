//! What `f::hessian` and `f::hvp` are made of: tangents over adjoints.
//!
//! A program over `T: Real` runs on dual numbers as well. Its pullback, run on arguments that move along some directions, gives
//! gradients that move: one column of the Hessian for each direction. Here is how arguments are lifted to dual numbers, how
//! they are made to move, and how the answer is read off.

use std::borrow::{Borrow, BorrowMut};

use crate::numbers::Dual;
use crate::shadow::{Shadow, Shadowed, Zero};
use crate::{Active, Real};

/// How many columns of a Hessian are computed in one sweep.
pub const DIRECTIONS: usize = 8;

/// What is lifted to dual numbers of type `S` as `Over`: it is its own shadow, with other numbers in it.
#[diagnostic::on_unimplemented(
    message = "second derivatives run on dual numbers, and a `{Self}` cannot be made of them",
    label = "its shadow is another struct",
    note = "all fields of the struct must be made of its type parameter; pass the others as arguments of their own"
)]
pub trait Lift<S, Over: ?Sized, Owned>: Shadowed<S, Shadow = Over, Owned = Owned> {}

#[diagnostic::do_not_recommend]
impl<V, S, Over: ?Sized, Owned> Lift<S, Over, Owned> for V
where
    V: Shadowed<S, Shadow = Over, Owned = Owned> + ?Sized,
    Owned: BorrowMut<Over>,
{
}

/// A value as the same value made of dual numbers, none of which moves.
pub fn lift<V, T, const N: usize>(value: &V) -> <V as Shadowed<Dual<T, N>>>::Owned
where
    V: Active<Number = T> + Shadowed<Dual<T, N>> + ?Sized,
    T: Real,
{
    let mut lifted = value.zero_shadow(Zero::Plain);
    let numbers = value.flatten();
    let mut numbers = numbers.into_iter();
    V::scalars_mut(lifted.borrow_mut(), &mut |place| {
        if let Some(number) = numbers.next() {
            *place = Dual::constant(number);
        }
    });
    lifted
}

/// Makes a lifted value move: its numbers have the places from `offset` on among all numbers, and the place `start + k` moves along
/// direction `k`. Returns the place after its last.
pub fn move_along_axes<V, T, const N: usize>(
    lifted: &mut <V as Shadowed<Dual<T, N>>>::Shadow,
    offset: usize,
    start: usize,
) -> usize
where
    V: Shadowed<Dual<T, N>> + ?Sized,
    T: Real,
{
    let mut place = offset;
    V::scalars_mut(lifted, &mut |number| {
        number.eps = [T::zero(); N];
        if (start..start + N).contains(&place) {
            number.eps[place - start] = T::one();
        }
        place += 1;
    });
    place
}

/// Makes a lifted value move along a direction of its own shape.
///
/// # Panics
///
/// If the direction has another number of numbers; `name` is the argument's.
#[track_caller]
pub fn move_along<V, T>(lifted: &mut <V as Shadowed<Dual<T, 1>>>::Shadow, direction: &V, value: &V, name: &str)
where
    V: Active<Number = T> + Shadowed<Dual<T, 1>> + ?Sized,
    T: Real,
{
    let (expected, numbers) = (value.count(), direction.flatten());
    assert!(
        numbers.len() == expected,
        "`{name}` is made of {expected} numbers, but its direction of {}",
        numbers.len()
    );
    let mut numbers = numbers.into_iter();
    V::scalars_mut(lifted, &mut |number| {
        if let Some(slope) = numbers.next() {
            number.eps = [slope];
        }
    });
}

/// The gradient and the columns `start..` of the Hessian that a sweep over dual numbers found for one argument. `W` is the type of
/// the lifted argument.
pub fn gather<W, T, const N: usize>(
    adjoint: &W::Shadow,
    offset: usize,
    start: usize,
    gradient: &mut [T],
    hessian: &mut [T],
) -> usize
where
    W: Shadowed<Dual<T, N>> + ?Sized,
    T: Real,
{
    let total = gradient.len();
    let mut row = offset;
    W::scalars(adjoint, &mut |number| {
        gradient[row] = number.re;
        let columns = N.min(total - start);
        hessian[row * total + start..][..columns].copy_from_slice(&number.eps[..columns]);
        row += 1;
    });
    row
}

/// How the adjoint of one argument moves, in the shape of the argument. `W` is the type of the lifted argument.
pub fn slope<V, W, T>(value: &V, adjoint: &W::Shadow) -> <V as Shadowed<T>>::Owned
where
    V: Shadowed<T> + ?Sized,
    W: Shadowed<Dual<T, 1>> + ?Sized,
    T: Real + Shadow<T>,
{
    let mut slopes = Vec::new();
    W::scalars(adjoint, &mut |number| slopes.push(number.eps[0]));
    let mut slopes = slopes.into_iter();
    let mut shaped = <V as Shadowed<T>>::zero_shadow(value, Zero::Plain);
    <V as Shadowed<T>>::scalars_mut(shaped.borrow_mut(), &mut |place| {
        if let Some(slope) = slopes.next() {
            *place = slope;
        }
    });
    shaped
}

/// A lifted value as the argument that a program over dual numbers takes.
pub fn lent<A: Borrow<B> + ?Sized, B: ?Sized>(lifted: &A) -> &B {
    lifted.borrow()
}
