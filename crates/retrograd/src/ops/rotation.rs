//! Turning two values into each other.

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
    /// Rotates back: by the angle negated.
    #[inline]
    pub fn uncall<T: Real>(a: &mut T, b: &mut T, angle: T) {
        rotate(a, b, -angle);
    }

    /// The procedure, or its inverse, as text.
    pub fn source(direction: Direction) -> &'static str {
        match direction {
            Direction::Forward => "fn rotate<T: Real>(a: &mut T, b: &mut T, angle: T) {\n    rotate(a, b, angle);\n}",
            Direction::Inverse => "fn rotate<T: Real>(a: &mut T, b: &mut T, angle: T) {\n    rotate(a, b, -angle);\n}",
        }
    }
}
