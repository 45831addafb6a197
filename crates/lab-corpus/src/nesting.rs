//! Programs nested to a known depth, for the law of what a pullback costs: one sweep backwards, and one run forwards for
//! each level of functions and of blocks with ancillas.
//!
//! All that takes time in them is [`work()`], in the innermost level, and calls of it are counted.

mod blocks;

use std::cell::Cell;

use retrograd::prelude::*;

pub use blocks::BLOCKS;

thread_local!(static CALLS: Cell<usize> = const { Cell::new(0) });

/// The square root by Newton's method, in so many steps that nothing else counts. Inlined, the same root could be moved out of
/// loops.
#[primitive(d_x = 0.5 / x.sqrt())]
#[inline(never)]
pub fn work(x: f64) -> f64 {
    CALLS.set(CALLS.get() + 1);
    let mut root = x;
    for _ in 0..50 {
        root = 0.5 * (root + x / root);
    }
    root
}

/// How often [`work()`] is called while something runs.
///
/// ```
/// use lab_corpus::nesting::{calls, work};
///
/// assert_eq!(calls(|| work(work(2.0))), 2);
/// ```
pub fn calls<R>(run: impl FnOnce() -> R) -> usize {
    let before = CALLS.get();
    std::hint::black_box(run());
    CALLS.get() - before
}

/// A function of one number, and its derivative.
#[derive(Clone, Copy, Debug)]
pub struct Nested {
    /// How many levels there are around [`work()`].
    pub depth: usize,
    /// The function.
    pub run: fn(f64) -> f64,
    /// Its value and its derivative, by a pullback.
    pub pullback: fn(f64) -> (f64, f64),
}

/// The value that a pullback gives, and the derivative that it adds up.
pub fn pulled(pullback: impl FnOnce(&mut f64) -> f64) -> (f64, f64) {
    let mut slope = 0.0;
    (pullback(&mut slope), slope)
}

/// Functions from the innermost one on, each of which calls the one before.
macro_rules! chain {
    ($($depth:literal: $outer:ident calls $inner:ident;)+) => {
        $(
            #[reversible]
            fn $outer(x: f64) -> f64 {
                $inner(x).sin()
            }
        )+

        /// Functions that call one another, by depth.
        pub const FUNCTIONS: &[Nested] =
            &[$(Nested { depth: $depth, run: $outer, pullback: |x| pulled(|slope| $outer::pullback((x, slope), 1.0)) }),+];
    };
}

chain! {
    1: one calls work;
    2: two calls one;
    3: three calls two;
    4: four calls three;
    5: five calls four;
    6: six calls five;
    7: seven calls six;
    8: eight calls seven;
}

/// A function that calls itself `depth` times.
///
/// ```
/// use lab_corpus::nesting::recursion;
///
/// assert_eq!(recursion(9.0, 2), 3_f64.sin().sin());
/// ```
#[reversible]
pub fn recursion(x: f64, depth: usize) -> f64 {
    let mut y = 0.0;
    if depth == 0 {
        y += work(x);
    } else {
        y += recursion(x, depth - 1).sin();
    }
    y
}

/// The same as [`recursion()`] with an expression that branches, which is a level too.
///
/// ```
/// use lab_corpus::nesting::{branching, recursion};
///
/// assert_eq!(branching(9.0, 2), recursion(9.0, 2));
/// ```
#[reversible]
pub fn branching(x: f64, depth: usize) -> f64 {
    if depth == 0 { work(x) } else { branching(x, depth - 1).sin() }
}

/// A procedure that calls itself `depth` times.
///
/// ```
/// use lab_corpus::nesting::descent;
///
/// let mut y = 0.0;
/// descent(&mut y, 9.0, 2);
/// assert_eq!(y, 9.0);
/// ```
#[reversible]
pub fn descent(y: &mut f64, x: f64, depth: usize) {
    *y += work(x);
    if depth > 0 {
        descent(y, x, depth - 1);
    }
}
