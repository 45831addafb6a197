//! Whether a method, an operator or a function means what its name says, so that the rule that the compiler has for the name is the
//! right one. What is asked here stands in dead code.

use std::iter::{Cloned, Copied, Enumerate, Map, Rev, StepBy, Zip};
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};

use crate::ops::Ordered;
use crate::{Linear, Real};

/// Takes a container that a loop goes through.
#[inline(always)]
pub fn ordered<T: Ordered + ?Sized>(_: &T) {}

/// A value on which `map`, `zip`, `rev` and their kin go through its elements one after the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no iterator, and no derivative of its methods is known by their names",
    label = "taken for an iterator",
    note = "call `iter()` on a slice, an array or a vector first",
    note = "a `#[reversible]` method that has the name of a method of iterators is called by its type: `Type::map(&x, ..)`"
)]
pub trait Iterated {}

/// A value whose `sum` adds up all that it consists of.
#[diagnostic::on_unimplemented(
    message = "`sum` is not known to add up all elements of `{Self}`",
    label = "not an iterator",
    note = "write `x.iter().sum()` for the elements of a slice, an array or a vector",
    note = "a `#[reversible]` method of this name is called by its type: `Type::sum(&x)`"
)]
pub trait Totals {}

/// A value whose `copied` and `cloned` are what it refers to.
#[diagnostic::on_unimplemented(
    message = "`copied` and `cloned` are those of options and iterators, and this is a `{Self}`",
    label = "neither an `Option` of a reference nor an iterator",
    note = "a `#[reversible]` method of this name is called by its type: `Type::copied(&x)`"
)]
pub trait Refers {}

impl<T> Refers for Option<&T> {}
impl<T> Refers for Option<&mut T> {}
impl<T: Refers + ?Sized> Refers for &T {}

/// Takes a value whose `copied` or `cloned` is asked for.
#[inline(always)]
pub fn refers<T: Refers + ?Sized>(_: &T) {}

/// A value whose `unwrap`, `expect` and `unwrap_or` are what is in it.
#[diagnostic::on_unimplemented(
    message = "`unwrap`, `expect` and `unwrap_or` are those of options, and this is a `{Self}`",
    label = "not an `Option`",
    note = "a `#[reversible]` method of this name is called by its type: `Type::unwrap(&x)`"
)]
pub trait Optional {}

impl<T> Optional for Option<T> {}
impl<T, E> Optional for Result<T, E> {}
impl<T: Optional + ?Sized> Optional for &T {}
impl<T: Optional + ?Sized> Optional for &mut T {}

/// Takes a value that is unwrapped.
#[inline(always)]
pub fn optional<T: Optional + ?Sized>(_: &T) {}

macro_rules! iterators {
    ($(($($generics:tt)*) $type:ty;)*) => {$(
        impl<$($generics)*> Iterated for $type {}
        impl<$($generics)*> Totals for $type {}
        impl<$($generics)*> Refers for $type {}
    )*};
}

iterators! {
    (T) Range<T>; (T) RangeInclusive<T>; (I, F) Map<I, F>; (I, J) Zip<I, J>; (I) Rev<I>; (I) StepBy<I>; (I) Enumerate<I>;
    (I) Copied<I>; (I) Cloned<I>; (T) std::slice::Iter<'_, T>; (T) std::slice::ChunksExact<'_, T>; (T) std::slice::Windows<'_, T>;
    (T) std::vec::IntoIter<T>; (T, const N: usize) std::array::IntoIter<T, N>;
}

impl<T: Totals + ?Sized> Totals for &T {}
impl<T: Totals + ?Sized> Totals for &mut T {}

// What they make of it is another array, which has no `sum`.
impl<T, const N: usize> Iterated for [T; N] {}

/// Takes what a chain of methods of iterators begins with.
#[inline(always)]
pub fn iterated<T: Iterated + ?Sized>(_: &T) {}

/// Takes a value whose elements are added up.
#[inline(always)]
pub fn totals<T: Totals + ?Sized>(_: &T) {}

/// A value that is added to an active one, or subtracted.
#[inline(always)]
pub fn operand<T: Operand>(operand: T) -> T {
    operand
}

/// A type whose `+` and `-` with an active value are those of numbers.
#[diagnostic::on_unimplemented(
    message = "no derivative goes through `+` and `-` with an operand that is not `Linear`: `{Self}`",
    label = "`+` and `-` can mean anything here",
    note = "if they act number by number, put `#[active(linear)]` behind `#[derive(Active)]` on the type",
    note = "otherwise call a `#[reversible]` or `#[primitive]` function in the place of the operator"
)]
pub trait Operand {}

#[diagnostic::do_not_recommend]
impl<T: Linear> Operand for T {}

/// Takes the target of `y = y.exp()` and its kin.
#[inline(always)]
pub fn mapped<T: Mapped>(_: &T) {}

/// A type whose `exp`, `recip`, `conj` and so on are those of numbers, which can be undone.
#[diagnostic::on_unimplemented(
    message = "`y = y.exp()` and its kin are undone by the inverse of the function of numbers, and `{Self}` is not a number",
    label = "not a number",
    note = "write a function with `#[bijection(inverse = ..)]` on it, and `y = f(y);`, or change the numbers that it consists of"
)]
pub trait Mapped {}

#[diagnostic::do_not_recommend]
impl<T: Real> Mapped for T {}
#[cfg(feature = "num-complex")]
#[diagnostic::do_not_recommend]
impl<T> Mapped for num_complex::Complex<T> {}

/// Takes a container whose elements are exchanged.
#[inline(always)]
pub fn permuted<T: Permuted + ?Sized>(_: &T) {}

/// A container whose `swap`, `reverse`, `rotate_left` and `rotate_right` are those of slices.
#[diagnostic::on_unimplemented(
    message = "`swap`, `reverse` and rotations are those of slices, and this is a `{Self}`",
    label = "not a slice, an array or a vector",
    note = "a `#[reversible]` method of this name is called by its type: `Type::reverse(x)`"
)]
pub trait Permuted {}

impl<T> Permuted for [T] {}
impl<T> Permuted for Vec<T> {}
impl<T, const N: usize> Permuted for [T; N] {}
impl<T: Permuted + ?Sized> Permuted for &mut T {}
impl<T: Permuted + ?Sized> Permuted for Box<T> {}

/// The length of a slice, of which all elements are overwritten.
#[inline(always)]
pub fn len_of_slice<T: Overwritten + ?Sized>(list: &T) -> usize {
    list.elements()
}

/// A container whose `fill` and `copy_from_slice` are those of slices.
#[diagnostic::on_unimplemented(
    message = "in a recorded program `fill`, `copy_from_slice` and their kin are those of slices, and this is a `{Self}`",
    label = "not a slice, an array or a vector",
    note = "overwrite the elements in a loop, or call a `#[reversible]` procedure of another name"
)]
pub trait Overwritten {
    /// How many elements there are.
    fn elements(&self) -> usize;
}

impl<T> Overwritten for [T] {
    #[inline(always)]
    fn elements(&self) -> usize {
        self.len()
    }
}

impl<T> Overwritten for Vec<T> {
    #[inline(always)]
    fn elements(&self) -> usize {
        self.len()
    }
}

impl<T, const N: usize> Overwritten for [T; N] {
    #[inline(always)]
    fn elements(&self) -> usize {
        N
    }
}

macro_rules! behind {
    ($($type:ty)*) => {$(
        impl<T: Overwritten + ?Sized> Overwritten for $type {
            #[inline(always)]
            fn elements(&self) -> usize {
                (**self).elements()
            }
        }
    )*};
}

behind!(&T &mut T Box<T>);

/// The type of a value.
#[inline(always)]
pub fn kind_of<T: ?Sized>(_: &T) -> PhantomData<T> {
    PhantomData
}

/// The shadow of a vector that grows or shrinks.
#[inline(always)]
pub fn shadow_of_vector<T: Grown, G>(_: PhantomData<T>, shadow: G) -> T::Lent<G> {
    T::lend(shadow)
}

/// The shadow of a slice that is sorted.
#[inline(always)]
pub fn shadow_of_slice<T: Sorted + ?Sized, G>(_: PhantomData<T>, shadow: G) -> T::Lent<G> {
    T::lend(shadow)
}

/// Lends a vector on that grows or shrinks.
#[inline(always)]
pub fn as_vector<T: Grown>(list: &mut T) -> &mut Vec<T::Element> {
    list.as_vector()
}

/// Says what a vector holds that begins without elements.
#[inline(always)]
pub fn holds<T: Grown>(_: &T, _: impl FnOnce() -> T::Element) {}

/// Takes what `Box::new` gives.
#[inline(always)]
pub fn boxed<T: Boxed>(value: T) -> T {
    value
}

/// What the `Box::new` of the standard library gives.
#[diagnostic::on_unimplemented(
    message = "`Box::new` is taken for that of the standard library, and this is a `{Self}`",
    label = "not a box of the standard library",
    note = "write what it computes as a `#[reversible]` function of another name"
)]
pub trait Boxed {}

impl<T: ?Sized> Boxed for Box<T> {}

/// A value of any type, where nothing is run.
pub fn any<T>() -> T {
    unreachable!()
}

/// The length of a vector that grows or shrinks.
#[inline(always)]
pub fn len_of_vector<T: Grown>(list: &T) -> usize {
    list.elements()
}

/// A container whose `push`, `pop`, `insert` and `remove` are those of vectors.
#[diagnostic::on_unimplemented(
    message = "in a recorded program `push`, `pop`, `insert`, `remove` and their kin are those of vectors, and this is a `{Self}`",
    label = "not a vector",
    note = "a `#[reversible]` procedure or method of this name is called by its type: `Type::push(&mut x, ..)`"
)]
pub trait Grown {
    /// What is in it.
    type Element;
    /// The shadow itself.
    type Lent<G>;

    /// Hands its shadow on.
    fn lend<G>(shadow: G) -> Self::Lent<G>;

    /// The vector.
    fn as_vector(&mut self) -> &mut Vec<Self::Element>;

    /// How many elements there are.
    fn elements(&self) -> usize;
}

impl<T> Grown for Vec<T> {
    type Element = T;
    type Lent<G> = G;

    #[inline(always)]
    fn lend<G>(shadow: G) -> G {
        shadow
    }

    #[inline(always)]
    fn as_vector(&mut self) -> &mut Vec<T> {
        self
    }

    #[inline(always)]
    fn elements(&self) -> usize {
        self.len()
    }
}

/// Lends a slice on that is sorted.
#[inline(always)]
pub fn as_slice<T: Sorted + ?Sized>(list: &mut T) -> &mut [T::Element] {
    list.as_slice()
}

/// A container whose `sort` and `sort_by` are those of slices.
#[diagnostic::on_unimplemented(
    message = "in a recorded program `sort`, `sort_by` and their kin are those of slices, and this is a `{Self}`",
    label = "not a slice, an array or a vector",
    note = "a `#[reversible]` procedure or method of this name is called by its type: `Type::sort(&mut x)`"
)]
pub trait Sorted {
    /// What is in it.
    type Element;
    /// The shadow itself.
    type Lent<G>;

    /// Hands its shadow on.
    fn lend<G>(shadow: G) -> Self::Lent<G>;

    /// The slice.
    fn as_slice(&mut self) -> &mut [Self::Element];
}

macro_rules! sorted {
    ($(($($generics:tt)*) $type:ty;)*) => {$(
        impl<$($generics)*> Sorted for $type {
            type Element = T;
            type Lent<G> = G;

            #[inline(always)]
            fn lend<G>(shadow: G) -> G {
                shadow
            }

            #[inline(always)]
            fn as_slice(&mut self) -> &mut [T] {
                self
            }
        }
    )*};
}

sorted! { (T) [T]; (T) Vec<T>; (T, const N: usize) [T; N]; }

macro_rules! lent_on {
    ($($type:ty)*) => {$(
        impl<T: Grown> Grown for $type {
            type Element = T::Element;
            type Lent<G> = G;

            #[inline(always)]
            fn lend<G>(shadow: G) -> G {
                shadow
            }

            #[inline(always)]
            fn as_vector(&mut self) -> &mut Vec<T::Element> {
                (**self).as_vector()
            }

            #[inline(always)]
            fn elements(&self) -> usize {
                (**self).elements()
            }
        }

        impl<T: Sorted + ?Sized> Sorted for $type {
            type Element = T::Element;
            type Lent<G> = G;

            #[inline(always)]
            fn lend<G>(shadow: G) -> G {
                shadow
            }

            #[inline(always)]
            fn as_slice(&mut self) -> &mut [T::Element] {
                (**self).as_slice()
            }
        }
    )*};
}

lent_on!(&mut T Box<T>);

/// Takes `std::array::from_fn`, and what the program calls by that name.
pub fn makes_arrays<S, N: MakesArrays<S>>(_: S, _: N) {}

/// The function that makes an array element by element, and no other of that name.
#[diagnostic::on_unimplemented(
    message = "`array::from_fn` makes an array element by element, and here it is the name of another function",
    label = "not that of the standard library",
    note = "if it is a `#[reversible]` function, call it by another path, or give its module another name"
)]
pub trait MakesArrays<S> {}

#[diagnostic::do_not_recommend]
impl<S> MakesArrays<S> for S {}
