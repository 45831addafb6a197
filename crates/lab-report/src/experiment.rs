//! What an experiment is, what it is given, and why it may find nothing.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::findings::Findings;
use crate::measure::Effort;

/// How much an experiment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// As little as shows that it works: for tests.
    Small,
    /// Seconds.
    Quick,
    /// As much as the papers, and minutes.
    Full,
}

impl Size {
    /// What it is called, on the command line too.
    pub fn name(self) -> &'static str {
        self.pick("small", "quick", "full")
    }

    /// What belongs to this size.
    pub fn pick<T>(self, small: T, quick: T, full: T) -> T {
        match self {
            Size::Small => small,
            Size::Quick => quick,
            Size::Full => full,
        }
    }

    /// How carefully to measure times.
    pub fn effort(self) -> Effort {
        let limit = Duration::from_millis(400);
        self.pick(Effort::QUICK, Effort { batch: Duration::from_millis(1), rounds: 25, limit }, Effort::FULL)
    }

    /// The same where there are many sizes of a problem, each of which has less time.
    pub fn effort_for_many(self) -> Effort {
        let limit = Duration::from_millis(150);
        self.pick(self.effort(), self.effort(), Effort { rounds: 10, limit, ..Effort::FULL })
    }
}

/// Something that is tried out, and reported.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Runs it.
    pub run: fn(&Setting) -> Result<Findings, Failure>,
}

/// What an experiment is given.
pub struct Setting<'a> {
    /// How much to do.
    pub size: Size,
    /// Data files that were given. An experiment takes those that it can read.
    pub files: &'a [PathBuf],
    /// Whom to tell how far it is.
    pub progress: &'a dyn Progress,
}

impl<'a> Setting<'a> {
    /// Nothing but a size: no files, and nobody to tell.
    pub fn of_size(size: Size) -> Setting<'a> {
        Setting { size, files: &[], progress: &Silent }
    }
}

/// Hears how far an experiment is.
pub trait Progress {
    /// So many parts are done, of so many.
    ///
    /// # Errors
    ///
    /// [`Failure::Stopped`] if there should be no more.
    fn done(&self, parts: usize, of: usize) -> Result<(), Failure>;
}

/// Hears nothing, and stops nobody.
struct Silent;

impl Progress for Silent {
    fn done(&self, _: usize, _: usize) -> Result<(), Failure> {
        Ok(())
    }
}

/// Why an experiment has no findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It was stopped from outside.
    Stopped,
    /// A data file is not as it should be.
    File {
        /// The file.
        path: PathBuf,
        /// The line, counted from one; none if the file could not be read at all.
        line: Option<usize>,
        /// What is wrong, and what was expected.
        what: String,
    },
    /// It panicked, with this message.
    Panicked(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Stopped => write!(f, "stopped before its end"),
            Failure::File { path, line: Some(line), what } => write!(f, "{}:{line}: {what}", path.display()),
            Failure::File { path, line: None, what } => write!(f, "{}: {what}", path.display()),
            Failure::Panicked(message) => write!(f, "panicked: {message}"),
        }
    }
}

impl Error for Failure {}
