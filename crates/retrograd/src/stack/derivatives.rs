//! The derivative runs of `push` and `pop`: a derivative is moved onto a stack of its own, and back.

use std::mem;

use super::Stack;
use crate::Active;
use crate::check::Compare;
use crate::shadow::{AdjointArg, Scalar, Shadowed, Sweep, Zero, moves};

/// The adjoint or tangent of a value.
type ShadowOf<T> = <T as Active>::Shadow;

/// The scalar shadow of a value that is made of one type of numbers.
type ScalarOf<T> = <<T as Active>::Number as Active>::Shadow;

/// `push`, with the derivative of `x`. What is left in `x` is a constant, so its derivative is zero, or what a run that is undone has
/// dropped.
#[inline]
fn push_both<T, S>(
    stack: &mut Stack<T>,
    shadows: impl AdjointArg<Stack<T>, S>,
    x: &mut T,
    shadow: impl AdjointArg<T, S>,
) where
    T: Default + Compare + Shadowed<S, Shadow = <T as Shadowed<S>>::Owned>,
{
    let (mut keep_shadows, mut keep_shadow) = (shadows.keep(stack), shadow.keep(x));
    stack.push(x);
    let shadows = shadows.reach(&mut keep_shadows);
    let left = shadows.dropped.give_back().unwrap_or_else(|| x.zero_shadow(Zero::Plain));
    shadows.values.push(mem::replace(shadow.reach(&mut keep_shadow), left));
}

/// `pop`, with the derivative of `x`. That of the constant which was in `x` is dropped; it is kept for the case that the run is undone.
#[inline]
#[track_caller]
fn pop_both<T, S>(stack: &mut Stack<T>, shadows: impl AdjointArg<Stack<T>, S>, x: &mut T, shadow: impl AdjointArg<T, S>)
where
    T: Default + Compare + Shadowed<S, Shadow = <T as Shadowed<S>>::Owned>,
{
    let (mut keep_shadows, mut keep_shadow) = (shadows.keep(stack), shadow.keep(x));
    stack.pop(x);
    let shadows = shadows.reach(&mut keep_shadows);
    match shadows.values.pop() {
        Some(top) => shadows.dropped.keep(mem::replace(shadow.reach(&mut keep_shadow), top)),
        None => panic!("the stack has more values than the stack of their derivatives"),
    }
}

macro_rules! runs {
    ($($(#[$doc:meta])* $public:ident, $hidden:ident = $both:ident;)*) => {
        impl<T: Default + Compare> Stack<T> {
            $(
                $(#[$doc])*
                #[inline]
                #[track_caller]
                pub fn $public(&mut self, shadow: &mut Stack<ShadowOf<T>>, (x, sx): (&mut T, &mut ShadowOf<T>))
                where
                    T: Active<Number: Active<Shadow: Sized>, Shadow: Sized>,
                    T: Shadowed<ScalarOf<T>, Shadow = ShadowOf<T>, Owned = ShadowOf<T>>,
                {
                    $both::<T, ScalarOf<T>>(self, shadow, x, sx);
                }

                #[doc(hidden)]
                #[inline]
                #[track_caller]
                pub fn $hidden<S: Scalar>(
                    &mut self,
                    _sweep: Sweep<S>,
                    shadow: impl AdjointArg<Stack<T>, S>,
                    x: &mut T,
                    sx: impl AdjointArg<T, S>,
                ) where
                    T: Shadowed<S, Shadow = <T as Shadowed<S>>::Owned>,
                {
                    const { moves::<T, S>() };
                    $both(self, shadow, x, sx);
                }
            )*
        }
    };
}

runs! {
    /// Undoes [`push`](Stack::push), with adjoints: that of `x` comes back from the stack of adjoints.
    ///
    /// ```
    /// use retrograd::Stack;
    ///
    /// let (mut stack, mut adjoints) = (Stack::from(vec![1.5]), Stack::from(vec![10.0]));
    /// let (mut x, mut gx) = (0.0, 3.0);
    /// stack.pullback_push(&mut adjoints, (&mut x, &mut gx));
    /// assert_eq!((x, gx, stack.len(), adjoints.len()), (1.5, 10.0, 0, 0));
    /// ```
    pullback_push, __pullback_push = pop_both;
    /// Undoes [`pullback_push`](Stack::pullback_push), but for the adjoint of the zero that was left in `x`. In an `unpullback` of a
    /// program that comes back too.
    unpullback_push, __unpullback_push = push_both;
    /// [`push`](Stack::push), with tangents.
    ///
    /// ```
    /// use retrograd::Stack;
    ///
    /// let (mut stack, mut tangents, mut x, mut dx) = (Stack::new(), Stack::new(), 1.5, 10.0);
    /// stack.pushforward_push(&mut tangents, (&mut x, &mut dx));
    /// assert_eq!((stack.as_slice(), tangents.as_slice(), x, dx), (&[1.5][..], &[10.0][..], 0.0, 0.0));
    /// ```
    pushforward_push, __pushforward_push = push_both;
    /// Undoes [`pushforward_push`](Stack::pushforward_push).
    unpushforward_push, __unpushforward_push = pop_both;
    /// Undoes [`pop`](Stack::pop), with adjoints: that of `x` goes onto the stack of adjoints.
    ///
    /// ```
    /// use retrograd::Stack;
    ///
    /// let (mut stack, mut adjoints, mut x, mut gx) = (Stack::new(), Stack::new(), 1.5, 10.0);
    /// stack.pullback_pop(&mut adjoints, (&mut x, &mut gx));
    /// assert_eq!((stack.as_slice(), adjoints.as_slice(), x, gx), (&[1.5][..], &[10.0][..], 0.0, 0.0));
    /// ```
    pullback_pop, __pullback_pop = push_both;
    /// Undoes [`pullback_pop`](Stack::pullback_pop).
    unpullback_pop, __unpullback_pop = pop_both;
    /// [`pop`](Stack::pop), with tangents.
    pushforward_pop, __pushforward_pop = pop_both;
    /// Undoes [`pushforward_pop`](Stack::pushforward_pop).
    unpushforward_pop, __unpushforward_pop = push_both;
}

/// Generated code asks whether a method has derivative runs.
impl<T> Stack<T> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn __push_with_reversible_on_its_impl(&mut self) -> &mut Self {
        self
    }
    #[doc(hidden)]
    #[inline(always)]
    pub fn __pop_with_reversible_on_its_impl(&mut self) -> &mut Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seeds;
    use crate::shadow::NoShadow;

    #[test]
    fn containers_and_integers_are_stacked_with_their_shadows() {
        let (mut stack, mut shadows, mut x, mut gx) = (Stack::new(), Stack::new(), vec![1.0, 2.0], vec![3.0, 4.0]);
        stack.pushforward_push(&mut shadows, (&mut x, &mut gx));
        assert_eq!((x.len(), gx.len(), shadows.as_slice()), (0, 0, &[vec![3.0, 4.0]][..]));
        stack.unpushforward_push(&mut shadows, (&mut x, &mut gx));
        assert_eq!((x, gx), (vec![1.0, 2.0], vec![3.0, 4.0]));
        let (mut stack, mut shadows) = (Stack::from(vec![7]), Stack::from(vec![()]));
        stack.pullback_push(&mut shadows, (&mut 0, &mut ()));
        assert_eq!(shadows.len(), 0);
    }

    #[test]
    fn a_sweep_may_have_no_shadow_on_either_side() {
        let (mut stack, mut x, mut gx) = (Stack::from(vec![1.0, 2.0]), 0.0, Seeds([1.0, 1.0]));
        stack.__pullback_push(Sweep::<Seeds<f64, 2>>::new(), NoShadow, &mut x, &mut gx);
        assert_eq!((stack.len(), x, gx), (1, 2.0, Seeds([0.0, 0.0])));
        let mut shadows = Stack::from(vec![Seeds([1.0, 2.0])]);
        stack.__unpullback_push(Sweep::<Seeds<f64, 2>>::new(), &mut shadows, &mut x, NoShadow);
        assert_eq!(shadows.as_slice(), [Seeds([1.0, 2.0]), Seeds([0.0, 0.0])]);
    }

    #[test]
    #[should_panic = "the stack has more values than the stack of their derivatives"]
    fn a_shadow_that_is_too_short_is_refused() {
        Stack::from(vec![1.0]).pullback_push(&mut Stack::new(), (&mut 0.0, &mut 0.0));
    }
}
