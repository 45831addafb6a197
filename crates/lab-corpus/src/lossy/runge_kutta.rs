//! The classical method of Runge and Kutta for any slope, in plain Rust and by hand.

use super::Tape;

/// The point at `h` times the slope `k` from `s`.
#[inline(always)]
fn ahead<const N: usize>(s: &[f64; N], h: f64, k: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| s[i] + h * k[i])
}

/// The state after so many steps.
#[inline(always)]
pub(super) fn plain<const N: usize>(
    slope: impl Fn(&[f64; N]) -> [f64; N],
    start: &[f64; N],
    dt: f64,
    steps: usize,
) -> [f64; N] {
    let mut s = *start;
    for _ in 0..steps {
        let k1 = slope(&s);
        let k2 = slope(&ahead(&s, 0.5 * dt, &k1));
        let k3 = slope(&ahead(&s, 0.5 * dt, &k2));
        let k4 = slope(&ahead(&s, dt, &k3));
        for i in 0..N {
            s[i] += dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    s
}

/// The same, with the four points of each step at which slopes were taken kept, and then its pullback.
///
/// `pullback(s, g_k)` is that of the slope at `s` from the adjoint of the slope: it returns that of `s`, and adds up others itself.
#[inline(always)]
pub(super) fn by_hand<const N: usize>(
    tape: &mut Tape,
    slope: impl Fn(&[f64; N]) -> [f64; N],
    mut pullback: impl FnMut(&[f64; N], &[f64; N]) -> [f64; N],
    start: &[f64; N],
    dt: f64,
    steps: usize,
    seed: [f64; N],
) -> ([f64; N], [f64; N]) {
    let mut s = *start;
    for _ in 0..steps {
        let k1 = slope(&s);
        let s2 = ahead(&s, 0.5 * dt, &k1);
        let k2 = slope(&s2);
        let s3 = ahead(&s, 0.5 * dt, &k2);
        let k3 = slope(&s3);
        let s4 = ahead(&s, dt, &k3);
        let k4 = slope(&s4);
        for points in [s, s2, s3, s4] {
            tape.push(points);
        }
        for i in 0..N {
            s[i] += dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    tape.turn();
    let mut g = seed;
    for _ in 0..steps {
        let [s4, s3, s2, s1] = std::array::from_fn(|_| tape.pop());
        let g4 = pullback(&s4, &g.map(|g| dt / 6.0 * g));
        let g3 = pullback(&s3, &std::array::from_fn(|i| dt / 3.0 * g[i] + dt * g4[i]));
        let g2 = pullback(&s2, &std::array::from_fn(|i| dt / 3.0 * g[i] + 0.5 * dt * g3[i]));
        let g1 = pullback(&s1, &std::array::from_fn(|i| dt / 6.0 * g[i] + 0.5 * dt * g2[i]));
        for i in 0..N {
            g[i] += g1[i] + g2[i] + g3[i] + g4[i];
        }
    }
    (s, g)
}
