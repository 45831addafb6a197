//! What a caller passes as the shadow of an argument.

use std::borrow::{Borrow, BorrowMut};

use super::{Shadowed, Zero};

/// What a caller passes for an argument through which it has no derivative: zeros are made, and dropped after the call.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoShadow;

/// A shadow that can be changed, for an argument of type `V` in a sweep over `S`.
///
/// `&mut [S; 3]` and `&mut Vec<S>` serve for a slice.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{V}` needs a derivative, and there is none here",
    label = "this is `#[constant]`, or of another type",
    note = "a `#[constant]` field has no derivative to lend; give it a name without one first: `#[constant] let c = &p.c;`"
)]
pub trait AdjointArg<V: ?Sized + Shadowed<S>, S> {
    /// What the callee keeps for the time of the call.
    type Keep;
    /// Makes what is to be kept; `value` gives the shape.
    fn keep(&self, value: &V) -> Self::Keep;
    /// The shadow.
    fn reach<'a>(self, keep: &'a mut Self::Keep) -> &'a mut V::Shadow
    where
        Self: 'a;
}

/// A shadow that is only read, for an argument of type `V` in a sweep over `S`.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{V}` needs a derivative, and there is none here",
    label = "this is `#[constant]`, or of another type",
    note = "a `#[constant]` field has no derivative to lend; give it a name without one first: `#[constant] let c = &p.c;`"
)]
pub trait TangentArg<V: ?Sized + Shadowed<S>, S> {
    /// What the callee keeps for the time of the call.
    type Keep;
    /// Makes what is to be kept; `value` gives the shape.
    fn keep(&self, value: &V) -> Self::Keep;
    /// The shadow.
    fn reach<'a>(self, keep: &'a Self::Keep) -> &'a V::Shadow
    where
        Self: 'a;
}

#[diagnostic::do_not_recommend]
impl<V: ?Sized + Shadowed<S>, S, Sh: BorrowMut<V::Shadow> + ?Sized> AdjointArg<V, S> for &mut Sh {
    type Keep = ();
    #[inline(always)]
    fn keep(&self, _value: &V) {}
    #[inline(always)]
    fn reach<'a>(self, _keep: &'a mut ()) -> &'a mut V::Shadow
    where
        Self: 'a,
    {
        self.borrow_mut()
    }
}

impl<V: ?Sized + Shadowed<S>, S> AdjointArg<V, S> for NoShadow {
    type Keep = V::Owned;
    #[inline(always)]
    fn keep(&self, value: &V) -> V::Owned {
        value.zero_shadow(Zero::Neutral)
    }
    #[inline(always)]
    fn reach<'a>(self, keep: &'a mut V::Owned) -> &'a mut V::Shadow
    where
        Self: 'a,
    {
        keep.borrow_mut()
    }
}

#[diagnostic::do_not_recommend]
impl<V: ?Sized + Shadowed<S>, S, Sh: Borrow<V::Shadow> + ?Sized> TangentArg<V, S> for &Sh {
    type Keep = ();
    #[inline(always)]
    fn keep(&self, _value: &V) {}
    #[inline(always)]
    fn reach<'a>(self, _keep: &'a ()) -> &'a V::Shadow
    where
        Self: 'a,
    {
        self.borrow()
    }
}

#[diagnostic::do_not_recommend]
impl<V: ?Sized + Shadowed<S>, S, Sh: Borrow<V::Shadow> + ?Sized> TangentArg<V, S> for &mut Sh {
    type Keep = ();
    #[inline(always)]
    fn keep(&self, _value: &V) {}
    #[inline(always)]
    fn reach<'a>(self, _keep: &'a ()) -> &'a V::Shadow
    where
        Self: 'a,
    {
        (*self).borrow()
    }
}

impl<V: ?Sized + Shadowed<S>, S> TangentArg<V, S> for NoShadow {
    type Keep = V::Owned;
    #[inline(always)]
    fn keep(&self, value: &V) -> V::Owned {
        value.zero_shadow(Zero::Neutral)
    }
    #[inline(always)]
    fn reach<'a>(self, keep: &'a V::Owned) -> &'a V::Shadow
    where
        Self: 'a,
    {
        keep.borrow()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pullback of a sum, as generated code writes it.
    fn sum_pullback(x: &[f64], gx: impl AdjointArg<[f64], f64>, seed: f64) {
        let mut keep = gx.keep(x);
        gx.reach(&mut keep).iter_mut().for_each(|g| *g += seed);
    }

    fn sum_pushforward(x: &[f64], dx: impl TangentArg<[f64], f64>) -> f64 {
        let keep = dx.keep(x);
        dx.reach(&keep).iter().sum()
    }

    #[test]
    fn every_container_serves_for_a_slice() {
        let (x, mut array, mut vector) = ([1.0, 2.0], [0.0; 2], vec![0.0; 2]);
        sum_pullback(&x, &mut array, 2.0);
        sum_pullback(&x, &mut vector, 3.0);
        sum_pullback(&x, &mut array[..], 1.0);
        assert_eq!((array, &vector[..]), ([3.0, 3.0], &[3.0, 3.0][..]));
        assert_eq!((sum_pushforward(&x, &array), sum_pushforward(&x, &mut vector)), (6.0, 6.0));
    }

    #[test]
    fn without_a_shadow_there_are_zeros() {
        sum_pullback(&[1.0, 2.0], NoShadow, 1.0);
        assert_eq!(sum_pushforward(&[1.0, 2.0], NoShadow), 0.0);
    }
}
