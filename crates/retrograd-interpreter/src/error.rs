//! What can go wrong, and where.

use std::fmt;

use retrograd::ErrorKind as Law;

/// Why a module or a run was given up. What was computed until then is still there to be looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The program in which it did; empty if it was in none.
    pub function: String,
    /// The line, counted from one; zero if it is not known.
    pub line: u32,
    /// The column, counted from one.
    pub column: u32,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorKind {
    /// The text is no module of reversible programs: what the compiler says.
    Compile(Vec<Message>),
    /// A step that could not be undone.
    Broken(Box<Broken>),
    /// What compiled code panics with: an index out of bounds, an overflow, a division by zero.
    Panic(String),
    /// No such program, or arguments that do not fit it.
    Call(String),
    /// The interpreter does not know this.
    Unsupported(String),
    /// The run was stopped after as many steps as it was given.
    Budget(u64),
}

/// What the compiler says about a place of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The line, counted from one.
    pub line: u32,
    /// The column, counted from one.
    pub column: u32,
    /// What, why, and what to write.
    pub text: String,
}

/// A law that a run has broken, with the words of compiled code.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// Which law.
    pub law: Law,
    /// The statement as written.
    pub statement: String,
    /// The variable, place or condition that was checked.
    pub variable: String,
    /// What it should have been.
    pub expected: String,
    /// What it was.
    pub actual: String,
}

/// What comes of a step.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error whose place is not known yet.
    pub(crate) fn new(kind: ErrorKind) -> Error {
        Error { kind, function: String::new(), line: 0, column: 0 }
    }

    /// Whether what came back is not what was there, because rounding has lost too much of it.
    pub(crate) fn is_drift(&self) -> bool {
        matches!(&self.kind, ErrorKind::Broken(broken) if broken.law == Law::Drift)
    }

    /// The same, at a place, unless it has one already.
    pub(crate) fn at(mut self, function: &str, (line, column): (u32, u32)) -> Error {
        if self.line == 0 {
            (self.function, self.line, self.column) = (function.to_string(), line, column);
        }
        self
    }
}

/// What the interpreter does not know.
pub(crate) fn unsupported<T>(what: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported(what.into())))
}

/// What compiled code panics with.
pub(crate) fn panics<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Panic(message.into())))
}

/// Arguments that do not fit.
pub(crate) fn unfit<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Call(message.into())))
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { kind, function, line, column } = self;
        let place = if *line == 0 { String::new() } else { format!("  in `{function}` at {line}:{column}") };
        match kind {
            ErrorKind::Compile(messages) => messages.iter().enumerate().try_for_each(|(i, message)| {
                let Message { line, column, text } = message;
                write!(f, "{}{line}:{column}: {text}", if i > 0 { "\n" } else { "" })
            }),
            ErrorKind::Broken(broken) => {
                writeln!(f, "{}", broken.law.what())?;
                writeln!(f, "{place}")?;
                for (label, text, quote) in [
                    ("statement", &broken.statement, "`"),
                    ("variable ", &broken.variable, "`"),
                    ("expected ", &broken.expected, ""),
                    ("actual   ", &broken.actual, ""),
                ] {
                    if !text.is_empty() {
                        writeln!(f, "  {label}  {quote}{text}{quote}")?;
                    }
                }
                write!(f, "  {}", broken.law.why())
            }
            ErrorKind::Panic(message) | ErrorKind::Call(message) => write!(f, "{message}\n{place}"),
            ErrorKind::Unsupported(what) => write!(f, "the interpreter does not know {what}\n{place}"),
            ErrorKind::Budget(steps) => write!(f, "stopped after {steps} steps\n{place}"),
        }
    }
}
