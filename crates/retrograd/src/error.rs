//! The error for a step that could not be undone: what happened, where, and with which values.

use std::backtrace::Backtrace;
use std::fmt;
use std::panic;
use std::thread;

use crate::check;

/// A step of a reversible program that its inverse would not undo.
///
/// It is raised as a panic whose payload is this struct, before the step has lost anything.
/// [`attempt`](crate::attempt) turns it into a `Result`; a bare
/// [`catch_unwind`](std::panic::catch_unwind) can downcast the payload.
///
/// ```
/// use retrograd::{ErrorKind, Stack, attempt};
///
/// let error = attempt(|| Stack::new().pop(&mut 0)).unwrap_err();
/// assert_eq!(error.kind, ErrorKind::EmptyStack);
/// assert_eq!(error.function, "Stack::pop");
/// assert!(error.to_string().starts_with("a value is popped from an empty stack\n"));
/// ```
///
/// # How it is raised
///
/// The payload goes to [`resume_unwind`](std::panic::resume_unwind) and not through `panic!`,
/// because a panic hook can only show text payloads: the default one would print `Box<dyn Any>` for
/// this one. So the message is written to standard error here, in the shape of an ordinary panic
/// and with the backtrace that `RUST_BACKTRACE` asks for; inside an `attempt` on the same thread it
/// is not written at all. A hook set by the program does not see it.
#[derive(Clone, Debug, PartialEq)]
pub struct InvertibilityError {
    /// Which law was broken.
    pub kind: ErrorKind,
    /// The reversible function, or the library method, that raised the error.
    pub function: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line in the file, from 1.
    pub line: u32,
    /// The column in the line, from 1.
    pub column: u32,
    /// The statement as written.
    pub statement: &'static str,
    /// The variable, place or condition that was checked.
    pub variable: Box<str>,
    /// What it should have been.
    pub expected: Box<str>,
    /// What it was.
    pub actual: Box<str>,
}

impl std::error::Error for InvertibilityError {}

impl fmt::Display for InvertibilityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.kind.what())?;
        writeln!(f, "  in `{}` at {}:{}:{}", self.function, self.file, self.line, self.column)?;
        for (label, text, quote) in [
            ("statement", self.statement, "`"),
            ("variable ", &*self.variable, "`"),
            ("expected ", &*self.expected, ""),
            ("actual   ", &*self.actual, ""),
        ] {
            if !text.is_empty() {
                writeln!(f, "  {label}  {quote}{text}{quote}")?;
            }
        }
        write!(f, "  {}", self.kind.why())
    }
}

/// The laws that a reversible program can break while it runs.
///
/// ```
/// use retrograd::{ErrorKind, Slots, attempt};
///
/// let mut slots = Slots::<u32, f64>::new();
/// assert_eq!(attempt(|| slots.free(7)).unwrap_err().kind, ErrorKind::MissingKey);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// After `if (pre, post)`, the postcondition differs from the branch taken.
    Postcondition,
    /// On entry of `while (pre, post)`, the postcondition is true.
    LoopEntry,
    /// After an iteration of `while (pre, post)`, the postcondition is false.
    LoopTurn,
    /// A released or undone ancilla does not have the value it should end with.
    Released,
    /// A backward run did not restore a local to what it was.
    Drift,
    /// A bijection followed by its inverse does not return.
    RoundTrip,
    /// A factor or divisor is zero, infinite or NaN.
    ZeroFactor,
    /// An integer multiplication or division is not exact.
    LossyInteger,
    /// Two places in one statement are the same element.
    EqualIndices,
    /// A value is popped from an empty stack.
    EmptyStack,
    /// A value is popped into a variable that is not zero.
    StackTarget,
    /// No slot has this key.
    MissingKey,
    /// A slot already has this key.
    OccupiedKey,
    /// A slot is freed while its value is nonzero.
    NonzeroFree,
    /// A comparison is true in some lanes and false in others.
    LanesDiffer,
    /// A value is damped by a factor that is not above zero and at most one.
    FactorRange,
    /// A product is undone that was not made with this factor, or not with this buffer.
    ForeignProduct,
    /// A value has no counterpart in the type that it is cast to.
    LossyCast,
    /// A value is cast into a variable that is not zero.
    CastTarget,
    /// A run is undone with the record of another one.
    ForeignRecord,
    /// Not even one state of a loop may be kept.
    Budget,
    /// A clone differs from what was cloned.
    Copied,
    /// A matrix or a vector has another shape than a primitive needs.
    Shape,
    /// A matrix has no inverse.
    Singular,
    /// A matrix is not positive definite.
    NotPositive,
}

impl ErrorKind {
    /// What happened.
    pub fn what(self) -> &'static str {
        match self {
            ErrorKind::Postcondition => "a postcondition differs from the branch that was taken",
            ErrorKind::LoopEntry => "the postcondition of a loop is true on entry",
            ErrorKind::LoopTurn => "the postcondition of a loop is false after an iteration",
            ErrorKind::Released => "a variable does not end with the value it was given up for",
            ErrorKind::Drift => "a backward run did not restore a variable to what it was",
            ErrorKind::RoundTrip => "a bijection followed by its inverse does not return",
            ErrorKind::ZeroFactor => "a value is multiplied or divided by zero, infinity or NaN",
            ErrorKind::LossyInteger => "a multiplication or division of integers is not exact",
            ErrorKind::EqualIndices => "two places in one statement are the same element",
            ErrorKind::EmptyStack => "a value is popped from an empty stack",
            ErrorKind::StackTarget => "a value is popped into a variable that is not zero",
            ErrorKind::MissingKey => "no slot has this key",
            ErrorKind::OccupiedKey => "a slot is allocated under a key that has one already",
            ErrorKind::NonzeroFree => "a slot is freed while its value is not zero",
            ErrorKind::LanesDiffer => "a comparison is true in some lanes and false in others",
            ErrorKind::FactorRange => "a value is damped by a factor that is not above zero and at most one",
            ErrorKind::ForeignProduct => "a product is undone that was not made with this factor and this buffer",
            ErrorKind::LossyCast => "a value has no partner in the type that it is cast to",
            ErrorKind::CastTarget => "a value is cast into a variable that is not zero",
            ErrorKind::ForeignRecord => "a run is undone with the record of another one",
            ErrorKind::Budget => "the budget of a loop is too small for one state",
            ErrorKind::Copied => "a clone differs from what was cloned",
            ErrorKind::Shape => "a matrix or a vector has a shape that does not fit",
            ErrorKind::Singular => "a matrix has no inverse",
            ErrorKind::NotPositive => "a matrix is not positive definite",
        }
    }

    /// Why it cannot be undone.
    pub fn why(self) -> &'static str {
        match self {
            ErrorKind::Postcondition => "run backwards, the postcondition would choose the other branch to undo",
            ErrorKind::LoopEntry => "run backwards, the loop continues while this is true: it would not stop here",
            ErrorKind::LoopTurn => {
                "run backwards, the loop continues while this is true: it would not undo this iteration"
            }
            ErrorKind::Released => "run backwards, it starts with the expected value: the difference would be lost",
            ErrorKind::Drift => {
                "statements that contract, absorb or multiply by zero lose what their inverse needs, and the derivatives would be \
                 wrong; keep what is lost: put `#[record]` on the statement or the loop, or `#[reversible(record)]` on the program \
                 (where it is there already, `record = \"all\"`), or use a `Fixed` number"
            }
            ErrorKind::RoundTrip => "only the new value is kept, and the inverse does not bring the old one back",
            ErrorKind::ZeroFactor => "the opposite operation does not bring the old value back",
            ErrorKind::LossyInteger => "digits would be lost, and the opposite operation cannot bring them back",
            ErrorKind::EqualIndices => "the statement would change an element that is needed, as it was, to undo it",
            ErrorKind::EmptyStack => "there is no value to take, and so none that a push could return",
            ErrorKind::StackTarget => "the old value of the variable would be overwritten",
            ErrorKind::MissingKey => "there is no value to use, and none to give back",
            ErrorKind::OccupiedKey => "the value in the slot would be overwritten",
            ErrorKind::NonzeroFree => "the value in the slot would be lost",
            ErrorKind::LanesDiffer => {
                "all lanes go the same way through a program; choose for each of them with `x.select_less(y, a, b)`, `max` or `min`"
            }
            ErrorKind::FactorRange => {
                "a factor of zero loses everything, and one above one needs bits that nobody has kept"
            }
            ErrorKind::ForeignProduct => {
                "what the product has lost is not there; undo the last product first, with its own factor"
            }
            ErrorKind::LossyCast => "it would be rounded or cut off, and could not come back",
            ErrorKind::CastTarget => "the old value of the variable would be overwritten",
            ErrorKind::ForeignRecord => {
                "what this run has lost is not there; undo the last recorded run first, with the arguments that it left"
            }
            ErrorKind::Budget => "at least the first state has to be kept, to run the loop again from",
            ErrorKind::Copied => {
                "the derivative of `clone`, `to_vec` and `to_owned` is that of a copy, and companions clone what the program moves; \
                 derive `Clone`, and give what computes something else another name"
            }
            ErrorKind::Shape => {
                "nothing has been changed; slices are matrices row by row, and need as many elements as their shape has"
            }
            ErrorKind::Singular => "nothing has been changed; dividing by the pivot would make what is not finite",
            ErrorKind::NotPositive => {
                "nothing has been changed; only the lower triangle is read, and a Cholesky factor has positive numbers on its diagonal"
            }
        }
    }
}

/// Raises `error` as a panic that carries it; see [`InvertibilityError`].
pub(crate) fn raise(error: InvertibilityError) -> ! {
    // Where panics abort, nobody is left to read the payload.
    if !check::inside_attempt() || cfg!(panic = "abort") {
        eprintln!("\n{}", panic_message(&error));
    }
    panic::resume_unwind(Box::new(error))
}

fn panic_message(error: &InvertibilityError) -> String {
    let current = thread::current();
    let thread = current.name().unwrap_or("<unnamed>");
    let InvertibilityError { file, line, column, .. } = error;
    let message = format!("thread '{thread}' panicked at {file}:{line}:{column}:\n{error}");
    match std::env::var("RUST_BACKTRACE").as_deref() {
        Err(_) | Ok("0") => message + "\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
        Ok("full") => format!("{message}\nstack backtrace:\n{:#}", Backtrace::force_capture()),
        Ok(_) => format!("{message}\nstack backtrace:\n{}", Backtrace::force_capture()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> InvertibilityError {
        InvertibilityError {
            kind: ErrorKind::Released,
            function: "norm",
            file: "src/norm.rs",
            line: 7,
            column: 9,
            statement: "release!(s == 0.0);",
            variable: "s".into(),
            expected: "0.0".into(),
            actual: "0.5".into(),
        }
    }

    #[test]
    fn a_message_says_what_where_which_values_and_why() {
        let text = "\
a variable does not end with the value it was given up for
  in `norm` at src/norm.rs:7:9
  statement  `release!(s == 0.0);`
  variable   `s`
  expected   0.0
  actual     0.5
  run backwards, it starts with the expected value: the difference would be lost";
        assert_eq!(example().to_string(), text);
    }

    #[test]
    fn empty_fields_take_no_line() {
        let error = InvertibilityError { variable: "".into(), ..example() };
        assert!(!error.to_string().contains("variable  "));
    }

    #[test]
    fn the_payload_of_the_panic_is_the_error() {
        let payload = panic::catch_unwind(|| raise(example())).unwrap_err();
        assert_eq!(*payload.downcast::<InvertibilityError>().unwrap(), example());
    }

    #[test]
    fn the_printed_text_looks_like_a_panic() {
        assert!(panic_message(&example()).contains("panicked at src/norm.rs:7:9:\na variable does not end"));
    }
}
