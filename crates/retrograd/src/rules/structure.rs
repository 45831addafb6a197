//! What derivatives of structure need: repetition, choice, conjugation, and operators that only integers have.

use super::family;
use crate::shadow::{AddFrom, Flowing, Pull, Push, Scalar};

/// The adjoint of what was repeated: the sum of the adjoints of all copies, beginning at `zero`.
#[inline(always)]
pub fn total<A: AddFrom<G::Item>, G: IntoIterator>(zero: A, copies: G) -> A {
    let mut sum = zero;
    for copy in copies {
        sum.add_from(copy);
    }
    sum
}

/// A derivative through a cast, as a derivative of the type that `zero` belongs to: none, if that is an integer.
#[inline(always)]
pub fn cast<A: AddFrom<G>, G>(zero: A, g: G) -> A {
    let mut cast = zero;
    cast.add_from(g);
    cast
}

/// The tangent of a number that all lanes share, in each of them: of the type that `_zero` has.
#[inline(always)]
pub fn spread<S: Scalar>(_zero: S, tangent: S::Shared) -> S {
    S::spread(tangent)
}

/// A value through which no derivative flows, whatever it was computed from.
#[diagnostic::on_unimplemented(
    message = "a derivative would be lost: `{Self}` is a number, but it comes from a method that is known to give none",
    note = "`len`, `shape`, `argmax`, `cmp` and the like give integers, `bool` or an ordering; call a method of your own by its \
            type, `Type::len(&x)`, or give it another name"
)]
pub trait Stops {}

macro_rules! stops {
    ($($type:ty)*) => {$(impl Stops for $type {})*};
}

stops!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char std::cmp::Ordering);

impl<T: Stops> Stops for Option<T> {}
impl<T: Stops + ?Sized> Stops for &T {}
impl<T: Stops> Stops for [T] {}
impl<T: Stops, const N: usize> Stops for [T; N] {}
impl<T: Stops> Stops for Vec<T> {}
impl<T: Stops + ?Sized> Stops for Box<T> {}
impl<T: Stops> Stops for std::num::Wrapping<T> {}
impl<T: Stops> Stops for std::num::Saturating<T> {}
impl<T: Stops + ?Sized> Stops for std::rc::Rc<T> {}
impl<T: Stops + ?Sized> Stops for std::sync::Arc<T> {}
impl<T: Stops + ToOwned + ?Sized> Stops for std::borrow::Cow<'_, T> {}
impl<T: Stops> Stops for std::collections::VecDeque<T> {}
impl<K: Stops, T: Stops> Stops for std::collections::HashMap<K, T> {}
impl<K: Stops, T: Stops> Stops for std::collections::BTreeMap<K, T> {}
impl<T: Stops> Stops for std::collections::HashSet<T> {}
impl<T: Stops> Stops for std::collections::BTreeSet<T> {}
impl<T: Stops> Stops for crate::Stack<T> {}
impl<K: Stops, T: Stops> Stops for crate::Slots<K, T> {}

macro_rules! tuples {
    ($($first:ident $($rest:ident)*)?) => {
        $(
            impl<$first: Stops, $($rest: Stops),*> Stops for ($first, $($rest,)*) {}
            tuples!($($rest)*);
        )?
    };
}

tuples!(A B C D E F G H I J K L);

impl Stops for () {}
impl Stops for str {}
impl Stops for String {}
impl<T: Stops> Stops for std::ops::Range<T> {}
impl<T: Stops> Stops for std::ops::RangeInclusive<T> {}
impl<T: Stops> Stops for std::ops::RangeFrom<T> {}
impl<T: Stops> Stops for std::ops::RangeTo<T> {}
impl<T: Stops> Stops for std::ops::RangeToInclusive<T> {}
impl Stops for std::ops::RangeFull {}
impl<T: ?Sized> Stops for std::marker::PhantomData<T> {}
impl Stops for crate::InformationBuffer {}

/// A type that is inactive, as its name says.
#[diagnostic::on_unimplemented(
    message = "a derivative would be lost: by its name no derivative flows through this type, but it is `{Self}`",
    label = "this is `{Self}`",
    note = "give a type of your own another name; or, if no derivative is to flow through it, mark the parameter, the field or the `let` \
            `#[constant]`"
)]
pub trait Inactive {}

#[diagnostic::do_not_recommend]
impl<T: Stops + ?Sized> Inactive for T {}

/// Asks for a type through which no derivative flows.
#[inline(always)]
pub fn inactive<T: Inactive + ?Sized>() {}

/// The end of a range through which a derivative would be lost, if it were a number.
#[diagnostic::on_unimplemented(
    message = "no derivative goes through a range, and here an end of it is a number: `{Self}`",
    note = "keep the ends in variables of their own, or in an array; `(a..b).contains(&x)` may stay as it is; or keep the derivative \
            out, with `#[constant] let r = a..b;`"
)]
pub trait RangeEnd {}

#[diagnostic::do_not_recommend]
impl<T: Stops> RangeEnd for T {}

/// The end of a range, as it is.
#[inline(always)]
pub fn range_end<T: RangeEnd>(end: T) -> T {
    end
}

/// The value of a method that stops derivatives.
#[inline(always)]
pub fn stops<T: Stops>(value: T) -> T {
    value
}

family! {
    /// The rules of choosing: one for what is chosen, and zero for the other.
    Selection:
    /// `x.select_less(o, then, otherwise)` with respect to `then`.
    d_select_less_2(x, o) = x.select_less(o, T::one(), T::zero());
    /// `x.select_less(o, then, otherwise)` with respect to `otherwise`.
    d_select_less_3(x, o) = x.select_less(o, T::zero(), T::one());
    /// `x.select_equal(o, then, otherwise)` with respect to `then`.
    d_select_equal_2(x, o) = x.select_equal(o, T::one(), T::zero());
    /// `x.select_equal(o, then, otherwise)` with respect to `otherwise`.
    d_select_equal_3(x, o) = x.select_equal(o, T::zero(), T::one());
}

/// What happens to a derivative at `x.conj()`: a real one is unchanged, and a complex one is conjugated.
#[derive(Clone, Copy, Debug)]
pub struct Conjugation;

/// The rule of `x.conj()`, which needs no number.
#[inline(always)]
pub fn d_conj() -> Conjugation {
    Conjugation
}

impl<S: Flowing> Pull<Conjugation> for S {
    type Output = S;
    #[inline(always)]
    fn pull(self, _: Conjugation) -> S {
        self
    }
}

impl<S: Flowing> Push<Conjugation> for S {
    type Output = S;
    #[inline(always)]
    fn push(self, _: Conjugation) -> S {
        self
    }
}

/// A type whose `&`, `|`, `^`, `<<`, `>>` and `!` carry no derivative, because it has none.
#[diagnostic::on_unimplemented(
    message = "no derivative of a bit operator is known for `{Self}`",
    note = "integers and `bool` have none; for a type of your own, write a `#[primitive]` function"
)]
pub trait Bits: Copy {}

macro_rules! bits {
    ($($type:ty)*) => {$(
        impl Bits for $type {}
        impl Bits for &$type {}
    )*};
}

bits!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool);

/// An operand of a bit operator: no derivative flows through it.
#[inline(always)]
pub fn d_bits<T: Bits>(x: T) -> T {
    x
}

/// Each shadow with the partial derivative that belongs to it.
///
/// Panics if there is not one partial for each.
#[inline(always)]
#[track_caller]
pub fn each_partial<G, D>(shadows: G, partials: D) -> impl Iterator<Item = (G::Item, D::Item)>
where
    G: IntoIterator<IntoIter: ExactSizeIterator>,
    D: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let (shadows, partials) = (shadows.into_iter(), partials.into_iter());
    let (expected, actual) = (shadows.len(), partials.len());
    assert!(expected == actual, "a primitive has {actual} partial derivatives for an argument of length {expected}");
    shadows.zip(partials)
}
