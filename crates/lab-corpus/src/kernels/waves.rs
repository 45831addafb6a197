//! The wave equation in two dimensions: one run for each point of a grid.

use retrograd::prelude::*;

/// One step from the states `u` and, in `other`, the one before it, which becomes the one after it. The border stays as it is.
///
/// The equation u₊ = F(u) − u₋ becomes an addition where states have signs + + − − in turn: with `sign` = [`wave_sign`]`(step)` it is
/// `other += sign * F(u)`, and adjoints of `other` stay as they are. `speed` is the square of the Courant number.
///
/// ```
/// use lab_corpus::kernels::{wave, wave_sign};
///
/// let (n, width) = (64, 8);
/// let (mut before, mut now, speed) = (vec![0.0; n], vec![0.0; n], 0.2);
/// now[27] = 1.0;
/// for step in 0..10 {
///     wave::over(n, &mut before, &now, speed, wave_sign(step), width);
///     std::mem::swap(&mut before, &mut now);
/// }
/// for step in (0..10).rev() {
///     std::mem::swap(&mut before, &mut now);
///     wave::uncall_over(n, &mut before, &now, speed, wave_sign(step), width);
/// }
/// assert!((now[27] - 1.0_f64).abs() < 1e-12);
/// ```
#[reversible(kernel)]
pub fn wave<T: Real>(
    #[index] i: usize,
    other: &mut [T],
    u: &[T],
    #[constant] speed: T,
    #[constant] sign: T,
    width: usize,
) {
    if i >= width && i + width < u.len() {
        let around = u[i - width] + u[i - 1] + u[i + 1] + u[i + width];
        other[i] += sign * (2.0 * u[i] + speed * (around - 4.0 * u[i]));
    }
}

/// The sign of what a step adds: − for every other one.
pub fn wave_sign(step: usize) -> f64 {
    if step.is_multiple_of(2) { -1.0 } else { 1.0 }
}
