//! What derivatives flow through: the type of a derivative, and the numbers that a value contains.

use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use crate::{InformationBuffer, Real, Slots, Stack};

/// What derivatives flow through: numbers, and everything made of them.
///
/// [`Shadow`](Active::Shadow) is the type of an adjoint or a tangent. For `f64` and the other numbers that stand in for it, it
/// is a number of the same type; for a container it is a container of the shadows of its elements; for types through
/// which no derivative flows, such as integers and text, it is `()`.
///
/// For an optimiser, a value is flattened into its numbers and reassembled from them:
///
/// ```
/// use retrograd::Active;
///
/// let mut x = (vec![1.0, 2.0], [3.0], 7_usize);
/// assert_eq!(x.flatten(), [1.0, 2.0, 3.0]);
/// x.unflatten(&[4.0, 5.0, 6.0]);
/// assert_eq!(x, (vec![4.0, 5.0], [6.0], 7));
/// ```
///
/// All numbers in one value have the same type: `(f64, usize)` is active, `(f64, f32)` is not.
///
/// # Structs
///
/// [`#[derive(Active)]`](derive@crate::Active) makes a struct active. One that consists of its type parameters is its own shadow:
///
/// ```
/// use retrograd::prelude::*;
///
/// #[derive(Active, Debug, PartialEq)]
/// struct Camera<T> {
///     rotation: [T; 3],
///     focal: T,
/// }
///
/// let mut camera = Camera { rotation: [0.0, 0.5, 1.0], focal: 2.0 };
/// assert_eq!(camera.flatten(), [0.0, 0.5, 1.0, 2.0]);
/// camera.unflatten(&[1.0; 4]);
/// let gradient: <Camera<f64> as Active>::Shadow = Camera { rotation: [1.0; 3], focal: 1.0 };
/// assert_eq!(camera, gradient);
/// ```
///
/// Any other gets a second struct, with the shadow of each field under the same name:
///
/// ```
/// use retrograd::prelude::*;
///
/// #[derive(Active)]
/// struct Counter {
///     sum: f64,
///     terms: usize,
/// }
///
/// let gradient = CounterShadow { sum: 1.0, terms: () };
/// assert_eq!(gradient.flatten(), [1.0]);
/// ```
///
/// # Enums
///
/// The same goes for an enum. Its shadow is of the same variant, and its numbers are those of the variant that is there:
///
/// ```
/// use retrograd::prelude::*;
///
/// #[derive(Active, Debug, PartialEq)]
/// enum Shape<T> {
///     Circle(T),
///     Rectangle { width: T, height: T },
/// }
///
/// let mut shape = Shape::Rectangle { width: 2.0, height: 3.0 };
/// assert_eq!(shape.flatten(), [2.0, 3.0]);
/// shape.unflatten(&[4.0, 5.0]);
/// assert_eq!(shape, Shape::Rectangle { width: 4.0, height: 5.0 });
/// assert_eq!(Shape::Circle(1.0).count(), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "no derivative flows through `{Self}`",
    label = "`{Self}` is not `Active`",
    note = "put `#[derive(Active)]` on a type of your own; or mark the parameter `#[constant]`; or, if nobody needs a derivative, \
            put `#[reversible(derivatives = \"never\")]` on the program"
)]
pub trait Active {
    /// The type of an adjoint or a tangent.
    type Shadow: ?Sized;
    /// The type of the numbers in a value; `()` if there are none.
    type Number: Copy + 'static;

    /// Calls `visit` with each number, in order.
    fn visit(&self, visit: &mut dyn FnMut(&Self::Number));

    /// Calls `visit` with each number, in order, to be changed.
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Self::Number));

    /// How many numbers there are.
    ///
    /// ```
    /// use retrograd::Active;
    ///
    /// assert_eq!([[1.0, 2.0], [3.0, 4.0]].count(), 4);
    /// assert_eq!((1.0, 'c', [2, 3]).count(), 1);
    /// ```
    fn count(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |_| count += 1);
        count
    }

    /// The numbers in order.
    fn flatten(&self) -> Vec<Self::Number> {
        let mut numbers = Vec::with_capacity(self.count());
        self.visit(&mut |&number| numbers.push(number));
        numbers
    }

    /// Sets every number: the inverse of [`flatten`](Active::flatten).
    ///
    /// # Panics
    ///
    /// If there are more or fewer `numbers` than the value contains; the value is then unchanged.
    #[track_caller]
    fn unflatten(&mut self, numbers: &[Self::Number]) {
        let count = self.count();
        assert!(numbers.len() == count, "the value is made of {count} numbers, but {} are given", numbers.len());
        let mut numbers = numbers.iter();
        self.visit_mut(&mut |place| {
            if let Some(&number) = numbers.next() {
                *place = number;
            }
        });
    }
}

/// Numbers of this type occur among those of type `N`: the same type, or none at all.
///
/// So a tuple or struct of several fields passes its numbers on, each field by the type of its own.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "numbers of type `{Self}` beside numbers of type `{N}`",
    label = "all numbers in one value are of one type",
    note = "make them `{N}` as well, or mark the field `#[constant]`, if no derivative flows through it"
)]
pub trait Among<N> {
    fn pass(&self, visit: &mut dyn FnMut(&N));
    fn pass_mut(&mut self, visit: &mut dyn FnMut(&mut N));
}

impl<N> Among<N> for () {
    #[inline(always)]
    fn pass(&self, _visit: &mut dyn FnMut(&N)) {}
    #[inline(always)]
    fn pass_mut(&mut self, _visit: &mut dyn FnMut(&mut N)) {}
}

impl<N: Real> Among<N> for N {
    #[inline(always)]
    fn pass(&self, visit: &mut dyn FnMut(&N)) {
        visit(self);
    }
    #[inline(always)]
    fn pass_mut(&mut self, visit: &mut dyn FnMut(&mut N)) {
        visit(self);
    }
}

/// The type of the numbers of two fields together.
#[doc(hidden)]
pub trait With<B> {
    type Number: Copy + 'static;
}

impl<B: Copy + 'static> With<B> for () {
    type Number = B;
}

// Whether `B` occurs among `A` is for `Among` to say, and to explain.
impl<A: Real, B> With<B> for A {
    type Number = A;
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Active for $type {
            type Shadow = $type;
            type Number = $type;

            #[inline(always)]
            fn visit(&self, visit: &mut dyn FnMut(&$type)) {
                visit(self);
            }
            #[inline(always)]
            fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut $type)) {
                visit(self);
            }
        }
    )*};
}

numbers!(f32 f64);

macro_rules! inactive {
    ($(($($generics:tt)*) $type:ty;)*) => {$(
        impl $($generics)* Active for $type {
            type Shadow = ();
            type Number = ();

            #[inline(always)]
            fn visit(&self, _visit: &mut dyn FnMut(&())) {}
            #[inline(always)]
            fn visit_mut(&mut self, _visit: &mut dyn FnMut(&mut ())) {}
        }
    )*};
}

inactive! {
    () (); () bool; () char; () str; () String;
    () u8; () u16; () u32; () u64; () u128; () usize; () i8; () i16; () i32; () i64; () i128; () isize;
    (<I>) Wrapping<I>; (<I>) Saturating<I>; (<T: ?Sized>) PhantomData<T>;
    (<I>) Range<I>; (<I>) RangeInclusive<I>; (<I>) RangeFrom<I>; (<I>) RangeTo<I>; (<I>) RangeToInclusive<I>; () RangeFull;
    () InformationBuffer;
}

/// Containers: one after the other.
macro_rules! containers {
    ($(($($generics:tt)*) $type:ty, $shadow:ty, $values:ident => $iter:expr, $iter_mut:expr;)*) => {$(
        impl<A: Active<Shadow: Sized>, $($generics)*> Active for $type {
            type Shadow = $shadow;
            type Number = A::Number;

            #[inline]
            fn visit(&self, visit: &mut dyn FnMut(&A::Number)) {
                let $values = self;
                $iter.for_each(|value| value.visit(visit));
            }
            #[inline]
            fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut A::Number)) {
                let $values = self;
                $iter_mut.for_each(|value| value.visit_mut(visit));
            }
        }
    )*};
}

containers! {
    () [A], [A::Shadow], values => values.iter(), values.iter_mut();
    (const N: usize) [A; N], [A::Shadow; N], values => values.iter(), values.iter_mut();
    () Vec<A>, Vec<A::Shadow>, values => values.iter(), values.iter_mut();
    () Option<A>, Option<A::Shadow>, values => values.iter(), values.iter_mut();
    () Stack<A>, Stack<A::Shadow>, values => values.as_slice().iter(), values.values_mut().iter_mut();
    (K: Ord + Clone + std::fmt::Debug) Slots<K, A>, Slots<K, A::Shadow>, values => values.in_order(), values.in_order_mut();
}

impl<A: Active<Shadow: Sized>> Active for Box<A> {
    type Shadow = Box<A::Shadow>;
    type Number = A::Number;

    #[inline]
    fn visit(&self, visit: &mut dyn FnMut(&A::Number)) {
        (**self).visit(visit);
    }
    #[inline]
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut A::Number)) {
        (**self).visit_mut(visit);
    }
}

impl<A: Active<Shadow: Sized>> Active for Box<[A]> {
    type Shadow = Box<[A::Shadow]>;
    type Number = A::Number;

    #[inline]
    fn visit(&self, visit: &mut dyn FnMut(&A::Number)) {
        (**self).visit(visit);
    }
    #[inline]
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut A::Number)) {
        (**self).visit_mut(visit);
    }
}

/// The numbers of the fields so far, and those of one more.
type Together<A, B> = <A as With<B>>::Number;

macro_rules! tuples {
    // All fields so far, each with its index; the type of their numbers; the bounds that it needs; then the fields to come.
    (($($field:ident $index:tt)*) [$number:ty] [$($bounds:tt)*] $next:ident $next_index:tt $($rest:tt)*) => {
        tuples!(@ ($($field $index)* $next $next_index) [Together<$number, $next::Number>] [$($bounds)* $number: With<$next::Number>,]);
        tuples!(
            ($($field $index)* $next $next_index)
            [Together<$number, $next::Number>]
            [$($bounds)* $number: With<$next::Number>,]
            $($rest)*
        );
    };
    (($($field:ident $index:tt)*) [$number:ty] [$($bounds:tt)*]) => {};
    (@ ($($field:ident $index:tt)*) [$number:ty] [$($bounds:tt)*]) => {
        impl<$($field: Active<Shadow: Sized>),*> Active for ($($field,)*)
        where
            $($bounds)*
            $($field::Number: Among<$number>,)*
        {
            type Shadow = ($($field::Shadow,)*);
            type Number = $number;

            #[inline]
            fn visit(&self, visit: &mut dyn FnMut(&Self::Number)) {
                $(self.$index.visit(&mut |number| Among::<$number>::pass(number, visit));)*
            }
            #[inline]
            fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Self::Number)) {
                $(self.$index.visit_mut(&mut |number| Among::<$number>::pass_mut(number, visit));)*
            }
        }
    };
}

tuples!(() [()] [] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_visited_in_order_and_others_are_left_out() {
        let mut x = (1.0, 2_usize, ([3.0, 4.0], "text".to_string(), Some(5.0)), vec![Some(6.0), None]);
        assert_eq!(x.flatten(), [1.0, 3.0, 4.0, 5.0, 6.0]);
        x.unflatten(&[7.0, 8.0, 9.0, 10.0, 11.0]);
        assert_eq!(x, (7.0, 2, ([8.0, 9.0], "text".to_string(), Some(10.0)), vec![Some(11.0), None]));
        assert_eq!((1, 'c').count(), 0);
    }

    #[test]
    fn slots_are_visited_in_the_order_of_their_keys() {
        let mut slots = Slots::from_iter([(2, 20.0), (0, 0.0), (1, 10.0)]);
        slots.free(0);
        assert_eq!(slots.flatten(), [10.0, 20.0]);
        slots.unflatten(&[1.0, 2.0]);
        assert_eq!((slots[1], slots[2]), (1.0, 2.0));
    }

    #[test]
    #[should_panic = "the value is made of 3 numbers, but 2 are given"]
    fn a_wrong_number_of_numbers_is_refused() {
        [1.0, 2.0, 3.0].unflatten(&[1.0, 2.0]);
    }
}
