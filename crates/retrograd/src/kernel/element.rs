//! What buffers are made of, and how it lies in the memory of a device.

use std::mem;

/// What a [`Buffer`](super::Buffer) is made of: numbers, integers, `bool`, and arrays and tuples of them.
///
/// On a device a value lies as C lays it out, which need not be how Rust does.
pub trait Element: Copy + Send + Sync + 'static {
    /// How many bytes it takes.
    #[doc(hidden)]
    const SIZE: usize;
    /// What its address is a multiple of.
    #[doc(hidden)]
    const ALIGN: usize;

    /// Writes it into as many bytes as it takes.
    #[doc(hidden)]
    fn store(&self, bytes: &mut [u8]);

    /// Reads it from there.
    #[doc(hidden)]
    fn load(bytes: &[u8]) -> Self;
}

/// The numbers of a kernel over `T: Real`.
pub trait Number: Element {
    /// Their type in C.
    #[doc(hidden)]
    const NAME: &'static str;
}

impl Number for f64 {
    const NAME: &'static str = "double";
}

impl Number for f32 {
    const NAME: &'static str = "float";
}

macro_rules! primitives {
    ($($type:ty)*) => {$(
        impl Element for $type {
            const SIZE: usize = mem::size_of::<$type>();
            const ALIGN: usize = mem::size_of::<$type>();

            #[inline]
            fn store(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }

            #[inline]
            fn load(bytes: &[u8]) -> Self {
                let mut own = [0; mem::size_of::<$type>()];
                own.copy_from_slice(bytes);
                Self::from_ne_bytes(own)
            }
        }
    )*};
}

primitives!(f64 f32 u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! sizes {
    ($($type:ty: $as:ty)*) => {$(
        impl Element for $type {
            const SIZE: usize = 8;
            const ALIGN: usize = 8;

            #[inline]
            fn store(&self, bytes: &mut [u8]) {
                (*self as $as).store(bytes);
            }

            #[inline]
            fn load(bytes: &[u8]) -> Self {
                <$as>::load(bytes) as Self
            }
        }
    )*};
}

sizes!(usize: u64 isize: i64);

impl Element for bool {
    const SIZE: usize = 1;
    const ALIGN: usize = 1;

    fn store(&self, bytes: &mut [u8]) {
        bytes[0] = u8::from(*self);
    }

    fn load(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
}

impl<T: Element, const N: usize> Element for [T; N] {
    const SIZE: usize = N * T::SIZE;
    const ALIGN: usize = T::ALIGN;

    #[inline]
    fn store(&self, bytes: &mut [u8]) {
        self.iter().zip(bytes.chunks_exact_mut(T::SIZE)).for_each(|(value, bytes)| value.store(bytes));
    }

    #[inline]
    fn load(bytes: &[u8]) -> Self {
        std::array::from_fn(|i| T::load(&bytes[i * T::SIZE..(i + 1) * T::SIZE]))
    }
}

/// Where each member of a struct of C begins, and where the struct ends.
const fn layout<const N: usize>(members: [(usize, usize); N]) -> ([usize; N], usize, usize) {
    let (mut starts, mut end, mut align, mut i) = ([0; N], 0_usize, 1, 0);
    while i < N {
        let (size, of) = members[i];
        starts[i] = end.next_multiple_of(of);
        end = starts[i] + size;
        align = if of > align { of } else { align };
        i += 1;
    }
    (starts, end.next_multiple_of(align), align)
}

macro_rules! tuples {
    ($($count:literal: $($name:ident $i:tt),*;)*) => {$(
        impl<$($name: Element),*> Element for ($($name,)*) {
            const SIZE: usize = layout::<$count>([$(($name::SIZE, $name::ALIGN)),*]).1;
            const ALIGN: usize = layout::<$count>([$(($name::SIZE, $name::ALIGN)),*]).2;

            fn store(&self, bytes: &mut [u8]) {
                let starts = layout::<$count>([$(($name::SIZE, $name::ALIGN)),*]).0;
                $(self.$i.store(&mut bytes[starts[$i]..starts[$i] + $name::SIZE]);)*
            }

            fn load(bytes: &[u8]) -> Self {
                let starts = layout::<$count>([$(($name::SIZE, $name::ALIGN)),*]).0;
                ($($name::load(&bytes[starts[$i]..starts[$i] + $name::SIZE]),)*)
            }
        }
    )*};
}

tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
}

/// The bytes of all values, one behind the other.
pub(super) fn bytes_of<T: Element>(values: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * T::SIZE];
    if T::SIZE > 0 {
        values.iter().zip(bytes.chunks_exact_mut(T::SIZE)).for_each(|(value, bytes)| value.store(bytes));
    }
    bytes
}

/// The values behind such bytes.
pub(super) fn values_of<T: Element>(bytes: &[u8], len: usize) -> Vec<T> {
    (0..len).map(|i| T::load(&bytes[i * T::SIZE..(i + 1) * T::SIZE])).collect()
}
