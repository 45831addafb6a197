//! Casts: a value moves into a variable of another type, and back without loss.

use std::fmt::Debug;
use std::mem;
use std::num::Wrapping;

use super::Fixed;
use crate::check::{Compare, first_mismatch};
use crate::shadow::{AdjointArg, Base, Scalar, Shadow, Shadowed, Sweep, moves};
use crate::site::Site;
use crate::{Direction, ErrorKind, Real};

/// Types that can represent the values of `A`: [`cast`](fn@cast) moves them there, and back without loss.
///
/// | from | to | what is refused at run time |
/// |---|---|---|
/// | an integer | a wider one, as in the standard library's `From` | backwards: what does not fit |
/// | `f32` | `f64` | NaN; backwards: what is not an `f32` |
/// | `Fixed<A>` | `Fixed<B>` with at least as many fractional bits | what is too large; backwards: what has digits beyond `A` |
/// | `Fixed<F>` | `LogNumber<Fixed<L>>`, `L` at most 57 | what does not come back: bits above 2^`L`; backwards: what is not a `Fixed<F>` |
/// | `Wrapping<u64>`, `Wrapping<i64>` | `Fixed<F>`, by its bits | nothing: every value has a counterpart |
/// | `Fixed<F>` | `Wrapping<u64>`, `Wrapping<i64>` | the same |
///
/// The other direction of a pair is its inverse, `cast::uncall`. A direction that generally loses something, as from `f64` to `f32` or between floats
/// and fixed point, is not a cast, and does not compile:
///
/// ```compile_fail,E0277
/// use retrograd::numbers::cast;
///
/// let (mut x, mut y) = (0.1_f64, 0.0_f32);
/// cast(&mut x, &mut y);
/// ```
///
/// ```compile_fail,E0080
/// use retrograd::{Fixed, Real, numbers::cast};
///
/// let (mut x, mut y) = (Fixed::<48>::lit(0.1), Fixed::<32>::zero());
/// cast(&mut x, &mut y);
/// ```
///
/// The two functions are partial inverses: where one returns a value, the other returns its argument, bit for bit.
#[diagnostic::on_unimplemented(
    message = "a cast from `{A}` to `{Self}` would lose what `{Self}` has no room for",
    label = "not every `{A}` comes back from a `{Self}`",
    note = "a cast is undone without loss: from an integer to a wider one, from `f32` to `f64`, from `Fixed` to a `Fixed` with more bits \
            after the point or to its logarithm, and between `Wrapping` integers and the bits of a `Fixed`",
    note = "if the other direction is one of these, run it backwards: `cast::uncall(&mut y, &mut x)`; for the rounded number, as a term of an \
            expression, there is `convert(x)`"
)]
pub trait LosslessFrom<A>: Copy + Default + Debug + Compare {
    /// The same value in this type, if it can be converted back.
    fn try_cast(value: A) -> Option<Self>;
    /// The value from which `try_cast` would make this one, if there is one.
    fn try_uncast(self) -> Option<A>;
}

/// Moves the value of `x` into `y`, which has another type and must be zero, and leaves zero.
///
/// Its inverse, `cast::uncall`, moves it back. [`LosslessFrom`] says between which types; derivatives flow through casts between real numbers.
///
/// ```
/// use retrograd::{Fixed, LogNumber, numbers::{LosslessFrom, cast}, prelude::*};
///
/// /// Multiplies a fixed-point number without rounding it each time.
/// #[reversible]
/// fn grow<T: Real, L: Real + LosslessFrom<T>>(y: &mut L, x: &mut T, by: L, times: usize) {
///     cast(x, y);
///     for _ in 0..times {
///         *y *= by;
///     }
/// }
///
/// let (mut x, mut y, by) = (Fixed::<16>::lit(0.75), LogNumber::<Fixed<48>>::zero(), LogNumber::lit(1.5));
/// grow(&mut y, &mut x, by, 10);
/// assert!(x == Fixed::zero() && (y.to_f64() - 0.75 * 1.5_f64.powi(10)).abs() < 1e-10);
///
/// let (mut by_x, mut by_y, mut by_factor) = (0.0, 1.0, 0.0);
/// grow::pullback((&mut y, &mut by_y), (&mut x, &mut by_x), (by, &mut by_factor), 10);
/// assert!(x == Fixed::lit(0.75) && y == LogNumber::zero());
/// assert!((by_x - 1.5_f64.powi(10)).abs() < 1e-10);
/// ```
///
/// # Errors
///
/// With nothing changed: in every build [`LossyCast`](ErrorKind::LossyCast) for a value that has no counterpart in the other type, in
/// either direction; in checked builds [`CastTarget`](ErrorKind::CastTarget) for a target that is not zero.
///
/// ```
/// use retrograd::{ErrorKind, attempt, numbers::cast};
///
/// let (mut narrow, mut wide) = (0_i32, 1_i64 << 40);
/// let error = attempt(|| cast::uncall(&mut narrow, &mut wide)).unwrap_err();
/// assert_eq!((error.kind, narrow, wide), (ErrorKind::LossyCast, 0, 1 << 40));
/// ```
#[inline]
#[track_caller]
pub fn cast<A: Copy + Default + Debug + Compare, B: LosslessFrom<A>>(x: &mut A, y: &mut B) {
    moved(x, y, B::try_cast, &Site::caller("cast", "cast(&mut x, &mut y);"), ["x", "y"]);
}

/// The companions of the procedure [`cast`](fn@cast).
#[allow(non_camel_case_types, reason = "the companions of a procedure have its name")]
#[derive(Clone, Copy, Debug, Default)]
pub struct cast {}

impl cast {
    /// Moves the value back from `y` into `x`, which must be zero.
    ///
    /// ```
    /// use retrograd::numbers::cast;
    ///
    /// let (mut x, mut y) = (0.0_f32, 0.25_f64);
    /// cast::uncall(&mut x, &mut y);
    /// assert_eq!((x, y), (0.25, 0.0));
    /// ```
    #[inline]
    #[track_caller]
    pub fn uncall<A: Copy + Default + Debug + Compare, B: LosslessFrom<A>>(x: &mut A, y: &mut B) {
        moved(y, x, B::try_uncast, &Site::caller("cast", "cast::uncall(&mut x, &mut y);"), ["y", "x"]);
    }

    /// The procedure, or its inverse, as text.
    pub fn source(direction: Direction) -> &'static str {
        match direction {
            Direction::Forward => "fn cast<A, B: LosslessFrom<A>>(x: &mut A, y: &mut B) {\n    cast(x, y);\n}",
            Direction::Inverse => "fn cast<A, B: LosslessFrom<A>>(x: &mut A, y: &mut B) {\n    cast::uncall(x, y);\n}",
            Direction::Pullback | Direction::Unpullback => "// given by hand: the adjoint moves with the value",
            Direction::Pushforward | Direction::Unpushforward => "// given by hand: the tangent moves with the value",
        }
    }
}

/// Moves a value, if it has a partner.
#[inline]
fn moved<A, B>(from: &mut A, to: &mut B, partner: impl FnOnce(A) -> Option<B>, site: &Site, names: [&str; 2])
where
    A: Copy + Default + Debug,
    B: Default + Compare,
{
    if cfg!(debug_assertions)
        && let Some(found) = first_mismatch(&B::default(), to)
    {
        site.fail(ErrorKind::CastTarget, format!("{}{}", names[1], found.path), found.expected, found.actual);
    }
    match partner(*from) {
        Some(value) => {
            *to = value;
            *from = A::default();
        }
        None => {
            let expected = format!("a value that {} can have, and gives back", names[1]);
            site.fail(ErrorKind::LossyCast, names[0], expected, format!("{from:?}"))
        }
    }
}

macro_rules! runs {
    ($($(#[$doc:meta])* $public:ident, $hidden:ident = $run:path, $carry:ident;)*) => {
        impl cast {
            $(
                $(#[$doc])*
                #[inline]
                #[track_caller]
                pub fn $public<A: Real, B: Real + LosslessFrom<A>, S: Base + Shadow<A> + Shadow<B>>(
                    (x, sx): (&mut A, &mut S),
                    (y, sy): (&mut B, &mut S),
                ) {
                    Self::$hidden(Sweep::<S>::new(), x, sx, y, sy);
                }

                #[doc(hidden)]
                #[inline]
                #[track_caller]
                pub fn $hidden<A, B, S>(
                    _sweep: Sweep<S>,
                    x: &mut A,
                    sx: impl AdjointArg<A, S>,
                    y: &mut B,
                    sy: impl AdjointArg<B, S>,
                ) where
                    A: Copy + Default + Debug + Compare + Carries<B, S>,
                    B: LosslessFrom<A> + Shadowed<S>,
                {
                    let (mut keep_x, mut keep_y) = (sx.keep(x), sy.keep(y));
                    $run(x, y);
                    A::$carry(sx.reach(&mut keep_x), sy.reach(&mut keep_y));
                }
            )*
        }
    };
}

runs! {
    /// Moves the value back, along with its adjoint.
    ///
    /// ```
    /// use retrograd::numbers::cast;
    ///
    /// let (mut x, mut y, mut gx, mut gy) = (0.0_f32, 0.25_f64, 0.0, 3.0);
    /// cast::pullback((&mut x, &mut gx), (&mut y, &mut gy));
    /// assert_eq!((x, y, gx, gy), (0.25, 0.0, 3.0, 0.0));
    /// ```
    pullback, __pullback = cast::uncall, carry_back;
    /// Moves the value and its adjoint: undoes [`pullback`](cast::pullback).
    unpullback, __unpullback = cast, carry;
    /// Moves the value, along with its tangent.
    pushforward, __pushforward = cast, carry;
    /// Moves the value and its tangent back: undoes [`pushforward`](cast::pushforward).
    unpushforward, __unpushforward = cast::uncall, carry_back;
}

/// Through which casts derivatives flow: between real numbers. Those between integers have none to carry.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "no derivative flows through a cast between `{Self}` and `{B}`",
    note = "the bits of a number have none; put `#[reversible(derivatives = \"never\")]` on the program"
)]
pub trait Carries<B: Shadowed<S>, S>: Shadowed<S> {
    /// Moves the shadow with the value. What is left is a constant, so its shadow is zero.
    fn carry(from: &mut Self::Shadow, to: &mut B::Shadow);
    /// Moves it back.
    fn carry_back(to: &mut Self::Shadow, from: &mut B::Shadow);
}

#[diagnostic::do_not_recommend]
impl<A: Real, B: Real, S: Shadow<A> + Shadow<B>> Carries<B, S> for A {
    #[inline(always)]
    fn carry(from: &mut S, to: &mut S) {
        const { moves::<A, S>() };
        *to = mem::replace(from, Scalar::zero());
    }
    #[inline(always)]
    fn carry_back(to: &mut S, from: &mut S) {
        const { moves::<A, S>() };
        *to = mem::replace(from, Scalar::zero());
    }
}

macro_rules! integers {
    ($($narrow:ident => $($wide:ident)*;)*) => {$(
        impl<B: Shadowed<S, Shadow = ()>, S> Carries<B, S> for $narrow {
            #[inline(always)]
            fn carry(_from: &mut (), _to: &mut ()) {}
            #[inline(always)]
            fn carry_back(_to: &mut (), _from: &mut ()) {}
        }

        $(#[diagnostic::do_not_recommend]
        impl LosslessFrom<$narrow> for $wide {
            #[inline(always)]
            fn try_cast(value: $narrow) -> Option<$wide> {
                Some(value.into())
            }
            #[inline(always)]
            fn try_uncast(self) -> Option<$narrow> {
                self.try_into().ok()
            }
        })*
    )*};
}

integers! {
    u8 => u16 u32 u64 u128 usize i16 i32 i64 i128 isize;
    u16 => u32 u64 u128 usize i32 i64 i128;
    u32 => u64 u128 i64 i128;
    u64 => u128 i128;
    i8 => i16 i32 i64 i128 isize;
    i16 => i32 i64 i128 isize;
    i32 => i64 i128;
    i64 => i128;
}

/// What is not a number has bits of its own, which hardware may change on the way, and is refused.
#[diagnostic::do_not_recommend]
impl LosslessFrom<f32> for f64 {
    #[inline(always)]
    fn try_cast(value: f32) -> Option<f64> {
        (!value.is_nan()).then_some(value.into())
    }
    #[inline(always)]
    fn try_uncast(self) -> Option<f32> {
        let narrow = self as f32;
        (f64::from(narrow) == self).then_some(narrow)
    }
}

#[diagnostic::do_not_recommend]
impl<const A: u32, const B: u32> LosslessFrom<Fixed<A>> for Fixed<B> {
    #[inline]
    fn try_cast(value: Fixed<A>) -> Option<Fixed<B>> {
        i64::try_from(i128::from(value.to_bits()) << const { more_bits(A, B) }).ok().map(Fixed::from_bits)
    }
    #[inline]
    fn try_uncast(self) -> Option<Fixed<A>> {
        let more = const { more_bits(A, B) };
        let bits = self.to_bits() >> more;
        (bits << more == self.to_bits()).then_some(Fixed::from_bits(bits))
    }
}

/// How many more bits there are after the point after a cast.
const fn more_bits(before: u32, after: u32) -> u32 {
    assert!(
        before <= after,
        "a cast from a Fixed to one with fewer bits after the point would lose digits; run the cast of the other direction backwards: \
         `cast::uncall(&mut y, &mut x)`"
    );
    after - before
}

macro_rules! bits {
    ($($integer:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<const FRAC: u32> LosslessFrom<Wrapping<$integer>> for Fixed<FRAC> {
            #[inline(always)]
            fn try_cast(value: Wrapping<$integer>) -> Option<Fixed<FRAC>> {
                Some(Fixed::from_bits(value.0 as i64))
            }
            #[inline(always)]
            fn try_uncast(self) -> Option<Wrapping<$integer>> {
                Some(Wrapping(self.to_bits() as $integer))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const FRAC: u32> LosslessFrom<Fixed<FRAC>> for Wrapping<$integer> {
            #[inline(always)]
            fn try_cast(value: Fixed<FRAC>) -> Option<Wrapping<$integer>> {
                value.try_uncast()
            }
            #[inline(always)]
            fn try_uncast(self) -> Option<Fixed<FRAC>> {
                LosslessFrom::try_cast(self)
            }
        }
    )*};
}

bits!(u64 i64);
