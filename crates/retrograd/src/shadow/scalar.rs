//! Scalar shadows: the operations that a derivative takes part in.

use super::{Constant, NothingLost};
use crate::Linear;

/// A scalar that can be the adjoint or the tangent of something.
pub trait Scalar:
    Copy
    + 'static
    + AddFrom<Self, Lost: NothingLost>
    + for<'a> AddFrom<&'a Self, Lost: NothingLost>
    + Join<Self, Output = Self>
    + Negate
    + Linear
    + OfNumber<Itself = Self>
{
    /// Whether shadows may be put aside, with zeros in their places, and whether companions given by hand may compute with them.
    const MOVES: bool = true;

    /// Whether there is a weight next to the derivative; see [`Weighted`](super::Weighted).
    const WEIGHS: bool = false;

    /// The weight, as a derivative.
    #[inline(always)]
    fn weight(self) -> Self {
        Self::zero()
    }

    /// The shadow of a number that all lanes share: adjoints of all lanes are added up in it.
    type Shared: Scalar<Shared = Self::Shared> + AddFrom<Self, Lost: NothingLost>;

    /// The shadow of what nothing depends on.
    fn zero() -> Self;

    /// The derivative of a number that all lanes share, in each of them.
    fn spread(shared: Self::Shared) -> Self;

    /// Calls `visit` with the shadow of a shared number as a scalar.
    fn visit_shared(shared: &Self::Shared, visit: &mut dyn FnMut(&Self));

    /// Calls `visit` with the shadow of a shared number as a scalar, to be changed.
    fn visit_shared_mut(shared: &mut Self::Shared, visit: &mut dyn FnMut(&mut Self));

    /// The zero that other shadows are added to: it changes nothing in them, not even the sign of another zero, and so adding
    /// to it takes no time.
    #[inline(always)]
    fn neutral() -> Self {
        Self::zero().negate()
    }
}

/// A scalar through which derivatives flow: every one but [`Constant`].
pub trait Flowing: Scalar {}

/// A shadow of `T`: numbers of type `T` act on it, and so do partial derivatives at such numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the derivative of `{T}`",
    note = "numbers of type `{T}` and a derivative of type `{Self}` meet in one program"
)]
pub trait Shadow<T: Number>:
    Scalar
    + Pull<T, Output = Self>
    + Push<T, Output = Self>
    + Pull<T::Value, Output = Self>
    + Push<T::Value, Output = Self>
    + Times<T>
    + Times<T::Value>
{
    /// The seed of a gradient.
    fn one() -> Self;
}

/// What every sweep can: literals and casts of `f64` and `f32` occur in programs over any number type, and so does what no
/// derivative flows through.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a derivative",
    note = "derivatives of `f64` are `f64`, `Seeds` for several at once, or `Dual`"
)]
pub trait Base:
    Flowing + Shadow<f64> + Shadow<f32> + Meets<()> + Meets<Constant> + for<'a> AddFrom<&'a Constant, Lost = ()>
{
}

#[diagnostic::do_not_recommend]
impl<S> Base for S where
    S: Flowing + Shadow<f64> + Shadow<f32> + Meets<()> + Meets<Constant> + for<'a> AddFrom<&'a Constant, Lost = ()>
{
}

/// A shadow that stays as it is, whatever of type `N` is added to it.
pub trait Meets<N>: AddFrom<N, Lost = ()> + Join<N, Output = Self> + Sized {}

impl<S: AddFrom<N, Lost = ()> + Join<N, Output = S>, N> Meets<N> for S {}

/// Accumulation: `self += g` and `self -= g`. Nothing is added to `()`, and `()` adds nothing.
#[diagnostic::on_unimplemented(
    message = "a derivative of type `{G}` cannot be added to one of type `{Self}`",
    note = "the value and its derivative go different ways here: is one of them a number of another type?"
)]
pub trait AddFrom<G> {
    /// What of `g` does not arrive: nothing, except where something is added to a [`Constant`].
    type Lost;
    /// `self += g`.
    fn add_from(&mut self, g: G);
    /// `self -= g`.
    fn sub_from(&mut self, g: G);

    /// `self += g * d`, which a number with an instruction for it rounds once.
    #[inline(always)]
    fn add_product(&mut self, g: G, d: G)
    where
        G: Pull<G, Output = G> + Sized,
    {
        self.add_from(g.pull(d));
    }
    /// `self -= g * d`, likewise.
    #[inline(always)]
    fn sub_product(&mut self, g: G, d: G)
    where
        G: Pull<G, Output = G> + Sized,
    {
        self.sub_from(g.pull(d));
    }
}

/// An adjoint through a partial derivative: `g * d`, and `g * conj(d)` for complex numbers.
pub trait Pull<D> {
    /// The adjoint that comes out.
    type Output;
    /// The adjoint of an operand from the adjoint `self` of the result.
    fn pull(self, d: D) -> Self::Output;

    /// Adds that to a place.
    #[inline(always)]
    #[track_caller]
    fn pull_into<P: AddFrom<Self::Output> + ?Sized>(self, d: D, place: &mut P)
    where
        Self: Sized,
    {
        place.add_from(self.pull(d));
    }
    /// Takes that away from a place.
    #[inline(always)]
    #[track_caller]
    fn pull_out_of<P: AddFrom<Self::Output> + ?Sized>(self, d: D, place: &mut P)
    where
        Self: Sized,
    {
        place.sub_from(self.pull(d));
    }
}

/// A tangent through a partial derivative: `t * d`.
pub trait Push<D> {
    /// The tangent that comes out.
    type Output;
    /// The tangent of a result from the tangent `self` of an operand.
    fn push(self, d: D) -> Self::Output;

    /// The tangent of a place that is multiplied by `d`, as this one: `push`, unless the sweep follows places.
    #[inline(always)]
    fn scale(self, d: D) -> Self::Output
    where
        Self: Sized,
    {
        self.push(d)
    }

    /// The same for both parts of a complex number that is multiplied by `d`.
    #[inline(always)]
    fn push_planar(re: Self, im: Self, d: (D, D)) -> (Self, Self)
    where
        Self: Copy + Push<D, Output = Self> + Join<Self, Output = Self> + Negate,
        D: Copy,
    {
        (re.push(d.0).join(im.push(d.1).negate()), re.push(d.1).join(im.push(d.0)))
    }
}

/// A derivative of a number. Where it is one of something else, its type is not known any more, and rustc says nothing more.
#[diagnostic::on_unimplemented(
    message = "operators and methods have derivatives on numbers only, and this one is not of numbers alone",
    label = "its derivative would be a `{Self}`",
    note = "write what it computes as a `#[reversible]` function or method, number by number, and call that; or keep the derivative out, \
            with `#[constant] let t = ..;`"
)]
pub trait OfNumber {
    /// The derivative.
    type Itself;
    /// The derivative, as it is.
    fn itself(&self) -> Self::Itself;
}

/// A partial derivative that adjoints of type `G` go through: [`Pull`], asked of the partial. Where its type is not known, because
/// there is no such partial, that has been said, and rustc says nothing more.
#[diagnostic::on_unimplemented(
    message = "a derivative of type `{G}` does not go through a partial derivative of type `{Self}`",
    label = "no rule for this",
    note = "operators and methods have rules for numbers only: write what they compute for anything else as a `#[reversible]` \
            function or method",
    note = "of a function with a real value and a complex argument, give the gradient: `d_z = retrograd::numbers::Gradient(..)`"
)]
pub trait Pulls<G>: Sized {
    /// The adjoint that comes out.
    type Output;
    /// The adjoint of an operand from that of the result.
    fn pulls(self, g: G) -> Self::Output;
    /// Adds that to a place.
    fn pulls_into<P: AddFrom<Self::Output> + ?Sized>(self, g: G, place: &mut P);
    /// Takes that away from a place.
    fn pulls_out_of<P: AddFrom<Self::Output> + ?Sized>(self, g: G, place: &mut P);
}

#[diagnostic::do_not_recommend]
impl<G: Pull<D>, D> Pulls<G> for D {
    type Output = G::Output;
    #[inline(always)]
    fn pulls(self, g: G) -> G::Output {
        g.pull(self)
    }
    #[inline(always)]
    #[track_caller]
    fn pulls_into<P: AddFrom<G::Output> + ?Sized>(self, g: G, place: &mut P) {
        g.pull_into(self, place);
    }
    #[inline(always)]
    #[track_caller]
    fn pulls_out_of<P: AddFrom<G::Output> + ?Sized>(self, g: G, place: &mut P) {
        g.pull_out_of(self, place);
    }
}

/// A partial derivative that tangents of type `G` go through: [`Push`], asked of the partial, for the same reason.
#[diagnostic::on_unimplemented(
    message = "a derivative of type `{G}` does not go through a partial derivative of type `{Self}`",
    label = "no rule for this",
    note = "operators and methods have rules for numbers only: write what they compute for anything else as a `#[reversible]` \
            function or method"
)]
pub trait Pushes<G> {
    /// The tangent that comes out.
    type Output;
    /// The tangent of a result from that of an operand.
    fn pushes(self, t: G) -> Self::Output;
    /// The tangent of a place that is multiplied.
    fn scales(self, t: G) -> Self::Output;
}

#[diagnostic::do_not_recommend]
impl<G: Push<D>, D> Pushes<G> for D {
    type Output = G::Output;
    #[inline(always)]
    fn pushes(self, t: G) -> G::Output {
        t.push(self)
    }
    #[inline(always)]
    fn scales(self, t: G) -> G::Output {
        t.scale(self)
    }
}

/// A scalar that a real number multiplies: what is known of [`Push`], where the number is not complex.
pub trait Times<D>: Sized {
    /// `self * d`.
    fn times(self, d: D) -> Self;
}

/// The sum of two derivatives; `()` is a zero on either side.
pub trait Join<B> {
    /// The type of the sum.
    type Output;
    /// `self + b`.
    fn join(self, b: B) -> Self::Output;
}

/// The derivative with the other sign.
pub trait Negate {
    /// `-self`.
    fn negate(self) -> Self;
}

/// A number as rules take it, whether it is given by value or by reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number, and no derivative of its operators and methods is known",
    label = "not a number",
    note = "write what they compute as a `#[reversible]` function or method, number by number, and call that; or keep the derivative \
            out, with `#[constant] let t = ..;`",
    note = "a `#[reversible]` method that has the name of a rule, such as `abs`, is called by its type: `Type::abs(&x)`",
    note = "products, solves and factors of matrices are procedures of `retrograd::dense`, such as `matmul(&mut c, &a, &b)`"
)]
pub trait Number {
    /// The type that partial derivatives are computed in: the type of the number itself, or `f64` where the number is of a
    /// kind, such as fixed point, that a slope may not fit into.
    type Value;
    /// The number in that type.
    fn number(self) -> Self::Value;

    /// Whether the number carries derivatives of its own, as a dual number does.
    const CARRIES_DERIVATIVES: bool = false;

    /// The number without them.
    #[inline(always)]
    fn held(self) -> Self
    where
        Self: Sized,
    {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Number + Copy> Number for &T {
    type Value = T::Value;
    #[inline(always)]
    fn number(self) -> T::Value {
        (*self).number()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Number + Copy> Number for &mut T {
    type Value = T::Value;
    #[inline(always)]
    fn number(self) -> T::Value {
        (*self).number()
    }
}

// `()` takes everything and gives nothing.

impl<G> AddFrom<G> for () {
    type Lost = ();
    #[inline(always)]
    fn add_from(&mut self, _g: G) {}
    #[inline(always)]
    fn sub_from(&mut self, _g: G) {}
}

impl OfNumber for () {
    type Itself = ();
    #[inline(always)]
    fn itself(&self) {}
}

impl<D> Pull<D> for () {
    type Output = ();
    #[inline(always)]
    fn pull(self, _d: D) {}
}

impl<D> Push<D> for () {
    type Output = ();
    #[inline(always)]
    fn push(self, _d: D) {}
}

impl<B> Join<B> for () {
    type Output = B;
    #[inline(always)]
    fn join(self, b: B) -> B {
        b
    }
}

impl Negate for () {
    #[inline(always)]
    fn negate(self) {}
}

/// Makes a number type, with `+ - *` and unary `-`, its own [`Scalar`] shadow: all but [`Shadow`], [`Pull`] and [`Push`].
///
/// Generic parameters come first, in parentheses: `scalar!((T: Real, const N: usize) Dual<T, N>, zero: Dual::zero());`
macro_rules! scalar {
    (($($generics:tt)*) $type:ty, zero: $zero:expr) => {
        impl<$($generics)*> $crate::shadow::OfNumber for $type {
            type Itself = $type;
            #[inline(always)]
            fn itself(&self) -> $type {
                *self
            }
        }

        impl<$($generics)*> $crate::shadow::Scalar for $type {
            #[inline(always)]
            fn zero() -> Self {
                $zero
            }

            $crate::shadow::shared_as_any!();
        }

        impl<$($generics)*> $crate::shadow::Flowing for $type {}
        impl<$($generics)*> $crate::Linear for $type {}

        impl<$($generics)*> $crate::shadow::AddFrom<$type> for $type {
            type Lost = ();
            #[inline(always)]
            fn add_from(&mut self, g: $type) {
                *self += g;
            }
            #[inline(always)]
            fn sub_from(&mut self, g: $type) {
                *self -= g;
            }
        }

        impl<'g, $($generics)*> $crate::shadow::AddFrom<&'g $type> for $type {
            type Lost = ();
            #[inline(always)]
            fn add_from(&mut self, g: &'g $type) {
                *self += *g;
            }
            #[inline(always)]
            fn sub_from(&mut self, g: &'g $type) {
                *self -= *g;
            }
        }

        $crate::shadow::meets_nothing!(($($generics)*) $type);

        impl<$($generics)*> $crate::shadow::Join<$type> for $type {
            type Output = $type;
            #[inline(always)]
            fn join(self, b: $type) -> $type {
                self + b
            }
        }

        impl<$($generics)*> $crate::shadow::Negate for $type {
            #[inline(always)]
            fn negate(self) -> $type {
                -self
            }
        }
    };
}

/// Of a scalar without lanes: the shadow of a shared number is like that of any other.
macro_rules! shared_as_any {
    () => {
        type Shared = Self;

        #[inline(always)]
        fn spread(shared: Self) -> Self {
            shared
        }
        #[inline(always)]
        fn visit_shared(shared: &Self, visit: &mut dyn FnMut(&Self)) {
            visit(shared);
        }
        #[inline(always)]
        fn visit_shared_mut(shared: &mut Self, visit: &mut dyn FnMut(&mut Self)) {
            visit(shared);
        }
    };
}

/// Says that a scalar stays as it is, when the shadow of what no derivative flows through is added to it.
macro_rules! meets_nothing {
    (($($generics:tt)*) $type:ty) => {
        $crate::shadow::meets_nothing!(($($generics)*) $type, ());
        $crate::shadow::meets_nothing!(($($generics)*) $type, $crate::shadow::Constant);

        impl<'g, $($generics)*> $crate::shadow::AddFrom<&'g $crate::shadow::Constant> for $type {
            type Lost = ();
            #[inline(always)]
            fn add_from(&mut self, _: &'g $crate::shadow::Constant) {}
            #[inline(always)]
            fn sub_from(&mut self, _: &'g $crate::shadow::Constant) {}
        }
    };
    (($($generics:tt)*) $type:ty, $nothing:ty) => {
        impl<$($generics)*> $crate::shadow::AddFrom<$nothing> for $type {
            type Lost = ();
            #[inline(always)]
            fn add_from(&mut self, _: $nothing) {}
            #[inline(always)]
            fn sub_from(&mut self, _: $nothing) {}
        }

        impl<$($generics)*> $crate::shadow::Join<$nothing> for $type {
            type Output = $type;
            #[inline(always)]
            fn join(self, _: $nothing) -> $type {
                self
            }
        }
    };
}

/// Makes a number type a shadow of another one: `shadow!((T: Real, const N: usize) Dual<T, N>: f64, one: .., |g, d| g * d);`
///
/// The last argument is the product of a derivative and a partial.
macro_rules! shadow {
    (($($generics:tt)*) $type:ty: $number:ty, one: $one:expr, |$g:ident, $d:ident| $product:expr) => {
        impl<$($generics)*> $crate::shadow::Pull<$number> for $type {
            type Output = $type;
            #[inline(always)]
            fn pull(self, $d: $number) -> $type {
                let $g = self;
                $product
            }
        }

        impl<$($generics)*> $crate::shadow::Push<$number> for $type {
            type Output = $type;
            #[inline(always)]
            fn push(self, $d: $number) -> $type {
                let $g = self;
                $product
            }
        }

        impl<$($generics)*> $crate::shadow::Times<$number> for $type {
            #[inline(always)]
            fn times(self, $d: $number) -> $type {
                let $g = self;
                $product
            }
        }

        impl<$($generics)*> $crate::shadow::Shadow<$number> for $type {
            #[inline(always)]
            fn one() -> $type {
                $one
            }
        }
    };
}

/// Makes a type, real or integer, a [`Number`] that is its own value; one that carries derivatives says what it is without them.
macro_rules! number {
    (($($generics:tt)*) $type:ty $(, held: |$number:ident| $held:expr)?) => {
        impl<$($generics)*> $crate::shadow::Number for $type {
            type Value = $type;
            #[inline(always)]
            fn number(self) -> $type {
                self
            }
            $(
                const CARRIES_DERIVATIVES: bool = true;
                #[inline(always)]
                fn held(self) -> $type {
                    let $number = self;
                    $held
                }
            )?
        }
    };
}

pub(crate) use {meets_nothing, number, scalar, shadow, shared_as_any};

scalar!(() f32, zero: 0.0);
scalar!(() f64, zero: 0.0);

shadow!(() f64: f64, one: 1.0, |g, d| g * d);
shadow!(() f64: f32, one: 1.0, |g, d| g * d as f64);
shadow!(() f32: f32, one: 1.0, |g, d| g * d);
// The product is rounded once: a partial that does not fit into `f32` by itself may still do so with its adjoint.
shadow!(() f32: f64, one: 1.0, |g, d| (g as f64 * d) as f32);

macro_rules! numbers {
    ($($type:ty)*) => {$(number!(() $type);)*};
}

numbers!(f32 f64 u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_zero_on_either_side() {
        assert_eq!((().join(2.0), 2.0.join(()), ().join(())), (2.0, 2.0, ()));
        let mut g = 1.0;
        AddFrom::add_from(&mut g, ());
        ().add_from(g);
        assert_eq!((g, ().pull(3.0), ().push(3)), (1.0, (), ()));
    }

    #[test]
    fn numbers_of_either_precision_act_on_each_other() {
        assert_eq!(Pull::pull(2.0_f64, 1.5_f32), 3.0_f64);
        assert_eq!(Pull::pull(1e-30_f32, 1e40_f64), 1e10_f32);
    }
}
