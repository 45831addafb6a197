//! Random numbers of the normal distribution by the method of Box and Muller, in place, and back.

use std::f64::consts::{PI, TAU};

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// The square root of a positive number, undone by squaring.
///
/// ```
/// use lab_corpus::programs::box_muller::root;
///
/// assert_eq!((root(9.0), root::inverse(3.0)), (3.0, 9.0));
/// ```
#[bijection(inverse = x.square())]
pub fn root<T: Real>(x: T) -> T {
    x.sqrt()
}

/// From a radius and an angle between −π and π to the two coordinates, in place.
///
/// The coordinates are made in scratch memory. Radius and angle can be computed from them, and what is computed from
/// them can be subtracted: that leaves zero, and the scratch memory is given back with it.
///
/// ```
/// use lab_corpus::programs::box_muller::from_polar;
///
/// let (mut x, mut y) = (2.0, std::f64::consts::FRAC_PI_2);
/// from_polar(&mut x, &mut y);
/// assert!(x.abs() < 1e-15 && y == 2.0);
/// from_polar::uncall(&mut x, &mut y);
/// assert!(x == 2.0 && (y - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
/// ```
#[reversible]
pub fn from_polar<T: Real>(x: &mut T, y: &mut T) {
    let mut across = *x * y.cos();
    let mut up = *x * y.sin();
    *x -= across.hypot(up);
    *y -= up.atan2(across);
    swap(x, &mut across);
    swap(y, &mut up);
    release!(across == T::zero());
    release!(up == T::zero());
}

/// Makes two independent random numbers of the standard normal distribution from two between 0 and 1, in place.
///
/// Neither may be 0 or 1. It is a bijection, and the logarithm of its determinant says how dense the results are.
///
/// ```
/// use lab_corpus::programs::box_muller::box_muller;
///
/// let (mut u, mut v) = ((-0.5_f64).exp(), 0.5);
/// box_muller(&mut u, &mut v);
/// assert!((u - 1.0).abs() < 1e-15 && v == 0.0);
/// box_muller::uncall(&mut u, &mut v);
/// assert!((u - (-0.5_f64).exp()).abs() < 1e-15 && v == 0.5);
/// ```
#[reversible]
pub fn box_muller<T: Real>(u: &mut T, v: &mut T) {
    *u = u.ln();
    *u *= -2.0;
    *u = root(*u);
    *v *= T::lit(TAU);
    *v -= T::lit(PI);
    from_polar(u, v);
}

pub(super) const ENTRY: Entry = Entry {
    name: "box_muller",
    about: "makes two normal random numbers from two even ones, in place; what they were made from is subtracted",
    source: box_muller::source,
    demo: || {
        Demo::new(
            [0.3, 0.8],
            |[u, v]: &mut [f64; 2]| box_muller(u, v),
            |[u, v]| box_muller::uncall(u, v),
            |numbers| format!("u, v = {:?}", rounded(numbers)),
        )
    },
};
