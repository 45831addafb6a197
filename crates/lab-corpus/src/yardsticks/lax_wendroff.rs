//! Burgers' equation by the scheme of Lax and Wendroff.

use super::Number;

/// The wave after that many steps. It needs two states only, where
/// [`lax_wendroff`](crate::programs::lax_wendroff::lax_wendroff()) keeps all.
#[inline]
pub fn lax_wendroff<N: Number, const S: usize>(start: &[N; S], ratio: N, steps: usize) -> [N; S] {
    let flux = |u: N| u * u * 0.5;
    let halfway = |left: N, right: N| (left + right) * 0.5 - ratio * (flux(right) - flux(left)) * 0.5;
    let mut now = *start;
    for _ in 0..steps {
        let east: [N; S] = std::array::from_fn(|i| flux(halfway(now[i], now[(i + 1) % S])));
        now = std::array::from_fn(|i| now[i] - ratio * (east[i] - east[(i + S - 1) % S]));
    }
    now
}
