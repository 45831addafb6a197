//! Vectors that grow and shrink in recorded programs: `v.push(x)` and `v.insert(i, x)`, and what `v.pop()` and `v.remove(i)` do to `v`.

#![allow(non_camel_case_types, reason = "what holds the companions of a procedure is called like it")]

use super::{Record, Recordable};
use crate::shadow::{AddFrom, AdjointArg, Shadowed, Sweep, TangentArg, Zero};

/// The shadow of an element, as a value.
type Of<T, S> = <T as Shadowed<S>>::Owned;

/// `v.push(x)`
#[inline]
pub fn append<T>(v: &mut Vec<T>, x: T) {
    v.push(x);
}

/// The companions of [`append`](fn@append).
#[derive(Debug)]
pub struct append {}

impl append {
    /// It has no host parameters.
    pub const HOSTS: u128 = 0;

    #[doc(hidden)]
    #[inline]
    pub fn __keep<T>(_record: &mut Record, v: &mut Vec<T>, x: T) {
        v.push(x);
    }

    #[doc(hidden)]
    #[inline]
    pub fn __unkeep<T>(_record: &mut Record, v: &mut Vec<T>, _x: T) {
        v.pop();
    }

    #[doc(hidden)]
    #[inline]
    pub fn __spend<T, S>(
        _sweep: Sweep<S>,
        _record: &mut Record,
        v: &mut Vec<T>,
        gv: impl AdjointArg<Vec<T>, S>,
        x: T,
        gx: impl AdjointArg<T, S>,
    ) where
        T: Shadowed<S, Shadow: AddFrom<Of<T, S>>>,
        Vec<T>: Shadowed<S, Shadow = Vec<Of<T, S>>>,
    {
        let (mut keep_v, mut keep_x) = (gv.keep(v), gx.keep(&x));
        v.pop();
        if let Some(adjoint) = gv.reach(&mut keep_v).pop() {
            gx.reach(&mut keep_x).add_from(adjoint);
        }
    }

    #[doc(hidden)]
    #[inline]
    pub fn __pushforward<T, S>(
        _sweep: Sweep<S>,
        v: &mut Vec<T>,
        dv: impl AdjointArg<Vec<T>, S>,
        x: T,
        dx: impl TangentArg<T, S>,
    ) where
        T: Shadowed<S, Shadow = Of<T, S>>,
        Of<T, S>: Clone,
        Vec<T>: Shadowed<S, Shadow = Vec<Of<T, S>>>,
    {
        let (mut keep_v, keep_x) = (dv.keep(v), dx.keep(&x));
        dv.reach(&mut keep_v).push(dx.reach(&keep_x).clone());
        v.push(x);
    }
}

/// `v.pop()`, of which the value is not used: the record keeps it. An empty vector stays as it is.
#[inline]
pub fn shrink<T>(v: &mut Vec<T>) {
    v.pop();
}

/// The companions of [`shrink`](fn@shrink).
#[derive(Debug)]
pub struct shrink {}

impl shrink {
    /// It has no host parameters.
    pub const HOSTS: u128 = 0;

    #[doc(hidden)]
    #[inline]
    pub fn __keep<T: Recordable>(record: &mut Record, v: &mut Vec<T>) {
        v.pop().keep(record);
    }

    #[doc(hidden)]
    #[inline]
    pub fn __unkeep<T: Recordable>(record: &mut Record, v: &mut Vec<T>) {
        v.extend(Option::recall(record));
    }

    #[doc(hidden)]
    #[inline]
    pub fn __spend<T, S>(_sweep: Sweep<S>, record: &mut Record, v: &mut Vec<T>, gv: impl AdjointArg<Vec<T>, S>)
    where
        T: Recordable + Shadowed<S>,
        Vec<T>: Shadowed<S, Shadow = Vec<Of<T, S>>>,
    {
        let mut keep = gv.keep(v);
        if let Some(last) = Option::<T>::recall(record) {
            gv.reach(&mut keep).push(last.zero_shadow(Zero::Neutral));
            v.push(last);
        }
    }

    #[doc(hidden)]
    #[inline]
    pub fn __pushforward<T, S>(_sweep: Sweep<S>, v: &mut Vec<T>, dv: impl AdjointArg<Vec<T>, S>)
    where
        T: Shadowed<S>,
        Vec<T>: Shadowed<S, Shadow = Vec<Of<T, S>>>,
    {
        let mut keep = dv.keep(v);
        dv.reach(&mut keep).pop();
        v.pop();
    }
}

/// `v.insert(at, x)`
#[inline]
#[track_caller]
pub fn insert_at<T>(v: &mut Vec<T>, at: usize, x: T) {
    v.insert(at, x);
}

/// The companions of [`insert_at`](fn@insert_at).
#[derive(Debug)]
pub struct insert_at {}

impl insert_at {
    /// It has no host parameters.
    pub const HOSTS: u128 = 0;

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __keep<T>(_record: &mut Record, v: &mut Vec<T>, at: usize, x: T) {
        v.insert(at, x);
    }

    #[doc(hidden)]
    #[inline]
    pub fn __unkeep<T>(_record: &mut Record, v: &mut Vec<T>, at: usize, _x: T) {
        v.remove(at);
    }

    #[doc(hidden)]
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
    pub fn __spend<T, S>(
        _sweep: Sweep<S>,
        _record: &mut Record,
        v: &mut Vec<T>,
        gv: impl AdjointArg<Vec<T>, S>,
        at: usize,
        _no_shadow: impl Sized,
        x: T,
        gx: impl AdjointArg<T, S>,
    ) where
        T: Shadowed<S, Shadow: AddFrom<Of<T, S>>>,
        Vec<T>: Shadowed<S, Shadow = Vec<Of<T, S>>>,
    {
        let (mut keep_v, mut keep_x) = (gv.keep(v), gx.keep(&x));
        v.remove(at);
        gx.reach(&mut keep_x).add_from(gv.reach(&mut keep_v).remove(at));
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __pushforward<T, S>(
        _sweep: Sweep<S>,
        v: &mut Vec<T>,
        dv: impl AdjointArg<Vec<T>, S>,
        at: usize,
        _no_shadow: impl Sized,
        x: T,
        dx: impl TangentArg<T, S>,
    ) where
        T: Shadowed<S, Shadow = Of<T, S>>,
        Of<T, S>: Clone,
        Vec<T>: Shadowed<S, Shadow = Vec<Of<T, S>>>,
    {
        let (mut keep_v, keep_x) = (dv.keep(v), dx.keep(&x));
        dv.reach(&mut keep_v).insert(at, dx.reach(&keep_x).clone());
        v.insert(at, x);
    }
}

/// `v.remove(at)`, of which the value is not used: the record keeps it.
#[inline]
#[track_caller]
pub fn remove_at<T>(v: &mut Vec<T>, at: usize) {
    v.remove(at);
}

/// The companions of [`remove_at`](fn@remove_at).
#[derive(Debug)]
pub struct remove_at {}

impl remove_at {
    /// It has no host parameters.
    pub const HOSTS: u128 = 0;

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __keep<T: Recordable>(record: &mut Record, v: &mut Vec<T>, at: usize) {
        v.remove(at).keep(record);
    }

    #[doc(hidden)]
    #[inline]
    pub fn __unkeep<T: Recordable>(record: &mut Record, v: &mut Vec<T>, at: usize) {
        v.insert(at, T::recall(record));
    }

    #[doc(hidden)]
    #[inline]
    pub fn __spend<T, S>(
        _sweep: Sweep<S>,
        record: &mut Record,
        v: &mut Vec<T>,
        gv: impl AdjointArg<Vec<T>, S>,
        at: usize,
        _no_shadow: impl Sized,
    ) where
        T: Recordable + Shadowed<S>,
        Vec<T>: Shadowed<S, Shadow = Vec<Of<T, S>>>,
    {
        let (mut keep, removed) = (gv.keep(v), T::recall(record));
        gv.reach(&mut keep).insert(at, removed.zero_shadow(Zero::Neutral));
        v.insert(at, removed);
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __pushforward<T, S>(
        _sweep: Sweep<S>,
        v: &mut Vec<T>,
        dv: impl AdjointArg<Vec<T>, S>,
        at: usize,
        _no_shadow: impl Sized,
    ) where
        T: Shadowed<S>,
        Vec<T>: Shadowed<S, Shadow = Vec<Of<T, S>>>,
    {
        let mut keep = dv.keep(v);
        dv.reach(&mut keep).remove(at);
        v.remove(at);
    }
}
