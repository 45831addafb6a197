//! What `derive(Active)` needs for the fields of a struct.

use std::borrow::{Borrow, BorrowMut};

use super::{Misfit, Scalar, Shadow, Shadowed};

/// A field whose shadow, in a sweep over `S`, is a field of type `A`.
///
/// In a struct that is its own shadow, `A` is the type of the field with other type parameters, and this is where rustc
/// finds out whether that is so.
#[diagnostic::on_unimplemented(
    message = "a struct that is its own shadow cannot have a field of type `{Self}`",
    label = "the shadow of this is not `{A}`",
    note = "write `#[active(shadow = Name)]` on the struct: its shadow is then a struct `Name` beside it",
    note = "or mark the field `#[constant]`, if no derivative flows through it"
)]
pub trait Field<S, A> {
    /// A shadow of zeros, in the shape of the field.
    fn zeros(&self) -> A;
    /// Where the shape of the shadow is not that of the field, seen from the struct, under `step`.
    fn misfit_at(&self, shadow: &A, step: &str) -> Option<Misfit>;
    /// Calls `visit` with each scalar of the shadow, in order.
    fn visit_scalars(shadow: &A, visit: &mut dyn FnMut(&S));
    /// Calls `visit` with each scalar of the shadow, in order, to be changed.
    fn visit_scalars_mut(shadow: &mut A, visit: &mut dyn FnMut(&mut S));
}

#[diagnostic::do_not_recommend]
impl<F: Shadowed<S, Owned = A> + ?Sized, S, A> Field<S, A> for F {
    #[inline(always)]
    fn zeros(&self) -> A {
        self.zero_shadow()
    }
    #[inline(always)]
    fn misfit_at(&self, shadow: &A, step: &str) -> Option<Misfit> {
        self.misfit(borrowed::<F, S>(shadow)).map(|misfit| misfit.within(step))
    }
    #[inline(always)]
    fn visit_scalars(shadow: &A, visit: &mut dyn FnMut(&S)) {
        F::scalars(borrowed::<F, S>(shadow), visit);
    }
    #[inline(always)]
    fn visit_scalars_mut(shadow: &mut A, visit: &mut dyn FnMut(&mut S)) {
        F::scalars_mut(borrowed_mut::<F, S>(shadow), visit);
    }
}

// In the `impl` above, rustc knows the shadow as `A`, and no longer that it can be borrowed.

#[inline(always)]
fn borrowed<F: Shadowed<S> + ?Sized, S>(shadow: &F::Owned) -> &F::Shadow {
    shadow.borrow()
}

#[inline(always)]
fn borrowed_mut<F: Shadowed<S> + ?Sized, S>(shadow: &mut F::Owned) -> &mut F::Shadow {
    shadow.borrow_mut()
}

// A sweep over nothing: the shadow of a constant field has its shape, and `()` in the place of each number.

impl Scalar for () {
    #[inline(always)]
    fn zero() {}
}

impl<T> Shadow<T> for () {
    #[inline(always)]
    fn one() {}
}
