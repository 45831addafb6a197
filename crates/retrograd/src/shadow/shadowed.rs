//! How a value is shadowed in a sweep over a scalar shadow.

use std::borrow::{Borrow, BorrowMut};
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use super::{Scalar, Shadow, Sweep};
use crate::{InformationBuffer, Real, Slots, Stack};

/// How a value is shadowed in a sweep over the scalar shadow `S`.
///
/// Every number has a shadow of type `S`, and a container has a container of these.
///
/// There is no implementation for every `&A` and `Box<A>`: another crate could make `&N` a real number, for a type `N` of its
/// own, and would then have two. There is one for each type of this crate and of std; a derived struct adds its own with
/// `private::shadowed_reference!` and `private::shadowed_box!`. For `x: &T` with `T: Real`, write `x.zero_shadow_in(sweep)`.
#[diagnostic::on_unimplemented(
    message = "no derivative flows through `{Self}`",
    label = "`{Self}` is not `Active`",
    note = "put `#[derive(Active)]` on a type of your own; or mark the parameter `#[constant]`; or, if nobody needs a derivative, \
            put `#[reversible(derivatives = \"never\")]` on the program"
)]
pub trait Shadowed<S> {
    /// The shadow behind a reference.
    type Shadow: ?Sized;
    /// The shadow as a local variable.
    type Owned: BorrowMut<Self::Shadow>;

    /// Whether nothing in it ever has a derivative.
    const INERT: bool = false;

    /// A shadow of zeros, in the shape of the value.
    fn zero_shadow(&self, zero: Zero) -> Self::Owned;

    /// The same for the elements of an array. Scalars are written where they are to stand, all at once; others one by one.
    #[inline(always)]
    fn zero_shadows<const N: usize>(values: &[Self; N], zero: Zero) -> [Self::Owned; N]
    where
        Self: Sized,
    {
        std::array::from_fn(|i| values[i].zero_shadow(zero))
    }

    /// Where the shape of a shadow is not that of the value, if anywhere.
    fn misfit(&self, shadow: &Self::Shadow) -> Option<Misfit>;

    /// Calls `visit` with each scalar of a shadow, in order.
    fn scalars(shadow: &Self::Shadow, visit: &mut dyn FnMut(&S));

    /// Calls `visit` with each scalar of a shadow, in order, to be changed.
    fn scalars_mut(shadow: &mut Self::Shadow, visit: &mut dyn FnMut(&mut S));

    /// The shadow of a local, in method syntax, which looks through references; `sweep` says which `S`.
    #[inline(always)]
    fn zero_shadow_in(&self, _sweep: Sweep<S>) -> Self::Owned {
        self.zero_shadow(Zero::Neutral)
    }

    /// A shadow that is given away, in method syntax.
    #[inline(always)]
    fn plain_zero_in(&self, _sweep: Sweep<S>) -> Self::Owned {
        self.zero_shadow(Zero::Plain)
    }
}

/// Which zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// The one to show.
    Plain,
    /// The one to add to: of floating-point numbers, it is the negative one.
    Neutral,
}

impl Zero {
    /// The zero of a scalar.
    #[inline(always)]
    pub(crate) fn of<S: Scalar>(self) -> S {
        match self {
            Zero::Plain => S::zero(),
            Zero::Neutral => S::neutral(),
        }
    }
}

/// A place where the shape of a shadow is not that of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The way to the place from the value, such as `.0[3]`; empty for the value itself.
    pub path: String,
    /// What the value is there.
    pub expected: Extent,
    /// What the shadow is there.
    pub actual: Extent,
}

/// What a shape consists of at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// That many elements.
    Length(usize),
    /// The variant of this name.
    Variant(&'static str),
}

impl Extent {
    /// How many elements there are. A variant is one.
    #[allow(dead_code, reason = "only matrices of other crates ask, behind features")]
    pub(crate) fn length(self) -> usize {
        match self {
            Extent::Length(length) => length,
            Extent::Variant(_) => 1,
        }
    }

    /// What is true of a value of this extent, in words.
    pub(crate) fn said(self) -> String {
        match self {
            Extent::Length(length) => format!("has length {length}"),
            Extent::Variant(name) => format!("is `{name}`"),
        }
    }
}

impl Misfit {
    /// A misfit of lengths, if there is one.
    #[inline(always)]
    pub fn of_lengths(expected: usize, actual: usize) -> Option<Misfit> {
        (expected != actual).then(|| Misfit::at_once(Extent::Length(expected), Extent::Length(actual)))
    }

    /// A misfit of variants.
    #[cold]
    pub fn of_variants(expected: &'static str, actual: &'static str) -> Misfit {
        Misfit::at_once(Extent::Variant(expected), Extent::Variant(actual))
    }

    /// A misfit of the value itself.
    fn at_once(expected: Extent, actual: Extent) -> Misfit {
        Misfit { path: String::new(), expected, actual }
    }

    /// The misfit as seen from what contains it, under `step`.
    #[cold]
    pub fn within(mut self, step: impl fmt::Display) -> Misfit {
        self.path = format!("{step}{}", self.path);
        self
    }
}

/// A number, whose shadow is one scalar: `shadowed_by_a_scalar! { [T: Real, S: Shadow<T>] S, T }`.
macro_rules! shadowed_by_a_scalar {
    ([$($generics:tt)*] $scalar:ident, $type:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> $crate::shadow::Shadowed<$scalar> for $type {
            type Shadow = $scalar;
            type Owned = $scalar;

            #[inline(always)]
            fn zero_shadow(&self, zero: $crate::shadow::Zero) -> $scalar {
                zero.of()
            }
            #[inline(always)]
            fn zero_shadows<const N: usize>(_values: &[Self; N], zero: $crate::shadow::Zero) -> [$scalar; N] {
                [zero.of(); N]
            }
            #[inline(always)]
            fn misfit(&self, _shadow: &$scalar) -> Option<$crate::shadow::Misfit> {
                None
            }
            #[inline(always)]
            fn scalars(shadow: &$scalar, visit: &mut dyn FnMut(&$scalar)) {
                visit(shadow);
            }
            #[inline(always)]
            fn scalars_mut(shadow: &mut $scalar, visit: &mut dyn FnMut(&mut $scalar)) {
                visit(shadow);
            }
        }
    };
}

pub(crate) use shadowed_by_a_scalar;

/// A real number, asked for where something has to have a shadow. What is none needs another one, and need not be a number.
#[diagnostic::on_unimplemented(
    message = "no derivative flows through `{Self}`",
    label = "`{Self}` is not `Active`",
    note = "put `#[derive(Active)]` on a type of your own; or mark the parameter `#[constant]`; or, if nobody needs a derivative, \
            put `#[reversible(derivatives = \"never\")]` on the program"
)]
pub trait RealShadow: Real {}

#[diagnostic::do_not_recommend]
impl<T: Real> RealShadow for T {}

shadowed_by_a_scalar! { [T: RealShadow, S: Shadow<T>] S, T }

macro_rules! inactive {
    ($(($($generics:tt)*) $type:ty;)*) => {$(
        impl<$($generics)* S> Shadowed<S> for $type {
            type Shadow = ();
            type Owned = ();
            const INERT: bool = true;

            #[inline(always)]
            fn zero_shadow(&self, _zero: Zero) {}
            #[inline(always)]
            fn misfit(&self, _shadow: &()) -> Option<Misfit> {
                None
            }
            #[inline(always)]
            fn scalars(_shadow: &(), _visit: &mut dyn FnMut(&S)) {}
            #[inline(always)]
            fn scalars_mut(_shadow: &mut (), _visit: &mut dyn FnMut(&mut S)) {}
        }
    )*};
}

inactive! {
    () (); () bool; () char; () str; () String;
    () u8; () u16; () u32; () u64; () u128; () usize; () i8; () i16; () i32; () i64; () i128; () isize;
    (I,) Wrapping<I>; (I,) Saturating<I>; (T: ?Sized,) PhantomData<T>;
    (I,) Range<I>; (I,) RangeInclusive<I>; (I,) RangeFrom<I>; (I,) RangeTo<I>; (I,) RangeToInclusive<I>; () RangeFull;
    () InformationBuffer;
}

/// The first misfit in two sequences.
#[inline(always)]
fn elements<'a, S, A: Shadowed<S> + 'a>(
    values: impl ExactSizeIterator<Item = &'a A>,
    shadows: impl ExactSizeIterator<Item = &'a A::Owned>,
) -> Option<Misfit>
where
    A::Owned: 'a,
{
    // Shadows of what has no derivative need not be as many as the values.
    if A::INERT {
        return None;
    }
    if values.len() != shadows.len() {
        return Misfit::of_lengths(values.len(), shadows.len());
    }
    let mut pairs = values.zip(shadows).enumerate();
    pairs.find_map(|(i, (value, shadow))| Some(value.misfit(shadow.borrow())?.within(format_args!("[{i}]"))))
}

/// Zeros for values. That there are as many is said once more, so that rustc knows it where loops go through both.
#[inline(always)]
fn zeros<A: Shadowed<S>, S>(values: &[A], zero: Zero) -> Vec<A::Owned> {
    let zeros: Vec<A::Owned> = values.iter().map(|value| value.zero_shadow(zero)).collect();
    assert!(zeros.len() == values.len());
    zeros
}

/// Sequences: what makes the shadow owned, and how values and shadows are gone through.
macro_rules! sequences {
    ($(
        ($($generics:tt)*) $type:ty, $shadow:ty, $owned:ty,
        zero: |$value:ident, $zero:ident| $made:expr, iter: $iter:ident, iter_mut: $iter_mut:ident;
    )*) => {$(
        impl<A: Shadowed<S>, S, $($generics)*> Shadowed<S> for $type {
            type Shadow = $shadow;
            type Owned = $owned;
            const INERT: bool = A::INERT;

            #[inline(always)]
            fn zero_shadow(&self, $zero: Zero) -> $owned {
                let $value = self;
                $made
            }
            #[inline(always)]
            fn misfit(&self, shadow: &$shadow) -> Option<Misfit> {
                elements(self.$iter(), shadow.$iter())
            }
            #[inline]
            fn scalars(shadow: &$shadow, visit: &mut dyn FnMut(&S)) {
                shadow.$iter().for_each(|shadow| A::scalars(shadow.borrow(), visit));
            }
            #[inline]
            fn scalars_mut(shadow: &mut $shadow, visit: &mut dyn FnMut(&mut S)) {
                shadow.$iter_mut().for_each(|shadow| A::scalars_mut(shadow.borrow_mut(), visit));
            }
        }
    )*};
}

sequences! {
    () [A], [A::Owned], Vec<A::Owned>,
        zero: |values, zero| zeros(values, zero), iter: iter, iter_mut: iter_mut;
    (const N: usize) [A; N], [A::Owned; N], [A::Owned; N],
        zero: |values, zero| A::zero_shadows(values, zero), iter: iter, iter_mut: iter_mut;
    () Vec<A>, Vec<A::Owned>, Vec<A::Owned>,
        zero: |values, zero| zeros(values, zero), iter: iter, iter_mut: iter_mut;
    () Box<[A]>, Box<[A::Owned]>, Box<[A::Owned]>,
        zero: |values, zero| values.iter().map(|value| value.zero_shadow(zero)).collect(), iter: iter, iter_mut: iter_mut;
    () Option<A>, Option<A::Owned>, Option<A::Owned>,
        zero: |value, zero| value.as_ref().map(|value| value.zero_shadow(zero)), iter: iter, iter_mut: iter_mut;
    () Stack<A>, Stack<A::Owned>, Stack<A::Owned>,
        zero: |values, zero| values.in_order().map(|value| value.zero_shadow(zero)).collect(), iter: in_order, iter_mut: in_order_mut;
}

impl<K: Ord + Clone + Debug, A: Shadowed<S>, S> Shadowed<S> for Slots<K, A> {
    type Shadow = Slots<K, A::Owned>;
    type Owned = Slots<K, A::Owned>;

    fn zero_shadow(&self, zero: Zero) -> Self::Owned {
        self.iter().map(|(key, value)| (key.clone(), value.zero_shadow(zero))).collect()
    }
    fn misfit(&self, shadow: &Self::Shadow) -> Option<Misfit> {
        let lengths = Misfit::of_lengths(self.len(), shadow.len());
        lengths.or_else(|| {
            self.iter().find_map(|(key, value)| match shadow.get(key) {
                Some(shadow) => Some(value.misfit(shadow.borrow())?.within(format_args!("[{key:?}]"))),
                None => Some(Misfit::of_lengths(1, 0)?.within(format_args!("[{key:?}]"))),
            })
        })
    }
    fn scalars(shadow: &Self::Shadow, visit: &mut dyn FnMut(&S)) {
        shadow.in_order().for_each(|shadow| A::scalars(shadow.borrow(), visit));
    }
    fn scalars_mut(shadow: &mut Self::Shadow, visit: &mut dyn FnMut(&mut S)) {
        shadow.in_order_mut().for_each(|shadow| A::scalars_mut(shadow.borrow_mut(), visit));
    }
}

/// A reference is shadowed like what it refers to: `shadowed_reference! { [A, const N: usize,] S, [A; N] }`, and
/// `shadowed_reference! { [T,] S, Tree<T>, where T: Real }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __shadowed_reference {
    ([$($generics:tt)*] $scalar:ident, $type:ty $(, where $($predicates:tt)*)?) => {
        impl<$($generics)* $scalar> $crate::private::Shadowed<$scalar> for &$type
        where
            $type: $crate::private::Shadowed<$scalar>,
            $($($predicates)*)?
        {
            type Shadow = <$type as $crate::private::Shadowed<$scalar>>::Shadow;
            type Owned = <$type as $crate::private::Shadowed<$scalar>>::Owned;

            #[inline(always)]
            fn zero_shadow(&self, zero: $crate::private::Zero) -> Self::Owned {
                <$type as $crate::private::Shadowed<$scalar>>::zero_shadow(*self, zero)
            }
            #[inline(always)]
            fn misfit(&self, shadow: &Self::Shadow) -> ::core::option::Option<$crate::private::Misfit> {
                <$type as $crate::private::Shadowed<$scalar>>::misfit(*self, shadow)
            }
            #[inline(always)]
            fn scalars(shadow: &Self::Shadow, visit: &mut dyn ::core::ops::FnMut(&$scalar)) {
                <$type as $crate::private::Shadowed<$scalar>>::scalars(shadow, visit);
            }
            #[inline(always)]
            fn scalars_mut(shadow: &mut Self::Shadow, visit: &mut dyn ::core::ops::FnMut(&mut $scalar)) {
                <$type as $crate::private::Shadowed<$scalar>>::scalars_mut(shadow, visit);
            }
        }
    };
}

/// A box is shadowed by a box: `shadowed_box! { [T,] S, Tree<T> }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __shadowed_box {
    ([$($generics:tt)*] $scalar:ident, $type:ty $(, where $($predicates:tt)*)?) => {
        impl<$($generics)* $scalar> $crate::private::Shadowed<$scalar> for ::std::boxed::Box<$type>
        where
            $type: $crate::private::Shadowed<$scalar>,
            $($($predicates)*)?
        {
            type Shadow = ::std::boxed::Box<<$type as $crate::private::Shadowed<$scalar>>::Owned>;
            type Owned = ::std::boxed::Box<<$type as $crate::private::Shadowed<$scalar>>::Owned>;

            #[inline(always)]
            fn zero_shadow(&self, zero: $crate::private::Zero) -> Self::Owned {
                ::std::boxed::Box::new(<$type as $crate::private::Shadowed<$scalar>>::zero_shadow(&**self, zero))
            }
            #[inline(always)]
            fn misfit(&self, shadow: &Self::Shadow) -> ::core::option::Option<$crate::private::Misfit> {
                <$type as $crate::private::Shadowed<$scalar>>::misfit(&**self, ::core::borrow::Borrow::borrow(&**shadow))
            }
            #[inline(always)]
            fn scalars(shadow: &Self::Shadow, visit: &mut dyn ::core::ops::FnMut(&$scalar)) {
                <$type as $crate::private::Shadowed<$scalar>>::scalars(::core::borrow::Borrow::borrow(&**shadow), visit);
            }
            #[inline(always)]
            fn scalars_mut(shadow: &mut Self::Shadow, visit: &mut dyn ::core::ops::FnMut(&mut $scalar)) {
                let shadow = ::core::borrow::BorrowMut::borrow_mut(&mut **shadow);
                <$type as $crate::private::Shadowed<$scalar>>::scalars_mut(shadow, visit);
            }
        }
    };
}

macro_rules! indirect {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        crate::__shadowed_reference! { [$($generics)*] S, $type }
        crate::__shadowed_box! { [$($generics)*] S, $type }
    )*};
}

indirect! {
    [] f32; [] f64; [] (); [] bool; [] char; [] String;
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize; [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    [A, const N: usize,] [A; N]; [A,] Vec<A>; [A,] Option<A>; [A,] Stack<A>; [K, A,] Slots<K, A>;
}
crate::__shadowed_reference! { [] S, str }
crate::__shadowed_reference! { [A,] S, [A] }

macro_rules! tuples {
    ($($type:ident $index:tt),*) => {
        impl<$($type: Shadowed<S>,)* S> Shadowed<S> for ($($type,)*) {
            type Shadow = ($($type::Owned,)*);
            type Owned = ($($type::Owned,)*);
            const INERT: bool = $($type::INERT)&&*;

            #[inline(always)]
            fn zero_shadow(&self, zero: Zero) -> Self::Owned {
                ($(self.$index.zero_shadow(zero),)*)
            }
            #[inline(always)]
            fn misfit(&self, shadow: &Self::Shadow) -> Option<Misfit> {
                $(if let Some(misfit) = self.$index.misfit(shadow.$index.borrow()) {
                    return Some(misfit.within(concat!(".", $index)));
                })*
                None
            }
            #[inline]
            fn scalars(shadow: &Self::Shadow, visit: &mut dyn FnMut(&S)) {
                $($type::scalars(shadow.$index.borrow(), visit);)*
            }
            #[inline]
            fn scalars_mut(shadow: &mut Self::Shadow, visit: &mut dyn FnMut(&mut S)) {
                $($type::scalars_mut(shadow.$index.borrow_mut(), visit);)*
            }
        }

        indirect! { [$($type,)*] ($($type,)*); }
    };
}

tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_a_shadow_follows_the_value() {
        let x = (vec![vec![1.0, 2.0], vec![]], [Some(3.0), None], 4_usize, "text");
        let mut zeros = Shadowed::<f64>::zero_shadow(&x, Zero::Plain);
        assert_eq!(zeros, (vec![vec![0.0, 0.0], vec![]], [Some(0.0), None], (), ()));
        assert_eq!(x.misfit(&zeros), None);
        zeros.0[0].pop();
        assert_eq!(x.misfit(&zeros), Misfit::of_lengths(2, 1).map(|misfit| misfit.within(".0[0]")));
    }

    #[test]
    fn scalars_are_visited_in_order() {
        type X = (Vec<f64>, [Option<f32>; 2], usize, Box<(f64,)>);
        let mut shadow = (vec![1.0, 2.0], [None, Some(3.0)], (), Box::new((4.0,)));
        <X as Shadowed<f64>>::scalars_mut(&mut shadow, &mut |s| *s += 10.0);
        let mut found = Vec::new();
        <X as Shadowed<f64>>::scalars(&shadow, &mut |&s| found.push(s));
        assert_eq!(found, [11.0, 12.0, 13.0, 14.0]);
    }

    #[test]
    fn storage_is_shadowed_by_storage() {
        let (stack, slots) = (Stack::from(vec![1.0, 2.0]), Slots::from_iter([("a", 1.0), ("b", 2.0)]));
        let zeros: Stack<f64> = stack.zero_shadow(Zero::Plain);
        assert_eq!((zeros.as_slice(), stack.misfit(&zeros)), (&[0.0, 0.0][..], None));
        assert_eq!(stack.misfit(&Stack::<f64>::new()).unwrap().actual, Extent::Length(0));
        let zeros: Slots<&str, f64> = slots.zero_shadow(Zero::Plain);
        assert_eq!((zeros["b"], slots.misfit(&zeros)), (0.0, None));
        let other = Slots::from_iter([("a", 0.0), ("c", 0.0)]);
        assert_eq!(slots.misfit(&other).unwrap().path, r#"["b"]"#);
    }

    #[test]
    fn references_to_a_generic_number_are_looked_through() {
        fn zero<T: Real>(x: &&T) -> T::Shadow {
            x.zero_shadow_in(Sweep::new())
        }
        assert_eq!(zero(&&1.5), 0.0);
    }
}
