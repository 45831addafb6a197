//! Procedures as values: one object with all runs, for drivers and schedules that are generic over programs.

use crate::shadow::{Shadowed, Sweep, fit};
use crate::{Active, Real};

/// One run of a procedure over a state. What [`procedure!`](crate::procedure) makes is a function of it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Step<'a, State: Active + ?Sized> {
    /// The procedure itself.
    Call(&'a mut State),
    /// Its inverse.
    Uncall(&'a mut State),
    /// Backwards, with adjoints.
    Pullback(&'a mut State, &'a mut State::Shadow),
    /// Forwards, with tangents.
    Pushforward(&'a mut State, &'a mut State::Shadow),
    /// Forwards, with adjoints.
    Unpullback(&'a mut State, &'a mut State::Shadow),
    /// Backwards, with tangents.
    Unpushforward(&'a mut State, &'a mut State::Shadow),
}

/// A reversible procedure over a state, as a value.
///
/// [`procedure!`](crate::procedure) makes one from a call. A driver that is generic over programs takes an `impl Procedure<State>`:
///
/// ```
/// use retrograd::{Procedure, prelude::*, procedure};
///
/// #[reversible]
/// fn kick_drift(x: &mut [f64], v: &mut [f64], dt: f64) {
///     for i in 0..x.len() {
///         v[i] -= dt * x[i];
///         x[i] += dt * v[i];
///     }
/// }
///
/// fn gradient_of_many<S: Active>(program: impl Procedure<S>, state: &mut S, shadow: &mut S::Shadow, steps: usize) {
///     for _ in 0..steps {
///         program.run(state);
///     }
///     for _ in 0..steps {
///         program.pullback(state, shadow);
///     }
/// }
///
/// let dt = 0.1;
/// let (mut state, mut shadow) = (([1.0], [0.0]), ([1.0], [0.0]));
/// gradient_of_many(procedure!(s => kick_drift(&mut s.0, &mut s.1, dt)), &mut state, &mut shadow, 10);
/// assert!((state.0[0] - 1.0).abs() < 1e-12 && shadow.1[0] != 0.0);
/// ```
pub trait Procedure<State: Active + ?Sized>: Fn(Step<'_, State>) {
    /// Runs the procedure. (It is not called `call`: a function has a method of that name in the standard library.)
    fn run(&self, state: &mut State) {
        self(Step::Call(state));
    }

    /// Runs it backwards.
    fn uncall(&self, state: &mut State) {
        self(Step::Uncall(state));
    }

    /// Runs it backwards, carrying adjoints.
    ///
    /// # Panics
    ///
    /// Like all derivative runs, if the shapes of `state` and of its shadow differ; nothing is changed then.
    fn pullback(&self, state: &mut State, adjoint: &mut State::Shadow) {
        self(Step::Pullback(state, adjoint));
    }

    /// Runs it forwards, carrying tangents.
    fn pushforward(&self, state: &mut State, tangent: &mut State::Shadow) {
        self(Step::Pushforward(state, tangent));
    }

    /// Runs it forwards, carrying adjoints: undoes [`pullback`](Procedure::pullback).
    fn unpullback(&self, state: &mut State, adjoint: &mut State::Shadow) {
        self(Step::Unpullback(state, adjoint));
    }

    /// Runs it backwards, carrying tangents: undoes [`pushforward`](Procedure::pushforward).
    fn unpushforward(&self, state: &mut State, tangent: &mut State::Shadow) {
        self(Step::Unpushforward(state, tangent));
    }
}

impl<State: Active + ?Sized, F: Fn(Step<'_, State>)> Procedure<State> for F {}

/// The sweep that belongs to the numbers of a state. Panics if the shadow has another shape than the state.
#[doc(hidden)]
#[inline(always)]
pub fn sweep_of<State, S>(name: &str, state: &State, shadow: &<State as Active>::Shadow) -> Sweep<S>
where
    State: Active<Number: Swept<Scalar = S>> + Shadowed<S, Shadow = <State as Active>::Shadow> + ?Sized,
{
    let sweep = Sweep::new();
    fit(sweep, name, state, shadow);
    sweep
}

/// Numbers of a state, and the scalar of a sweep over it.
#[doc(hidden)]
pub trait Swept {
    /// The scalar.
    type Scalar;
}

impl<T: Real> Swept for T {
    type Scalar = <T as Active>::Shadow;
}

/// A state without numbers: any scalar will do.
impl Swept for () {
    type Scalar = f64;
}
