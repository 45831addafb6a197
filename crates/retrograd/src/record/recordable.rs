//! What can be kept in a record.

use super::{Record, Tag};

/// What can be kept in a [`Record`]: numbers, `bool`, `char`, text, and everything made of them.
///
/// Every value comes back bit for bit, NaN and negative zero too. All numbers of this crate can be kept, arrays, tuples, `Option`, `Vec`, `Box`,
/// [`Stack`](crate::Stack), [`Slots`](crate::Slots), and the matrices of other crates that are `Active`.
///
/// # Structs and enums
///
/// Derive it. [`#[derive(Active)]`](derive@crate::Active) includes it, if all fields can be kept;
/// [`#[derive(Recordable)]`](derive@crate::Recordable) is for types through which no derivative flows:
///
/// ```
/// use retrograd::prelude::*;
///
/// #[derive(Active)]
/// struct Particle<T> {
///     x: [T; 3],
///     mass: T,
/// }
///
/// #[derive(Recordable)]
/// enum Phase {
///     Solid,
///     Melting { since: usize },
/// }
///
/// /// How many bytes a value takes in a record.
/// fn bytes<T: Recordable>(value: &T) -> usize {
///     let mut record = Record::new();
///     value.keep(&mut record);
///     record.bytes()
/// }
///
/// assert_eq!(bytes(&Particle { x: [1.0, 2.0, 3.0], mass: 4.0 }), 32);
/// assert_eq!((bytes(&Phase::Solid), bytes(&Phase::Melting { since: 3 })), (1, 9));
/// ```
///
/// References cannot be kept.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept in a record",
    label = "`{Self}` is not `Recordable`",
    note = "put `#[derive(Recordable)]` on a type of your own, or `#[derive(Active)]` if derivatives flow through it"
)]
pub trait Recordable: Sized {
    /// How many bytes it is kept in, if that is the same for all values and they are nothing but bytes.
    #[doc(hidden)]
    const RECORD_WIDTH: Option<usize> = None;

    /// Whether several values in a row are kept in their order.
    #[doc(hidden)]
    const RECORDED_IN_ORDER: bool = false;

    /// Writes a value with a width as it is kept.
    #[doc(hidden)]
    #[inline]
    fn write_bytes(&self, _place: &mut [u8]) {
        unreachable!("only values with a width are written")
    }

    /// A value with a width of which every number is zero.
    #[doc(hidden)]
    #[inline]
    fn record_zeros() -> Self {
        unreachable!("only values with a width are made without a record")
    }

    /// Reads a value with a width.
    #[doc(hidden)]
    #[inline]
    fn read_bytes(_place: &[u8]) -> Self {
        unreachable!("only values with a width are read")
    }

    /// Keeps the value.
    #[doc(hidden)]
    fn keep(&self, record: &mut Record);

    /// Takes the value that was kept last.
    #[doc(hidden)]
    fn recall(record: &mut Record) -> Self;

    /// Keeps what cannot be told from the type: lengths, and which values are present.
    #[doc(hidden)]
    fn keep_shape(&self, record: &mut Record);

    /// A value of the shape that was kept last, with every number zero.
    #[doc(hidden)]
    fn recall_shape(record: &mut Record) -> Self;

    // Values in a row are kept in reverse, so that they come back in order; types that are plain bytes do all of them at once.

    /// Keeps several values.
    #[doc(hidden)]
    #[inline]
    fn keep_slice(values: &[Self], record: &mut Record) {
        values.iter().rev().for_each(|value| value.keep(record));
    }

    /// Takes as many values as `keep_slice` has kept.
    #[doc(hidden)]
    #[inline]
    fn recall_slice(values: &mut [Self], record: &mut Record) {
        values.iter_mut().for_each(|value| *value = Self::recall(record));
    }

    /// The same, as a `Vec`.
    #[doc(hidden)]
    #[inline]
    fn recall_vec(len: usize, record: &mut Record) -> Vec<Self> {
        (0..len).map(|_| Self::recall(record)).collect()
    }

    /// The same, as an array.
    #[doc(hidden)]
    #[inline]
    fn recall_array<const N: usize>(record: &mut Record) -> [Self; N] {
        std::array::from_fn(|_| Self::recall(record))
    }

    /// What checked builds compare.
    #[doc(hidden)]
    fn tag() -> Tag {
        Tag::of::<Self>()
    }
}

/// Some value of a type, for a variable that gets its own before anything reads it.
#[doc(hidden)]
pub fn blank<T: Recordable>() -> T {
    // Of all shapes the one that is written with zeros: nothing, none, the first.
    T::recall_shape(&mut Record::of_zeros())
}
