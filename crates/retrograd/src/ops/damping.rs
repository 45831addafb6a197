//! Products that are undone bit for bit, because what they lose is stored.

use crate::rules::d_div_0;
use crate::shadow::{
    AdjointArg, Base, Shadow, Sweep, TangentArg, add, number, pull_factor, push, scale, scale_tangent, sub,
};
use crate::site::Site;
use crate::{Direction, ErrorKind, InformationBuffer, Real};

/// Multiplies `v` by a factor above zero and at most one, and stores what the product loses in `lost`.
///
/// On [`Fixed`](crate::Fixed) numbers this is undone bit for bit, which `v *= factor` is not: it is the step that momentum and
/// friction need.
///
/// ```
/// use retrograd::{Fixed, InformationBuffer, ops::damp, prelude::*};
///
/// /// A ball on a spring, with friction.
/// #[reversible]
/// fn swing<T: Real>(x: &mut T, v: &mut T, friction: T, lost: &mut InformationBuffer, steps: usize) {
///     for _ in 0..steps {
///         damp(v, friction, lost);
///         *v -= *x * 0.01;
///         *x += *v * 0.01;
///     }
/// }
///
/// let start = (Fixed::<32>::lit(1.0), Fixed::lit(0.0));
/// let ((mut x, mut v), friction, mut lost) = (start, Fixed::lit(0.99), InformationBuffer::new());
/// swing(&mut x, &mut v, friction, &mut lost, 1000);
///
/// let (mut by_x, mut by_v, mut by_friction) = (1.0, 0.0, 0.0);
/// swing::pullback((&mut x, &mut by_x), (&mut v, &mut by_v), (friction, &mut by_friction), &mut lost, 1000);
/// assert!((x, v) == start && lost.is_empty());
/// assert!(by_friction < 0.0);
/// ```
///
/// On other numbers it is `v *= factor`, and `lost` does not change: floats come back up to rounding, and
/// [`LogNumber`](crate::LogNumber)s exactly. [`MulUpdate::damp`](crate::ops::MulUpdate::damp) is behind it.
///
/// # What is computed
///
/// The factor is a fraction n/2ᵏ. Between v·n/2ᵏ and (v + 1)·n/2ᵏ there are one or two multiples of the unit in the last place, and
/// the buffer, whose digits look random, chooses: the product is off by less than one unit. With q the digit of base n that is taken out
/// of the buffer, p = v·n + q, and `v` becomes ⌊p/2ᵏ⌋; p mod 2ᵏ is put in. So log₂(2ᵏ/n) bits are stored, as many as are lost. (Maclaurin,
/// Duvenaud and Adams, 2015, divide first, and are off by up to n units.)
///
/// # Errors
///
/// In every build, with nothing changed: a factor that is zero, negative, above one or not a number is
/// [`FactorRange`](ErrorKind::FactorRange). Undoing what was not done with this factor and this buffer is
/// [`ForeignProduct`](ErrorKind::ForeignProduct), if it is noticed: the buffer has too few bits, or the value that was multiplied
/// would not fit.
#[inline]
#[track_caller]
pub fn damp<T: Real>(v: &mut T, factor: T, lost: &mut InformationBuffer) {
    let site = site();
    check_factor(factor, &site);
    v.damp(factor, lost, &site);
}

/// The companions of the procedure [`damp`](fn@damp).
#[allow(non_camel_case_types, reason = "the companions of a procedure have its name")]
#[derive(Clone, Copy, Debug, Default)]
pub struct damp {}

impl damp {
    /// Undoes the product, with what it lost.
    #[inline]
    #[track_caller]
    pub fn uncall<T: Real>(v: &mut T, factor: T, lost: &mut InformationBuffer) {
        let site = site();
        check_factor(factor, &site);
        v.undamp(factor, lost, &site);
    }

    /// Undoes the product, with adjoints: `gv` is multiplied by the factor, and `gfactor` gains the contribution of the factor.
    ///
    /// ```
    /// use retrograd::{Fixed, InformationBuffer, Real, ops::damp};
    ///
    /// let (mut v, factor, mut lost) = (Fixed::<32>::lit(3.0), Fixed::lit(0.25), InformationBuffer::new());
    /// damp(&mut v, factor, &mut lost);
    /// let (mut gv, mut gfactor) = (2.0, 0.5);
    /// damp::pullback((&mut v, &mut gv), (factor, &mut gfactor), &mut lost);
    /// assert_eq!((v, gv, gfactor), (Fixed::lit(3.0), 0.5, 6.5));
    /// ```
    #[inline]
    #[track_caller]
    pub fn pullback<T: Real>(
        (v, gv): (&mut T, &mut T::Shadow),
        (factor, gfactor): (T, &mut T::Shadow),
        lost: &mut InformationBuffer,
    ) {
        Self::__pullback(Sweep::<T::Shadow>::new(), v, gv, factor, gfactor, lost, ());
    }

    /// Multiplies, with adjoints: undoes [`pullback`](damp::pullback).
    #[inline]
    #[track_caller]
    pub fn unpullback<T: Real>(
        (v, gv): (&mut T, &mut T::Shadow),
        (factor, gfactor): (T, &mut T::Shadow),
        lost: &mut InformationBuffer,
    ) {
        Self::__unpullback(Sweep::<T::Shadow>::new(), v, gv, factor, gfactor, lost, ());
    }

    /// Multiplies, with tangents.
    ///
    /// ```
    /// use retrograd::{Fixed, InformationBuffer, Real, ops::damp};
    ///
    /// let (mut v, mut dv, mut lost) = (Fixed::<32>::lit(3.0), 1.0, InformationBuffer::new());
    /// damp::pushforward((&mut v, &mut dv), (Fixed::lit(0.25), 2.0), &mut lost);
    /// assert_eq!((v, dv), (Fixed::lit(0.75), 6.25));
    /// ```
    #[inline]
    #[track_caller]
    pub fn pushforward<T: Real>(
        (v, dv): (&mut T, &mut T::Shadow),
        (factor, dfactor): (T, T::Shadow),
        lost: &mut InformationBuffer,
    ) {
        Self::__pushforward(Sweep::<T::Shadow>::new(), v, dv, factor, &dfactor, lost, ());
    }

    /// Undoes the product, with tangents: undoes [`pushforward`](damp::pushforward).
    #[inline]
    #[track_caller]
    pub fn unpushforward<T: Real>(
        (v, dv): (&mut T, &mut T::Shadow),
        (factor, dfactor): (T, T::Shadow),
        lost: &mut InformationBuffer,
    ) {
        Self::__unpushforward(Sweep::<T::Shadow>::new(), v, dv, factor, &dfactor, lost, ());
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __pullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        v: &mut T,
        gv: impl AdjointArg<T, S>,
        factor: T,
        gfactor: impl AdjointArg<T, S>,
        lost: &mut InformationBuffer,
        _no_shadow: impl Sized,
    ) {
        let (mut keep_v, mut keep_factor) = (gv.keep(v), gfactor.keep(&factor));
        let gv = gv.reach(&mut keep_v);
        damp::uncall(v, factor, lost);
        add(gfactor.reach(&mut keep_factor), pull_factor(*gv, number(*v), number(factor)));
        scale(gv, number(factor));
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __unpullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        v: &mut T,
        gv: impl AdjointArg<T, S>,
        factor: T,
        gfactor: impl AdjointArg<T, S>,
        lost: &mut InformationBuffer,
        _no_shadow: impl Sized,
    ) {
        let (mut keep_v, mut keep_factor) = (gv.keep(v), gfactor.keep(&factor));
        let (gv, before) = (gv.reach(&mut keep_v), number(*v));
        damp(v, factor, lost);
        scale(gv, d_div_0(number(factor)));
        sub(gfactor.reach(&mut keep_factor), pull_factor(*gv, before, number(factor)));
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __pushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        v: &mut T,
        dv: impl AdjointArg<T, S>,
        factor: T,
        dfactor: impl TangentArg<T, S>,
        lost: &mut InformationBuffer,
        _no_shadow: impl Sized,
    ) {
        let (mut keep_v, keep_factor) = (dv.keep(v), dfactor.keep(&factor));
        let (dv, before) = (dv.reach(&mut keep_v), number(*v));
        damp(v, factor, lost);
        scale_tangent(dv, number(factor));
        add(dv, push(*dfactor.reach(&keep_factor), before));
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __unpushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        v: &mut T,
        dv: impl AdjointArg<T, S>,
        factor: T,
        dfactor: impl TangentArg<T, S>,
        lost: &mut InformationBuffer,
        _no_shadow: impl Sized,
    ) {
        let (mut keep_v, keep_factor) = (dv.keep(v), dfactor.keep(&factor));
        let dv = dv.reach(&mut keep_v);
        damp::uncall(v, factor, lost);
        sub(dv, push(*dfactor.reach(&keep_factor), number(*v)));
        scale_tangent(dv, d_div_0(number(factor)));
    }

    /// The procedure, or its inverse, as text.
    pub fn source(direction: Direction) -> &'static str {
        match direction {
            Direction::Forward => {
                "fn damp<T: Real>(v: &mut T, factor: T, lost: &mut InformationBuffer) {\n    damp(v, factor, lost);\n}"
            }
            Direction::Inverse => {
                "fn damp<T: Real>(v: &mut T, factor: T, lost: &mut InformationBuffer) {\n    damp::uncall(v, factor, lost);\n}"
            }
            Direction::Pullback | Direction::Unpullback => "// given by hand: gfactor += v * gv; gv *= factor;",
            Direction::Pushforward | Direction::Unpushforward => "// given by hand: dv = factor * dv + v * dfactor;",
        }
    }
}

#[track_caller]
fn site() -> Site {
    Site::caller("damp", "damp(&mut v, factor, &mut lost);")
}

#[inline]
fn check_factor<T: Real>(factor: T, site: &Site) {
    if !(factor > T::zero() && factor <= T::one()) {
        site.fail(ErrorKind::FactorRange, "factor", "above zero, and at most one", format!("{factor:?}"));
    }
}
