//! Exchanging two values.

use crate::shadow::{AdjointArg, Shadowed, Sweep};
use crate::{Active, Direction};

// The function is the one of the standard library, so that a program may import either.
pub use std::mem::swap;

/// The companions of the procedure [`swap`](fn@swap), which exchanges two values and is its own inverse.
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
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct swap {}

impl swap {
    /// Exchanges the two values back.
    #[inline(always)]
    pub fn uncall<T>(a: &mut T, b: &mut T) {
        std::mem::swap(a, b);
    }

    /// Exchanges the two values back and their adjoints.
    ///
    /// ```
    /// use retrograd::ops::swap;
    ///
    /// let (mut a, mut b, mut sa, mut sb) = (1.0, 2.0, 0.5, 0.25);
    /// swap::pullback((&mut a, &mut sa), (&mut b, &mut sb));
    /// assert_eq!((a, b, sa, sb), (2.0, 1.0, 0.25, 0.5));
    /// ```
    #[inline(always)]
    pub fn pullback<T: Active<Shadow: Sized>>((a, sa): (&mut T, &mut T::Shadow), (b, sb): (&mut T, &mut T::Shadow)) {
        std::mem::swap(a, b);
        std::mem::swap(sa, sb);
    }

    /// Exchanges the two values and their adjoints.
    ///
    /// ```
    /// use retrograd::ops::swap;
    ///
    /// let (mut a, mut b, mut sa, mut sb) = (1.0, 2.0, 0.5, 0.25);
    /// swap::unpullback((&mut a, &mut sa), (&mut b, &mut sb));
    /// assert_eq!((a, b, sa, sb), (2.0, 1.0, 0.25, 0.5));
    /// ```
    #[inline(always)]
    pub fn unpullback<T: Active<Shadow: Sized>>((a, sa): (&mut T, &mut T::Shadow), (b, sb): (&mut T, &mut T::Shadow)) {
        std::mem::swap(a, b);
        std::mem::swap(sa, sb);
    }

    /// Exchanges the two values and their tangents.
    ///
    /// ```
    /// use retrograd::ops::swap;
    ///
    /// let (mut a, mut b, mut sa, mut sb) = (1.0, 2.0, 0.5, 0.25);
    /// swap::pushforward((&mut a, &mut sa), (&mut b, &mut sb));
    /// assert_eq!((a, b, sa, sb), (2.0, 1.0, 0.25, 0.5));
    /// ```
    #[inline(always)]
    pub fn pushforward<T: Active<Shadow: Sized>>((a, sa): (&mut T, &mut T::Shadow), (b, sb): (&mut T, &mut T::Shadow)) {
        std::mem::swap(a, b);
        std::mem::swap(sa, sb);
    }

    /// Exchanges the two values back and their tangents.
    ///
    /// ```
    /// use retrograd::ops::swap;
    ///
    /// let (mut a, mut b, mut sa, mut sb) = (1.0, 2.0, 0.5, 0.25);
    /// swap::unpushforward((&mut a, &mut sa), (&mut b, &mut sb));
    /// assert_eq!((a, b, sa, sb), (2.0, 1.0, 0.25, 0.5));
    /// ```
    #[inline(always)]
    pub fn unpushforward<T: Active<Shadow: Sized>>(
        (a, sa): (&mut T, &mut T::Shadow),
        (b, sb): (&mut T, &mut T::Shadow),
    ) {
        std::mem::swap(a, b);
        std::mem::swap(sa, sb);
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn __pullback<T: Shadowed<S, Shadow: Sized>, S>(
        _sweep: Sweep<S>,
        a: &mut T,
        sa: impl AdjointArg<T, S>,
        b: &mut T,
        sb: impl AdjointArg<T, S>,
    ) {
        exchange_both(a, sa, b, sb);
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn __unpullback<T: Shadowed<S, Shadow: Sized>, S>(
        _sweep: Sweep<S>,
        a: &mut T,
        sa: impl AdjointArg<T, S>,
        b: &mut T,
        sb: impl AdjointArg<T, S>,
    ) {
        exchange_both(a, sa, b, sb);
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn __pushforward<T: Shadowed<S, Shadow: Sized>, S>(
        _sweep: Sweep<S>,
        a: &mut T,
        sa: impl AdjointArg<T, S>,
        b: &mut T,
        sb: impl AdjointArg<T, S>,
    ) {
        exchange_both(a, sa, b, sb);
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn __unpushforward<T: Shadowed<S, Shadow: Sized>, S>(
        _sweep: Sweep<S>,
        a: &mut T,
        sa: impl AdjointArg<T, S>,
        b: &mut T,
        sb: impl AdjointArg<T, S>,
    ) {
        exchange_both(a, sa, b, sb);
    }

    /// The procedure as text; its inverse reads the same.
    pub fn source(direction: Direction) -> &'static str {
        match direction {
            Direction::Forward | Direction::Inverse => "fn swap<T>(a: &mut T, b: &mut T) {\n    swap(a, b);\n}",
            Direction::Pullback | Direction::Unpullback => "// swap(a, b); swap(grad_a, grad_b);",
            Direction::Pushforward | Direction::Unpushforward => "// swap(a, b); swap(d_a, d_b);",
        }
    }
}

/// What all four derivative runs do.
#[inline(always)]
fn exchange_both<T: Shadowed<S, Shadow: Sized>, S>(
    a: &mut T,
    sa: impl AdjointArg<T, S>,
    b: &mut T,
    sb: impl AdjointArg<T, S>,
) {
    let (mut keep_a, mut keep_b) = (sa.keep(a), sb.keep(b));
    std::mem::swap(sa.reach(&mut keep_a), sb.reach(&mut keep_b));
    std::mem::swap(a, b);
}
