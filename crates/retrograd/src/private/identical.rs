//! One type under two names: rustc does not know that they are one.

#![allow(unsafe_code, reason = "a reference to a type is one to the same type")]

use std::any::type_name;
use std::mem::transmute_copy;

/// The same reference, where both types are one.
#[inline(always)]
pub fn identical<A: ?Sized, B: ?Sized>(value: &A) -> &B {
    are_one::<A, B>();
    // SAFETY: the types have the same name, and generated code calls this with one type only.
    unsafe { transmute_copy::<&A, &B>(&value) }
}

/// The same mutable reference, where both types are one.
#[inline(always)]
pub fn identical_mut<A: ?Sized, B: ?Sized>(value: &mut A) -> &mut B {
    are_one::<A, B>();
    // SAFETY: as above; `value` is not used again.
    unsafe { transmute_copy::<&mut A, &mut B>(&value) }
}

#[inline(always)]
fn are_one<A: ?Sized, B: ?Sized>() {
    assert!(
        size_of::<&A>() == size_of::<&B>() && type_name::<A>() == type_name::<B>(),
        "a type that has a composed trait is another one where derivatives are known"
    );
}
