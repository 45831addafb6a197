//! Tangents in which nothing moves, by their types: those of `#[constant]` fields, and of what has no derivative.

use std::borrow::Borrow;
use std::marker::PhantomData;

use super::{Constant, NoShadow, Shadowed, TangentArg};
use crate::Stack;

/// What may be passed as the tangent of a `#[constant]` parameter: nothing that the callee would lose.
#[diagnostic::on_unimplemented(
    message = "an active value is passed to a `#[constant]` parameter, and its derivative would be lost",
    label = "a derivative flows into this argument",
    note = "take `#[constant]` off the parameter; or keep the derivative out of what is passed, with `#[constant] let t = ..;`"
)]
pub trait Still {}

/// The same of `self` in the `impl` of a trait. A type without derivatives (1) may implement a trait whose other types have them: nobody
/// has a derivative by it.
#[diagnostic::on_unimplemented(
    message = "`self` is marked `#[constant]` in this `impl` and not in its trait, and a derivative of those who call the trait would be lost",
    label = "the type of this `impl` is `Active`",
    note = "take `#[constant]` off `self`, or mark it in the trait too"
)]
pub trait StillIf<const INACTIVE: usize> {}

impl<A> StillIf<1> for A {}
#[diagnostic::do_not_recommend]
impl<A: Still> StillIf<0> for A {}

impl Still for NoShadow {}
impl Still for Constant {}

macro_rules! still {
    ($(($($generics:tt)*) $type:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Still for $type {}
    )*};
}

still! {
    (A: Still + ?Sized) MadeOf<A>; (A, K: Still) Passed<'_, A, K>;
    (A: Still + ?Sized) &A; (A: Still + ?Sized) &mut A; (A: Still + ?Sized) Box<A>;
    (A: Still) [A]; (A: Still, const N: usize) [A; N]; (A: Still) Vec<A>;
    (A: Still) Option<A>; (A: Still) Stack<A>;
    () ();
    (A: Still) (A,);
    (A: Still, B: Still) (A, B);
    (A: Still, B: Still, C: Still) (A, B, C);
    (A: Still, B: Still, C: Still, D: Still) (A, B, C, D);
    (A: Still, B: Still, C: Still, D: Still, E: Still) (A, B, C, D, E);
    (A: Still, B: Still, C: Still, D: Still, E: Still, F: Still) (A, B, C, D, E, F);
    (A: Still, B: Still, C: Still, D: Still, E: Still, F: Still, G: Still) (A, B, C, D, E, F, G);
    (A: Still, B: Still, C: Still, D: Still, E: Still, F: Still, G: Still, H: Still) (A, B, C, D, E, F, G, H);
}

/// What a tangent is made of: the types of the shadows that it was computed from.
#[derive(Debug)]
pub struct MadeOf<L: ?Sized>(PhantomData<L>);

/// The type of a shadow.
#[inline(always)]
pub fn made_of<L: ?Sized>(_shadow: &L) -> MadeOf<L> {
    MadeOf(PhantomData)
}

/// The tangent of a value that is passed to a call. It has the type that belongs to the value; a `#[constant]` parameter looks at
/// what it is made of.
#[derive(Debug)]
pub struct Passed<'a, A, K> {
    tangent: &'a A,
    made_of: PhantomData<K>,
}

/// The tangent of an argument, made of shadows of the types that `made_of` says.
#[inline(always)]
pub fn passed<A, K>(tangent: &A, _made_of: K) -> Passed<'_, A, K> {
    Passed { tangent, made_of: PhantomData }
}

#[diagnostic::do_not_recommend]
impl<V: ?Sized + Shadowed<S>, S, A: Borrow<V::Shadow>, K> TangentArg<V, S> for Passed<'_, A, K> {
    type Keep = ();
    #[inline(always)]
    fn keep(&self, _value: &V) {}
    #[inline(always)]
    fn reach<'a>(self, _keep: &'a ()) -> &'a V::Shadow
    where
        Self: 'a,
    {
        self.tangent.borrow()
    }
}
