//! Parts of what is not always there: `derive(Active)` implements their indices for enums.

use std::ops::{Index, IndexMut};

use super::Constant;

/// The index of a part of a variant: the names of variant and field, as numbers.
#[derive(Clone, Copy, Debug)]
pub struct Part<const VARIANT: u32, const FIELD: u32>;

/// The number of `Some`.
const SOME: u32 = 0x738d_6891;

impl<A> Index<Part<SOME, 0>> for Option<A> {
    type Output = A;
    #[inline(always)]
    #[track_caller]
    fn index(&self, _: Part<SOME, 0>) -> &A {
        self.as_ref().unwrap_or_else(|| no_such_part("Some"))
    }
}

impl<A> IndexMut<Part<SOME, 0>> for Option<A> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, _: Part<SOME, 0>) -> &mut A {
        self.as_mut().unwrap_or_else(|| no_such_part("Some"))
    }
}

/// The end of a run that asks for a part of a variant where there is another one.
#[cold]
#[inline(never)]
#[track_caller]
pub fn no_such_part(variant: &str) -> ! {
    panic!("a derivative has no part of `{variant}`: it is of another variant")
}

/// The end of a run in which derivatives of two variants meet.
#[cold]
#[inline(never)]
#[track_caller]
pub fn other_variant() -> ! {
    panic!("a derivative meets one of another variant")
}

/// A part of what has no derivative has none.
macro_rules! still {
    ($($shadow:ty),*) => {$(
        impl<const VARIANT: u32, const FIELD: u32> Index<Part<VARIANT, FIELD>> for $shadow {
            type Output = $shadow;
            #[inline(always)]
            fn index(&self, _: Part<VARIANT, FIELD>) -> &$shadow {
                self
            }
        }

        impl<const VARIANT: u32, const FIELD: u32> IndexMut<Part<VARIANT, FIELD>> for $shadow {
            #[inline(always)]
            fn index_mut(&mut self, _: Part<VARIANT, FIELD>) -> &mut $shadow {
                self
            }
        }
    )*};
}

still!(Constant, ());
