//! Rotating two values into each other.

use crate::shadow::{AdjointArg, Base, Shadow, Sweep, TangentArg, add, join, negate, pull, push, sub};
use crate::{Direction, Real};

/// Rotates the point `(a, b)` by `angle`, counterclockwise.
///
/// `a` becomes `cos·a − sin·b` and `b` becomes `sin·a + cos·b`; the angle is held fixed.
///
/// ```
/// use retrograd::ops::rotate;
/// use std::f64::consts::FRAC_PI_2;
///
/// let (mut a, mut b) = (1.0, 0.0);
/// rotate(&mut a, &mut b, FRAC_PI_2);
/// assert!(a.abs() < 1e-15 && b == 1.0);
/// rotate::uncall(&mut a, &mut b, FRAC_PI_2);
/// assert!((a - 1.0).abs() < 1e-15 && b.abs() < 1e-15);
/// ```
#[inline]
pub fn rotate<T: Real>(a: &mut T, b: &mut T, angle: T) {
    let (sin, cos) = angle.sin_cos();
    (*a, *b) = (cos * *a - sin * *b, sin * *a + cos * *b);
}

/// The companions of the procedure [`rotate`](fn@rotate).
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct rotate {}

impl rotate {
    /// Rotates back, by the negated angle.
    #[inline]
    pub fn uncall<T: Real>(a: &mut T, b: &mut T, angle: T) {
        rotate(a, b, -angle);
    }

    /// Rotates back, with adjoints: `(ga, gb)` rotates back too, and `gangle` gains the contribution of the angle.
    ///
    /// ```
    /// use retrograd::ops::rotate;
    ///
    /// // ∂a/∂angle = −b and ∂b/∂angle = a, after the rotation.
    /// let (mut a, mut b, mut ga, mut gb, mut gangle) = (3.0, 4.0, 0.0, 1.0, 0.0);
    /// rotate::pullback((&mut a, &mut ga), (&mut b, &mut gb), (0.0, &mut gangle));
    /// assert_eq!((a, b, ga, gb, gangle), (3.0, 4.0, 0.0, 1.0, 3.0));
    /// ```
    #[inline]
    pub fn pullback<T: Real>(
        (a, ga): (&mut T, &mut T::Shadow),
        (b, gb): (&mut T, &mut T::Shadow),
        (angle, gangle): (T, &mut T::Shadow),
    ) {
        Self::__pullback(Sweep::<T::Shadow>::new(), a, ga, b, gb, angle, gangle);
    }

    /// Rotates forwards, with adjoints: undoes [`pullback`](rotate::pullback).
    ///
    /// ```
    /// use retrograd::ops::rotate;
    ///
    /// let (mut a, mut b, mut ga, mut gb, mut gangle) = (3.0, 4.0, 0.0, 1.0, 3.0);
    /// rotate::unpullback((&mut a, &mut ga), (&mut b, &mut gb), (0.0, &mut gangle));
    /// assert_eq!((ga, gb, gangle), (0.0, 1.0, 0.0));
    /// ```
    #[inline]
    pub fn unpullback<T: Real>(
        (a, ga): (&mut T, &mut T::Shadow),
        (b, gb): (&mut T, &mut T::Shadow),
        (angle, gangle): (T, &mut T::Shadow),
    ) {
        Self::__unpullback(Sweep::<T::Shadow>::new(), a, ga, b, gb, angle, gangle);
    }

    /// Rotates forwards, with tangents.
    ///
    /// ```
    /// use retrograd::ops::rotate;
    ///
    /// let (mut a, mut b, mut da, mut db) = (3.0, 4.0, 0.0, 0.0);
    /// rotate::pushforward((&mut a, &mut da), (&mut b, &mut db), (0.0, 1.0));
    /// assert_eq!((a, b, da, db), (3.0, 4.0, -4.0, 3.0));
    /// ```
    #[inline]
    pub fn pushforward<T: Real>(
        (a, da): (&mut T, &mut T::Shadow),
        (b, db): (&mut T, &mut T::Shadow),
        (angle, dangle): (T, T::Shadow),
    ) {
        Self::__pushforward(Sweep::<T::Shadow>::new(), a, da, b, db, angle, &dangle);
    }

    /// Rotates back, with tangents: undoes [`pushforward`](rotate::pushforward).
    ///
    /// ```
    /// use retrograd::ops::rotate;
    ///
    /// let (mut a, mut b, mut da, mut db) = (3.0, 4.0, -4.0, 3.0);
    /// rotate::unpushforward((&mut a, &mut da), (&mut b, &mut db), (0.0, 1.0));
    /// assert_eq!((a, b, da, db), (3.0, 4.0, 0.0, 0.0));
    /// ```
    #[inline]
    pub fn unpushforward<T: Real>(
        (a, da): (&mut T, &mut T::Shadow),
        (b, db): (&mut T, &mut T::Shadow),
        (angle, dangle): (T, T::Shadow),
    ) {
        Self::__unpushforward(Sweep::<T::Shadow>::new(), a, da, b, db, angle, &dangle);
    }

    #[doc(hidden)]
    #[inline]
    pub fn __pullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        a: &mut T,
        ga: impl AdjointArg<T, S>,
        b: &mut T,
        gb: impl AdjointArg<T, S>,
        angle: T,
        gangle: impl AdjointArg<T, S>,
    ) {
        let (mut keep_a, mut keep_b, mut keep_angle) = (ga.keep(a), gb.keep(b), gangle.keep(&angle));
        let (ga, gb) = (ga.reach(&mut keep_a), gb.reach(&mut keep_b));
        add(gangle.reach(&mut keep_angle), turned(*ga, *gb, *a, *b));
        let (sin, cos) = (-angle).sin_cos();
        rotate_both(a, b, ga, gb, sin, cos);
    }

    #[doc(hidden)]
    #[inline]
    pub fn __unpullback<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        a: &mut T,
        ga: impl AdjointArg<T, S>,
        b: &mut T,
        gb: impl AdjointArg<T, S>,
        angle: T,
        gangle: impl AdjointArg<T, S>,
    ) {
        let (mut keep_a, mut keep_b, mut keep_angle) = (ga.keep(a), gb.keep(b), gangle.keep(&angle));
        let (ga, gb) = (ga.reach(&mut keep_a), gb.reach(&mut keep_b));
        let (sin, cos) = angle.sin_cos();
        rotate_both(a, b, ga, gb, sin, cos);
        sub(gangle.reach(&mut keep_angle), turned(*ga, *gb, *a, *b));
    }

    #[doc(hidden)]
    #[inline]
    pub fn __pushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        a: &mut T,
        da: impl AdjointArg<T, S>,
        b: &mut T,
        db: impl AdjointArg<T, S>,
        angle: T,
        dangle: impl TangentArg<T, S>,
    ) {
        let (mut keep_a, mut keep_b, keep_angle) = (da.keep(a), db.keep(b), dangle.keep(&angle));
        let (da, db, dangle) = (da.reach(&mut keep_a), db.reach(&mut keep_b), dangle.reach(&keep_angle));
        let (sin, cos) = angle.sin_cos();
        rotate_both(a, b, da, db, sin, cos);
        sub(da, push(*dangle, *b));
        add(db, push(*dangle, *a));
    }

    #[doc(hidden)]
    #[inline]
    pub fn __unpushforward<T: Real, S: Base + Shadow<T>>(
        _sweep: Sweep<S>,
        a: &mut T,
        da: impl AdjointArg<T, S>,
        b: &mut T,
        db: impl AdjointArg<T, S>,
        angle: T,
        dangle: impl TangentArg<T, S>,
    ) {
        let (mut keep_a, mut keep_b, keep_angle) = (da.keep(a), db.keep(b), dangle.keep(&angle));
        let (da, db, dangle) = (da.reach(&mut keep_a), db.reach(&mut keep_b), dangle.reach(&keep_angle));
        add(da, push(*dangle, *b));
        sub(db, push(*dangle, *a));
        let (sin, cos) = (-angle).sin_cos();
        rotate_both(a, b, da, db, sin, cos);
    }

    /// The procedure, or its inverse, as text.
    pub fn source(direction: Direction) -> &'static str {
        match direction {
            Direction::Forward => "fn rotate<T: Real>(a: &mut T, b: &mut T, angle: T) {\n    rotate(a, b, angle);\n}",
            Direction::Inverse => "fn rotate<T: Real>(a: &mut T, b: &mut T, angle: T) {\n    rotate(a, b, -angle);\n}",
            Direction::Pullback | Direction::Unpullback => "// given by hand: the adjoints turn with the values",
            Direction::Pushforward | Direction::Unpushforward => "// given by hand: the tangents turn with the values",
        }
    }
}

/// Rotates the values and the derivatives alike: the inverse of a rotation is its transpose.
#[inline(always)]
fn rotate_both<T: Real, S: Shadow<T>>(a: &mut T, b: &mut T, sa: &mut S, sb: &mut S, sin: T, cos: T) {
    (*a, *b) = (cos * *a - sin * *b, sin * *a + cos * *b);
    (*sa, *sb) = S::push_planar(*sa, *sb, (cos, sin));
}

/// The adjoint of the angle, from what is there after the rotation: `a` changes by −b, and `b` by a.
#[inline(always)]
fn turned<T: Real, S: Shadow<T>>(ga: S, gb: S, a: T, b: T) -> S {
    join(pull(gb, a), negate(pull(ga, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seeds;
    use crate::shadow::NoShadow;

    /// A rotation of (0.3, −1.2) by 0.7, as the map of all three numbers.
    const POINT: [f64; 3] = [0.3, -1.2, 0.7];

    /// The Jacobian: rows are outputs.
    fn jacobian() -> [[f64; 3]; 2] {
        let [a, b, t] = POINT;
        let (sin, cos) = t.sin_cos();
        [[cos, -sin, -sin * a - cos * b], [sin, cos, cos * a - sin * b]]
    }

    #[test]
    fn pullback_is_the_transpose_for_several_adjoints_at_once() {
        let [a0, b0, t] = POINT;
        let (mut a, mut b) = (a0, b0);
        rotate(&mut a, &mut b, t);
        let (mut ga, mut gb, mut gt) = (Seeds::<f64, 2>::basis(0), Seeds::basis(1), Seeds::default());
        rotate::__pullback(Sweep::<Seeds<f64, 2>>::new(), &mut a, &mut ga, &mut b, &mut gb, t, &mut gt);
        assert!((a - a0).abs() < 1e-15 && (b - b0).abs() < 1e-15);
        for (k, row) in jacobian().into_iter().enumerate() {
            for (g, d) in [ga[k], gb[k], gt[k]].into_iter().zip(row) {
                assert!((g - d).abs() < 1e-15, "{g} {d}");
            }
        }
    }

    #[test]
    fn pushforward_is_the_jacobian() {
        let ([mut a, mut b, t], [mut da, mut db, dt]) = (POINT, [0.5, 0.25, -2.0]);
        let expected = jacobian().map(|row| row[0] * da + row[1] * db + row[2] * dt);
        rotate::pushforward((&mut a, &mut da), (&mut b, &mut db), (t, dt));
        assert!((da - expected[0]).abs() < 1e-15 && (db - expected[1]).abs() < 1e-15);
        rotate::unpushforward((&mut a, &mut da), (&mut b, &mut db), (t, dt));
        assert!((da - 0.5).abs() < 1e-15 && (db - 0.25).abs() < 1e-15);
    }

    #[test]
    fn unpullback_undoes_pullback() {
        let ([mut a, mut b, t], mut g) = (POINT, [0.5, 0.25, -2.0]);
        let [ga, gb, gt] = &mut g;
        rotate::pullback((&mut a, ga), (&mut b, gb), (t, gt));
        rotate::unpullback((&mut a, ga), (&mut b, gb), (t, gt));
        for (found, expected) in [a, b, g[0], g[1], g[2]].into_iter().zip([0.3, -1.2, 0.5, 0.25, -2.0]) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }

    #[test]
    fn arguments_without_a_shadow_are_left_out() {
        let ([mut a, mut b, t], mut ga) = (POINT, 1.0);
        rotate::__pullback(Sweep::<f64>::new(), &mut a, &mut ga, &mut b, NoShadow, t, NoShadow);
        assert_eq!(ga, t.cos());
    }
}
