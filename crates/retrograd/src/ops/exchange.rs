//! Exchanging two values.

use crate::Direction;

/// Exchanges two values: a procedure that is its own inverse.
///
/// ```
/// use retrograd::ops::swap;
///
/// let (mut a, mut b) = (1, 2);
/// swap(&mut a, &mut b);
/// assert_eq!((a, b), (2, 1));
/// swap::uncall(&mut a, &mut b);
/// assert_eq!((a, b), (1, 2));
/// ```
#[inline(always)]
pub fn swap<T>(a: &mut T, b: &mut T) {
    std::mem::swap(a, b);
}

/// The companions of the procedure [`swap`](fn@swap).
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct swap {}

impl swap {
    /// Generated code asks for this, to be sure that `swap` means this one.
    #[doc(hidden)]
    pub const EXCHANGES: () = ();

    /// Exchanges the two values back.
    #[inline(always)]
    pub fn uncall<T>(a: &mut T, b: &mut T) {
        std::mem::swap(a, b);
    }

    /// The procedure as text; its inverse reads the same.
    pub fn source(direction: Direction) -> &'static str {
        match direction {
            Direction::Forward | Direction::Inverse => "fn swap<T>(a: &mut T, b: &mut T) {\n    swap(a, b);\n}",
        }
    }
}
