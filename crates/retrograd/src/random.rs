//! Random numbers whose stream runs backwards.
//!
//! The state is an integer, through which no derivative flows. [`advance()`] moves to the next state; it is a reversible
//! procedure, and its inverse moves to the previous one. What is drawn is a function of the state: [`bits()`], [`uniform()`],
//! [`normal()`]. So nothing has to be stored for the inverse.
//!
//! ```
//! use retrograd::{prelude::*, random};
//! use std::num::Wrapping;
//!
//! /// A random walk.
//! #[reversible]
//! fn walk<T: Real>(x: &mut T, stride: T, random: &mut Wrapping<u64>, steps: usize) {
//!     for _ in 0..steps {
//!         random::advance(random);
//!         *x += stride * random::normal::<T>(*random);
//!     }
//! }
//!
//! let (mut x, mut random) = (0.5, Wrapping(42));
//! walk(&mut x, 0.1, &mut random, 1000);
//! assert!((x - 0.5).abs() > 0.01);
//!
//! // The inverse draws the same numbers, from the last to the first; the stride contributed to each of them.
//! let (distance, mut gx, mut by_stride) = (x - 0.5, 1.0, 0.0);
//! walk::pullback((&mut x, &mut gx), (0.1, &mut by_stride), &mut random, 1000);
//! assert!((x - 0.5).abs() < 1e-12 && random == Wrapping(42));
//! assert!((by_stride - distance / 0.1).abs() < 1e-9);
//! ```
//!
//! The generator is SplitMix64: a counter whose bits are mixed. Its period is 2⁶⁴, and every `u64` is a seed. It is not suitable
//! for cryptography.

use std::num::Wrapping;

use crate::{Real, reversible};

/// From one state to the next: an odd number, near 2⁶⁴ divided by the golden ratio.
const STEP: Wrapping<u64> = Wrapping(0x9e37_79b9_7f4a_7c15);

/// Moves to the next state. Its inverse, `advance::uncall`, moves to the previous one.
///
/// ```
/// use retrograd::random::{advance, bits};
/// use std::num::Wrapping;
///
/// let mut state = Wrapping(7);
/// let mut draw = || {
///     advance(&mut state);
///     bits(state)
/// };
/// let forwards = [draw(), draw(), draw()];
/// let mut draw_back = || {
///     let bits = bits(state);
///     advance::uncall(&mut state);
///     bits
/// };
/// let mut backwards = [draw_back(), draw_back(), draw_back()];
/// backwards.reverse();
/// assert_eq!(forwards, backwards);
/// ```
#[reversible]
pub fn advance(state: &mut Wrapping<u64>) {
    *state += STEP;
}

/// 64 random bits.
///
/// ```
/// use std::num::Wrapping;
///
/// // The first of SplitMix64 with seed 0.
/// let mut state = Wrapping(0);
/// retrograd::random::advance(&mut state);
/// assert_eq!(retrograd::random::bits(state), 0xe220_a839_7b1d_cdaf);
/// ```
#[reversible]
pub fn bits(state: Wrapping<u64>) -> u64 {
    stirred(state.0)
}

/// A random number that is at least 0 and below 1.
///
/// ```
/// use std::num::Wrapping;
///
/// let x: f64 = retrograd::random::uniform(Wrapping(7));
/// assert!((0.0..1.0).contains(&x));
/// ```
#[reversible]
pub fn uniform<T: Real>(state: Wrapping<u64>) -> T {
    T::lit(unit_interval(stirred(state.0)))
}

/// A random number from the normal distribution with mean 0 and variance 1, by the Box-Muller method.
///
/// ```
/// use std::num::Wrapping;
///
/// let mut state = Wrapping(7);
/// let mut square = 0.0;
/// for _ in 0..10_000 {
///     retrograd::random::advance(&mut state);
///     square += retrograd::random::normal::<f64>(state).powi(2) / 1e4;
/// }
/// assert!((square - 1.0).abs() < 0.05);
/// ```
#[reversible]
pub fn normal<T: Real>(state: Wrapping<u64>) -> T {
    T::lit(box_muller(stirred(state.0), stirred(stirred(state.0))))
}

/// The bits of a state, each of which depends on all bits of the counter.
fn stirred(counter: u64) -> u64 {
    let counter = (counter ^ (counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let counter = (counter ^ (counter >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    counter ^ (counter >> 31)
}

/// 53 of the bits, as a number from 0 on and below 1.
fn unit_interval(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

fn box_muller(a: u64, b: u64) -> f64 {
    // 1 - u is never zero.
    let radius = (-2.0 * (1.0 - unit_interval(a)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit_interval(b)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fixed;

    #[test]
    fn the_stream_runs_backwards() {
        let mut state = Wrapping(0xfeed_u64);
        let states: Vec<_> = (0..1_000_000)
            .map(|_| {
                advance(&mut state);
                state
            })
            .collect();
        for expected in states.into_iter().rev() {
            assert_eq!(state, expected);
            advance::uncall(&mut state);
        }
        assert_eq!(state, Wrapping(0xfeed));
    }

    #[test]
    fn numbers_are_distributed_as_they_should_be() {
        let (mut state, n) = (Wrapping(3), 100_000);
        let (mut mean, mut square, mut normal_mean, mut fourth) = (0.0, 0.0, 0.0, 0.0);
        let mut ones = [0_u32; 64];
        for _ in 0..n {
            advance(&mut state);
            let (x, z): (f64, f64) = (uniform(state), normal(state));
            mean += x / f64::from(n);
            square += x * x / f64::from(n);
            normal_mean += z / f64::from(n);
            fourth += z.powi(4) / f64::from(n);
            (0..64).for_each(|i| ones[i] += (bits(state) >> i & 1) as u32);
            assert_eq!(uniform::<Fixed<32>>(state), Fixed::lit(x));
        }
        // Five standard deviations.
        assert!((mean - 0.5).abs() < 0.005 && (square - 1.0 / 3.0).abs() < 0.005, "{mean} {square}");
        assert!(normal_mean.abs() < 0.016 && (fourth - 3.0).abs() < 0.16, "{normal_mean} {fourth}");
        assert!(ones.iter().all(|&count| count.abs_diff(50_000) < 800), "{ones:?}");
    }
}
