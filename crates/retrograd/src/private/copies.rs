//! `copied!` and `duplicated!`: a clone that has to be a copy. The derivative of a clone is that of a copy, and where a value is moved, a companion moves
//! a clone. But a user may give `Clone`, or a method of that name, another meaning.
//!
//! As in `same`, the choice is made where the macro is expanded, by method lookup: what is made of numbers in a known way is a copy,
//! an `Active` type is compared number by number, and other types are trusted.

use std::collections::VecDeque;

use crate::active::Active;
use crate::error::ErrorKind;
use crate::site::Site;
use crate::{Real, Stack};

/// A type whose clones are copies.
pub trait PlainCopy {}

impl<T: Real> PlainCopy for T {}
impl<T: PlainCopy> PlainCopy for Vec<T> {}
impl<T: PlainCopy> PlainCopy for VecDeque<T> {}
impl<T: PlainCopy, const N: usize> PlainCopy for [T; N] {}
impl<T: PlainCopy> PlainCopy for Option<T> {}
impl<T: PlainCopy> PlainCopy for Stack<T> {}
impl<A: PlainCopy> PlainCopy for (A,) {}
impl<A: PlainCopy, B: PlainCopy> PlainCopy for (A, B) {}
impl<A: PlainCopy, B: PlainCopy, C: PlainCopy> PlainCopy for (A, B, C) {}
impl<A: PlainCopy, B: PlainCopy, C: PlainCopy, D: PlainCopy> PlainCopy for (A, B, C, D) {}

macro_rules! plain {
    ($($type:ty)*) => {$(impl PlainCopy for $type {})*};
}

plain!(() bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize String);

/// A value and its clone.
#[derive(Debug)]
pub struct Copies<'a, T: ?Sized, C>(pub &'a T, pub &'a C);

/// The first choice: the clone is a copy.
pub trait CopyKnown {
    /// Nothing.
    fn check_copy(&self);
}

impl<T: PlainCopy> CopyKnown for &&&&Copies<'_, T, T> {
    #[inline(always)]
    fn check_copy(&self) {}
}

/// The second choice: number by number.
pub trait CopyByNumbers {
    /// Raises `Copied` if the numbers differ.
    fn check_copy(&self);
}

impl<T: Active<Number: PartialEq> + ?Sized, C: Active<Number = T::Number>> CopyByNumbers for &&&Copies<'_, T, C> {
    #[inline(always)]
    #[track_caller]
    fn check_copy(&self) {
        compare(self.0, self.1);
    }
}

/// The third choice: the same behind a reference.
pub trait CopyBehindReference {
    /// Raises `Copied` if the numbers differ.
    fn check_copy(&self);
}

impl<T: Active<Number: PartialEq> + ?Sized, C: Active<Number = T::Number>> CopyBehindReference for &&Copies<'_, &T, C> {
    #[inline(always)]
    #[track_caller]
    fn check_copy(&self) {
        compare(*self.0, self.1);
    }
}

/// The fourth choice: the same behind a mutable reference.
pub trait CopyBehindMutableReference {
    /// Raises `Copied` if the numbers differ.
    fn check_copy(&self);
}

impl<T, C> CopyBehindMutableReference for &Copies<'_, &mut T, C>
where
    T: Active<Number: PartialEq> + ?Sized,
    C: Active<Number = T::Number>,
{
    #[inline(always)]
    #[track_caller]
    fn check_copy(&self) {
        compare(&**self.0, self.1);
    }
}

/// The last choice: it is trusted.
pub trait CopyTrusted {
    /// Nothing.
    fn check_copy(&self);
}

impl<T: ?Sized, C> CopyTrusted for Copies<'_, T, C> {
    #[inline(always)]
    fn check_copy(&self) {}
}

/// Raises `Copied` if the numbers of two values differ.
#[inline]
#[track_caller]
fn compare<T, C>(value: &T, copy: &C)
where
    T: Active<Number: PartialEq> + ?Sized,
    C: Active<Number = T::Number>,
{
    // So many numbers are compared without memory of their own.
    const FEW: usize = 16;
    let mut few = [None; FEW];
    let mut count = 0;
    value.visit(&mut |number| {
        if let Some(place) = few.get_mut(count) {
            *place = Some(*number);
        }
        count += 1;
    });
    // What is not equal to itself is NaN.
    let same = |a: &T::Number, b: &T::Number| a == b || !equal(a, a) && !equal(b, b);
    let (mut found, mut differs) = (0, false);
    if count <= FEW {
        copy.visit(&mut |number| {
            differs |= !few.get(found).is_some_and(|kept| kept.as_ref().is_some_and(|kept| same(kept, number)));
            found += 1;
        });
    } else {
        let all = value.flatten();
        copy.visit(&mut |number| {
            differs |= !all.get(found).is_some_and(|kept| same(kept, number));
            found += 1;
        });
    }
    if differs || found != count {
        differ::<T>();
    }
}

fn equal<T: PartialEq>(a: &T, b: &T) -> bool {
    a == b
}

#[cold]
#[inline(never)]
#[track_caller]
fn differ<T: ?Sized>() -> ! {
    let site = Site::caller("clone", "");
    site.fail(ErrorKind::Copied, std::any::type_name::<T>(), "a copy of each number", "other numbers")
}

/// `copied!(x, x.clone())`: the clone, which has to be a copy.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_copied {
    ($value:expr, $copy:expr) => {{
        #[allow(unused_imports, reason = "the types decide which of them is used")]
        use $crate::private::{
            CopyBehindMutableReference as _, CopyBehindReference as _, CopyByNumbers as _, CopyKnown as _,
            CopyTrusted as _,
        };
        let copy = $copy;
        (&&&&&$crate::private::Copies(&$value, &copy)).check_copy();
        copy
    }};
}
pub use __retrograd_copied as copied;

/// A value of which another one is needed.
#[derive(Debug)]
pub struct Duplicates<'a, T: ?Sized>(pub &'a T);

/// The first choice: Rust copies it.
pub trait DuplicateBits<T> {
    /// The same value.
    fn duplicate(&self, copied: impl FnOnce(&T) -> T) -> T;
}

impl<T: Copy> DuplicateBits<T> for &Duplicates<'_, T> {
    #[inline(always)]
    fn duplicate(&self, _: impl FnOnce(&T) -> T) -> T {
        *self.0
    }
}

/// The second choice: a clone, which has to be a copy.
pub trait DuplicateByClone<T> {
    /// What `copied` makes of it.
    fn duplicate(&self, copied: impl FnOnce(&T) -> T) -> T;
}

impl<T> DuplicateByClone<T> for Duplicates<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn duplicate(&self, copied: impl FnOnce(&T) -> T) -> T {
        copied(self.0)
    }
}

/// `duplicated!(x)`: the value once more, where it is moved and needed again.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_duplicated {
    ($value:expr) => {{
        #[allow(unused_imports, reason = "the types decide which of them is used")]
        use $crate::private::{DuplicateBits as _, DuplicateByClone as _};
        (&$crate::private::Duplicates(&$value))
            .duplicate(|value| $crate::private::copied!(*value, ::core::clone::Clone::clone(value)))
    }};
}
pub use __retrograd_duplicated as duplicated;
