//! Sorting in recorded programs. The record keeps where each element came from, in as few bytes as the number of elements allows.
//!
//! Elements that compare equal stay in their order, in every run: what `sort_unstable` would make of them differs from type to type.

#![allow(non_camel_case_types, reason = "what holds the companions of a procedure is called like it")]

use std::cmp::Ordering;

use super::Record;
use crate::shadow::{AdjointArg, Shadowed, Sweep};

/// For each place the one that its element comes from.
struct Order(Vec<usize>);

impl Order {
    fn of<T>(v: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Order {
        let mut from: Vec<usize> = (0..v.len()).collect();
        from.sort_by(|&a, &b| compare(&v[a], &v[b]));
        Order(from)
    }

    /// Where each element goes.
    fn inverse(&self) -> Order {
        let mut to = vec![0; self.0.len()];
        self.0.iter().enumerate().for_each(|(place, &from)| to[from] = place);
        Order(to)
    }

    /// Puts the elements into this order, cycle by cycle.
    fn arrange<T>(&self, v: &mut [T]) {
        let mut from = self.0.clone();
        for first in 0..from.len() {
            let mut place = first;
            while from[place] != first {
                let next = std::mem::replace(&mut from[place], place);
                v.swap(place, next);
                place = next;
            }
            from[place] = place;
        }
    }

    fn keep(&self, record: &mut Record) {
        let width = width(self.0.len());
        let room = record.room(self.0.len() * width);
        for (bytes, from) in room.chunks_exact_mut(width).zip(&self.0) {
            bytes.copy_from_slice(&from.to_le_bytes()[..width]);
        }
    }

    fn recall(len: usize, record: &mut Record) -> Order {
        let width = width(len);
        let read = |bytes: &[u8]| {
            let mut word = [0; size_of::<usize>()];
            word[..width].copy_from_slice(bytes);
            usize::from_le_bytes(word)
        };
        Order(record.take(len * width).chunks_exact(width).map(read).collect())
    }
}

/// How many bytes tell that many places apart.
fn width(len: usize) -> usize {
    match len as u64 {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        0x1_0001..=0x1_0000_0000 => 4,
        _ => size_of::<usize>(),
    }
}

/// Procedures that sort, given how two elements compare.
macro_rules! sorts {
    ($($(#[$doc:meta])* $name:ident<$($key:ident)?>($by:ident: $($bound:tt)*) = $compare:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name<T $(, $key: Ord)?>(v: &mut [T], $by: impl $($bound)*) {
            v.sort_by($compare);
        }

        #[doc = concat!("The companions of [`", stringify!($name), "`](fn@", stringify!($name), ").")]
        #[derive(Debug)]
        pub struct $name {}

        impl $name {
            /// It has no host parameters.
            pub const HOSTS: u128 = 0;

            #[doc(hidden)]
            pub fn __keep<T $(, $key: Ord)?>(record: &mut Record, v: &mut [T], $by: impl $($bound)*) {
                let order = Order::of(v, $compare);
                order.arrange(v);
                order.keep(record);
            }

            #[doc(hidden)]
            pub fn __unkeep<T $(, $key: Ord)?>(record: &mut Record, v: &mut [T], _by: impl $($bound)*) {
                Order::recall(v.len(), record).inverse().arrange(v);
            }

            #[doc(hidden)]
            pub fn __spend<T, $($key: Ord,)? S>(
                _sweep: Sweep<S>,
                record: &mut Record,
                v: &mut [T],
                gv: impl AdjointArg<[T], S>,
                _by: impl $($bound)*,
                _no_shadow: impl Sized,
            ) where
                T: Shadowed<S>,
                [T]: Shadowed<S, Shadow = [<T as Shadowed<S>>::Owned]>,
            {
                let back = Order::recall(v.len(), record).inverse();
                let mut keep = gv.keep(v);
                back.arrange(gv.reach(&mut keep));
                back.arrange(v);
            }

            #[doc(hidden)]
            pub fn __pushforward<T, $($key: Ord,)? S>(
                _sweep: Sweep<S>,
                v: &mut [T],
                dv: impl AdjointArg<[T], S>,
                $by: impl $($bound)*,
                _no_shadow: impl Sized,
            ) where
                T: Shadowed<S>,
                [T]: Shadowed<S, Shadow = [<T as Shadowed<S>>::Owned]>,
            {
                let order = Order::of(v, $compare);
                let mut keep = dv.keep(v);
                order.arrange(dv.reach(&mut keep));
                order.arrange(v);
            }
        }
    )*};
}

sorts! {
    /// `v.sort_by(compare)`
    sort_by<>(compare: Fn(&T, &T) -> Ordering) = |a: &T, b: &T| compare(a, b);
    /// `v.sort_by_key(key)`
    sort_by_key<K>(key: Fn(&T) -> K) = |a: &T, b: &T| key(a).cmp(&key(b));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sorted_comes_back() {
        for len in [0, 1, 2, 7, 256, 257, 70_000] {
            let before: Vec<usize> = (0..len).map(|i| i * 7919 % (len / 2 + 3)).collect();
            let (mut v, mut record, mut sorted) = (before.clone(), Record::new(), before.clone());
            sort_by::__keep(&mut record, &mut v, Ord::cmp);
            sorted.sort();
            assert_eq!((&v, record.bytes()), (&sorted, len * width(len)));
            sort_by::__unkeep(&mut record, &mut v, Ord::cmp);
            assert_eq!((v, record.bytes()), (before, 0));
        }
    }

    #[test]
    fn equal_keys_stay_in_their_order() {
        let mut v = [(1, 'a'), (0, 'b'), (1, 'c'), (0, 'd')];
        sort_by_key::__keep(&mut Record::new(), &mut v, |pair| pair.0);
        assert_eq!(v, [(0, 'b'), (0, 'd'), (1, 'a'), (1, 'c')]);
    }
}
