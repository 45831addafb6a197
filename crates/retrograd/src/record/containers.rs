//! Containers in a record: what they contain, and then how much of it.

use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use super::{Record, Recordable, Tag};
use crate::shadow::{Constant, Dropped};

impl<T: Recordable, const N: usize> Recordable for [T; N] {
    const RECORD_WIDTH: Option<usize> = match T::RECORD_WIDTH {
        Some(width) if T::RECORDED_IN_ORDER => Some(N * width),
        _ => None,
    };

    #[inline(always)]
    fn write_bytes(&self, place: &mut [u8]) {
        let width = T::RECORD_WIDTH.unwrap_or(0);
        self.iter().enumerate().for_each(|(i, value)| value.write_bytes(&mut place[i * width..][..width]));
    }
    #[inline(always)]
    fn record_zeros() -> Self {
        std::array::from_fn(|_| T::record_zeros())
    }
    #[inline(always)]
    fn read_bytes(place: &[u8]) -> Self {
        let width = T::RECORD_WIDTH.unwrap_or(0);
        std::array::from_fn(|i| T::read_bytes(&place[i * width..][..width]))
    }
    #[inline]
    fn keep(&self, record: &mut Record) {
        T::keep_slice(self, record);
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        T::recall_array(record)
    }
    #[inline]
    fn keep_shape(&self, record: &mut Record) {
        keep_shapes(self, record);
    }
    #[inline]
    fn recall_shape(record: &mut Record) -> Self {
        std::array::from_fn(|_| T::recall_shape(record))
    }
    fn tag() -> Tag {
        Tag::container::<Self>("array", &[T::tag()])
    }
}

impl<T: Recordable> Recordable for Vec<T> {
    #[inline]
    fn keep(&self, record: &mut Record) {
        T::keep_slice(self, record);
        self.len().keep(record);
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        let len = usize::recall(record);
        T::recall_vec(len, record)
    }
    #[inline]
    fn keep_shape(&self, record: &mut Record) {
        keep_shapes(self, record);
        self.len().keep(record);
    }
    #[inline]
    fn recall_shape(record: &mut Record) -> Self {
        let len = usize::recall(record);
        (0..len).map(|_| T::recall_shape(record)).collect()
    }
    fn tag() -> Tag {
        Tag::container::<Self>("Vec", &[T::tag()])
    }
}

#[inline]
fn keep_shapes<T: Recordable>(values: &[T], record: &mut Record) {
    values.iter().rev().for_each(|value| value.keep_shape(record));
}

impl<T: Recordable> Recordable for Box<[T]> {
    #[inline]
    fn keep(&self, record: &mut Record) {
        T::keep_slice(self, record);
        self.len().keep(record);
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        Vec::recall(record).into_boxed_slice()
    }
    #[inline]
    fn keep_shape(&self, record: &mut Record) {
        keep_shapes(self, record);
        self.len().keep(record);
    }
    #[inline]
    fn recall_shape(record: &mut Record) -> Self {
        Vec::recall_shape(record).into_boxed_slice()
    }
    fn tag() -> Tag {
        Tag::container::<Self>("Box<[]>", &[T::tag()])
    }
}

impl<T: Recordable> Recordable for Box<T> {
    #[inline]
    fn keep(&self, record: &mut Record) {
        T::keep(self, record);
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        Box::new(T::recall(record))
    }
    #[inline]
    fn keep_shape(&self, record: &mut Record) {
        T::keep_shape(self, record);
    }
    #[inline]
    fn recall_shape(record: &mut Record) -> Self {
        Box::new(T::recall_shape(record))
    }
    fn tag() -> Tag {
        Tag::container::<Self>("Box", &[T::tag()])
    }
}

impl<T: Recordable> Recordable for Option<T> {
    #[inline]
    fn keep(&self, record: &mut Record) {
        self.iter().for_each(|value| value.keep(record));
        record.push_bit(self.is_some());
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        record.pop_bit().then(|| T::recall(record))
    }
    #[inline]
    fn keep_shape(&self, record: &mut Record) {
        self.iter().for_each(|value| value.keep_shape(record));
        record.push_bit(self.is_some());
    }
    #[inline]
    fn recall_shape(record: &mut Record) -> Self {
        record.pop_bit().then(|| T::recall_shape(record))
    }
    fn tag() -> Tag {
        Tag::container::<Self>("Option", &[T::tag()])
    }
}

impl Recordable for String {
    #[inline]
    fn keep(&self, record: &mut Record) {
        record.room(self.len()).copy_from_slice(self.as_bytes());
        self.len().keep(record);
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        let len = usize::recall(record);
        let text = str::from_utf8(record.take(len)).map(String::from);
        text.unwrap_or_else(|_| record.fail("text", "something else"))
    }
    #[inline]
    fn keep_shape(&self, record: &mut Record) {
        self.len().keep(record);
    }
    #[inline]
    fn recall_shape(record: &mut Record) -> Self {
        "\0".repeat(usize::recall(record))
    }
}

/// Values without content.
macro_rules! nothing {
    ($(($($generics:tt)*) $type:ty, $value:expr;)*) => {$(
        impl $($generics)* Recordable for $type {
            #[inline]
            fn keep(&self, _record: &mut Record) {}
            #[inline]
            fn recall(_record: &mut Record) -> Self {
                $value
            }
            #[inline]
            fn keep_shape(&self, _record: &mut Record) {}
            #[inline]
            fn recall_shape(_record: &mut Record) -> Self {
                $value
            }
        }
    )*};
}

nothing! {
    () (), ();
    () RangeFull, ..;
    (<T: ?Sized>) PhantomData<T>, PhantomData;
    () Constant, Constant;
    // Dropped adjoints matter only within the run that drops them.
    (<T>) Dropped<T>, Dropped::none();
}

/// Implements `Recordable` for structs, field by field. Fields are kept in reverse, so that they come back in order. `"Name" [T]` gives a
/// generic struct its tag; `= e` says that every value has the shape of `e`.
macro_rules! recordable_fields {
    ($(($($generics:tt)*) $type:ty { $($fields:tt)* } $($kind:literal [$($of:ty),*])? $(= $shape:expr)?;)*) => {$(
        impl<$($generics)*> $crate::Recordable for $type {
            #[inline]
            fn keep(&self, record: &mut $crate::Record) {
                $crate::record::recordable_fields!(@keep keep self record $($fields)*);
            }
            #[inline]
            fn recall(record: &mut $crate::Record) -> Self {
                $crate::record::recordable_fields!(@recall recall record $($fields)*)
            }
            $crate::record::recordable_fields!(@shape [$($fields)*] $($shape)?);
            $(
                fn tag() -> $crate::record::Tag {
                    $crate::record::Tag::container::<Self>($kind, &[$(<$of as $crate::Recordable>::tag()),*])
                }
            )?
        }
    )*};
    (@shape [$($fields:tt)*]) => {
        #[inline]
        fn keep_shape(&self, record: &mut $crate::Record) {
            $crate::record::recordable_fields!(@keep keep_shape self record $($fields)*);
        }
        #[inline]
        fn recall_shape(record: &mut $crate::Record) -> Self {
            $crate::record::recordable_fields!(@recall recall_shape record $($fields)*)
        }
    };
    (@shape [$($fields:tt)*] $shape:expr) => {
        #[inline]
        fn keep_shape(&self, _record: &mut $crate::Record) {}
        #[inline]
        fn recall_shape(_record: &mut $crate::Record) -> Self {
            $shape
        }
    };
    (@keep $method:ident $self:ident $record:ident $first:tt $(, $rest:tt)*) => {
        $crate::record::recordable_fields!(@keep $method $self $record $($rest),*);
        $crate::Recordable::$method(&$self.$first, $record);
    };
    (@keep $method:ident $self:ident $record:ident) => {};
    (@recall $method:ident $record:ident $($field:tt),*) => {
        Self { $($field: $crate::Recordable::$method($record)),* }
    };
}
pub(crate) use recordable_fields;

recordable_fields! {
    (T: Recordable) Wrapping<T> { 0 } "Wrapping" [T];
    (T: Recordable) Saturating<T> { 0 } "Saturating" [T];
    (T: Recordable) Range<T> { start, end } "Range" [T];
    (T: Recordable) RangeFrom<T> { start } "RangeFrom" [T];
    (T: Recordable) RangeTo<T> { end } "RangeTo" [T];
    (T: Recordable) RangeToInclusive<T> { end } "RangeToInclusive" [T];
}

impl<T: Recordable> Recordable for RangeInclusive<T> {
    #[inline]
    fn keep(&self, record: &mut Record) {
        self.end().keep(record);
        self.start().keep(record);
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        let start = T::recall(record);
        start..=T::recall(record)
    }
    #[inline]
    fn keep_shape(&self, record: &mut Record) {
        self.end().keep_shape(record);
        self.start().keep_shape(record);
    }
    #[inline]
    fn recall_shape(record: &mut Record) -> Self {
        let start = T::recall_shape(record);
        start..=T::recall_shape(record)
    }
    fn tag() -> Tag {
        Tag::container::<Self>("RangeInclusive", &[T::tag()])
    }
}

macro_rules! tuples {
    ($(($($element:ident $index:tt),+))*) => {$(
        impl<$($element: Recordable),+> Recordable for ($($element,)+) {
            #[inline]
            fn keep(&self, record: &mut Record) {
                recordable_fields!(@keep keep self record $($index),+);
            }
            #[inline]
            fn recall(record: &mut Record) -> Self {
                ($($element::recall(record),)+)
            }
            #[inline]
            fn keep_shape(&self, record: &mut Record) {
                recordable_fields!(@keep keep_shape self record $($index),+);
            }
            #[inline]
            fn recall_shape(record: &mut Record) -> Self {
                ($($element::recall_shape(record),)+)
            }
            fn tag() -> Tag {
                Tag::container::<Self>("tuple", &[$($element::tag()),+])
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}
