//! `overlap!`: whether two indices can mean the same element, for any index type.
//!
//! As in [`same`](super::same) method lookup chooses: `Overlap` where the types have it, `==` for
//! other keys, such as an enum of the user's.

use crate::ops::Overlap;

/// Two indices of one container.
#[derive(Debug)]
pub struct Places<'a, I: ?Sized, J: ?Sized> {
    one: &'a I,
    other: &'a J,
}

impl<'a, I: ?Sized, J: ?Sized> Places<'a, I, J> {
    /// The two indices.
    #[inline(always)]
    pub fn new(one: &'a I, other: &'a J) -> Self {
        Places { one, other }
    }
}

/// The first choice: `Overlap`.
pub trait OverlapByTrait {
    /// Whether the two indices have an element in common.
    fn overlaps(&self) -> bool;
}

impl<I: Overlap<J> + ?Sized, J: ?Sized> OverlapByTrait for &Places<'_, I, J> {
    #[inline(always)]
    fn overlaps(&self) -> bool {
        self.one.overlap(self.other)
    }
}

/// The last choice: `==`.
pub trait OverlapByEquality {
    /// Whether the two indices are equal.
    fn overlaps(&self) -> bool;
}

impl<I: PartialEq<J> + ?Sized, J: ?Sized> OverlapByEquality for Places<'_, I, J> {
    #[inline(always)]
    fn overlaps(&self) -> bool {
        self.one == self.other
    }
}

/// Two indices into one container that can be compared.
#[diagnostic::on_unimplemented(
    message = "one container is indexed in two ways in one statement, and it cannot be checked that these are different elements",
    label = "an index of another kind",
    note = "write both indices in the same way, such as `a[(i, j)]`"
)]
pub trait SameIndex {
    /// Whether the two indices are equal.
    fn same(self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<I: PartialEq<J> + ?Sized, J: ?Sized> SameIndex for (&I, &J) {
    #[inline(always)]
    fn same(self) -> bool {
        self.0 == self.1
    }
}

/// Whether two indices into one container are equal.
#[inline(always)]
pub fn same_index<P: SameIndex>(indices: P) -> bool {
    indices.same()
}

/// `overlap!(&i, &j)` is true if the two indices have an element in common.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_overlap {
    ($one:expr, $other:expr $(,)?) => {{
        #[allow(unused_imports, reason = "the types decide which of them is used")]
        use $crate::private::{OverlapByEquality as _, OverlapByTrait as _};
        (&&$crate::private::Places::new($one, $other)).overlaps()
    }};
}
pub use __retrograd_overlap as overlap;

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn indices_of_every_kind_can_be_asked() {
        #[derive(PartialEq)]
        enum Axis {
            X,
            Y,
        }
        let (i, n) = (3, 5);
        assert!(overlap!(&(0..n), &i) && !overlap!(&(0..i), &(i..n)));
        assert!(overlap!(&2, &2_u64) && overlap!(&0, &0) && !overlap!(&"a", &"b"));
        assert!(overlap!(&Axis::X, &Axis::X) && !overlap!(&Axis::X, &Axis::Y));
        fn generic<K: Ord>(a: K, b: K) -> bool {
            overlap!(&a, &b)
        }
        assert!(generic('a', 'a') && !generic('a', 'b'));
    }
}
