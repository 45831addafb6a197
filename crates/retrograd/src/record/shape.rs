//! The shape of a value as one number: lengths, and which values are present.

use super::tag::hash;
use super::{Lease, Record, Recordable};

/// What has a shape: values that can be kept, and slices of these.
pub trait HasShape {
    /// Keeps lengths, and which values are present.
    fn keep_lengths(&self, record: &mut Record);
    /// Keeps everything.
    fn keep_values(&self, record: &mut Record);
}

impl<T: Recordable> HasShape for T {
    #[inline]
    fn keep_lengths(&self, record: &mut Record) {
        self.keep_shape(record);
    }
    #[inline]
    fn keep_values(&self, record: &mut Record) {
        self.keep(record);
    }
}

impl<T: Recordable> HasShape for [T] {
    #[inline]
    fn keep_lengths(&self, record: &mut Record) {
        self.iter().rev().for_each(|value| value.keep_shape(record));
        self.len().keep(record);
    }
    #[inline]
    fn keep_values(&self, record: &mut Record) {
        T::keep_slice(self, record);
        self.len().keep(record);
    }
}

/// The shape of a value: the same for two values of one type that differ only in their numbers.
#[inline]
pub fn shape_of<T: HasShape + ?Sized>(value: &T) -> u64 {
    let mut record = Lease::new();
    value.keep_lengths(&mut record);
    record.hash()
}

/// A value as one number: two values have the same if all of their bits are the same.
#[inline]
pub fn value_of<T: HasShape + ?Sized>(value: &T) -> u64 {
    let mut record = Lease::new();
    value.keep_values(&mut record);
    record.hash()
}

/// The shapes of several values as one number.
#[inline]
pub fn shapes(shapes: &[u64]) -> u64 {
    shapes.iter().fold(0, |so_far, shape| hash(so_far, &shape.to_ne_bytes()))
}

impl Record {
    /// A number that depends on everything that is kept.
    fn hash(&self) -> u64 {
        // Bits of the last word above `bit_top` are left over from earlier values.
        let bit = |i: usize| u8::from(self.bits[i / 64] >> (i % 64) & 1 == 1);
        let bytes = hash(self.bit_top as u64, &self.bytes[..self.top]);
        (0..self.bit_top).fold(bytes, |so_far, i| hash(so_far, &[bit(i)]))
    }
}
