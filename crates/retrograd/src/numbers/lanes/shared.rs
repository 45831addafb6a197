//! Numbers that all lanes share, and lanes as shadows.

use super::registers::{Bank, Element, Register};
use super::{Holds, Lanes};
use crate::check::{Compare, Report};
use crate::record::recordable_fields;
use crate::shadow::{
    AddFrom, Flowing, Join, Misfit, Negate, OfNumber, Pull, Push, Scalar, Shadow, Shadowed, Times, Zero, meets_nothing,
    number,
};
use crate::{Active, Real};

/// A number that is the same in all lanes: a parameter of a program, as opposed to the data points.
///
/// In a program over `T: Real` it is a `Shared<T>`, and `x.spread()` is the `T` with that number in each lane. It is
/// stored once, however many lanes there are, and the adjoints of all lanes are added up.
///
/// ```
/// use retrograd::{Lanes, Shared, prelude::*};
///
/// #[reversible]
/// fn model<T: Real>(w: &Shared<T>, #[constant] x: T) -> T {
///     w.spread() * x
/// }
///
/// // Without lanes it is a number as any other.
/// assert_eq!(model::gradient(&Shared(3.0), 0.5), (1.5, 0.5));
/// let x = Lanes::<f64, 2>::from([1.0, 2.0]);
/// let (value, by_w) = model::gradient(&Shared(3.0), x);
/// assert_eq!((value.to_array(), by_w.sum()), ([3.0, 6.0], 3.0));
/// ```
#[repr(transparent)]
pub struct Shared<T: Real>(pub T::Uniform);

impl<T: Real> Shared<T> {
    /// The number in all lanes.
    #[inline(always)]
    pub fn spread(self) -> T {
        T::spread(self.0)
    }
}

impl<T: Real> Clone for Shared<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Real> Copy for Shared<T> {}

impl<T: Real> std::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Real> Default for Shared<T> {
    #[inline(always)]
    fn default() -> Self {
        Shared(T::Uniform::zero())
    }
}

recordable_fields! {
    (T: Real) Shared<T> { 0 } "Shared" [T];
}

impl<T: Real> Compare for Shared<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.0.compare(&actual.0, report);
    }
}

impl<S, T: Real> Shadowed<S> for Shared<T>
where
    S: Shadow<T>,
{
    type Shadow = S::Shared;
    type Owned = S::Shared;

    #[inline(always)]
    fn zero_shadow(&self, zero: Zero) -> S::Shared {
        zero.of()
    }
    #[inline(always)]
    fn misfit(&self, _shadow: &S::Shared) -> Option<Misfit> {
        None
    }
    #[inline(always)]
    fn scalars(shadow: &S::Shared, visit: &mut dyn FnMut(&S)) {
        S::visit_shared(shadow, visit);
    }
    #[inline(always)]
    fn scalars_mut(shadow: &mut S::Shared, visit: &mut dyn FnMut(&mut S)) {
        S::visit_shared_mut(shadow, visit);
    }
}

impl<T: Real> Active for Shared<T> {
    type Shadow = <T::Shadow as Scalar>::Shared;
    type Number = T::Uniform;

    #[inline(always)]
    fn visit(&self, visit: &mut dyn FnMut(&T::Uniform)) {
        visit(&self.0);
    }
    #[inline(always)]
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut T::Uniform)) {
        visit(&mut self.0);
    }
}

crate::__shadowed_reference! { [T: Real,] S, Shared<T>, where S: Shadow<T> }

// Lanes are their own shadows.

/// Lanes as shadows of a number type, which has a value in lanes.
macro_rules! own_pulls {
    (|$d:ident: $number:ty| $factor:expr) => {
        impl<E: Element, const W: usize, I: Holds<E, W>> Pull<$number> for Lanes<E, W, I> {
            type Output = Self;

            #[inline(always)]
            fn pull(self, $d: $number) -> Self {
                self * $factor
            }
            #[inline(always)]
            fn pull_into<P: AddFrom<Self> + ?Sized>(self, $d: $number, place: &mut P) {
                place.add_product(self, $factor);
            }
            #[inline(always)]
            fn pull_out_of<P: AddFrom<Self> + ?Sized>(self, $d: $number, place: &mut P) {
                place.sub_product(self, $factor);
            }
        }

        impl<E: Element, const W: usize, I: Holds<E, W>> Push<$number> for Lanes<E, W, I> {
            type Output = Self;

            #[inline(always)]
            fn push(self, $d: $number) -> Self {
                self * $factor
            }
        }

        impl<E: Element, const W: usize, I: Holds<E, W>> Times<$number> for Lanes<E, W, I> {
            #[inline(always)]
            fn times(self, $d: $number) -> Self {
                self * $factor
            }
        }

        impl<E: Element, const W: usize, I: Holds<E, W>> Shadow<$number> for Lanes<E, W, I> {
            #[inline(always)]
            fn one() -> Self {
                Real::one()
            }
        }
    };
}

impl<E: Element, const W: usize, I: Holds<E, W>> Active for Lanes<E, W, I> {
    type Shadow = Self;
    type Number = Self;

    #[inline(always)]
    fn visit(&self, visit: &mut dyn FnMut(&Self)) {
        visit(self);
    }
    #[inline(always)]
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
    }
}

number!((E: Element, const W: usize, I: Holds<E, W>) Lanes<E, W, I>);
own_pulls!(|d: Lanes<E, W, I>| d);
own_pulls!(|d: f64| Self::lit(d));
own_pulls!(|d: f32| Self::lit(d.into()));
meets_nothing!((E: Element, const W: usize, I: Holds<E, W>) Lanes<E, W, I>);

impl<E: Element, const W: usize, I: Holds<E, W>> Flowing for Lanes<E, W, I> {}
impl<E: Element, const W: usize, I: Holds<E, W>> crate::Linear for Lanes<E, W, I> {}

impl<E: Element, const W: usize, I: Holds<E, W>> OfNumber for Lanes<E, W, I> {
    type Itself = Self;
    #[inline(always)]
    fn itself(&self) -> Self {
        *self
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Scalar for Lanes<E, W, I> {
    type Shared = I::Sums;

    #[inline(always)]
    fn zero() -> Self {
        Lanes { bank: I::Bank::all(I::Register::ZERO) }
    }
    #[inline(always)]
    fn neutral() -> Self {
        Lanes { bank: I::Bank::all(I::Register::NEUTRAL) }
    }
    #[inline(always)]
    fn spread(shared: I::Sums) -> Self {
        I::spread(shared)
    }
    fn visit_shared(_shared: &I::Sums, _visit: &mut dyn FnMut(&Self)) {
        summed_over_lanes()
    }
    fn visit_shared_mut(_shared: &mut I::Sums, _visit: &mut dyn FnMut(&mut Self)) {
        summed_over_lanes()
    }
}

#[cold]
fn summed_over_lanes() -> ! {
    panic!(
        "the derivative with respect to a `Shared` number is a sum over lanes, and not a number of each lane: use `pullback`"
    )
}

/// The shadow of a number with more lanes is added to that of a shared one, register by register.
impl<E: Element, const P: usize, const W: usize, I> AddFrom<Lanes<E, W, I>> for Lanes<E, P, I>
where
    I: Holds<E, P> + Holds<E, W, Register = <I as Holds<E, P>>::Register>,
{
    type Lost = ();
    #[inline(always)]
    fn add_from(&mut self, g: Lanes<E, W, I>) {
        let (sums, summands) = (self.bank.get_mut(), g.bank.get());
        for i in 0..summands.len() {
            sums[i % sums.len()] = sums[i % sums.len()].add(summands[i]);
        }
    }
    #[inline(always)]
    fn sub_from(&mut self, g: Lanes<E, W, I>) {
        let (sums, summands) = (self.bank.get_mut(), g.bank.get());
        for i in 0..summands.len() {
            sums[i % sums.len()] = sums[i % sums.len()].sub(summands[i]);
        }
    }
    #[inline(always)]
    fn add_product(&mut self, g: Lanes<E, W, I>, d: Lanes<E, W, I>) {
        let (sums, g, d) = (self.bank.get_mut(), g.bank.get(), d.bank.get());
        for i in 0..g.len() {
            sums[i % sums.len()] = sums[i % sums.len()].add_product(g[i], d[i]);
        }
    }
    #[inline(always)]
    fn sub_product(&mut self, g: Lanes<E, W, I>, d: Lanes<E, W, I>) {
        let (sums, g, d) = (self.bank.get_mut(), g.bank.get(), d.bank.get());
        for i in 0..g.len() {
            sums[i % sums.len()] = sums[i % sums.len()].sub_product(g[i], d[i]);
        }
    }
}

impl<'g, E: Element, const W: usize, I: Holds<E, W>> AddFrom<&'g Lanes<E, W, I>> for Lanes<E, W, I> {
    type Lost = ();
    #[inline(always)]
    fn add_from(&mut self, g: &'g Self) {
        self.add_from(*g);
    }
    #[inline(always)]
    fn sub_from(&mut self, g: &'g Self) {
        self.sub_from(*g);
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Join<Lanes<E, W, I>> for Lanes<E, W, I> {
    type Output = Self;
    #[inline(always)]
    fn join(self, b: Self) -> Self {
        self + b
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Negate for Lanes<E, W, I> {
    #[inline(always)]
    fn negate(self) -> Self {
        -self
    }
}
