//! Why a flow cannot be made or run.

use std::fmt;

use crate::InvertibilityError;

/// What is wrong with a flow, with one of its layers, or with what it is given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Something has the wrong number of elements.
    Dimension {
        /// What it is.
        what: &'static str,
        /// How many elements it should have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// There is nothing to run on.
    NoPoints,
    /// A mask keeps all coordinates or none, so that a coupling layer has nothing to change or nothing to read.
    Mask {
        /// How many coordinates there are.
        dimension: usize,
        /// How many of them are kept.
        kept: usize,
    },
    /// The knots of a spline do not increase.
    Knots {
        /// Which coordinate of the knots it is: `"x"` or `"y"`.
        axis: &'static str,
        /// The first knot that is not above the one in front of it.
        index: usize,
    },
    /// A slope of a spline is not positive and finite.
    Slope {
        /// At which knot.
        index: usize,
    },
    /// The half-width of the interval in which a spline acts is not positive and finite.
    Bound {
        /// The half-width.
        bound: f64,
    },
    /// A number is infinite or NaN.
    NotFinite {
        /// What contains it.
        what: &'static str,
    },
    /// A layer cannot be inverted here: a factor is zero, or values did not come back.
    NotInvertible(InvertibilityError),
}

impl Error {
    /// An error unless something has as many elements as it should.
    pub(super) fn unless_equal(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
        if expected == found { Ok(()) } else { Err(Error::Dimension { what, expected, found }) }
    }
}

impl From<InvertibilityError> for Error {
    fn from(error: InvertibilityError) -> Error {
        Error::NotInvertible(error)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::NotInvertible(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Dimension { what, expected, found } => {
                write!(f, "{what}: {found} elements are given where {expected} are needed")
            }
            Error::NoPoints => write!(f, "no points are given, and the mean over none is not defined"),
            Error::Mask { dimension, kept } => write!(
                f,
                "a mask keeps {kept} of {dimension} coordinates; a coupling layer has to keep at least one, which its net reads, and to \
                 change at least one"
            ),
            Error::Knots { axis, index } => write!(
                f,
                "knot {index} of a spline is not above the one in front of it in {axis}; a spline has an inverse only if its knots \
                 increase in both coordinates"
            ),
            Error::Slope { index } => {
                write!(
                    f,
                    "the slope of a spline at knot {index} is not positive and finite: the spline would have no inverse"
                )
            }
            Error::Bound { bound } => {
                write!(
                    f,
                    "a spline acts between -bound and bound, and bound has to be positive and finite, not {bound}"
                )
            }
            Error::NotFinite { what } => write!(f, "{what}: a number is infinite or NaN"),
            Error::NotInvertible(error) => write!(f, "a layer cannot be inverted here: {error}"),
        }
    }
}
