//! Parts of what is not always there.

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
        self.as_ref().unwrap_or_else(|| absent())
    }
}

impl<A> IndexMut<Part<SOME, 0>> for Option<A> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, _: Part<SOME, 0>) -> &mut A {
        self.as_mut().unwrap_or_else(|| absent())
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn absent() -> ! {
    panic!("a part of `Some` is asked for, and this is `None`")
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
