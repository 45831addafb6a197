//! The shadows of containers: added, joined and negated element by element.

use super::{AddFrom, Constant, Join, Negate, NothingLost};
use crate::{Slots, Stack};

/// Each element of `to` with its partner in `from`.
#[inline(always)]
#[track_caller]
fn pairs<A, G>(
    to: &mut [A],
    from: impl IntoIterator<Item = G, IntoIter: ExactSizeIterator>,
) -> impl Iterator<Item = (&mut A, G)> {
    let from = from.into_iter();
    if to.len() != from.len() {
        different_lengths(to.len(), from.len());
    }
    to.iter_mut().zip(from)
}

#[cold]
#[inline(never)]
#[track_caller]
fn different_lengths(to: usize, from: usize) -> ! {
    panic!("a derivative of length {from} meets one of length {to}")
}

/// `impl AddFrom<from> for to`, by the elements that `|g| elements` makes of what is added; `to` can be sliced.
macro_rules! add {
    ($(($($generics:tt)*) $from:ty as $element:ty => $to:ty, |$g:ident| $elements:expr;)*) => {$(
        impl<$($generics)*> AddFrom<$from> for $to
        where
            A: AddFrom<$element>,
        {
            type Lost = A::Lost;
            #[inline(always)]
            #[track_caller]
            fn add_from(&mut self, $g: $from) {
                pairs(&mut self[..], $elements).for_each(|(a, g)| a.add_from(g));
            }
            #[inline(always)]
            #[track_caller]
            fn sub_from(&mut self, $g: $from) {
                pairs(&mut self[..], $elements).for_each(|(a, g)| a.sub_from(g));
            }
        }
    )*};
}

add! {
    ('g, A, G) &'g [G] as &'g G => [A], |g| g;
    ('g, A, G) &'g [G] as &'g G => Vec<A>, |g| g;
    ('g, A, G) &'g [G] as &'g G => Box<[A]>, |g| g;
    ('g, A, G, const N: usize) &'g [G] as &'g G => [A; N], |g| g;

    ('g, A, G) &'g Vec<G> as &'g G => [A], |g| g;
    ('g, A, G) &'g Vec<G> as &'g G => Vec<A>, |g| g;
    ('g, A, G) &'g Vec<G> as &'g G => Box<[A]>, |g| g;
    ('g, A, G, const N: usize) &'g Vec<G> as &'g G => [A; N], |g| g;

    ('g, A, G, const M: usize) &'g [G; M] as &'g G => [A], |g| g;
    ('g, A, G, const M: usize) &'g [G; M] as &'g G => Vec<A>, |g| g;
    ('g, A, G, const M: usize) &'g [G; M] as &'g G => Box<[A]>, |g| g;
    ('g, A, G, const N: usize) &'g [G; N] as &'g G => [A; N], |g| g;

    ('g, A, G) &'g Box<[G]> as &'g G => [A], |g| &**g;
    ('g, A, G) &'g Box<[G]> as &'g G => Vec<A>, |g| &**g;
    ('g, A, G) &'g Box<[G]> as &'g G => Box<[A]>, |g| &**g;

    (A, G) Vec<G> as G => [A], |g| g;
    (A, G) Vec<G> as G => Vec<A>, |g| g;
    (A, G) Vec<G> as G => Box<[A]>, |g| g;
    (A, G, const N: usize) Vec<G> as G => [A; N], |g| g;

    (A, G, const M: usize) [G; M] as G => [A], |g| g;
    (A, G, const M: usize) [G; M] as G => Vec<A>, |g| g;
    (A, G, const M: usize) [G; M] as G => Box<[A]>, |g| g;
    (A, G, const N: usize) [G; N] as G => [A; N], |g| g;

    (A, G) Box<[G]> as G => [A], |g| Vec::from(g);
    (A, G) Box<[G]> as G => Vec<A>, |g| Vec::from(g);
    (A, G) Box<[G]> as G => Box<[A]>, |g| Vec::from(g);
}

/// What takes `()`, and the one shadow of a constant field, and stays as it is.
macro_rules! add_nothing {
    ($($generics:tt $type:ty;)*) => {$(
        add_nothing! { $generics () => $type }
        add_nothing! { $generics Constant => $type }
        add_nothing! { $generics &Constant => $type }
    )*};
    (($($generics:tt)*) $nothing:ty => $type:ty) => {
        impl<$($generics)*> AddFrom<$nothing> for $type {
            type Lost = ();
            #[inline(always)]
            fn add_from(&mut self, _: $nothing) {}
            #[inline(always)]
            fn sub_from(&mut self, _: $nothing) {}
        }
    };
}

/// What a join with `()` leaves as it is.
macro_rules! join_nothing {
    ($(($($generics:tt)*) $type:ty;)*) => {$(
        impl<$($generics)*> Join<()> for $type {
            type Output = $type;
            #[inline(always)]
            fn join(self, _: ()) -> $type {
                self
            }
        }
    )*};
}

add_nothing! {
    (A) [A]; (A, const N: usize) [A; N]; (A) Vec<A>; (A: ?Sized) Box<A>; (A) Option<A>; (A) Stack<A>; (K, A) Slots<K, A>;
}
join_nothing! {
    (A, const N: usize) [A; N]; (A) Vec<A>; (A: ?Sized) Box<A>; (A) Option<A>; (A) Stack<A>; (K, A) Slots<K, A>;
}

// Boxes and options of one shadow.

impl<A: AddFrom<G>, G> AddFrom<Box<G>> for Box<A> {
    type Lost = A::Lost;
    #[inline(always)]
    fn add_from(&mut self, g: Box<G>) {
        (**self).add_from(*g);
    }
    #[inline(always)]
    fn sub_from(&mut self, g: Box<G>) {
        (**self).sub_from(*g);
    }
}

impl<'g, A: AddFrom<&'g G>, G> AddFrom<&'g Box<G>> for Box<A> {
    type Lost = A::Lost;
    #[inline(always)]
    fn add_from(&mut self, g: &'g Box<G>) {
        (**self).add_from(&**g);
    }
    #[inline(always)]
    fn sub_from(&mut self, g: &'g Box<G>) {
        (**self).sub_from(&**g);
    }
}

/// Adds where there is something on both sides; both have the shape of the same value.
macro_rules! add_option {
    (($($generics:tt)*) $from:ty as $element:ty) => {
        impl<$($generics)*> AddFrom<$from> for Option<A>
        where
            A: AddFrom<$element>,
        {
            type Lost = A::Lost;
            #[inline(always)]
            fn add_from(&mut self, g: $from) {
                if let (Some(a), Some(g)) = (self, g) {
                    a.add_from(g);
                }
            }
            #[inline(always)]
            fn sub_from(&mut self, g: $from) {
                if let (Some(a), Some(g)) = (self, g) {
                    a.sub_from(g);
                }
            }
        }
    };
}

add_option!((A, G) Option<G> as G);
add_option!(('g, A, G) &'g Option<G> as &'g G);

// Reversible storage, of which both sides have the shape of the same value.

impl<A: AddFrom<G>, G> AddFrom<Stack<G>> for Stack<A> {
    type Lost = A::Lost;
    #[track_caller]
    fn add_from(&mut self, g: Stack<G>) {
        self.values_mut().add_from(g.into_values());
    }
    #[track_caller]
    fn sub_from(&mut self, g: Stack<G>) {
        self.values_mut().sub_from(g.into_values());
    }
}

impl<'g, A: AddFrom<&'g G>, G> AddFrom<&'g Stack<G>> for Stack<A> {
    type Lost = A::Lost;
    #[track_caller]
    fn add_from(&mut self, g: &'g Stack<G>) {
        self.values_mut().add_from(g.as_slice());
    }
    #[track_caller]
    fn sub_from(&mut self, g: &'g Stack<G>) {
        self.values_mut().sub_from(g.as_slice());
    }
}

impl<'g, K: Ord + Clone + std::fmt::Debug, A: AddFrom<&'g G>, G> AddFrom<&'g Slots<K, G>> for Slots<K, A> {
    type Lost = A::Lost;
    #[track_caller]
    fn add_from(&mut self, g: &'g Slots<K, G>) {
        g.iter().for_each(|(key, g)| self[key.clone()].add_from(g));
    }
    #[track_caller]
    fn sub_from(&mut self, g: &'g Slots<K, G>) {
        g.iter().for_each(|(key, g)| self[key.clone()].sub_from(g));
    }
}

impl<K: Ord + Clone + std::fmt::Debug, A: for<'g> AddFrom<&'g G, Lost = L>, G, L> AddFrom<Slots<K, G>> for Slots<K, A> {
    type Lost = L;
    #[track_caller]
    fn add_from(&mut self, g: Slots<K, G>) {
        self.add_from(&g);
    }
    #[track_caller]
    fn sub_from(&mut self, g: Slots<K, G>) {
        self.sub_from(&g);
    }
}

// Joins and signs.

impl<A: Join<B>, B, const N: usize> Join<[B; N]> for [A; N] {
    type Output = [A::Output; N];
    #[inline(always)]
    fn join(self, b: [B; N]) -> [A::Output; N] {
        let mut b = b.into_iter();
        self.map(|a| match b.next() {
            Some(b) => a.join(b),
            None => unreachable!("both arrays have {N} elements"),
        })
    }
}

impl<A: Join<B>, B> Join<Vec<B>> for Vec<A> {
    type Output = Vec<A::Output>;
    #[inline(always)]
    #[track_caller]
    fn join(self, b: Vec<B>) -> Vec<A::Output> {
        if self.len() != b.len() {
            different_lengths(self.len(), b.len());
        }
        self.into_iter().zip(b).map(|(a, b)| a.join(b)).collect()
    }
}

impl<A: Join<B>, B> Join<Box<B>> for Box<A> {
    type Output = Box<A::Output>;
    #[inline(always)]
    fn join(self, b: Box<B>) -> Box<A::Output> {
        Box::new((*self).join(*b))
    }
}

impl<A: Join<A, Output = A>> Join<Option<A>> for Option<A> {
    type Output = Option<A>;
    #[inline(always)]
    fn join(self, b: Option<A>) -> Option<A> {
        match (self, b) {
            (Some(a), Some(b)) => Some(a.join(b)),
            (a, b) => a.or(b),
        }
    }
}

impl<A: Negate, const N: usize> Negate for [A; N] {
    #[inline(always)]
    fn negate(self) -> Self {
        self.map(A::negate)
    }
}

impl<A: Negate> Negate for Vec<A> {
    #[inline(always)]
    fn negate(self) -> Self {
        self.into_iter().map(A::negate).collect()
    }
}

impl<A: Negate> Negate for Box<A> {
    #[inline(always)]
    fn negate(self) -> Self {
        Box::new((*self).negate())
    }
}

impl<A: Negate> Negate for Option<A> {
    #[inline(always)]
    fn negate(self) -> Self {
        self.map(A::negate)
    }
}

impl<A: Negate> Negate for Stack<A> {
    fn negate(self) -> Self {
        self.into_values().negate().into()
    }
}

macro_rules! tuples {
    ($($a:ident $b:ident $index:tt),*) => {
        impl<$($a: AddFrom<$b>, $b),*> AddFrom<($($b,)*)> for ($($a,)*) {
            type Lost = ($($a::Lost,)*);
            #[inline(always)]
            fn add_from(&mut self, g: ($($b,)*)) {
                $(self.$index.add_from(g.$index);)*
            }
            #[inline(always)]
            fn sub_from(&mut self, g: ($($b,)*)) {
                $(self.$index.sub_from(g.$index);)*
            }
        }

        impl<'g, $($a: AddFrom<&'g $b>, $b),*> AddFrom<&'g ($($b,)*)> for ($($a,)*) {
            type Lost = ($($a::Lost,)*);
            #[inline(always)]
            fn add_from(&mut self, g: &'g ($($b,)*)) {
                $(self.$index.add_from(&g.$index);)*
            }
            #[inline(always)]
            fn sub_from(&mut self, g: &'g ($($b,)*)) {
                $(self.$index.sub_from(&g.$index);)*
            }
        }

        impl<$($a: Join<$b>, $b),*> Join<($($b,)*)> for ($($a,)*) {
            type Output = ($($a::Output,)*);
            #[inline(always)]
            fn join(self, b: ($($b,)*)) -> Self::Output {
                ($(self.$index.join(b.$index),)*)
            }
        }

        impl<$($a: Negate),*> Negate for ($($a,)*) {
            #[inline(always)]
            fn negate(self) -> Self {
                ($(self.$index.negate(),)*)
            }
        }

        impl<$($a: NothingLost),*> NothingLost for ($($a,)*) {}

        add_nothing! { ($($a),*) ($($a,)*); }
        join_nothing! { ($($a),*) ($($a,)*); }
    };
}

tuples!(A1 B1 0);
tuples!(A1 B1 0, A2 B2 1);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3, A5 B5 4);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3, A5 B5 4, A6 B6 5);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3, A5 B5 4, A6 B6 5, A7 B7 6);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3, A5 B5 4, A6 B6 5, A7 B7 6, A8 B8 7);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3, A5 B5 4, A6 B6 5, A7 B7 6, A8 B8 7, A9 B9 8);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3, A5 B5 4, A6 B6 5, A7 B7 6, A8 B8 7, A9 B9 8, A10 B10 9);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3, A5 B5 4, A6 B6 5, A7 B7 6, A8 B8 7, A9 B9 8, A10 B10 9, A11 B11 10);
tuples!(A1 B1 0, A2 B2 1, A3 B3 2, A4 B4 3, A5 B5 4, A6 B6 5, A7 B7 6, A8 B8 7, A9 B9 8, A10 B10 9, A11 B11 10, A12 B12 11);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_add_element_by_element() {
        let mut g = (vec![[1.0, 2.0]], Some(3.0), ());
        g.add_from(&(vec![[10.0, 20.0]], Some(30.0), ()));
        g.sub_from((vec![[0.5, 0.5]], Some(0.5), ()));
        g.add_from(());
        assert_eq!(g, (vec![[10.5, 21.5]], Some(32.5), ()));
        let mut g = [1.0, 2.0];
        g[..].add_from(vec![1.0, 1.0]);
        g.add_from(&[1.0, 1.0][..]);
        assert_eq!(g, [3.0, 4.0]);
    }

    #[test]
    fn storage_adds_place_by_place() {
        let (mut stack, mut slots) = (Stack::from(vec![1.0, 2.0]), Slots::from_iter([('a', 1.0), ('b', 2.0)]));
        stack.add_from(&stack.clone());
        stack.sub_from(Stack::from(vec![1.0, 0.0]));
        assert_eq!(stack.as_slice(), [1.0, 4.0]);
        slots.add_from(slots.clone());
        assert_eq!((slots['a'], slots['b']), (2.0, 4.0));
    }

    #[test]
    fn joins_and_signs_go_through_containers() {
        assert_eq!(([1.0, 2.0], vec![3.0]).join(([1.0, 1.0], vec![1.0])), ([2.0, 3.0], vec![4.0]));
        assert_eq!(((), [1.0]).join(([2.0], ())), ([2.0], [1.0]));
        assert_eq!((1.0, [2.0], vec![3.0], Some(4.0), ()).negate(), (-1.0, [-2.0], vec![-3.0], Some(-4.0), ()));
        assert_eq!([1.0].join(()), [1.0]);
    }

    #[test]
    #[should_panic = "a derivative of length 1 meets one of length 2"]
    fn different_lengths_are_refused() {
        [1.0, 2.0][..].add_from(vec![1.0]);
    }
}
