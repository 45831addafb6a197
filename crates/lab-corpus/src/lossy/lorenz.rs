//! The weather of Lorenz, by the classical method of Runge and Kutta.

mod natural;

pub(super) use natural::NATURAL;
pub use natural::lorenz_natural;

use retrograd::Dual;
use retrograd::prelude::*;

use super::{Input, Lossy, Tape, array, array_mut, runge_kutta};

/// How fast the state `s` changes, with the parameters σ, ρ and β.
#[reversible]
fn slope<T: Real>(p: &[T; 3], s: &[T; 3]) -> [T; 3] {
    [p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1], s[0] * s[1] - p[2] * s[2]]
}

/// The first coordinate after so many steps of length `dt`.
///
/// ```
/// use lab_corpus::lossy::lorenz::lorenz;
///
/// // The origin stays where it is.
/// assert_eq!(lorenz(&[10.0, 28.0, 8.0 / 3.0], &[0.0; 3], 0.01, 10), 0.0);
/// ```
#[reversible(record)]
pub fn lorenz<T: Real>(p: &[T; 3], start: &[T; 3], #[constant] dt: T, steps: usize) -> T {
    let mut s = *start;
    for _ in 0..steps {
        let k1 = slope(p, &s);
        let point = std::array::from_fn(|i| s[i] + 0.5 * dt * k1[i]);
        let k2 = slope(p, &point);
        let point = std::array::from_fn(|i| s[i] + 0.5 * dt * k2[i]);
        let k3 = slope(p, &point);
        let point = std::array::from_fn(|i| s[i] + dt * k3[i]);
        let k4 = slope(p, &point);
        for i in 0..3 {
            s[i] += dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    s[0]
}

/// The point at `h` times the slope `k` from `s`.
#[reversible]
fn ahead<T: Real>(s: &[T; 3], #[constant] h: T, k: &[T; 3]) -> [T; 3] {
    [s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2]]
}

/// The same with all states kept in an array.
///
/// ```
/// use lab_corpus::lossy::lorenz::lorenz_reversible;
///
/// assert_eq!(lorenz_reversible(&[10.0, 28.0, 8.0 / 3.0], &[0.0; 3], 0.01, 10), 0.0);
/// ```
#[reversible]
pub fn lorenz_reversible<T: Real>(p: &[T; 3], start: &[T; 3], #[constant] dt: T, steps: usize) -> T {
    let mut s = vec![[T::zero(); 3]; steps + 1];
    for i in 0..3 {
        s[0][i] += start[i];
    }
    for t in 0..steps {
        let k1 = slope(p, &s[t]);
        let k2 = slope(p, &ahead(&s[t], 0.5 * dt, &k1));
        let k3 = slope(p, &ahead(&s[t], 0.5 * dt, &k2));
        let k4 = slope(p, &ahead(&s[t], dt, &k3));
        for i in 0..3 {
            s[t + 1][i] += s[t][i] + dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    s[steps][0]
}

/// The length of a step.
const DT: f64 = 0.01;

#[inline(always)]
fn slope_plain([sigma, rho, beta]: &[f64; 3], [x, y, z]: &[f64; 3]) -> [f64; 3] {
    [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
}

fn by_hand(tape: &mut Tape, p: &[f64; 3], start: &[f64; 3], steps: usize, g_p: &mut [f64; 3], g: &mut [f64]) -> f64 {
    let [sigma, rho, beta] = p;
    let mut sums = [0.0; 3];
    let pullback = |[x, y, z]: &[f64; 3], [a, b, c]: &[f64; 3]| {
        sums[0] += a * (y - x);
        sums[1] += b * x;
        sums[2] -= c * z;
        [b * (rho - z) + c * y - a * sigma, a * sigma - b + c * x, -b * x - c * beta]
    };
    let (s, g_s) = runge_kutta::by_hand(tape, |s| slope_plain(p, s), pullback, start, DT, steps, [1.0, 0.0, 0.0]);
    g_p.iter_mut().chain(g).zip(sums.iter().chain(&g_s)).for_each(|(g, sum)| *g += sum);
    s[0]
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "Lorenz, Runge–Kutta",
    input: |steps| Input { x: vec![10.0, 28.0, 8.0 / 3.0, 1.0, 2.0, 20.0], data: Vec::new(), steps },
    steps: 1000,
    plain: |Input { x, steps, .. }| {
        let (p, start) = array(x);
        runge_kutta::plain(|s| slope_plain(p, s), array(start).0, DT, *steps)[0]
    },
    by_hand: |tape, Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        by_hand(tape, p, array(start).0, *steps, g_p, g_start)
    },
    recorded: |record, Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        lorenz::pullback_in(record, (p, g_p), (array(start).0, array_mut(g_start).0), DT, *steps, 1.0)
    },
    reversible: |Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        lorenz_reversible::pullback((p, g_p), (array(start).0, array_mut(g_start).0), DT, *steps, 1.0)
    },
    dual: |Input { steps, .. }, x| {
        let (p, start) = array(x);
        lorenz(p, array(start).0, Dual::constant(DT), *steps)
    },
};
