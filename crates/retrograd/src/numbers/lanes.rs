//! Lanes: several data points at once, in the registers of the machine.
//!
//! [`Lanes`] is a number for `W` data points: a program over `T: Real` runs on it, with all of its companions, and computes
//! all points with one instruction instead of one. [`Shared`] numbers are the same for all points, like the
//! parameters of a model. A function with shared arguments also has `f::gradient_over`, which processes any number of data points
//! in lanes:
//!
//! ```
//! use retrograd::{Shared, prelude::*};
//!
//! /// Half of the square by which a straight line misses a point.
//! #[reversible]
//! #[inline(always)]
//! fn miss<T: Real>(line: &[Shared<T>; 2], #[constant] x: T, #[constant] y: T) -> T {
//!     0.5 * (line[0].spread() + line[1].spread() * x - y).square()
//! }
//!
//! let (x, y) = ([0.0, 1.0, 2.0], [1.0, 3.0, 6.0]);
//! let (total, by_line) = miss::gradient_over(&[1.0, 2.0], &x, &y);
//! assert_eq!((total, by_line), (0.5, [-1.0, -2.0]));
//! ```
//!
//! # Instructions
//!
//! The instruction set is detected at run time: no compiler flags are needed. [`run`] runs a [`Kernel`] with the
//! best one that the machine has, and so does `gradient_over`; [`with_instructions`] chooses another. What runs in lanes has to be
//! compiled into the kernel: mark it `#[inline(always)]`, and do not hide lanes in closures. A function that is
//! not inlined is compiled for any machine: the result is the same, but slow.
//!
//! # Values
//!
//! Arithmetic, square roots and rounding give the same results as for single numbers, bit for bit. Adjoints may be rounded once
//! where single numbers are rounded twice, in a product and a sum.
//!
//! # Branches
//!
//! All lanes take the same path through a program. A comparison that is true in some and false in others raises
//! [`ErrorKind::LanesDiffer`]; nothing is ever computed for the wrong branch. To choose for each lane, write
//! [`x.select_less(y, a, b)`](crate::Real::select_less), `max`, `min`, `abs` or `clamp`; both `a` and `b` are computed then, so neither may fail, and
//! where one has an infinite slope its adjoint is 0 · ∞ = NaN even if it is not chosen. In plain code there are [masks](Mask).
//!
#![doc = include_str!("lanes/functions.md")]

mod dispatch;
mod functions;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
#[macro_use]
mod intrinsics;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[doc(hidden)]
pub mod over;
mod portable;
mod real;
mod registers;
mod rows;
mod shared;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::check::{Compare, Report};
use crate::numbers::operators::{assign_operators, sums_and_products};
use crate::ops::{MulUpdate, Site};
use crate::{ErrorKind, Record, Recordable};

pub use dispatch::{
    Holds, InstructionSet, Instructions, Kernel, Portable, Unavailable, run, run_each, with_instructions,
};
pub use registers::Element;
use registers::{Bank, Register};
pub use shared::Shared;

/// `W` numbers, one for each of `W` data points, that go through a program together.
///
/// On its own, `Lanes<f64, W>` uses the instructions that every machine has, for any `W`. In a [`Kernel`], `Lanes<f64, W, I>` uses
/// those of the machine it runs on, for `W` of 4, 8, 16, 24 and 32. It is its own shadow; the adjoint of a [`Shared`] number is a sum,
/// spread over some lanes until [`sum`](Lanes::sum).
///
/// ```
/// use retrograd::{Lanes, prelude::*};
///
/// #[reversible]
/// fn area<T: Real>(a: T, b: T) -> T {
///     a * b
/// }
///
/// type Four = Lanes<f64, 4>;
/// let (value, by_a, _) = area::gradient(Four::from([1.0, 2.0, 3.0, 4.0]), Four::splat(0.5));
/// assert_eq!(value.to_array(), [0.5, 1.0, 1.5, 2.0]);
/// assert_eq!((by_a.sum(), value.sum()), (2.0, 5.0));
/// ```
pub struct Lanes<E: Element, const W: usize, I: Holds<E, W> = Portable> {
    bank: I::Bank,
}

impl<E: Element, const W: usize, I: Holds<E, W>> Lanes<E, W, I> {
    /// The same number in all lanes.
    #[inline(always)]
    pub fn splat(x: E) -> Self {
        Lanes { bank: I::Bank::all(Register::splat(x)) }
    }

    /// One number for each lane.
    #[inline(always)]
    #[allow(unsafe_code, reason = "registers are numbers side by side")]
    pub fn from_array(numbers: [E; W]) -> Self {
        const { assert!(size_of::<I::Bank>() == size_of::<[E; W]>()) }
        // SAFETY: registers are plain data, laid out like the numbers in them, and of that size.
        Lanes { bank: unsafe { std::mem::transmute_copy(&numbers) } }
    }

    /// The numbers of all lanes.
    #[inline(always)]
    #[allow(unsafe_code, reason = "registers are numbers side by side")]
    pub fn to_array(self) -> [E; W] {
        const { assert!(size_of::<I::Bank>() == size_of::<[E; W]>()) }
        // SAFETY: likewise.
        unsafe { std::mem::transmute_copy(&self.bank) }
    }

    /// The sum of all lanes: of neighbours first, then of neighbouring sums.
    #[inline(always)]
    pub fn sum(self) -> E {
        let mut numbers = self.to_array();
        let mut count = W;
        while count > 1 {
            for i in 0..count / 2 {
                numbers[i] = numbers[2 * i] + numbers[2 * i + 1];
            }
            if count % 2 == 1 {
                numbers[count / 2] = numbers[count - 1];
            }
            count = count.div_ceil(2);
        }
        numbers[0]
    }

    /// `f` of each lane, one after the other.
    #[inline(always)]
    fn each(self, f: impl Fn(E) -> E) -> Self {
        let mut numbers = self.to_array();
        for number in &mut numbers {
            *number = f(*number);
        }
        Self::from_array(numbers)
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Clone for Lanes<E, W, I> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Copy for Lanes<E, W, I> {}

impl<E: Element, const W: usize, I: Holds<E, W>> fmt::Debug for Lanes<E, W, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lanes({:?})", self.to_array())
    }
}

/// Zeros.
impl<E: Element, const W: usize, I: Holds<E, W>> Default for Lanes<E, W, I> {
    #[inline(always)]
    fn default() -> Self {
        Self::splat(E::zero())
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> From<[E; W]> for Lanes<E, W, I> {
    #[inline(always)]
    fn from(numbers: [E; W]) -> Self {
        Self::from_array(numbers)
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {$(
        impl<E: Element, const W: usize, I: Holds<E, W>> $operator for Lanes<E, W, I> {
            type Output = Self;

            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                let (registers, others) = (self.bank.get_mut(), other.bank.get());
                for i in 0..registers.len() {
                    registers[i] = registers[i].$method(others[i]);
                }
                self
            }
        }
    )*};
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

assign_operators!([E: Element, const W: usize, I: Holds<E, W>] Lanes<E, W, I>, Lanes<E, W, I>);
sums_and_products!([E: Element, const W: usize, I: Holds<E, W>] Lanes<E, W, I>);

impl<E: Element, const W: usize, I: Holds<E, W>> crate::ops::NegUpdate for Lanes<E, W, I> {}

impl<E: Element, const W: usize, I: Holds<E, W>> Neg for Lanes<E, W, I> {
    type Output = Self;

    #[inline(always)]
    fn neg(mut self) -> Self {
        for register in self.bank.get_mut() {
            *register = register.neg();
        }
        self
    }
}

/// One truth value for each lane.
///
/// ```
/// use retrograd::Lanes;
///
/// let (x, y) = (Lanes::<f64, 2>::from([1.0, 5.0]), Lanes::from([2.0, 2.0]));
/// let mask = x.less(y);
/// assert_eq!(mask.to_array(), [true, false]);
/// assert_eq!(mask.select(x, y).to_array(), [1.0, 2.0]);
/// assert!(mask.any() && !mask.all());
/// ```
pub struct Mask<E: Element, const W: usize, I: Holds<E, W> = Portable> {
    masks: <I::Bank as Bank>::Masks,
}

impl<E: Element, const W: usize, I: Holds<E, W>> Clone for Mask<E, W, I> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Copy for Mask<E, W, I> {}

impl<E: Element, const W: usize, I: Holds<E, W>> fmt::Debug for Mask<E, W, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mask({:?})", self.to_array())
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Mask<E, W, I> {
    /// `a` where this is true, and `b` elsewhere.
    #[inline(always)]
    pub fn select(self, mut a: Lanes<E, W, I>, b: Lanes<E, W, I>) -> Lanes<E, W, I> {
        let (masks, chosen, others) = (I::Bank::masks(&self.masks), a.bank.get_mut(), b.bank.get());
        for i in 0..chosen.len() {
            chosen[i] = I::Register::select(masks[i], chosen[i], others[i]);
        }
        a
    }

    /// Whether it is true in all lanes.
    #[inline(always)]
    pub fn all(self) -> bool {
        let full = u32::MAX >> (32 - I::Register::WIDTH);
        I::Bank::masks(&self.masks).iter().all(|&mask| I::Register::bits(mask) == full)
    }

    /// Whether it is true in any lane.
    #[inline(always)]
    pub fn any(self) -> bool {
        I::Bank::masks(&self.masks).iter().any(|&mask| I::Register::bits(mask) != 0)
    }

    /// The truth values of all lanes.
    pub fn to_array(self) -> [bool; W] {
        let masks = I::Bank::masks(&self.masks);
        let width = I::Register::WIDTH;
        std::array::from_fn(|i| I::Register::bits(masks[i / width]) >> (i % width) & 1 == 1)
    }

    /// Whether it is true, for what can go one way only.
    #[inline(always)]
    #[track_caller]
    fn agreed(self, comparison: &'static str) -> bool {
        let all = self.all();
        if !all && self.any() {
            self.differ(comparison);
        }
        all
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn differ(self, comparison: &'static str) -> ! {
        let found = self.to_array();
        let lane = found.iter().position(|other| *other != found[0]).unwrap_or(0);
        let text = |found: bool| if found { "true" } else { "false" };
        Site::caller("Lanes", comparison).fail(
            ErrorKind::LanesDiffer,
            "",
            format!("{} in all lanes, as in lane 0", text(found[0])),
            format!("{} in lane {lane}", text(found[lane])),
        )
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> std::ops::BitAnd for Mask<E, W, I> {
    type Output = Self;

    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        let (masks, others) = (I::Bank::masks_mut(&mut self.masks), I::Bank::masks(&other.masks));
        for i in 0..masks.len() {
            masks[i] = I::Register::and(masks[i], others[i]);
        }
        self
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> std::ops::Not for Mask<E, W, I> {
    type Output = Self;

    #[inline(always)]
    fn not(mut self) -> Self {
        for mask in I::Bank::masks_mut(&mut self.masks) {
            *mask = I::Register::not(*mask);
        }
        self
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Lanes<E, W, I> {
    /// In which lanes `self < other`.
    #[inline(always)]
    pub fn less(self, other: Self) -> Mask<E, W, I> {
        Mask { masks: self.bank.less(other.bank) }
    }

    /// In which lanes `self == other`.
    #[inline(always)]
    pub fn equal(self, other: Self) -> Mask<E, W, I> {
        Mask { masks: self.bank.equal(other.bank) }
    }
}

/// All lanes must agree: a program goes one way with all of them.
impl<E: Element, const W: usize, I: Holds<E, W>> PartialEq for Lanes<E, W, I> {
    #[inline(always)]
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.equal(*other).agreed("==")
    }
}

/// All lanes must agree: a program goes one way with all of them.
impl<E: Element, const W: usize, I: Holds<E, W>> PartialOrd for Lanes<E, W, I> {
    #[inline(always)]
    #[track_caller]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self.less(*other).agreed("<"), other.less(*self).agreed(">"), self.equal(*other).agreed("==")) {
            (true, _, _) => Some(Ordering::Less),
            (_, true, _) => Some(Ordering::Greater),
            (_, _, true) => Some(Ordering::Equal),
            (false, false, false) => None,
        }
    }
    #[inline(always)]
    #[track_caller]
    fn lt(&self, other: &Self) -> bool {
        self.less(*other).agreed("<")
    }
    #[inline(always)]
    #[track_caller]
    fn gt(&self, other: &Self) -> bool {
        other.less(*self).agreed(">")
    }
    #[inline(always)]
    #[track_caller]
    fn le(&self, other: &Self) -> bool {
        (!(!self.less(*other) & !self.equal(*other))).agreed("<=")
    }
    #[inline(always)]
    #[track_caller]
    fn ge(&self, other: &Self) -> bool {
        (!(!other.less(*self) & !self.equal(*other))).agreed(">=")
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Recordable for Lanes<E, W, I> {
    #[inline(always)]
    fn keep(&self, record: &mut Record) {
        self.to_array().keep(record);
    }
    #[inline(always)]
    fn recall(record: &mut Record) -> Self {
        Self::from_array(Recordable::recall(record))
    }
    #[inline(always)]
    fn keep_shape(&self, _record: &mut Record) {}
    #[inline(always)]
    fn recall_shape(_record: &mut Record) -> Self {
        Self::splat(E::zero())
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Compare for Lanes<E, W, I> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.to_array().compare(&actual.to_array(), report);
    }

    #[inline(always)]
    fn magnitude(&self) -> f64 {
        self.to_array().iter().fold(0.0, |largest, lane| f64::max(largest, lane.magnitude()))
    }

    #[inline(always)]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        // One after the other: a row would ask which instructions there are.
        let pairs = self.to_array().into_iter().zip(actual.to_array());
        pairs.fold(false, |any, (expected, actual)| any | expected.drifts(&actual, scale))
    }
}

/// A factor can be divided out again if it can in every lane.
impl<E: Element, const W: usize, I: Holds<E, W>> MulUpdate for Lanes<E, W, I> {
    #[inline(always)]
    fn mul_update(&mut self, factor: Self, site: &Site, checked: bool) {
        if checked {
            for (mut number, factor) in self.to_array().into_iter().zip(factor.to_array()) {
                number.mul_update(factor, site, checked);
            }
        }
        *self *= factor;
    }

    #[inline(always)]
    fn div_update(&mut self, divisor: Self, site: &Site, checked: bool) {
        if checked {
            for (mut number, divisor) in self.to_array().into_iter().zip(divisor.to_array()) {
                number.div_update(divisor, site, checked);
            }
        }
        *self /= divisor;
    }
}
