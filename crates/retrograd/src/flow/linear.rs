//! Linear layers, given by the triangular factors of their matrix.

use super::{Error, Layer, Shape};
use crate::ops::multiply_lu;
use crate::{Active, Real, reversible};

/// x becomes L U x + b: a linear map that mixes all coordinates, undone by triangular solves.
///
/// A zero on the diagonal of U is [`Error::NotInvertible`] when the flow is run. The layer is its own shadow.
///
/// ```
/// use retrograd::flow::{Error, Layer, Linear};
///
/// let layer = Linear::new(vec![2.0, 1.0, 3.0, 4.0], vec![10.0, 0.0])?;
/// let mut x = [1.0, -1.0];
/// layer.apply(&mut x);
/// assert_eq!(x, [11.0, -1.0]);
/// layer.uncall_apply(&mut x);
/// assert_eq!(x, [1.0, -1.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Active, Clone, Debug, PartialEq)]
pub struct Linear<T> {
    /// U on and above the diagonal, and L, whose own diagonal is 1, below it; row by row.
    lu: Vec<T>,
    shift: Vec<T>,
}

impl<T: Real> Linear<T> {
    /// A map from both factors in one matrix, row by row, and what is added.
    ///
    /// # Errors
    ///
    /// [`Error::Dimension`] unless the matrix has a row and a column for each element of `shift`.
    pub fn new(lu: Vec<T>, shift: Vec<T>) -> Result<Linear<T>, Error> {
        Error::unless_equal("matrix of a linear layer", shift.len() * shift.len(), lu.len())?;
        Ok(Linear { lu, shift })
    }

    /// The identity.
    pub fn identity(dimension: usize) -> Linear<T> {
        let mut lu = vec![T::zero(); dimension * dimension];
        lu.iter_mut().step_by(dimension + 1).for_each(|diagonal| *diagonal = T::one());
        Linear { lu, shift: vec![T::zero(); dimension] }
    }
}

impl<T> Shape for Linear<T> {
    fn dimension(&self) -> usize {
        self.shift.len()
    }
}

#[reversible]
impl<T: Real> Layer<T> for Linear<T> {
    fn apply(&self, x: &mut [T]) {
        multiply_lu(x, &self.lu);
        for i in 0..x.len() {
            x[i] += self.shift[i];
        }
    }
}
