//! Tropical numbers: the max-plus algebra, for optimal choices.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Div, Mul};

use crate::check::{Apart, Compare, Report};
use crate::numbers::operators::assign_operators;
use crate::numbers::{ExactAdd, ExactMul};
use crate::ops::{MulUpdate, Site};
use crate::record::recordable_fields;
use crate::shadow::{Base, Number, shadowed_by_a_scalar};
use crate::{Active, ErrorKind, Real};

/// A number of the max-plus algebra: a product is the sum of the values, and a sum is the largest of them.
///
/// Evaluating a sum over all configurations of products of local terms then finds the best configuration, and the gradient
/// says which it is: it is one for each term that takes part, and zero for the others.
///
/// ```
/// use retrograd::{numbers::{Tropical, tropical_add}, prelude::*};
///
/// /// The better of two routes.
/// #[reversible]
/// fn route(roads: &[Tropical<f64>]) -> Tropical<f64> {
///     tropical_add(roads[0] * roads[1], roads[2])
/// }
///
/// let roads = [3.0, 4.0, 5.0].map(Tropical::new);
/// let mut chosen = [0.0; 3];
/// assert_eq!(route::pullback((&roads, &mut chosen), 1.0), Tropical::new(7.0));
/// assert_eq!(chosen, [1.0, 1.0, 0.0]);
/// ```
///
/// Products are undone by quotients, bit for bit where `T` adds without loss: `Tropical<Fixed<32>>` is [`ExactMul`]. The zero,
/// which is −∞, is refused as a factor or divisor of `y *= e` and `y /= e` in every build, and dividing by it panics.
///
/// A maximum has no inverse, and its derivative depends on the values. So sums are not written with `+`: write
/// [`tropical_add()`] for two numbers and [`tropical_sum()`] for many, which have derivatives. In a tie, the first of the
/// largest counts. A shadow is a float, and means the derivative with respect to the value.
#[derive(Clone, Copy)]
pub struct Tropical<T> {
    /// Zero if the number is.
    value: T,
    zero: bool,
}

impl<T: Real> Tropical<T> {
    /// The number with this value.
    ///
    /// ```
    /// use retrograd::numbers::Tropical;
    ///
    /// assert_eq!(Tropical::new(2.0) * Tropical::new(3.0), Tropical::new(5.0));
    /// ```
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Tropical { value, zero: false }
    }

    /// The neutral element of sums: −∞.
    ///
    /// ```
    /// use retrograd::numbers::{Tropical, tropical_add};
    ///
    /// assert_eq!(tropical_add(Tropical::zero(), Tropical::new(-7.0)), Tropical::new(-7.0));
    /// assert_eq!(Tropical::<f64>::zero().value(), None);
    /// ```
    #[inline(always)]
    pub fn zero() -> Self {
        Tropical { value: T::zero(), zero: true }
    }

    /// The neutral element of products, whose value is 0.
    ///
    /// ```
    /// use retrograd::numbers::Tropical;
    ///
    /// assert_eq!(Tropical::one() * Tropical::new(2.5), Tropical::new(2.5));
    /// ```
    #[inline(always)]
    pub fn one() -> Self {
        Tropical::new(T::zero())
    }

    /// The value; `None` for zero, which is −∞.
    ///
    /// ```
    /// use retrograd::numbers::Tropical;
    ///
    /// assert_eq!(Tropical::new(2.5).value(), Some(2.5));
    /// ```
    #[inline(always)]
    pub fn value(self) -> Option<T> {
        (!self.zero).then_some(self.value)
    }
}

/// The sum of two tropical numbers, which is the larger one; the derivative goes to that one, and to `a` in a tie.
///
/// ```
/// use retrograd::numbers::{Tropical, tropical_add};
///
/// assert_eq!(tropical_add(Tropical::new(2.0), Tropical::new(3.0)), Tropical::new(3.0));
/// let (a, b) = (Tropical::new(2.0), Tropical::new(2.0));
/// let (mut ga, mut gb) = (0.0, 0.0);
/// tropical_add::pullback((a, &mut ga), (b, &mut gb), 1.0);
/// assert_eq!((ga, gb), (1.0, 0.0));
/// ```
#[crate::primitive(d_a = if b > a { T::zero() } else { T::one() }, d_b = if b > a { T::one() } else { T::zero() })]
pub fn tropical_add<T: Real>(a: Tropical<T>, b: Tropical<T>) -> Tropical<T> {
    if b > a { b } else { a }
}

/// The sum of tropical numbers, which is the largest one; the derivative goes to the first of these. Zero if there are
/// none.
///
/// ```
/// use retrograd::numbers::{Tropical, tropical_sum};
///
/// let x = [1.0, 4.0, 4.0].map(Tropical::new);
/// let mut chosen = [0.0; 3];
/// assert_eq!(tropical_sum::pullback((&x, &mut chosen), 1.0), Tropical::new(4.0));
/// assert_eq!(chosen, [0.0, 1.0, 0.0]);
/// ```
#[crate::primitive(d_x = chosen(x))]
pub fn tropical_sum<T: Real>(x: &[Tropical<T>]) -> Tropical<T> {
    x.iter().fold(Tropical::zero(), |best, &x| if x > best { x } else { best })
}

/// One for the first of the largest, and zero for the others.
fn chosen<T: Real>(x: &[Tropical<T>]) -> Vec<T> {
    let mut chosen = vec![T::zero(); x.len()];
    let best = (0..x.len()).reduce(|best, i| if x[i] > x[best] { i } else { best });
    if let Some(best) = best {
        chosen[best] = T::one();
    }
    chosen
}

impl<T: Real> Mul for Tropical<T> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        if self.zero || other.zero { Tropical::zero() } else { Tropical::new(self.value + other.value) }
    }
}

impl<T: Real> Div for Tropical<T> {
    type Output = Self;

    #[inline(always)]
    #[track_caller]
    fn div(self, other: Self) -> Self {
        assert!(
            !other.zero,
            "{self:?} is divided by the tropical zero, and nothing times that is {self:?}; test the divisor before"
        );
        if self.zero { self } else { Tropical::new(self.value - other.value) }
    }
}

assign_operators!([T: Real] Tropical<T>, Tropical<T>; MulAssign mul_assign *, DivAssign div_assign /);

/// Zero, which is −∞.
impl<T: Real> Default for Tropical<T> {
    #[inline(always)]
    fn default() -> Self {
        Tropical::zero()
    }
}

impl<T: PartialEq> PartialEq for Tropical<T> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.zero == other.zero && (self.zero || self.value == other.value)
    }
}

/// By value; zero is below all others.
impl<T: PartialOrd> PartialOrd for Tropical<T> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self.zero, other.zero) {
            (false, false) => self.value.partial_cmp(&other.value),
            (a, b) => Some(b.cmp(&a)),
        }
    }
}

/// The value, or -∞.
impl<T: fmt::Display> fmt::Display for Tropical<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.zero { f.pad("-∞") } else { self.value.fmt(f) }
    }
}

/// `Tropical(2.5)`
impl<T: fmt::Debug> fmt::Debug for Tropical<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.zero { f.write_str("Tropical(-∞)") } else { f.debug_tuple("Tropical").field(&self.value).finish() }
    }
}

recordable_fields! {
    (T: Real) Tropical<T> { value, zero } "Tropical" [T] = Tropical::zero();
}

/// Compares values: all bits, if `T` is exact.
impl<T: Compare + fmt::Debug> Compare for Tropical<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        if self.zero != actual.zero {
            report.mismatch(self, actual);
        } else {
            self.value.compare(&actual.value, report);
        }
    }

    const EXACT: bool = T::EXACT;

    #[inline]
    fn magnitude(&self) -> f64 {
        self.value.magnitude()
    }

    #[inline]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        (self.zero != actual.zero) | self.value.drifts(&actual.value, scale)
    }

    #[inline(always)]
    fn apart(&self, actual: &Self) -> Apart {
        Apart::if_differs(self.zero != actual.zero) + self.value.apart(&actual.value)
    }
}

impl<T: Real + ExactAdd> ExactMul for Tropical<T> {}

/// A factor can be divided out again if it is not zero.
impl<T: Real> MulUpdate for Tropical<T> {
    #[inline(always)]
    fn mul_update(&mut self, factor: Self, site: &Site, _checked: bool) {
        if factor.zero {
            site.fail(ErrorKind::ZeroFactor, "the factor", "a number other than -∞", "-∞");
        }
        *self *= factor;
    }

    #[inline(always)]
    fn div_update(&mut self, divisor: Self, site: &Site, _checked: bool) {
        if divisor.zero {
            site.fail(ErrorKind::ZeroFactor, "the divisor", "a number other than -∞", "-∞");
        }
        *self /= divisor;
    }
}

/// Made of its value; that of zero is 0, and changing it changes nothing.
impl<T: Real> Active for Tropical<T> {
    type Shadow = T::Shadow;
    type Number = T;

    #[inline(always)]
    fn visit(&self, visit: &mut dyn FnMut(&T)) {
        visit(&self.value);
    }
    #[inline(always)]
    fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut T)) {
        visit(&mut self.value);
    }
}

shadowed_by_a_scalar! { [T: Real, S: Base] S, Tropical<T> }

crate::__shadowed_reference! { [T: Real,] S, Tropical<T> }

/// One: the values of a product and a quotient are a sum and a difference, whose slopes are those of the rules of products
/// and quotients of ones.
impl<T: Real> Number for Tropical<T> {
    type Value = f64;

    #[inline(always)]
    fn number(self) -> f64 {
        1.0
    }
}
