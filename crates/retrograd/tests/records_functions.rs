//! Programs as they are written everywhere, differentiated as they are: `#[reversible(record)]` against dual numbers.

#[macro_use]
mod against_dual;

use retrograd::prelude::*;

/// What a reader of signals adds up: it waits for a rise, follows it, and rests behind each fall.
#[reversible(record)]
fn signals<T: Real>(x: &[T], patience: usize) -> T {
    let mut state = 0;
    let mut level: T = 0.0;
    let mut total: T = 0.0;
    let mut rest = patience;
    for i in 0..x.len() {
        match state {
            0 => {
                if x[i] > 0.5 {
                    level = x[i];
                    state = 1;
                }
            }
            1 => {
                if x[i] < level {
                    total += level * level - x[i];
                    state = 2;
                    rest = patience;
                } else {
                    level = 0.5 * level + 0.5 * x[i] * x[i];
                }
            }
            _ => {
                if rest == 0 {
                    state = 0;
                    continue;
                }
                rest -= 1;
                total *= 0.9;
            }
        }
    }
    if state == 1 {
        return total + level.sin();
    }
    total
}

#[test]
fn a_state_machine() {
    for patience in 0..3 {
        agrees!(signals, [0.1, 0.6, 0.9, 1.1, 0.7, 0.3, 0.8, 1.2, 0.1, 0.2, 0.9], patience);
        agrees!(signals, [0.7, 0.6, 0.9, 0.2, 0.7, 0.3, 0.8, 1.2], patience);
    }
}

/// Where `p³ + x₀·p` is x₁, by halving an interval that depends on both.
#[reversible(record)]
fn bisection<T: Real>(x: &[T], #[constant] tolerance: f64) -> T {
    let mut low: T = -1.0 - x[1] * x[1];
    let mut high: T = 1.0 + x[1] * x[1];
    let mut middle: T = 0.0;
    while (high - low).to_f64() > tolerance {
        middle = 0.5 * (low + high);
        let value: T = middle * middle * middle + x[0] * middle - x[1];
        if value > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    middle
}

#[test]
fn bisection_while_the_interval_is_wide() {
    for tolerance in [5.0, 0.5, 1e-3, 1e-9] {
        agrees!(bisection, [1.3, 0.7], tolerance);
        agrees!(bisection, [0.4, -1.2], tolerance);
    }
}

/// The cube root of x₀ by Newton's steps from x₁; what it has when the limit is reached is less than that.
#[reversible(record)]
fn newton<T: Real>(x: &[T], limit: usize) -> T {
    let mut y: T = x[1];
    let mut count = 0;
    loop {
        if count == limit {
            return 0.5 * y;
        }
        let residual = y * y * y - x[0];
        if residual.abs() < 1e-9 {
            break;
        }
        y -= residual / (3.0 * y * y);
        count += 1;
    }
    y + 0.0 * x[1]
}

#[test]
fn newton_with_a_limit() {
    for limit in [0, 1, 2, 50] {
        agrees!(newton, [2.7, 1.4], limit);
        agrees!(newton, [8.0, 2.0], limit);
    }
}

/// The sum of polynomials, a row of coefficients each, at x₀. Rows that begin with a negative number are left out, and a
/// large value ends it all.
#[reversible(record)]
fn horner<T: Real>(x: &[T], width: usize) -> T {
    let mut total: T = 0.0;
    let mut row = 0;
    'rows: while (row + 1) * width < x.len() {
        let first = 1 + row * width;
        row += 1;
        let mut value: T = 0.0;
        for i in 0..width {
            if i == 0 && x[first] < 0.0 {
                continue 'rows;
            }
            value = value * x[0] + x[first + i];
            if value > 50.0 {
                break 'rows;
            }
        }
        total += value * value;
    }
    total
}

#[test]
fn horner_with_rows_left_out() {
    let coefficients = [0.8, 1.2, -0.5, 0.3, -0.1, 2.0, 1.0, 0.7, 0.2, -1.4, 0.5, 0.6, 0.9];
    agrees!(horner, coefficients, 3);
    agrees!(horner, coefficients, 4);
    agrees!(horner, [3.0, 1.2, 0.5, 0.3, 4.0, 2.0, 30.0, 0.7, 0.2, -1.4], 3);
}

/// The log-likelihood of measurements by a Kalman filter of position and speed. The first two numbers are the noise of the process and
/// of the measurements.
#[reversible(record)]
fn kalman<T: Real>(x: &[T]) -> T {
    let dt = 0.5;
    let mut state = [T::zero(); 2];
    let mut p: [[T; 2]; 2] = [[1.0, 0.0], [0.0, 1.0]];
    let mut likelihood: T = 0.0;
    for i in 2..x.len() {
        // The state moves on, and so does its covariance: F P Fᵀ + Q.
        state[0] = state[0] + dt * state[1];
        let mut moved = [[T::zero(); 2]; 2];
        moved[0][0] = p[0][0] + dt * (p[1][0] + p[0][1]) + dt * dt * p[1][1] + x[0] * x[0];
        moved[0][1] = p[0][1] + dt * p[1][1];
        moved[1][0] = p[1][0] + dt * p[1][1];
        moved[1][1] = p[1][1] + x[0] * x[0];
        p = moved;
        let innovation = x[i] - state[0];
        let variance = p[0][0] + x[1] * x[1];
        let gain = [p[0][0] / variance, p[1][0] / variance];
        for k in 0..2 {
            state[k] += gain[k] * innovation;
        }
        let row = [p[0][0], p[0][1]];
        for k in 0..2 {
            for l in 0..2 {
                p[k][l] -= gain[k] * row[l];
            }
        }
        likelihood -= 0.5 * (innovation * innovation / variance + variance.ln());
    }
    likelihood
}

#[test]
fn a_kalman_filter() {
    agrees!(kalman, [0.3, 0.5, 0.1, 0.4, 0.8, 1.3, 1.7, 2.4]);
    agrees!(kalman, [1.3, 0.2, 0.1, -0.4, 0.8, -1.3]);
}

/// What the classical method of fourth order finds for a pendulum with friction, with the stages in one array that is overwritten.
#[reversible(record)]
fn runge_kutta<T: Real>(x: &[T], steps: usize) -> T {
    let h = 0.1;
    let mut y = [x[0], x[1]];
    let mut k = [[T::zero(); 2]; 4];
    let mut stage = [T::zero(); 2];
    for _ in 0..steps {
        for s in 0..4 {
            stage = y;
            if s > 0 {
                let step = if s == 3 { h } else { 0.5 * h };
                for i in 0..2 {
                    stage[i] += step * k[s - 1][i];
                }
            }
            k[s][0] = stage[1];
            k[s][1] = -stage[0].sin() - x[2] * stage[1];
        }
        for i in 0..2 {
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
    y[0] * y[0] + y[1]
}

#[test]
fn runge_kutta_with_stages_overwritten() {
    for steps in [0, 1, 30] {
        agrees!(runge_kutta, [1.2, -0.3, 0.4], steps);
    }
}

/// Five numbers in order, each weighted with its place, by odd-even transposition.
#[reversible(record)]
fn sorted<T: Real>(x: &[T]) -> T {
    let mut a = x.to_vec();
    let n = a.len();
    for round in 0..n {
        let mut i = round % 2;
        while i + 1 < n {
            if a[i] > a[i + 1] {
                a.swap(i, i + 1);
            }
            i += 2;
        }
    }
    let mut total: T = 0.0;
    let mut weight: T = 1.0;
    for i in 0..n {
        total += weight * a[i] * a[i];
        weight *= 0.5;
    }
    total
}

#[test]
fn a_sorting_network() {
    agrees!(sorted, [0.3, -1.2, 2.5, 0.1, -0.7]);
    agrees!(sorted, [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    agrees!(sorted, [1.0]);
}

/// The largest mean of the last three numbers, in a ring that forgets the oldest.
#[reversible(record)]
fn smoothed<T: Real>(x: &[T]) -> T {
    let mut ring = [T::zero(); 3];
    let mut head = 0;
    let mut filled = 0;
    let mut best: T = -1000.0;
    for i in 0..x.len() {
        ring[head] = x[i] * x[i];
        head = (head + 1) % 3;
        if filled < 3 {
            filled += 1;
        }
        let mut mean: T = 0.0;
        for k in 0..filled {
            mean += ring[(head + 2 - k) % 3];
        }
        mean /= filled as T;
        if mean > best {
            best = mean;
        }
    }
    best
}

#[test]
fn a_ring_buffer() {
    agrees!(smoothed, [0.3, 1.2, 0.5, 2.1, 0.7, 1.9, 0.2]);
    agrees!(smoothed, [0.3, 1.2]);
}

/// Runs of the same key, each with the product of its numbers: their sines, and the length of the longest.
#[reversible(record)]
fn runs<T: Real>(x: &[T], keys: &[i64]) -> T {
    let mut total: T = 0.0;
    let mut longest = 0;
    let mut i = 0;
    while i < x.len() {
        let key = keys[i];
        let mut product: T = 1.0;
        let mut length = 0;
        while i < x.len() && keys[i] == key {
            product *= x[i];
            length += 1;
            i += 1;
        }
        if length > longest {
            longest = length;
            total *= 0.5;
        }
        total += product.sin();
    }
    total * longest as T
}

#[test]
fn runs_of_the_same_key() {
    agrees!(runs, [0.5, 1.5, 0.0, 2.0, 0.7, 1.1, 0.4], &[1, 1, 2, 2, 2, 1, 3]);
    agrees!(runs, [0.5, 1.5], &[4, 4]);
    agrees!(runs, [0.5], &[4]);
}

/// The first pair whose product exceeds a bound, by its difference; else the sum of what was overwritten on the way.
#[reversible(record)]
fn first_pair<T: Real>(x: &[T], #[constant] bound: f64) -> T {
    let mut seen: T = 0.0;
    for i in 0..x.len() {
        let mut j = i + 1;
        while j < x.len() {
            let product = x[i] * x[j];
            if product.to_f64() > bound {
                return (x[i] - x[j]) * seen;
            }
            seen = 0.5 * seen + product;
            if seen < -1.0 {
                break;
            }
            j += 1;
        }
        seen *= 1.0 + x[i];
    }
    seen
}

#[test]
fn an_early_return_from_nested_loops() {
    for bound in [0.1, 1.0, 2.0, 100.0] {
        agrees!(first_pair, [0.3, 1.2, -0.5, 2.1, 0.7], bound);
        agrees!(first_pair, [0.3, -3.2, 1.5, 2.1, 1.7], bound);
    }
}

/// The solution of three equations by elimination with pivots, row by row, in place; summed with weights.
#[reversible(record)]
fn elimination<T: Real>(x: &[T]) -> T {
    let mut a = [[T::zero(); 4]; 3];
    for i in 0..3 {
        for j in 0..4 {
            a[i][j] = x[4 * i + j];
        }
    }
    for k in 0..3 {
        let mut pivot = k;
        for i in k + 1..3 {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        a.swap(k, pivot);
        if a[k][k].abs() < 1e-12 {
            return 0.0;
        }
        for i in k + 1..3 {
            let factor = a[i][k] / a[k][k];
            for j in k..4 {
                a[i][j] = a[i][j] - factor * a[k][j];
            }
        }
    }
    let mut solution = [T::zero(); 3];
    for i in (0..3).rev() {
        let mut sum = a[i][3];
        for j in i + 1..3 {
            sum -= a[i][j] * solution[j];
        }
        solution[i] = sum / a[i][i];
    }
    solution[0] + 2.0 * solution[1] - 3.0 * solution[2]
}

#[test]
fn elimination_with_pivots() {
    agrees!(elimination, [0.1, 2.0, -1.0, 3.0, 4.0, 1.0, 0.5, 1.0, 2.0, -1.5, 0.7, 0.2]);
    agrees!(elimination, [0.0, 2.0, -1.0, 3.0, 0.0, 1.0, 0.5, 1.0, 0.0, -1.5, 0.7, 0.2]);
}

/// Descent on a valley, with steps that are halved until they go down.
#[reversible(record)]
fn descent<T: Real>(x: &[T], steps: usize) -> T {
    let mut at = [x[0], x[1]];
    let mut height: T = (at[0] - x[2]).square() + 3.0 * at[1].square().square();
    'steps: for _ in 0..steps {
        let slope = [2.0 * (at[0] - x[2]), 12.0 * at[1] * at[1] * at[1]];
        let mut size: T = 0.6;
        let mut tries = 0;
        let mut next = at;
        let mut lower: T;
        loop {
            for i in 0..2 {
                next[i] = at[i] - size * slope[i];
            }
            lower = (next[0] - x[2]).square() + 3.0 * next[1].square().square();
            if lower < height {
                break;
            }
            size *= 0.5;
            tries += 1;
            if tries > 5 {
                break 'steps;
            }
        }
        at = next;
        height = lower;
        if height < 1e-6 {
            break;
        }
    }
    height + at[0]
}

#[test]
fn descent_with_halved_steps() {
    for steps in [0, 1, 4, 9] {
        agrees!(descent, [1.4, 0.9, -0.3], steps);
        agrees!(descent, [-0.2, 1.3, 0.4], steps);
    }
}
