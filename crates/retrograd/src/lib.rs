//! A reversible programming language inside Rust: one body, run forwards and backwards.
//!
//! This crate is what reversible programs stand on. Programs are generic over [`Real`], keep what
//! they set aside in a [`Stack`] or in [`Slots`], and raise an [`InvertibilityError`] where a step
//! could not be undone; [`attempt`] turns that into a `Result`, and [`check`] holds the comparisons
//! behind it.
//!
//! ```
//! use retrograd::{ErrorKind, attempt, prelude::*};
//!
//! let (mut a, mut b) = (3.0, 4.0);
//! rotate(&mut a, &mut b, 0.5);
//! rotate::uncall(&mut a, &mut b, 0.5);
//! assert!((a - 3.0_f64).abs() < 1e-15 && (b - 4.0_f64).abs() < 1e-15);
//!
//! let error = attempt(|| Stack::new().pop(&mut a)).unwrap_err();
//! assert_eq!(error.kind, ErrorKind::EmptyStack);
//! ```

pub mod check;
mod direction;
mod error;
pub mod ops;
pub mod prelude;
#[doc(hidden)]
pub mod private;
mod progression;
mod real;
mod site;
mod slots;
mod stack;

pub use check::attempt;
pub use direction::Direction;
pub use error::{ErrorKind, InvertibilityError};
pub use real::{Int, Real};
pub use retrograd_macros::{bijection, reversible};
pub use slots::Slots;
pub use stack::Stack;

/// The README and the book. Their examples are tests of this crate.
#[cfg(doctest)]
mod documentation {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../book/src/introduction.md")]
    mod introduction {}
    #[doc = include_str!("../../../book/src/first-steps.md")]
    mod first_steps {}
    #[doc = include_str!("../../../book/src/statements.md")]
    mod statements {}
    #[doc = include_str!("../../../book/src/expressions.md")]
    mod expressions {}
    #[doc = include_str!("../../../book/src/locals.md")]
    mod locals {}
    #[doc = include_str!("../../../book/src/control-flow.md")]
    mod control_flow {}
    #[doc = include_str!("../../../book/src/calls.md")]
    mod calls {}
    #[doc = include_str!("../../../book/src/storage.md")]
    mod storage {}
    #[doc = include_str!("../../../book/src/checks.md")]
    mod checks {}
    #[doc = include_str!("../../../book/src/errors.md")]
    mod errors {}
    #[doc = include_str!("../../../book/src/looking-inside.md")]
    mod looking_inside {}
    #[doc = include_str!("../../../book/src/pitfalls.md")]
    mod pitfalls {}
    #[doc = include_str!("../../../book/src/internals.md")]
    mod internals {}
}
