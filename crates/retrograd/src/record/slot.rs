//! What ties the type of a value that is kept to that of the value recalled.

use std::marker::PhantomData;

use super::{Record, Recordable, Tag};

/// A place in a program where values of one type are kept, and recalled on the way back.
///
/// rustc infers the type from either use. Checked builds remember the type of each value, and raise `ForeignRecord` if it is recalled as
/// another one.
pub struct Slot<T>(PhantomData<fn() -> T>);

impl<T> Slot<T> {
    /// A place for values of any one type.
    #[inline(always)]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Slot<T> {
        Slot(PhantomData)
    }
}

impl<T: Recordable> Slot<T> {
    /// Keeps a value.
    #[inline(always)]
    pub fn keep(&self, record: &mut Record, value: &T) {
        value.keep(record);
        record.push_tag(T::tag);
    }

    /// Takes the value that was kept last.
    #[inline(always)]
    pub fn recall(&self, record: &mut Record) -> T {
        record.pop_tag(T::tag);
        T::recall(record)
    }

    /// Keeps the shape of a value.
    #[inline(always)]
    pub fn keep_shape(&self, record: &mut Record, value: &T) {
        value.keep_shape(record);
        record.push_tag(T::tag);
    }

    /// A value of the shape that was kept last, with every number zero.
    #[inline(always)]
    pub fn recall_shape(&self, record: &mut Record) -> T {
        record.pop_tag(T::tag);
        T::recall_shape(record)
    }

    /// Keeps a part of a slice.
    #[inline(always)]
    pub fn keep_slice(&self, record: &mut Record, values: &[T]) {
        T::keep_slice(values, record);
        values.len().keep(record);
        record.push_tag(|| Tag::container::<[T]>("slice", &[T::tag()]));
    }

    /// Takes the part of a slice that was kept last, which is as long as `values`.
    #[inline(always)]
    pub fn recall_slice(&self, record: &mut Record, values: &mut [T]) {
        record.pop_tag(|| Tag::container::<[T]>("slice", &[T::tag()]));
        let len = usize::recall(record);
        if len != values.len() {
            other_length(record, values.len(), len);
        }
        T::recall_slice(values, record);
    }
}

#[cold]
#[inline(never)]
fn other_length(record: &Record, expected: usize, actual: usize) -> ! {
    record.fail(&format!("{expected} elements"), &format!("{actual} elements"))
}

impl<T> Clone for Slot<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slot<T> {}

impl<T> std::fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Slot<{}>", std::any::type_name::<T>())
    }
}

#[cfg(debug_assertions)]
impl Record {
    fn push_tag(&mut self, tag: impl Fn() -> Tag) {
        self.tags.push(tag());
    }

    fn pop_tag(&mut self, expected: impl Fn() -> Tag) {
        let expected = expected();
        match self.tags.pop() {
            Some(tag) if tag == expected => {}
            actual => {
                let name = |tag: Tag| format!("a value of type `{}`", tag.name());
                self.tags.extend(actual);
                self.fail(&name(expected), &actual.map_or("nothing".into(), name));
            }
        }
    }
}

#[cfg(not(debug_assertions))]
impl Record {
    #[inline(always)]
    fn push_tag(&mut self, _tag: impl Fn() -> Tag) {}

    #[inline(always)]
    fn pop_tag(&mut self, _expected: impl Fn() -> Tag) {}
}
