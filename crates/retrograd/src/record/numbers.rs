//! Numbers, `bool` and `char` in a record.

use super::{Record, Recordable, Tag};

/// Types that are kept as `$width` bytes: given how to get there and back. Rows of them are copied at once.
macro_rules! plain {
    ($($type:ty, $width:literal, $zero:expr, $to:expr, $from:expr $(, $tag:expr)?;)*) => {$(
        impl Recordable for $type {
            const RECORD_WIDTH: Option<usize> = Some($width);
            const RECORDED_IN_ORDER: bool = true;

            #[inline(always)]
            fn write_bytes(&self, place: &mut [u8]) {
                let to: fn($type) -> [u8; $width] = $to;
                place.copy_from_slice(&to(*self));
            }
            #[inline(always)]
            fn record_zeros() -> Self {
                $zero
            }
            #[inline(always)]
            fn read_bytes(place: &[u8]) -> Self {
                let from: fn([u8; $width]) -> $type = $from;
                from(place.try_into().expect("it is as wide as it was written"))
            }
            #[inline]
            fn keep(&self, record: &mut Record) {
                let to: fn($type) -> [u8; $width] = $to;
                record.push(to(*self));
            }
            #[inline]
            fn recall(record: &mut Record) -> Self {
                let from: fn([u8; $width]) -> $type = $from;
                from(record.pop())
            }
            #[inline]
            fn keep_shape(&self, _record: &mut Record) {}
            #[inline]
            fn recall_shape(_record: &mut Record) -> Self {
                $zero
            }
            #[inline]
            fn keep_slice(values: &[Self], record: &mut Record) {
                let to: fn($type) -> [u8; $width] = $to;
                let (places, _) = record.room(values.len() * $width).as_chunks_mut::<$width>();
                for (place, value) in places.iter_mut().zip(values) {
                    *place = to(*value);
                }
            }
            #[inline]
            fn recall_slice(values: &mut [Self], record: &mut Record) {
                let from: fn([u8; $width]) -> $type = $from;
                let (kept, _) = record.take(values.len() * $width).as_chunks::<$width>();
                for (value, kept) in values.iter_mut().zip(kept) {
                    *value = from(*kept);
                }
            }
            #[inline]
            fn recall_vec(len: usize, record: &mut Record) -> Vec<Self> {
                let from: fn([u8; $width]) -> $type = $from;
                let (kept, _) = record.take(len.saturating_mul($width)).as_chunks::<$width>();
                kept.iter().map(|kept| from(*kept)).collect()
            }
            #[inline]
            fn recall_array<const N: usize>(record: &mut Record) -> [Self; N] {
                let from: fn([u8; $width]) -> $type = $from;
                let (kept, _) = record.take(N * $width).as_chunks::<$width>();
                kept.first_chunk::<N>().expect("that many are taken").map(from)
            }
            $(
                fn tag() -> Tag {
                    $tag
                }
            )?
        }
    )*};
}

/// Integers are words, extended by their sign if they have one: what was kept as an `i32` may be recalled as a `usize`.
macro_rules! words {
    ($($type:ty)*) => {
        plain! {$(
            $type, 8, 0, |n| (n as u64).to_ne_bytes(), |bytes| u64::from_ne_bytes(bytes) as $type, Tag::integer();
        )*}
    };
}

words!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

plain! {
    u128, 16, 0, u128::to_ne_bytes, u128::from_ne_bytes;
    i128, 16, 0, i128::to_ne_bytes, i128::from_ne_bytes;
    f32, 4, 0.0, f32::to_ne_bytes, f32::from_ne_bytes;
    f64, 8, 0.0, f64::to_ne_bytes, f64::from_ne_bytes;
}

impl Recordable for bool {
    #[inline]
    fn keep(&self, record: &mut Record) {
        record.push_bit(*self);
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        record.pop_bit()
    }
    #[inline]
    fn keep_shape(&self, _record: &mut Record) {}
    #[inline]
    fn recall_shape(_record: &mut Record) -> Self {
        false
    }
}

impl Recordable for char {
    #[inline]
    fn keep(&self, record: &mut Record) {
        record.push(u32::from(*self).to_ne_bytes());
    }
    #[inline]
    fn recall(record: &mut Record) -> Self {
        let code = u32::from_ne_bytes(record.pop());
        char::from_u32(code).unwrap_or_else(|| record.fail("a `char`", "something else"))
    }
    #[inline]
    fn keep_shape(&self, _record: &mut Record) {}
    #[inline]
    fn recall_shape(_record: &mut Record) -> Self {
        '\0'
    }
}
