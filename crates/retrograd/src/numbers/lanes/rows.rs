//! From rows to lanes and back: data points are stored one after the other in memory, and side by side in lanes.

use super::registers::{Bank, Element, Register};
use super::{Holds, Lanes};

/// The largest number of lanes of a register.
const WIDEST: usize = 16;

impl<E: Element, const W: usize, I: Holds<E, W>> Lanes<E, W, I> {
    /// Number `j` of row `i` in lane `i` of the result with number `j`.
    ///
    /// ```
    /// use retrograd::Lanes;
    ///
    /// let [x, y, z] = Lanes::<f64, 2>::gather([&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]]);
    /// assert_eq!((x.to_array(), y.to_array(), z.to_array()), ([1.0, 4.0], [2.0, 5.0], [3.0, 6.0]));
    /// ```
    #[inline(always)]
    pub fn gather<const D: usize>(rows: [&[E; D]; W]) -> [Self; D] {
        let width = I::Register::WIDTH;
        let mut columns = [Self::splat(E::zero()); D];
        let count = width.min(D);
        for register in 0..W / width {
            let mut next = 0;
            while next < D {
                // The last block ends where the rows end, and takes some of the one before once more.
                let start = next.min(D - count);
                let mut square = [I::Register::splat(E::zero()); WIDEST];
                for i in 0..width {
                    square[i] = I::Register::load_first(&rows[register * width + i][start..], count);
                }
                I::Register::transpose(&mut square[..width]);
                for i in 0..count {
                    columns[start + i].bank.get_mut()[register] = square[i];
                }
                next = start + width;
            }
        }
        columns
    }

    /// Lane `i` of number `j` to number `j` of row `i`.
    ///
    /// ```
    /// use retrograd::Lanes;
    ///
    /// let mut rows = [[0.0; 3]; 2];
    /// let numbers = [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]].map(Lanes::<f64, 2>::from);
    /// Lanes::scatter(&numbers, rows.each_mut());
    /// assert_eq!(rows, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    /// ```
    #[inline(always)]
    pub fn scatter<const D: usize>(columns: &[Self; D], rows: [&mut [E; D]; W]) {
        let width = I::Register::WIDTH;
        let count = width.min(D);
        for register in 0..W / width {
            let mut next = 0;
            while next < D {
                // The last block ends where the rows end, and takes some of the one before once more.
                let start = next.min(D - count);
                let mut square = [I::Register::splat(E::zero()); WIDEST];
                for i in 0..count {
                    square[i] = columns[start + i].bank.get()[register];
                }
                I::Register::transpose(&mut square[..width]);
                for i in 0..width {
                    square[i].store_first(&mut rows[register * width + i][start..], count);
                }
                next = start + width;
            }
        }
    }
}
