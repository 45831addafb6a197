//! A round trip, as one check.

use std::error::Error;
use std::fmt;

use super::{Compare, Mismatch, attempt, mismatches};
use crate::{Direction, InvertibilityError};

/// Why a state did not survive a round trip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NotRestored {
    /// Both runs finished, and these places differ.
    Differs(Vec<Mismatch>),
    /// One of the runs stopped with an error.
    Raised {
        /// The run that stopped: forward is the call, inverse the uncall.
        run: Direction,
        /// Why it stopped.
        error: Box<InvertibilityError>,
    },
}

impl fmt::Display for NotRestored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        match self {
            NotRestored::Differs(places) => {
                let plural = if places.len() == 1 { "" } else { "s" };
                write!(f, "{} place{plural} did not return to the first value", places.len())?;
                for place in places.iter().take(SHOWN) {
                    write!(f, "\n  {place}")?;
                }
                match places.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, "\n  and {more} more"),
                }
            }
            NotRestored::Raised { run: Direction::Forward, error } => write!(f, "the call stopped: {error}"),
            NotRestored::Raised { run: Direction::Inverse, error } => write!(f, "the uncall stopped: {error}"),
            NotRestored::Raised { run, error } => write!(f, "the run {run:?} stopped: {error}"),
        }
    }
}

impl Error for NotRestored {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            NotRestored::Differs(_) => None,
            NotRestored::Raised { error, .. } => Some(&**error),
        }
    }
}

/// Runs a program and its inverse on a copy of `state`, and reports every place that did not
/// return.
///
/// Panics other than an [`InvertibilityError`] pass through.
///
/// ```
/// use retrograd::{check::check_inverse, ops::rotate};
///
/// let turn = |s: &mut [f64; 2]| {
///     let [a, b] = s;
///     rotate(a, b, 0.3);
/// };
/// let turn_back = |s: &mut [f64; 2]| {
///     let [a, b] = s;
///     rotate::uncall(a, b, 0.3);
/// };
/// check_inverse(&[1.0, 2.0], turn, turn_back)?;
///
/// let error = check_inverse(&[1.0, 2.0], |s| s[1] += s[0], |s| s[1] -= 2.0 * s[0]).unwrap_err();
/// assert!(error.to_string().ends_with("[1]: expected 2.0, found 1.0"));
/// # Ok::<(), retrograd::check::NotRestored>(())
/// ```
pub fn check_inverse<S: Clone + Compare>(
    state: &S,
    call: impl FnOnce(&mut S),
    uncall: impl FnOnce(&mut S),
) -> Result<(), NotRestored> {
    let mut there_and_back = state.clone();
    let raised = |run| move |error| NotRestored::Raised { run, error: Box::new(error) };
    attempt(|| call(&mut there_and_back)).map_err(raised(Direction::Forward))?;
    attempt(|| uncall(&mut there_and_back)).map_err(raised(Direction::Inverse))?;
    let places = mismatches(state, &there_and_back);
    if places.is_empty() { Ok(()) } else { Err(NotRestored::Differs(places)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Stack};

    #[test]
    fn every_place_is_reported_and_the_text_stays_short() {
        let error = check_inverse(&vec![0; 100], |s| s.fill(1), |_| {}).unwrap_err();
        let NotRestored::Differs(places) = &error else { panic!("{error}") };
        assert_eq!(places.len(), 100);
        let text = error.to_string();
        assert!(text.starts_with("100 places did not return to the first value\n  [0]: expected 0, found 1\n"));
        assert!(text.ends_with("\n  and 80 more"), "{text}");
    }

    #[test]
    fn errors_inside_say_in_which_run() {
        let pop = |s: &mut Stack<i32>| s.pop(&mut 0);
        let error = check_inverse(&Stack::new(), pop, |_| {}).unwrap_err();
        let NotRestored::Raised { run: Direction::Forward, error: inner } = &error else { panic!("{error}") };
        assert_eq!(inner.kind, ErrorKind::EmptyStack);
        let error = check_inverse(&Stack::new(), |_| {}, pop).unwrap_err();
        assert!(error.to_string().starts_with("the uncall stopped: a value is popped"));
        assert!(error.source().is_some());
    }
}
