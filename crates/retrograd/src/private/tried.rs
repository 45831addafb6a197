//! `keep_tried!` and `recall_tried!`: a record keeps what a callee may decide by, if the type of that allows it.

use super::Asked;
use crate::record::{InPlace, Record};

/// The first choice: what a record can keep.
pub trait KeepInPlace {
    /// Keeps it.
    fn keep_tried(&self, record: &mut Record);
}

impl<T: InPlace + ?Sized> KeepInPlace for &Asked<'_, T> {
    #[inline]
    fn keep_tried(&self, record: &mut Record) {
        record.keep_tried(self.0);
    }
}

/// The second choice: that there is nothing.
pub trait KeepNoPlace {
    /// Keeps that.
    fn keep_tried(&self, record: &mut Record);
}

impl<T: ?Sized> KeepNoPlace for Asked<'_, T> {
    #[inline]
    fn keep_tried(&self, record: &mut Record) {
        record.push_bit(false);
    }
}

/// A place that gets back what it held.
#[derive(Debug)]
pub struct Regained<'a, T: ?Sized>(pub &'a mut T);

/// The first choice: what a record can keep.
pub trait RecallInPlace {
    /// Takes it back, if it was kept.
    fn recall_tried(&mut self, record: &mut Record);
}

impl<T: InPlace + ?Sized> RecallInPlace for &mut Regained<'_, T> {
    #[inline]
    fn recall_tried(&mut self, record: &mut Record) {
        record.recall_tried(self.0);
    }
}

/// The second choice: there is nothing.
pub trait RecallNoPlace {
    /// Takes that.
    fn recall_tried(&mut self, record: &mut Record);
}

impl<T: ?Sized> RecallNoPlace for Regained<'_, T> {
    #[inline]
    fn recall_tried(&mut self, record: &mut Record) {
        if record.pop_bit() {
            record.fail("nothing", "a value");
        }
    }
}

/// `keep_tried!(record, &x)`: what is in `x`, if that can be kept.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_keep_tried {
    ($record:expr, $place:expr) => {{
        #[allow(unused_imports, reason = "the type of the place decides which of them is used")]
        use $crate::private::{KeepInPlace as _, KeepNoPlace as _};
        (&&$crate::private::Asked($place)).keep_tried($record)
    }};
}
pub use __retrograd_keep_tried as keep_tried;

/// `recall_tried!(record, &mut x)`: what was in `x`, if that was kept.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_recall_tried {
    ($record:expr, $place:expr) => {{
        #[allow(unused_imports, reason = "the type of the place decides which of them is used")]
        use $crate::private::{RecallInPlace as _, RecallNoPlace as _};
        (&mut &mut $crate::private::Regained($place)).recall_tried($record)
    }};
}
pub use __retrograd_recall_tried as recall_tried;
