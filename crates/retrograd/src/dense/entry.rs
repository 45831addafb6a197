//! What matrices are made of: numbers, and the derivatives that numbers act on.

use std::fmt::Debug;
use std::marker::PhantomData;

use super::shape::{Dense, Needed};
use crate::Real;
use crate::shadow::{Base, Shadow, Shadowed, Sweep, add, fit, push, sub};

/// A number in a matrix: every [`Real`] number, and complex ones of these.
#[diagnostic::on_unimplemented(
    message = "matrices of `{Self}` have no primitives",
    note = "they are there for real numbers, and with the feature `num-complex` for complex ones"
)]
pub trait Entry: Copy + Debug + 'static {
    /// What its size is.
    type Real: Real;
    /// The scalar of derivative runs over it.
    type Sweep: Base + Shadow<Self::Real>;

    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// `self + other`.
    fn plus(self, other: Self) -> Self;
    /// `self - other`.
    fn minus(self, other: Self) -> Self;
    /// `self * other`.
    fn times(self, other: Self) -> Self;
    /// `self / other`.
    fn over(self, other: Self) -> Self;
    /// `-self`.
    fn opposite(self) -> Self;
    /// The complex conjugate.
    fn conjugate(self) -> Self;
    /// The real part.
    fn real(self) -> Self::Real;
    /// A real number.
    fn of_real(real: Self::Real) -> Self;
    /// The absolute value.
    fn size(self) -> Self::Real;
    /// Its square.
    fn square_size(self) -> Self::Real;
    /// The number with another real part.
    fn with_real(self, other: Self) -> Self;
}

impl<T: Real> Entry for T {
    type Real = T;
    type Sweep = T::Shadow;

    #[inline(always)]
    fn zero() -> T {
        T::zero()
    }
    #[inline(always)]
    fn one() -> T {
        T::one()
    }
    #[inline(always)]
    fn plus(self, other: T) -> T {
        self + other
    }
    #[inline(always)]
    fn minus(self, other: T) -> T {
        self - other
    }
    #[inline(always)]
    fn times(self, other: T) -> T {
        self * other
    }
    #[inline(always)]
    fn over(self, other: T) -> T {
        self / other
    }
    #[inline(always)]
    fn opposite(self) -> T {
        -self
    }
    #[inline(always)]
    fn conjugate(self) -> T {
        self
    }
    #[inline(always)]
    fn real(self) -> T {
        self
    }
    #[inline(always)]
    fn of_real(real: T) -> T {
        real
    }
    #[inline(always)]
    fn size(self) -> T {
        self.abs()
    }
    #[inline(always)]
    fn square_size(self) -> T {
        self * self
    }
    #[inline(always)]
    fn with_real(self, other: T) -> T {
        other
    }
}

/// What the kernels carry through a matrix of numbers: numbers themselves, or derivatives.
///
/// A kernel is written once, as sums of carried values times numbers.
pub trait Carry {
    /// The numbers.
    type Entry: Entry;
    /// What is carried.
    type Value: Copy + 'static;

    /// Nothing.
    fn zero() -> Self::Value;
    /// `to += value`.
    fn add(to: &mut Self::Value, value: Self::Value);
    /// `to -= value`.
    fn sub(to: &mut Self::Value, value: Self::Value);
    /// `value * entry`.
    fn times(value: Self::Value, entry: Self::Entry) -> Self::Value;
    /// `value / entry`.
    fn over(value: Self::Value, entry: Self::Entry) -> Self::Value;
    /// The complex conjugate.
    fn conjugate(value: Self::Value) -> Self::Value;
    /// The value with another real part.
    fn with_real(value: Self::Value, other: Self::Value) -> Self::Value;
}

/// Numbers.
#[derive(Debug)]
pub(super) struct Values<E>(PhantomData<E>);

impl<E: Entry> Carry for Values<E> {
    type Entry = E;
    type Value = E;

    #[inline(always)]
    fn zero() -> E {
        E::zero()
    }
    #[inline(always)]
    fn add(to: &mut E, value: E) {
        *to = to.plus(value);
    }
    #[inline(always)]
    fn sub(to: &mut E, value: E) {
        *to = to.minus(value);
    }
    #[inline(always)]
    fn times(value: E, entry: E) -> E {
        value.times(entry)
    }
    #[inline(always)]
    fn over(value: E, entry: E) -> E {
        value.over(entry)
    }
    #[inline(always)]
    fn conjugate(value: E) -> E {
        value.conjugate()
    }
    #[inline(always)]
    fn with_real(value: E, other: E) -> E {
        value.with_real(other)
    }
}

/// Derivatives of numbers `E`, in a sweep over `S`.
#[derive(Debug)]
pub struct Shadows<E, S>(PhantomData<(E, S)>);

/// What derivatives of real values do with those of numbers.
pub trait Derivatives<S>: Carry {
    /// The adjoint of a number, from that of a real value and its gradient with respect to the number.
    fn gradient(seed: S, gradient: Self::Entry) -> Self::Value;
    /// The tangent of the value, from that of the number.
    fn slope(tangent: Self::Value, gradient: Self::Entry) -> S;
}

/// A number whose derivatives a sweep over `S` carries.
#[diagnostic::on_unimplemented(
    message = "matrices of `{Self}` have no derivatives of type `{S}`",
    note = "they have them for real numbers, and with the feature `num-complex` for complex ones"
)]
pub trait Swept<S>: Entry {
    /// Its derivative.
    type Shadow: Copy + 'static;
    /// What kernels do with it.
    type Carry: Derivatives<S, Entry = Self, Value = Self::Shadow>;
}

impl<T: Real, S: Base + Shadow<T>> Swept<S> for T {
    type Shadow = S;
    type Carry = Shadows<T, S>;
}

/// A number that derivatives of type `G` are multiplied by.
pub trait ActsOn<G>: Entry {
    /// What kernels do with them.
    type Carry: Carry<Entry = Self, Value = G>;
}

impl<T: Real, S: Base + Shadow<T>> ActsOn<S> for T {
    type Carry = Shadows<T, S>;
}

/// A matrix of numbers `E`, whose derivatives a sweep over `S` carries.
pub trait Carried<E: Swept<S>, S>: Dense<Entry = E> + Shadowed<S, Shadow: Dense<Entry = E::Shadow>> {}

#[diagnostic::do_not_recommend]
impl<E: Swept<S>, S, A> Carried<E, S> for A where
    A: Dense<Entry = E> + Shadowed<S, Shadow: Dense<Entry = E::Shadow>> + ?Sized
{
}

/// Panics if the shape of a derivative that a user gave is not that of the matrix. Elements are numbers, and have no shapes of their own.
#[track_caller]
pub(super) fn fit_shadow<E: Swept<S>, S, A: Carried<E, S> + ?Sized>(
    sweep: Sweep<S>,
    name: &str,
    a: &A,
    shadow: &A::Shadow,
) {
    let fits = a.fitted(Needed::Any).is_ok_and(|(rows, columns)| shadow.fitted(Needed::Shape(rows, columns)).is_ok());
    if !fits {
        fit(sweep, name, a, shadow);
    }
}

impl<T: Real, S: Base + Shadow<T>> Carry for Shadows<T, S> {
    type Entry = T;
    type Value = S;

    #[inline(always)]
    fn zero() -> S {
        S::zero()
    }
    #[inline(always)]
    fn add(to: &mut S, value: S) {
        add(to, value);
    }
    #[inline(always)]
    fn sub(to: &mut S, value: S) {
        sub(to, value);
    }
    #[inline(always)]
    fn times(value: S, entry: T) -> S {
        push(value, entry)
    }
    #[inline(always)]
    fn over(value: S, entry: T) -> S {
        push(value, entry.recip())
    }
    #[inline(always)]
    fn conjugate(value: S) -> S {
        value
    }
    #[inline(always)]
    fn with_real(_value: S, other: S) -> S {
        other
    }
}

impl<T: Real, S: Base + Shadow<T>> Derivatives<S> for Shadows<T, S> {
    #[inline(always)]
    fn gradient(seed: S, gradient: T) -> S {
        push(seed, gradient)
    }
    #[inline(always)]
    fn slope(tangent: S, gradient: T) -> S {
        push(tangent, gradient)
    }
}

#[cfg(feature = "num-complex")]
mod complex {
    use num_complex::Complex;

    use super::*;
    use crate::numbers::complex::elementary;
    use crate::shadow::{join, negate};

    impl<T: Real> Entry for Complex<T> {
        type Real = T;
        type Sweep = T::Shadow;

        #[inline(always)]
        fn zero() -> Self {
            elementary::real(T::zero())
        }
        #[inline(always)]
        fn one() -> Self {
            elementary::real(T::one())
        }
        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            elementary::add(self, other)
        }
        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            elementary::sub(self, other)
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            elementary::mul(self, other)
        }
        #[inline(always)]
        fn over(self, other: Self) -> Self {
            elementary::div(self, other)
        }
        #[inline(always)]
        fn opposite(self) -> Self {
            elementary::neg(self)
        }
        #[inline(always)]
        fn conjugate(self) -> Self {
            elementary::conj(self)
        }
        #[inline(always)]
        fn real(self) -> T {
            self.re
        }
        #[inline(always)]
        fn of_real(real: T) -> Self {
            elementary::real(real)
        }
        #[inline(always)]
        fn size(self) -> T {
            elementary::norm(self)
        }
        #[inline(always)]
        fn square_size(self) -> T {
            self.re * self.re + self.im * self.im
        }
        #[inline(always)]
        fn with_real(self, other: Self) -> Self {
            Complex { re: other.re, im: self.im }
        }
    }

    impl<T: Real, S: Base + Shadow<T>> Swept<S> for Complex<T> {
        type Shadow = Complex<S>;
        type Carry = Shadows<Complex<T>, S>;
    }

    impl<T: Real, S: Base + Shadow<T>> ActsOn<Complex<S>> for Complex<T> {
        type Carry = Shadows<Complex<T>, S>;
    }

    impl<T: Real, S: Base + Shadow<T>> Carry for Shadows<Complex<T>, S> {
        type Entry = Complex<T>;
        type Value = Complex<S>;

        #[inline(always)]
        fn zero() -> Complex<S> {
            Complex { re: S::zero(), im: S::zero() }
        }
        #[inline(always)]
        fn add(to: &mut Complex<S>, value: Complex<S>) {
            add(to, value);
        }
        #[inline(always)]
        fn sub(to: &mut Complex<S>, value: Complex<S>) {
            sub(to, value);
        }
        #[inline(always)]
        fn times(value: Complex<S>, entry: Complex<T>) -> Complex<S> {
            let (re, im) = (value.re, value.im);
            Complex {
                re: join(push(re, entry.re), negate(push(im, entry.im))),
                im: join(push(re, entry.im), push(im, entry.re)),
            }
        }
        #[inline(always)]
        fn over(value: Complex<S>, entry: Complex<T>) -> Complex<S> {
            Self::times(value, elementary::recip(entry))
        }
        #[inline(always)]
        fn conjugate(value: Complex<S>) -> Complex<S> {
            Complex { re: value.re, im: negate(value.im) }
        }
        #[inline(always)]
        fn with_real(value: Complex<S>, other: Complex<S>) -> Complex<S> {
            Complex { re: other.re, im: value.im }
        }
    }

    impl<T: Real, S: Base + Shadow<T>> Derivatives<S> for Shadows<Complex<T>, S> {
        #[inline(always)]
        fn gradient(seed: S, gradient: Complex<T>) -> Complex<S> {
            Complex { re: push(seed, gradient.re), im: push(seed, gradient.im) }
        }
        #[inline(always)]
        fn slope(tangent: Complex<S>, gradient: Complex<T>) -> S {
            join(push(tangent.re, gradient.re), push(tangent.im, gradient.im))
        }
    }
}
