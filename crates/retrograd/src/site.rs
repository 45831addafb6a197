//! A place in a reversible program, for the errors raised there.

use std::panic::Location;

use crate::error::{self, ErrorKind, InvertibilityError};

/// The statement that a check belongs to: its function, its position and its text.
///
/// Generated code keeps one `static` site for each statement that can fail. Traits such as
/// [`MulUpdate`](crate::ops::MulUpdate) receive it as an argument, and report through [`Site::fail`].
///
/// ```
/// use retrograd::{ErrorKind, attempt, ops::Site};
///
/// static SITE: Site = Site {
///     function: "cool",
///     file: "src/heat.rs",
///     line: 12,
///     column: 5,
///     statement: "t /= c;",
/// };
/// let cool = || -> f64 { SITE.fail(ErrorKind::ZeroFactor, "c", "a nonzero divisor", "0.0") };
/// assert_eq!(attempt(cool).unwrap_err().line, 12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The reversible function that the statement is in.
    pub function: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line in the file, from 1.
    pub line: u32,
    /// The column in the line, from 1.
    pub column: u32,
    /// The statement as written.
    pub statement: &'static str,
}

impl Site {
    /// The caller's position, for a library method that is itself the statement.
    #[doc(hidden)]
    #[track_caller]
    pub fn caller(function: &'static str, statement: &'static str) -> Site {
        let location: &'static Location<'static> = Location::caller();
        Site { function, file: location.file(), line: location.line(), column: location.column(), statement }
    }

    /// Raises an [`InvertibilityError`] for this statement.
    #[cold]
    #[inline(never)]
    pub fn fail(
        &self,
        kind: ErrorKind,
        variable: impl Into<Box<str>>,
        expected: impl Into<Box<str>>,
        actual: impl Into<Box<str>>,
    ) -> ! {
        error::raise(InvertibilityError {
            kind,
            function: self.function,
            file: self.file,
            line: self.line,
            column: self.column,
            statement: self.statement,
            variable: variable.into(),
            expected: expected.into(),
            actual: actual.into(),
        })
    }
}
