//! Which coordinates a coupling layer keeps, and which it changes.

use super::Error;

/// Which coordinates a coupling layer keeps, and which it changes.
///
/// It is stored as exchanges of pairs that bring the kept coordinates to the front, so that a layer works on two parts of one slice. Made
/// twice, the exchanges leave everything in its place.
///
/// ```
/// use retrograd::flow::{Error, Mask};
///
/// let mask = Mask::new(&[false, true, true])?;
/// assert_eq!((mask.dimension(), mask.kept(), mask.changed()), (3, 2, 1));
/// assert_eq!(Mask::new(&[true, true]), Err(Error::Mask { dimension: 2, kept: 2 }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    pub(super) dimension: usize,
    pub(super) kept: usize,
    pub(super) swaps: Vec<(usize, usize)>,
}

impl Mask {
    /// Keeps the coordinates that are marked `true`.
    ///
    /// # Errors
    ///
    /// [`Error::Mask`] if all of them are, or none is.
    pub fn new(keep: &[bool]) -> Result<Mask, Error> {
        let (dimension, kept) = (keep.len(), keep.iter().filter(|keep| **keep).count());
        if kept == 0 || kept == dimension {
            return Err(Error::Mask { dimension, kept });
        }
        let (front, back) = keep.split_at(kept);
        // As many are to leave the front as are to come there.
        let leaving = (0..kept).filter(|i| !front[*i]);
        let coming = (kept..dimension).filter(|i| back[*i - kept]);
        Ok(Mask { dimension, kept, swaps: leaving.zip(coming).collect() })
    }

    /// Keeps every other coordinate: those with even indices in the first layer of a flow, the others in the second, and so on by turns.
    ///
    /// # Errors
    ///
    /// [`Error::Mask`] if there are fewer than two coordinates.
    pub fn alternating(dimension: usize, layer: usize) -> Result<Mask, Error> {
        Mask::new(&(0..dimension).map(|i| i % 2 == layer % 2).collect::<Vec<_>>())
    }

    /// How many coordinates there are.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many of them are kept.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// How many of them are changed.
    pub fn changed(&self) -> usize {
        self.dimension - self.kept
    }
}
