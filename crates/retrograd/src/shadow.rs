//! Shadows: the adjoints and tangents that derivative runs carry along with their values.
//!
//! A *sweep* carries derivatives of one scalar type `S`: `f64` for a program over `f64`, `T::Shadow` for one over `T: Real`,
//! [`Seeds`] for several adjoints at once. [`Shadowed`] says what the shadow of a value is then, and [`Scalar`] what can be done
//! with it. What no derivative flows through has the shadow `()`, which accepts everything and contributes nothing; so generated code
//! need not know which of its variables are numbers.

mod argument;
mod constant;
mod containers;
mod dropped;
mod fields;
mod product;
mod scalar;
mod seeds;
mod shadowed;
mod still;
mod variants;
mod volume;
mod weighted;

use std::borrow::Borrow;
use std::marker::PhantomData;

pub use argument::{AdjointArg, NoShadow, TangentArg};
pub use constant::{Constant, Lost, NothingLost};
pub use dropped::AdjointRun;
pub(crate) use dropped::Dropped;
pub use fields::{
    AddShadow, CloneShadow, DebugShadow, DefaultShadow, EqShadow, Field, JoinShadow, NegateShadow, Numbers, Twice,
};
pub use product::{LeftFactor, Multiplied, RightFactor, left_factor, lent, right_factor};
pub use scalar::{
    AddFrom, Base, Flowing, Join, Meets, Negate, Number, OfNumber, Pull, Pulls, Push, Pushes, Scalar, Shadow, Times,
};
#[allow(unused_imports, reason = "features decide which of them are used")]
pub(crate) use scalar::{meets_nothing, number, scalar, shadow, shared_as_any};
pub use seeds::Seeds;
pub(crate) use shadowed::shadowed_by_a_scalar;
pub use shadowed::{Extent, Misfit, Shadowed, Zero};
pub use still::{MadeOf, Passed, Still, StillIf, made_of, passed};
pub use variants::{Part, no_such_part, other_variant};
pub use volume::Volume;
pub use weighted::{NoBend, Weighs, Weighted, bend, bend_back, pull_factor};

/// Says which scalar shadow a sweep carries: the first argument of every hidden entry.
#[derive(Debug)]
pub struct Sweep<S>(PhantomData<S>);

impl<S> Sweep<S> {
    /// A sweep over `S`.
    #[inline(always)]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Sweep<S> {
        Sweep(PhantomData)
    }
}

impl<S> Clone for Sweep<S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Sweep<S> {}

/// Refuses, while it is compiled, a determinant of what leaves zeros behind.
pub(crate) const fn moves<V: Shadowed<S> + ?Sized, S: Scalar>() {
    assert!(
        V::INERT || S::MOVES,
        "`log_det` of a program that puts values aside, by `push`, `pop`, `allocate`, `free` or `cast`: the zeros that these leave or take depend on no \
         argument, and the Jacobian is not square. Take the determinant of the parts of the program between them"
    );
}

/// Refuses, while it is compiled, a determinant of a program with an ancilla that ends by hand.
pub const fn undone_by_itself<S: Scalar>() {
    assert!(
        S::MOVES,
        "`log_det` of a program with a local that ends in `release!`: the determinant does not follow from the factors of the arguments, \
         because the local may have taken the place of one of them. Write the program so that the local is undone by itself, without `release!`"
    );
}

/// Refuses, while it is compiled, a determinant of what is given by hand.
pub const fn given_by_hand<S: Scalar>() {
    assert!(
        S::MOVES,
        "`log_det` of a program that calls a primitive procedure: its companions are given by hand, and say nothing about its determinant. Write it as a \
         `#[reversible]` procedure"
    );
}

/// A shadow of zeros, in the shape of `value`.
#[inline(always)]
pub fn zero<V: Shadowed<S> + ?Sized, S>(_sweep: Sweep<S>, value: &V) -> V::Owned {
    value.zero_shadow(Zero::Plain)
}

/// The elements of the shadow of an array or a `Vec` that was made of `N` of them.
#[inline(always)]
#[track_caller]
pub fn elements<A, const N: usize>(shadow: impl Elements<A, N>) -> [A; N] {
    shadow.elements()
}

/// A container of elements that can be given away, all at once.
pub trait Elements<A, const N: usize> {
    /// All of them.
    fn elements(self) -> [A; N];
}

impl<A, const N: usize> Elements<A, N> for [A; N] {
    #[inline(always)]
    fn elements(self) -> [A; N] {
        self
    }
}

impl<A, const N: usize> Elements<A, N> for Vec<A> {
    #[inline(always)]
    #[track_caller]
    fn elements(self) -> [A; N] {
        match self.try_into() {
            Ok(elements) => elements,
            Err(_) => panic!("the shadow of a `Vec` has as many elements as the `Vec` was made of"),
        }
    }
}

/// `place += g`.
#[inline(always)]
#[track_caller]
pub fn add<P: AddFrom<G> + ?Sized, G>(place: &mut P, g: G) {
    place.add_from(g);
}

/// `place -= g`.
#[inline(always)]
#[track_caller]
pub fn sub<P: AddFrom<G> + ?Sized, G>(place: &mut P, g: G) {
    place.sub_from(g);
}

/// `place += pull(g, d)`.
#[inline(always)]
#[track_caller]
pub fn add_pulled<P: AddFrom<D::Output> + ?Sized, G, D: Pulls<G>>(place: &mut P, g: G, d: D) {
    d.pulls_into(g, place);
}

/// `place -= pull(g, d)`.
#[inline(always)]
#[track_caller]
pub fn sub_pulled<P: AddFrom<D::Output> + ?Sized, G, D: Pulls<G>>(place: &mut P, g: G, d: D) {
    d.pulls_out_of(g, place);
}

/// `place += t`, or `place -= t` if it is `negative`, for a tangent: it arrives in full.
#[inline(always)]
#[track_caller]
pub fn add_tangent<P: AddFrom<G, Lost: NothingLost> + ?Sized, G>(place: &mut P, negative: bool, t: G) {
    if negative {
        place.sub_from(t);
    } else {
        place.add_from(t);
    }
}

/// The adjoint of an operand, from that of the result and the partial.
#[inline(always)]
pub fn pull<G, D: Pulls<G>>(g: G, d: D) -> D::Output {
    d.pulls(g)
}

/// The tangent of the result, from that of an operand and the partial.
#[inline(always)]
pub fn push<G, D: Pushes<G>>(t: G, d: D) -> D::Output {
    d.pushes(t)
}

/// A derivative, as it is: asks that it is one of a number.
#[inline(always)]
pub fn of_number<G: OfNumber>(g: &G) -> G::Itself {
    g.itself()
}

/// `a + b`.
#[inline(always)]
pub fn join<A: Join<B>, B>(a: A, b: B) -> A::Output {
    a.join(b)
}

/// A shadow to which nothing has been added yet.
#[inline(always)]
pub fn neutral<S: Scalar>() -> S {
    S::neutral()
}

/// `-g`.
#[inline(always)]
pub fn negate<G: Negate>(g: G) -> G {
    g.negate()
}

/// `*t = push(*t, d)`.
#[inline(always)]
pub fn scale_tangent<T: Copy, D: Pushes<T, Output = T>>(t: &mut T, d: D) {
    *t = d.scales(*t);
}

/// The adjoint of an operand, as one of its own kind: where a real operand meets a complex one, what arrives is complex, and the
/// real part of it counts.
pub trait Arrives<A> {
    /// The adjoint of that kind.
    fn arrive(self) -> A;
}

impl<A> Arrives<A> for A {
    #[inline(always)]
    fn arrive(self) -> A {
        self
    }
}

/// The adjoint that a callee is given.
#[inline(always)]
pub fn arrive<G: Arrives<A>, A>(g: G) -> A {
    g.arrive()
}

/// `*g = pull(*g, d)`.
#[inline(always)]
pub fn scale<G: Copy, D: Pulls<G, Output = G>>(g: &mut G, d: D) {
    *g = d.pulls(*g);
}

/// The number as rules take it, given by value or by reference.
#[inline(always)]
pub fn number<N: Number>(n: N) -> N::Value {
    n.number()
}

/// A number as it is: asks for one where a rule is known for numbers only.
#[inline(always)]
pub fn numeric<N: Number>(n: N) -> N {
    n
}

/// Panics if the shape of a shadow that a user gave is not that of the value. `name` is the argument's.
#[inline(always)]
#[track_caller]
pub fn fit<V: Shadowed<S> + ?Sized, S>(_sweep: Sweep<S>, name: &str, value: &V, shadow: &V::Shadow) {
    if let Some(misfit) = value.misfit(shadow) {
        does_not_fit(name, misfit);
    }
}

/// The value of a function. Panics if the shape of the seed differs.
#[inline(always)]
#[track_caller]
pub fn fitting<V: Fitting<S, O>, S, O>(sweep: Sweep<S>, value: V, seed: &O) -> V {
    value.fit_in(sweep, seed);
    value
}

/// A value whose shadow is an `O`.
#[diagnostic::on_unimplemented(
    message = "no derivative flows through `{Self}`",
    label = "its value is not `Active`",
    note = "put `#[derive(Active)]` on a type of your own; or, if nobody needs a derivative, put `#[reversible(derivatives = \"never\")]` \
            on the program"
)]
pub trait Fitting<S, O> {
    /// Panics if the shape of the shadow is another one.
    fn fit_in(&self, sweep: Sweep<S>, shadow: &O);
}

#[diagnostic::do_not_recommend]
impl<V: Shadowed<S, Owned = O>, S, O: Borrow<V::Shadow>> Fitting<S, O> for V {
    #[inline(always)]
    #[track_caller]
    fn fit_in(&self, sweep: Sweep<S>, shadow: &O) {
        fit(sweep, "value", self, shadow.borrow());
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn does_not_fit(name: &str, misfit: Misfit) -> ! {
    let Misfit { path, expected, actual } = misfit;
    let (expected, actual) = (expected.said(), actual.said());
    panic!("`{name}{path}` {expected}, but its derivative {actual}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derivative_of_the_wrong_length_is_named() {
        let x = [vec![1.0, 2.0], vec![3.0]];
        fit(Sweep::<f64>::new(), "x", &x, &[vec![0.0, 0.0], vec![0.0]]);
        let message = std::panic::catch_unwind(|| fit(Sweep::<f64>::new(), "x", &x, &[vec![0.0, 0.0], vec![]]));
        let message = message.unwrap_err();
        let message = message.downcast_ref::<String>().map(String::as_str);
        assert_eq!(message, Some("`x[1]` has length 1, but its derivative has length 0"));
    }
}
