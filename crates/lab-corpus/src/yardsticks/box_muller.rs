//! Random numbers of the normal distribution by the method of Box and Muller.

use std::f64::consts::{PI, TAU};

use super::Number;

/// Two of them, as [`box_muller`](crate::programs::box_muller::box_muller()) makes them.
#[inline]
pub fn box_muller<N: Number>(u: N, v: N) -> (N, N) {
    let radius = (u.ln() * -2.0).sqrt();
    let (sin, cos) = (v * TAU - PI).sin_cos();
    (radius * cos, radius * sin)
}
