//! From the panic of a failed check to a `Result`.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::error::InvertibilityError;

thread_local! {
    /// How many calls of `attempt` this thread is inside of.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Runs a program, and returns the [`InvertibilityError`] that stopped it, if one did.
///
/// Nothing is printed for that error. Every other panic passes through as if `attempt` were not there.
/// After an error the variables that `program` changes have the values they had when it stopped: it
/// ran up to the failing statement, and that statement changed nothing. Attempts nest, and the
/// innermost one gets the error.
///
/// ```
/// use retrograd::{ErrorKind, Stack, attempt};
///
/// let (mut stack, mut x) = (Stack::from(vec![1]), 0);
/// assert!(attempt(|| stack.pop(&mut x)).is_ok());
///
/// let error = attempt(|| stack.pop(&mut x)).unwrap_err();
/// assert_eq!(error.kind, ErrorKind::EmptyStack);
/// assert_eq!(x, 1);
/// ```
pub fn attempt<R>(program: impl FnOnce() -> R) -> Result<R, InvertibilityError> {
    DEPTH.set(DEPTH.get() + 1);
    // The caller is told above in which state its variables are left.
    let outcome = catch_unwind(AssertUnwindSafe(program));
    DEPTH.set(DEPTH.get() - 1);
    outcome.map_err(|payload| match payload.downcast::<InvertibilityError>() {
        Ok(error) => *error,
        Err(other) => resume_unwind(other),
    })
}

/// Whether an `attempt` on this thread is waiting for the error.
pub(crate) fn inside_attempt() -> bool {
    DEPTH.get() > 0
}
