//! Why a schedule cannot be carried out.

use std::path::PathBuf;
use std::{fmt, io};

/// What keeps a schedule from being made or carried out.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is less than the schedule needs.
    Budget {
        /// Of what.
        what: &'static str,
        /// How much is needed.
        needed: usize,
        /// How much there is.
        available: usize,
    },
    /// The schedule undoes steps, and this one cannot be undone.
    NotReversible,
    /// A snapshot is asked for that was not taken.
    NoSnapshot {
        /// Of which state.
        state: usize,
    },
    /// A snapshot on disk is not what was written.
    Damaged {
        /// Of which state.
        state: usize,
        /// Its file.
        path: PathBuf,
    },
    /// A snapshot could not be written, read or removed.
    Io {
        /// Its file or folder.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
}

impl Error {
    /// An error of the operating system, at a path.
    pub(super) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { path, source }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            Error::Budget { .. } | Error::NotReversible | Error::NoSnapshot { .. } | Error::Damaged { .. } => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Budget { what, needed, available } => {
                write!(f, "too few {what}: at least {needed} are needed, and there are {available}")
            }
            Error::NotReversible => write!(
                f,
                "the schedule undoes steps, and this step cannot be undone; make it with `schedule::reversible`, or choose `Revolve`"
            ),
            Error::NoSnapshot { state } => write!(f, "there is no snapshot of state {state}"),
            Error::Damaged { state, path } => {
                write!(f, "the snapshot of state {state} in {} is not what was written", path.display())
            }
            Error::Io { path, source } => write!(f, "snapshots cannot be kept in {}: {source}", path.display()),
        }
    }
}
