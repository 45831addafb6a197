//! What is kept where it lies, and comes back there: values, and slices, which are no values of their own.

use super::{Record, Recordable, Tag};

/// What a place can hold that a record keeps and gives back.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept in a record",
    label = "`{Self}` is not `Recordable`",
    note = "put `#[derive(Recordable)]` on a type of your own, or `#[derive(Active)]` if derivatives flow through it"
)]
pub trait InPlace {
    /// Keeps it.
    fn keep_place(&self, record: &mut Record);

    /// Takes what was kept last.
    fn recall_place(&mut self, record: &mut Record);

    /// What checked builds compare.
    fn place_tag() -> Tag;
}

impl<T: Recordable> InPlace for T {
    #[inline(always)]
    fn keep_place(&self, record: &mut Record) {
        self.keep(record);
    }

    #[inline(always)]
    fn recall_place(&mut self, record: &mut Record) {
        *self = T::recall(record);
    }

    fn place_tag() -> Tag {
        T::tag()
    }
}

impl<T: Recordable> InPlace for [T] {
    #[inline]
    fn keep_place(&self, record: &mut Record) {
        T::keep_slice(self, record);
        self.len().keep(record);
    }

    #[inline]
    fn recall_place(&mut self, record: &mut Record) {
        let len = usize::recall(record);
        if len != self.len() {
            other_length(record, self.len(), len);
        }
        T::recall_slice(self, record);
    }

    fn place_tag() -> Tag {
        Tag::container::<[T]>("slice", &[T::tag()])
    }
}

#[cold]
#[inline(never)]
fn other_length(record: &Record, expected: usize, actual: usize) -> ! {
    record.fail(&format!("{expected} elements"), &format!("{actual} elements"))
}
