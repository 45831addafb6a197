//! The only paths that generated code may name. Nothing here is for users, and all of it may
//! change.

use std::fmt::Debug;
pub use std::string::String;
pub use std::vec;
pub use std::vec::Vec;

pub use crate::active::{Active, Among, With};
pub use crate::check::Digest;
pub use crate::derive::{rows, second};
pub use crate::determinant::{Determinant, LogDet, unweigh, weigh};
pub use crate::diagram::svg as diagram;
pub use crate::direction::Direction;
pub use crate::error::ErrorKind;
pub use crate::kernel;
pub use crate::linear::{Linear, LinearNegation, LinearUpdate, linear};
pub use crate::numbers::Dual;
pub use crate::numbers::lanes::over;
pub use crate::ops::{
    AddUpdate, Disjoint, Indexed, MulUpdate, NegUpdate, NotUpdate, Overlap, Shaped, ToRange, XorUpdate, product,
};
pub use crate::procedure::{Step, sweep_of};
pub use crate::progression::{AnyElements, FromEitherEnd, IntoProgression, Progression, Terms, progression};
pub use crate::real::Real;
pub use crate::record::{
    FrameGuard, HasShape, InPlace, Lease, Record, Recordable, Rest, Room, Slot, SpendGuard, Tag, append, blank,
    insert_at, keep_variant, no_variant, recall_variant, remove_at, rests, rooms, set_aside, shape_of, shapes, shrink,
    sort_by, sort_by_key, using, value_of,
};
pub use crate::rules::*;
pub use crate::schedule::{Plan, kept_bytes, snapshots_within};
pub use crate::shadow::{
    AddFrom, AddShadow, AdjointArg, AdjointRun, Arrives, Base, CloneShadow, Constant, DebugShadow, DefaultShadow,
    Elements, EqShadow, Extent, Field, Flowing, Join, JoinShadow, LeftFactor, Lost, MadeOf, Meets, Misfit, Multiplied,
    Negate, NegateShadow, NoBend, NoShadow, NothingLost, Number, Numbers, OfNumber, Part, Passed, Pull, Pulls, Push,
    Pushes, RightFactor, Scalar, Seeds, Shadow, Shadowed, Still, StillIf, Sweep, TangentArg, Times, Twice, Volume,
    Weighs, Weighted, Zero, add, add_pulled, add_tangent, arrive, bend, bend_back, elements, fit, fitting,
    given_by_hand, join, left_factor, lent, made_of, negate, neutral, no_such_part, number, numeric, of_number,
    other_variant, passed, pull, pull_factor, push, right_factor, scale, scale_tangent, sub, sub_pulled,
    undone_by_itself, zero,
};
pub use crate::site::Site;
pub use crate::{__shadowed_box as shadowed_box, __shadowed_reference as shadowed_reference};

pub mod absent;
mod apart;
mod checked;
mod copies;
mod drift;
mod exchanges;
mod held;
mod identical;
mod meanings;
mod overlaps;
mod rounded;
mod same;
mod samples;
mod shape;
mod tried;
mod witnesses;

pub use apart::rows_apart;
pub use checked::{Checked, Differentiable, NotActive, Probe, Same, differentiable, ordinary};
pub use copies::{
    Copies, CopyBehindMutableReference, CopyBehindReference, CopyByNumbers, CopyKnown, CopyTrusted, DuplicateBits,
    DuplicateByClone, Duplicates, PlainCopy, copied, duplicated,
};
pub use drift::{
    Asked, COMPARED, DriftByCompare, DriftByElements, DriftByEquality, DriftByNumbers, DriftByNumbersOfElements,
    DriftUnknown, EachByCompare, EachByEquality, EachByNumbers, EachUnknown, Inside, KeepByClone, KeepNothing, Leaf,
    Local, MagnitudeByCompare, MagnitudeByNumbers, NoMagnitude, Repeated, check_drift, check_drift_of_each, first_leaf,
    keep, keep_one, magnitude,
};
pub use exchanges::{Exchanges, FunctionOfNumbers, MovesOut, exchanges, function_of_numbers, moves_out};
pub use held::{Held, HeldAnything, HeldNumbers, HeldReference, held};
pub use identical::{identical, identical_mut};
pub use meanings::{
    Boxed, Grown, Iterated, MakesArrays, Mapped, Operand, Optional, Overwritten, Permuted, Sorted, Totals, any,
    as_slice, as_vector, boxed, holds, iterated, kind_of, len_of_slice, len_of_vector, makes_arrays, mapped, operand,
    optional, ordered, permuted, refers, shadow_of_slice, shadow_of_vector, totals,
};
pub use overlaps::{OverlapByEquality, OverlapByTrait, Places, SameIndex, overlap, same_index};
pub use rounded::Rounded;
pub use same::{Equal, Pair, SameByCompare, SameByElements, SameByEquality};
pub use samples::{NoSample, SampleByRecord, sample, sampled};
pub use shape::{ShapeByRecord, ShapeUnknown, shape};
pub use tried::{KeepInPlace, KeepNoPlace, RecallInPlace, RecallNoPlace, Regained, keep_tried, recall_tried};
pub use witnesses::Witnesses;

/// How many elements a loop over a copy of this goes through.
#[inline(always)]
pub fn count_of<I: Clone + IntoIterator>(elements: &I) -> usize {
    elements.clone().into_iter().count()
}

/// How many windows of that size a slice of that length has.
///
/// # Panics
///
/// If the size is zero, as `windows` of the standard library does.
#[inline(always)]
#[track_caller]
pub fn count_of_windows(len: usize, size: usize) -> usize {
    assert!(size != 0, "window size must be non-zero");
    (len + 1).saturating_sub(size)
}

/// Takes an expression that must be pure, in dead code: rustc rejects one that changes something.
///
/// ```compile_fail,E0594
/// let mut x = 1;
/// if false {
///     retrograd::private::pure(|| { x += 1; x });
/// }
/// ```
#[inline(always)]
pub fn pure<R>(_: impl Fn() -> R) {}

/// Like [`pure`], for the initialiser of a local whose type may follow from its later uses.
#[inline(always)]
pub fn pure_like<T>(_: &T, _: impl Fn() -> T) {}

/// Takes the target and the operand of `y += e` or `y -= e`, in dead code: they have to undo each other, and the operand must be pure.
#[inline(always)]
pub fn add_update<T: AddUpdate<E> + ?Sized, E>(_: &T, _: impl Fn() -> E) {}

/// Takes a type that has the name of a number of Rust, in dead code: its updates undo each other, as those of that number do.
#[inline(always)]
pub fn adds_back<T: AddUpdate>() {}

/// Like [`add_update`], where a derivative flows through the target.
#[inline(always)]
pub fn add_update_linear<T: LinearUpdate<E> + ?Sized, E>(_: &T, _: impl Fn() -> E) {}

/// Takes the target and the operand of `y ^= e`, in dead code.
#[inline(always)]
pub fn xor_update<T: XorUpdate<E> + ?Sized, E>(_: &T, _: impl Fn() -> E) {}

/// Takes a container of which an element is changed, in dead code.
#[inline(always)]
pub fn indexed<T: Indexed + ?Sized>(_: &T) {}

/// A value whose length or shape is read, in dead code.
#[inline(always)]
pub fn shaped<T: Shaped + ?Sized>(value: &T) -> &T {
    value
}

/// Takes the target of `y = -y`, in dead code.
#[inline(always)]
pub fn neg_update<T: NegUpdate + ?Sized>(_: &T) {}

/// Like [`neg_update`], where a derivative flows through the target.
#[inline(always)]
pub fn neg_update_linear<T: LinearNegation + ?Sized>(_: &T) {}

/// Takes the target of `y = !y`, in dead code.
#[inline(always)]
pub fn not_update<T: NotUpdate + ?Sized>(_: &T) {}

/// A value that an operand refers to, in dead code: a closure could not return a reference to what it has made itself.
#[inline(always)]
pub fn never_borrowed<'a, T>(_value: T) -> &'a T {
    unreachable!("`never_borrowed` stands in dead code")
}

/// A value of any type, in code that is never run.
#[inline(always)]
pub fn never<T>() -> T {
    unreachable!("`never` stands in dead code")
}

/// A value of the type of `_value`, in code that is never run.
#[inline(always)]
pub fn never_like<T>(_value: &T) -> T {
    unreachable!("`never_like` stands in dead code")
}

/// The value, which is of the type of `_target`.
#[inline(always)]
pub fn like<T>(_target: &T, value: T) -> T {
    value
}

/// Raises `kind` if `condition` did not come out as `expected`.
#[inline(always)]
pub fn check_condition(site: &Site, kind: ErrorKind, condition: &'static str, expected: bool, actual: bool) {
    if expected != actual {
        wrong_condition(site, kind, condition, expected);
    }
}

#[cold]
#[inline(never)]
fn wrong_condition(site: &Site, kind: ErrorKind, condition: &'static str, expected: bool) -> ! {
    site.fail(kind, condition, expected.to_string(), (!expected).to_string())
}

/// Raises `EqualIndices` if two indices into `place` overlap; `index` is one of them.
#[inline(always)]
pub fn check_distinct(site: &Site, place: &'static str, overlaps: bool, index: &dyn Debug) {
    if overlaps {
        not_distinct(site, place, index);
    }
}

#[cold]
#[inline(never)]
fn not_distinct(site: &Site, place: &'static str, index: &dyn Debug) -> ! {
    let actual = format!("{index:?} twice");
    site.fail(ErrorKind::EqualIndices, place, "different indices", actual)
}

/// `y *= e`.
#[inline(always)]
pub fn mul_update<Y: MulUpdate<E> + ?Sized, E>(y: &mut Y, e: E, site: &Site, checked: bool) {
    y.mul_update(e, site, checked);
}

/// `y /= e`.
#[inline(always)]
pub fn div_update<Y: MulUpdate<E> + ?Sized, E>(y: &mut Y, e: E, site: &Site, checked: bool) {
    y.div_update(e, site, checked);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempt;

    const SITE: Site = Site { function: "f", file: "f.rs", line: 1, column: 2, statement: "x += y;" };

    #[test]
    fn a_condition_is_checked_against_what_it_should_be() {
        let check =
            |expected, actual| attempt(|| check_condition(&SITE, ErrorKind::LoopTurn, "i > 0", expected, actual)).err();
        assert_eq!((check(true, true), check(false, false)), (None, None));
        let error = check(true, false).unwrap();
        assert_eq!((error.kind, &*error.variable), (ErrorKind::LoopTurn, "i > 0"));
        assert_eq!((&*error.expected, &*error.actual), ("true", "false"));
        assert_eq!(&*check(false, true).unwrap().actual, "true");
    }

    #[test]
    fn overlapping_places_are_named() {
        assert!(attempt(|| check_distinct(&SITE, "x[i]", false, &3)).is_ok());
        let error = attempt(|| check_distinct(&SITE, "x[i]", true, &3)).unwrap_err();
        assert_eq!((&*error.variable, &*error.actual), ("x[i]", "3 twice"));
    }
}
