//! What `derive(Active)` needs for the fields of a struct.
//!
//! Each trait here says in one bound what would otherwise be one about an associated type. rustc does not always find a bound
//! such as `<F as Shadowed<S>>::Owned: Clone` again: not if `F` has a projection inside, as the arrays of ndarray do.

use std::borrow::{Borrow, BorrowMut};
use std::fmt::Debug;

use super::{AddFrom, Join, Misfit, Negate, Shadowed, Zero};
use crate::active::{Active, Among};

/// A field whose numbers are among those of type `N`.
pub trait Numbers<N> {
    /// Calls `visit` with each number, in order.
    fn visit_numbers(&self, visit: &mut dyn FnMut(&N));
    /// Calls `visit` with each number, in order, to be changed.
    fn visit_numbers_mut(&mut self, visit: &mut dyn FnMut(&mut N));
}

impl<F: Active<Number: Among<N>> + ?Sized, N> Numbers<N> for F {
    #[inline(always)]
    fn visit_numbers(&self, visit: &mut dyn FnMut(&N)) {
        self.visit(&mut |number| number.pass(visit));
    }
    #[inline(always)]
    fn visit_numbers_mut(&mut self, visit: &mut dyn FnMut(&mut N)) {
        self.visit_mut(&mut |number| number.pass_mut(visit));
    }
}

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
    fn zeros(&self, zero: Zero) -> A;
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
    fn zeros(&self, zero: Zero) -> A {
        self.zero_shadow(zero)
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

/// A field whose shadow in a sweep over `S` has, in a sweep over `R`, the shadow that the field has in a sweep over `Q`.
pub trait Twice<S, R, Q>: Shadowed<S> + Shadowed<Q> {
    /// A shadow of zeros, in the shape of the shadow.
    fn zeros_of(shadow: &<Self as Shadowed<S>>::Owned, zero: Zero) -> <Self as Shadowed<Q>>::Owned;
    /// Where the shape of the second shadow is not that of the first.
    fn misfit_of(
        shadow: &<Self as Shadowed<S>>::Owned,
        second: &<Self as Shadowed<Q>>::Owned,
        step: &str,
    ) -> Option<Misfit>;
    /// Calls `visit` with each scalar of the second shadow, in order.
    fn visit_second(second: &<Self as Shadowed<Q>>::Owned, visit: &mut dyn FnMut(&R));
    /// Calls `visit` with each scalar of the second shadow, in order, to be changed.
    fn visit_second_mut(second: &mut <Self as Shadowed<Q>>::Owned, visit: &mut dyn FnMut(&mut R));
}

impl<F, S, R, Q> Twice<S, R, Q> for F
where
    F: Shadowed<S, Owned: Field<R, <F as Shadowed<Q>>::Owned>> + Shadowed<Q> + ?Sized,
{
    #[inline(always)]
    fn zeros_of(shadow: &<F as Shadowed<S>>::Owned, zero: Zero) -> <F as Shadowed<Q>>::Owned {
        shadow.zeros(zero)
    }
    #[inline(always)]
    fn misfit_of(shadow: &<F as Shadowed<S>>::Owned, second: &<F as Shadowed<Q>>::Owned, step: &str) -> Option<Misfit> {
        shadow.misfit_at(second, step)
    }
    #[inline(always)]
    fn visit_second(second: &<F as Shadowed<Q>>::Owned, visit: &mut dyn FnMut(&R)) {
        <F as Shadowed<S>>::Owned::visit_scalars(second, visit);
    }
    #[inline(always)]
    fn visit_second_mut(second: &mut <F as Shadowed<Q>>::Owned, visit: &mut dyn FnMut(&mut R)) {
        <F as Shadowed<S>>::Owned::visit_scalars_mut(second, visit);
    }
}

/// Fields whose shadow can do something, and what that does.
macro_rules! shadows {
    ($($(#[$doc:meta])* $name:ident: [$($can:tt)*] {
        $(fn $method:ident($($argument:ident: $type:ty),*) $(-> $output:ty)? $body:block)*
    })*) => {$(
        $(#[$doc])*
        pub trait $name<S>: Shadowed<S> {
            $(
                #[allow(missing_docs, reason = "the trait says what it does")]
                fn $method($($argument: $type),*) $(-> $output)?;
            )*
        }

        impl<F: Shadowed<S, Owned: $($can)*> + ?Sized, S> $name<S> for F {
            $(
                #[inline(always)]
                #[track_caller]
                fn $method($($argument: $type),*) $(-> $output)? $body
            )*
        }
    )*};
}

shadows! {
    /// A field whose shadow can be cloned.
    CloneShadow: [Clone] {
        fn clone_shadow(shadow: &Self::Owned) -> Self::Owned { shadow.clone() }
    }

    /// A field whose shadow can be shown.
    DebugShadow: [Debug] {
        fn debug_shadow(shadow: &Self::Owned) -> &dyn Debug { shadow }
    }

    /// A field whose shadow has a default.
    DefaultShadow: [Default] {
        fn default_shadow() -> Self::Owned { Default::default() }
    }

    /// A field whose shadow can be compared.
    EqShadow: [PartialEq] {
        fn eq_shadow(one: &Self::Owned, other: &Self::Owned) -> bool { one == other }
    }

    /// A field whose shadows can be added.
    AddShadow: [AddFrom<F::Owned> + for<'g> AddFrom<&'g F::Owned>] {
        fn add_shadow(to: &mut Self::Owned, g: Self::Owned) { to.add_from(g) }
        fn sub_shadow(to: &mut Self::Owned, g: Self::Owned) { to.sub_from(g) }
        fn add_shadow_ref(to: &mut Self::Owned, g: &Self::Owned) { to.add_from(g) }
        fn sub_shadow_ref(to: &mut Self::Owned, g: &Self::Owned) { to.sub_from(g) }
    }

    /// A field whose shadows can be joined.
    JoinShadow: [Join<F::Owned, Output = F::Owned>] {
        fn join_shadow(one: Self::Owned, other: Self::Owned) -> Self::Owned { one.join(other) }
    }

    /// A field whose shadow has an opposite.
    NegateShadow: [Negate] {
        fn negate_shadow(shadow: Self::Owned) -> Self::Owned { shadow.negate() }
    }
}
