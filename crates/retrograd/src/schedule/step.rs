//! Steps of any kind: reversible, recorded, or only differentiable.

use std::fmt;
use std::marker::PhantomData;

use crate::{Active, Procedure, Record};

/// One step of a model, from a state to the next, with what a schedule needs to take it back.
///
/// [`reversible`], [`recorded`] and [`differentiable`] make one from functions. What is carried back is called the adjoint here, and may be
/// anything that goes from the state after a step to the state before it: with the gradient of parameters beside it, or, for
/// [`Reversible::inverse`], tangents by the inverse Jacobian.
pub trait Step {
    /// What a step changes.
    type State: Clone;
    /// What is carried back.
    type Adjoint;
    /// What a step keeps until it is taken back.
    type Kept;

    /// Runs step `index`.
    fn forward(&mut self, index: usize, state: &mut Self::State);

    /// Runs step `index`, and keeps what [`pullback`](Step::pullback) needs.
    fn keep(&mut self, index: usize, state: &mut Self::State) -> Self::Kept;

    /// Carries the adjoint back through step `index`. The state is the one after the step; it need not be restored.
    fn pullback(&mut self, index: usize, state: &mut Self::State, kept: Self::Kept, adjoint: &mut Self::Adjoint);

    /// The same step as one that can be undone, if it can. Schedules that undo steps are refused for all others.
    fn undoing(&mut self) -> Option<&mut dyn Undo<Self::State, Self::Adjoint>> {
        None
    }
}

/// A step that can be undone.
pub trait Undo<S, A> {
    /// Undoes step `index`, and carries the adjoint back through it.
    fn reverse(&mut self, index: usize, state: &mut S, adjoint: &mut A);
}

/// A step that only has a derivative, given the state before it: what [`differentiable`] makes.
pub struct Differentiable<S, A, F, B> {
    forward: F,
    pullback: B,
    types: PhantomData<fn(S, A)>,
}

/// A step from a function that runs it, and one that carries an adjoint back from the state *before* it.
///
/// ```
/// use retrograd::schedule::{Memory, StoreAll, adjoint, differentiable};
///
/// // A state, and the gradient of a parameter beside its adjoint.
/// let rate = 0.5;
/// let mut decay = differentiable(
///     |_, x: &mut f64| *x *= 1.0 - rate,
///     |_, x: &f64, (by_x, by_rate): &mut (f64, f64)| {
///         *by_rate -= x * *by_x;
///         *by_x *= 1.0 - rate;
///     },
/// );
/// let (gradient, _) = adjoint(&mut decay, &StoreAll::new(3), 2.0, &mut Memory::new(), |_| (1.0, 0.0))?;
/// assert_eq!(gradient, (0.125, -1.5));
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
pub fn differentiable<S, A, F, B>(forward: F, pullback: B) -> Differentiable<S, A, F, B>
where
    S: Clone,
    F: FnMut(usize, &mut S),
    B: FnMut(usize, &S, &mut A),
{
    Differentiable { forward, pullback, types: PhantomData }
}

impl<S: Clone, A, F: FnMut(usize, &mut S), B: FnMut(usize, &S, &mut A)> Step for Differentiable<S, A, F, B> {
    type State = S;
    type Adjoint = A;
    type Kept = S;

    fn forward(&mut self, index: usize, state: &mut S) {
        (self.forward)(index, state);
    }

    fn keep(&mut self, index: usize, state: &mut S) -> S {
        let before = state.clone();
        (self.forward)(index, state);
        before
    }

    fn pullback(&mut self, index: usize, _state: &mut S, before: S, adjoint: &mut A) {
        (self.pullback)(index, &before, adjoint);
    }
}

/// A step that keeps what it loses in a [`Record`]: what [`recorded`] makes.
pub struct Recorded<S, A, F, K, B> {
    forward: F,
    keep: K,
    pullback: B,
    record: Record,
    types: PhantomData<fn(S, A)>,
}

/// A step from a recorded procedure `f`: what `f`, `f::recorded` and `f::pullback` do.
///
/// ```
/// use retrograd::prelude::*;
/// use retrograd::schedule::{Memory, Revolve, adjoint, recorded};
///
/// #[reversible(record)]
/// fn logistic(x: &mut f64, r: f64) {
///     *x = r * *x * (1.0 - *x);
/// }
///
/// let r = 3.5;
/// let mut step = recorded(
///     |_, x: &mut f64| logistic(x, r),
///     |_, x, record| logistic::recorded(x, r, record),
///     |_, x, (by_x, by_r): &mut (f64, f64), record| logistic::pullback((x, by_x), (r, by_r), record),
/// );
/// let (gradient, _) = adjoint(&mut step, &Revolve::new(20, 4)?, 0.3, &mut Memory::new(), |_| (1.0, 0.0))?;
/// assert!(gradient.0.abs() < 1.0 && gradient.1 != 0.0);
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
pub fn recorded<S, A, F, K, B>(forward: F, keep: K, pullback: B) -> Recorded<S, A, F, K, B>
where
    S: Clone,
    F: FnMut(usize, &mut S),
    K: FnMut(usize, &mut S, &mut Record),
    B: FnMut(usize, &mut S, &mut A, &mut Record),
{
    Recorded { forward, keep, pullback, record: Record::new(), types: PhantomData }
}

impl<S, A, F, K, B> Step for Recorded<S, A, F, K, B>
where
    S: Clone,
    F: FnMut(usize, &mut S),
    K: FnMut(usize, &mut S, &mut Record),
    B: FnMut(usize, &mut S, &mut A, &mut Record),
{
    type State = S;
    type Adjoint = A;
    type Kept = ();

    fn forward(&mut self, index: usize, state: &mut S) {
        (self.forward)(index, state);
    }

    fn keep(&mut self, index: usize, state: &mut S) {
        // What the last step has kept may never have been asked for: the run went on.
        self.record.clear();
        (self.keep)(index, state, &mut self.record);
    }

    fn pullback(&mut self, index: usize, state: &mut S, (): (), adjoint: &mut A) {
        (self.pullback)(index, state, adjoint, &mut self.record);
    }
}

/// A step that can be undone: what [`reversible`] makes.
pub struct Reversible<S, F> {
    procedure: F,
    inverse: bool,
    types: PhantomData<fn(S)>,
}

/// A step from the [`Procedure`] of each index.
///
/// ```
/// use retrograd::schedule::{Memory, Reversal, adjoint, reversible};
/// use retrograd::{prelude::*, procedure};
///
/// #[reversible]
/// fn kick_drift(x: &mut f64, v: &mut f64, force: f64) {
///     *v += 0.1 * (force - *x);
///     *x += 0.1 * *v;
/// }
///
/// let mut step = reversible(|index| {
///     let force = 0.01 * index as f64;
///     procedure!(move s: (f64, f64) => kick_drift(&mut s.0, &mut s.1, force))
/// });
/// let mut states = Memory::new();
/// let (by_start, counts) = adjoint(&mut step, &Reversal::new(1000), (1.0, 0.0), &mut states, |_| (1.0, 0.0))?;
/// assert_eq!((counts.steps(), counts.peak), (2000, 0));
/// assert!((by_start.0 * by_start.0 + by_start.1 * by_start.1 - 1.0).abs() < 0.1);
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
pub fn reversible<S, P, F>(procedure: F) -> Reversible<S, F>
where
    S: Active<Shadow: Sized> + Clone,
    F: FnMut(usize) -> P,
    P: Procedure<S>,
{
    Reversible { procedure, inverse: false, types: PhantomData }
}

impl<S, F> Reversible<S, F> {
    /// The same step, which carries tangents back by the inverse of its Jacobian: from ẏ at the end of a run to J⁻¹ẏ at its start.
    pub fn inverse(self) -> Reversible<S, F> {
        Reversible { inverse: true, ..self }
    }
}

impl<S: Active<Shadow: Sized> + Clone, P: Procedure<S>, F: FnMut(usize) -> P> Step for Reversible<S, F> {
    type State = S;
    type Adjoint = S::Shadow;
    type Kept = ();

    fn forward(&mut self, index: usize, state: &mut S) {
        (self.procedure)(index).run(state);
    }

    fn keep(&mut self, index: usize, state: &mut S) {
        self.forward(index, state);
    }

    fn pullback(&mut self, index: usize, state: &mut S, (): (), adjoint: &mut S::Shadow) {
        self.reverse(index, state, adjoint);
    }

    fn undoing(&mut self) -> Option<&mut dyn Undo<S, S::Shadow>> {
        Some(self)
    }
}

impl<S: Active<Shadow: Sized>, P: Procedure<S>, F: FnMut(usize) -> P> Undo<S, S::Shadow> for Reversible<S, F> {
    fn reverse(&mut self, index: usize, state: &mut S, adjoint: &mut S::Shadow) {
        let procedure = (self.procedure)(index);
        match self.inverse {
            false => procedure.pullback(state, adjoint),
            true => procedure.unpushforward(state, adjoint),
        }
    }
}

/// Steps have no values to show, only a kind.
macro_rules! opaque {
    ($($name:ident <$($parameter:ident),*>;)*) => {$(
        impl<$($parameter),*> fmt::Debug for $name<$($parameter),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

opaque! {
    Differentiable<S, A, F, B>;
    Recorded<S, A, F, K, B>;
    Reversible<S, F>;
}
