//! What ties the type of a value that is kept to that of the value recalled.

use std::marker::PhantomData;

use super::{InPlace, Record, Recordable, Tag};

/// A place in a program where values of one type are kept, and recalled on the way back.
///
/// rustc infers the type from either use. Checked builds remember the type of each value, and raise `ForeignRecord` if it is recalled as
/// another one.
pub struct Slot<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Slot<T> {
    /// A place for values of any one type.
    #[inline(always)]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Slot<T> {
        Slot(PhantomData)
    }
}

// Bounds stand at the methods: where a type cannot be kept, rustc says so in the same words of each.
impl<T> Slot<T> {
    /// Keeps a value.
    #[inline(always)]
    pub fn keep(&self, record: &mut Record, value: &T)
    where
        T: Recordable,
    {
        value.keep(record);
        record.push_tag(T::tag);
    }

    /// Takes the value that was kept last.
    #[inline(always)]
    pub fn recall(&self, record: &mut Record) -> T
    where
        T: Recordable,
    {
        record.pop_tag(T::tag);
        T::recall(record)
    }

    /// Keeps the shape of a value.
    #[inline(always)]
    pub fn keep_shape(&self, record: &mut Record, value: &T)
    where
        T: Recordable,
    {
        value.keep_shape(record);
        record.push_tag(T::tag);
    }

    /// A value of the shape that was kept last, with every number zero.
    #[inline(always)]
    pub fn recall_shape(&self, record: &mut Record) -> T
    where
        T: Recordable,
    {
        record.pop_tag(T::tag);
        T::recall_shape(record)
    }
}

impl<T: ?Sized> Slot<T> {
    /// Keeps what is in a place.
    #[inline(always)]
    pub fn keep_place(&self, record: &mut Record, place: &T)
    where
        T: InPlace,
    {
        place.keep_place(record);
        record.push_tag(T::place_tag);
    }

    /// Takes what was kept last back into its place.
    #[inline(always)]
    pub fn recall_place(&self, record: &mut Record, place: &mut T)
    where
        T: InPlace,
    {
        record.pop_tag(T::place_tag);
        place.recall_place(record);
    }
}

impl Record {
    /// Keeps what is in a place, of a type that allows that.
    pub(crate) fn keep_tried<T: InPlace + ?Sized>(&mut self, place: &T) {
        place.keep_place(self);
        self.push_tag(T::place_tag);
        self.push_bit(true);
    }

    /// Takes it back.
    pub(crate) fn recall_tried<T: InPlace + ?Sized>(&mut self, place: &mut T) {
        if self.pop_bit() {
            self.pop_tag(T::place_tag);
            place.recall_place(self);
        }
    }
}

impl<T: ?Sized> Clone for Slot<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Slot<T> {}

impl<T: ?Sized> std::fmt::Debug for Slot<T> {
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
