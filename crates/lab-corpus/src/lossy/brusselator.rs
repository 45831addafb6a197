//! Two substances that react and spread over a square, the Brusselator, by the classical method of Runge and Kutta.

mod hand;

use retrograd::Dual;
use retrograd::prelude::*;

use super::{Input, Lossy, array, array_mut};

/// How many cells the square has from side to side. What leaves it on one side comes back on the other.
const SIDE: usize = 32;
/// How many cells it has.
const CELLS: usize = SIDE * SIDE;
/// How many numbers a state has: the concentrations of one substance in all cells, and those of the other.
pub const STATE: usize = 2 * CELLS;

/// The four cells around one.
#[inline(always)]
fn around(row: usize, column: usize) -> [usize; 4] {
    [
        SIDE * ((row + SIDE - 1) % SIDE) + column,
        SIDE * ((row + 1) % SIDE) + column,
        SIDE * row + (column + SIDE - 1) % SIDE,
        SIDE * row + (column + 1) % SIDE,
    ]
}

/// How fast the concentrations `s` change. The parameters are those of the reaction, and how fast substances spread.
#[reversible(record)]
fn slope<T: Real>(p: &[T; 3], s: &[T; STATE]) -> [T; STATE] {
    let mut k = [T::zero(); STATE];
    for row in 0..SIDE {
        for column in 0..SIDE {
            let at = SIDE * row + column;
            let [a, b, c, d] = around(row, column);
            let (u, v) = (s[at], s[CELLS + at]);
            let reaction = u * u * v;
            let spread_u = s[a] + s[b] + s[c] + s[d] - 4.0 * u;
            let spread_v = s[CELLS + a] + s[CELLS + b] + s[CELLS + c] + s[CELLS + d] - 4.0 * v;
            k[at] = p[1] + reaction - (p[0] + 1.0) * u + p[2] * spread_u;
            k[CELLS + at] = p[0] * u - reaction + p[2] * spread_v;
        }
    }
    k
}

/// The mean concentration of the first substance after so many steps of length `dt`.
///
/// ```
/// use lab_corpus::lossy::brusselator::{STATE, brusselator};
///
/// // Nothing is there, and nothing is added.
/// assert_eq!(brusselator(&[3.4, 0.0, 2.0], &[0.0; STATE], 0.01, 2), 0.0);
/// ```
#[reversible(record)]
pub fn brusselator<T: Real>(p: &[T; 3], start: &[T; STATE], #[constant] dt: T, steps: usize) -> T {
    let mut s = *start;
    for _ in 0..steps {
        let k1 = slope(p, &s);
        let mut point = s;
        for i in 0..STATE {
            point[i] = s[i] + 0.5 * dt * k1[i];
        }
        let k2 = slope(p, &point);
        for i in 0..STATE {
            point[i] = s[i] + 0.5 * dt * k2[i];
        }
        let k3 = slope(p, &point);
        for i in 0..STATE {
            point[i] = s[i] + dt * k3[i];
        }
        let k4 = slope(p, &point);
        for i in 0..STATE {
            s[i] += dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    let mut mean = T::zero();
    for i in 0..CELLS {
        mean += s[i] / CELLS as T;
    }
    mean
}

/// The same slope, added to zeros.
#[reversible]
fn slope_reversible<T: Real>(p: &[T; 3], s: &[T; STATE]) -> [T; STATE] {
    let mut k = [T::zero(); STATE];
    for row in 0..SIDE {
        for column in 0..SIDE {
            let at = SIDE * row + column;
            let [a, b, c, d] = around(row, column);
            let (u, v) = (s[at], s[CELLS + at]);
            let reaction = u * u * v;
            let spread_u = s[a] + s[b] + s[c] + s[d] - 4.0 * u;
            let spread_v = s[CELLS + a] + s[CELLS + b] + s[CELLS + c] + s[CELLS + d] - 4.0 * v;
            k[at] += p[1] + reaction - (p[0] + 1.0) * u + p[2] * spread_u;
            k[CELLS + at] += p[0] * u - reaction + p[2] * spread_v;
        }
    }
    k
}

/// The point at `h` times the slope `k` from `s`.
#[reversible]
fn ahead<T: Real>(s: &[T; STATE], #[constant] h: T, k: &[T; STATE]) -> [T; STATE] {
    let mut point = *s;
    for i in 0..STATE {
        point[i] += h * k[i];
    }
    point
}

/// The same with all states kept in an array.
///
/// ```
/// use lab_corpus::lossy::brusselator::{STATE, brusselator_reversible};
///
/// assert_eq!(brusselator_reversible(&[3.4, 0.0, 2.0], &[0.0; STATE], 0.01, 2), 0.0);
/// ```
#[reversible]
pub fn brusselator_reversible<T: Real>(p: &[T; 3], start: &[T; STATE], #[constant] dt: T, steps: usize) -> T {
    let mut s = vec![[T::zero(); STATE]; steps + 1];
    for i in 0..STATE {
        s[0][i] += start[i];
    }
    for t in 0..steps {
        let k1 = slope_reversible(p, &s[t]);
        let k2 = slope_reversible(p, &ahead(&s[t], 0.5 * dt, &k1));
        let k3 = slope_reversible(p, &ahead(&s[t], 0.5 * dt, &k2));
        let k4 = slope_reversible(p, &ahead(&s[t], dt, &k3));
        for i in 0..STATE {
            s[t + 1][i] += s[t][i] + dt / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    let mut mean = T::zero();
    for i in 0..CELLS {
        mean += s[steps][i] / CELLS as T;
    }
    mean
}

/// The length of a step.
const DT: f64 = 0.01;

/// How much there is at a distance from 0 to 1 from one side.
fn bump(height: f64, cell: usize) -> f64 {
    let x = (cell as f64 + 0.5) / SIDE as f64;
    height * (x * (1.0 - x)).powf(1.5)
}

pub(super) const LOSSY: Lossy = Lossy {
    name: "Brusselator, Runge–Kutta",
    input: |steps| {
        let one = (0..CELLS).map(|cell| bump(22.0, cell / SIDE));
        let other = (0..CELLS).map(|cell| bump(27.0, cell % SIDE));
        Input { x: [3.4, 1.0, 2.0].into_iter().chain(one).chain(other).collect(), data: Vec::new(), steps }
    },
    steps: 10,
    plain: |Input { x, steps, .. }| {
        let (p, start) = array(x);
        hand::plain(p, array(start).0, DT, *steps)
    },
    by_hand: |tape, Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        hand::gradient(tape, (p, g_p), (array(start).0, array_mut(g_start).0), DT, *steps)
    },
    recorded: |record, Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        brusselator::pullback_in(record, (p, g_p), (array(start).0, array_mut(g_start).0), DT, *steps, 1.0)
    },
    reversible: |Input { x, steps, .. }, g| {
        let (p, start) = array(x);
        let (g_p, g_start) = array_mut(g);
        brusselator_reversible::pullback((p, g_p), (array(start).0, array_mut(g_start).0), DT, *steps, 1.0)
    },
    dual: |Input { steps, .. }, x| {
        let (p, start) = array(x);
        brusselator(p, array(start).0, Dual::constant(DT), *steps)
    },
};
