//! Arrays of which each turn of a loop has elements for itself, and those that only look so.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[reversible]
fn elements_of_each_turn(x: &mut [[f64; 2]], y: &mut f64, a: f64) {
    for i in 0..x.len() {
        for j in 0..2 {
            x[i][j] *= a;
            *y += x[i][j] * x[i][1 - j];
        }
        x[i].swap(0, 1);
        *y *= x[i][0];
        x[i][1] = x[i][1].exp();
        *y += x[i][1];
    }
}

#[reversible]
fn scratch_of_each_turn(x: &[f64], a: f64) -> f64 {
    let mut v = vec![0.0; x.len()];
    let mut s = a;
    for k in 0..2 {
        for i in 0..x.len() {
            v[i] += x[i] * a * (k + 1) as f64;
            s += v[i] * v[i] * v[i];
        }
    }
    for i in 0..x.len() {
        s *= v[i] + 1.0;
        for j in 0..x.len() {
            s += x[j] * a;
            v[i] *= x[j];
        }
        s *= v[i];
    }
    s
}

#[test]
fn arrays_with_an_element_for_each_turn() {
    laws!(elements_of_each_turn(&mut [x] = vec![[0.3, 0.4], [0.5, 0.6]], &mut y = 0.7, a = 0.9));
    laws!(scalar scratch_of_each_turn(&[x] = vec![0.3, 0.4], a = 0.9));
}

/// Each turn has `d` elements of its own, which it names in many ways.
#[reversible]
fn blocks_of_each_turn(x: &[f64], a: f64, d: usize) -> f64 {
    let turns = x.len() / d;
    let mut q = vec![0.0; x.len()];
    let mut r = vec![0.0; x.len()];
    let mut s = vec![0.0; 3 * turns];
    let mut total = 0.0;
    for k in 0..turns {
        for i in 0..d {
            q[d * k + i] += (a * x[k * d + i]).sin();
            for j in i + 1..d {
                q[k * d + j] += q[d * k + i] * x[d * k + j];
            }
        }
        let part = &mut r[d * k..d * (k + 1)];
        for i in 0..d {
            part[i] += x[d * k + i] * a;
        }
        for i in 1..d {
            part[i - 1] += part[i] * q[d * k + i - 1];
        }
        for i in 0..d {
            r[d * (k + 1) - 1 - i] *= a + 2.0;
        }
        for i in 0..3 {
            s[3 * k + i] += q[d * k] * (i as f64 + a);
        }
        for i in 1..3 {
            s[3 * k + i] *= s[3 * k] + 1.5;
        }
        for i in 0..d {
            total += q[d * k + i] * r[d * k + i].cos() * s[3 * k + 1];
        }
    }
    total
}

/// Turns that touch what others touch too, however much their indices look like their own.
#[reversible]
fn blocks_that_overlap(x: &[f64], a: f64, d: usize) -> f64 {
    let turns = x.len() / d;
    let (mut q, mut r, mut s) = (vec![0.0; x.len() + 1], vec![0.0; x.len() + turns], vec![0.0; 4 * x.len()]);
    let (mut t, mut u, mut n) = (vec![0.0; x.len() + 2], vec![0.0; 9 * x.len()], 1);
    let mut w = vec![0.0; x.len()];
    let mut total = 0.0;
    for k in 0..turns {
        for i in 0..=d {
            q[d * k + i] += a * x[d * k];
        }
        if k > 0 {
            for i in 0..=d {
                w[d * k + i - 1] += a * x[i];
            }
            for i in 0..=d {
                total += w[d * k + i - 1].sin();
            }
        }
        for i in 0..d {
            r[d * k + i] += x[i] + a;
        }
        r[k] += 1.5 + a;
        let size = if k == 1 { 1 } else { d };
        for i in 0..size {
            s[size * k + i] += x[i] + a;
        }
        for i in 0..d + 1 {
            t[d * k + 2 - i] += x[i] + a;
        }
        for i in 0..n {
            u[n * k + i] += x[i] + a;
        }
        for i in 0..=d {
            total += q[d * k + i].sin();
        }
        for i in 0..d {
            total += r[d * k + i].cos() * t[d * k + 1 - i].sin() * t[d * k + 2].sin();
        }
        for i in 0..size {
            total += s[size * k + i].sin();
        }
        for i in 0..n {
            total += u[n * k + i].sin();
        }
        n += (k + 1) % 2;
    }
    total
}

#[test]
fn arrays_with_elements_in_a_row_for_each_turn() {
    let x = vec![0.3, -0.7, 0.5, 0.9, 0.2, -0.4];
    for d in [1, 2, 3] {
        laws!(scalar blocks_of_each_turn(&[x] = x.clone(), a = 0.8, #d = d));
    }
    for d in [1, 2] {
        laws!(scalar blocks_that_overlap(&[x] = x.clone(), a = 0.8, #d = d));
    }
    // What a turn has for itself is not restored.
    let adjoint = blocks_of_each_turn::source(Direction::Pullback);
    assert!(!adjoint.contains("part[i] -="), "{adjoint}");
}

#[reversible]
fn elements_in_registers<const K: usize>(x: &[[f64; 2]; K], y: &mut [f64; K], a: f64, n: usize) {
    let mut q = [[0.0; 2]; K];
    let mut e = [0.0; K];
    for k in 0..K {
        for i in 0..2 {
            q[k][i] += x[k][i] * a;
        }
        e[k] += (q[k][0] * q[k][1]).exp();
        y[k] += e[k];
    }
    let mut v = vec![0.0; n];
    for k in (0..n).rev() {
        v[k] += a * x[k][0];
        if x[k][1] > 0.45 {
            y[k] += v[k].sin();
        }
        for j in k + 1..n {
            y[j] += v[k] * x[j][1];
        }
    }
}

/// Loops that leave the array in some turns, or meet other elements of it.
#[reversible]
fn elements_in_memory(x: &[f64], y: &mut f64, a: f64, m: usize) {
    let n = x.len();
    let mut short = vec![0.0; n - 1];
    for k in 0..n {
        for j in k + 1..n {
            short[k] += x[j] * a;
            *y += short[k] * x[j];
        }
    }
    let mut neighbours = vec![0.0; n];
    for k in 0..n {
        neighbours[k] += x[k] * a;
        if k > 0 {
            *y += neighbours[k] * neighbours[k - 1];
        }
    }
    let mut length = m;
    let mut grown = vec![0.0; length];
    length += 1;
    for k in 0..length {
        if k < m {
            grown[k] += x[k] * a;
            *y *= grown[k] + 1.0;
        }
    }
    let mut copies = [x[0]; 3];
    for k in 0..3 {
        copies[k] *= x[k];
        *y += copies[k] * a;
    }
}

#[reversible]
fn sums_apart(l: &[f64], x: &[f64], d: &[f64], y: &mut f64, a: f64) {
    let n = x.len();
    let mut q = vec![0.0; n];
    for i in 0..n {
        let centred = x[i] - a;
        q[i] += d[i] * centred;
        for j in 0..n {
            q[j] += l[n * i + j] * centred;
        }
    }
    for i in 0..n {
        *y += q[i] * q[i];
    }
    for i in 0..n {
        let s = (x[i] * a).sin();
        let mut t = s * d[i];
        for j in 0..n {
            t += l[n * i + j] * s * x[j];
        }
        *y += t * s;
    }
}

#[test]
fn elements_and_sums_of_each_turn() {
    let x = vec![0.3, 0.4, 0.7];
    laws!(elements_in_registers(&x = [[0.3, 0.4], [0.5, 0.6], [0.9, 0.2]], &mut y = [0.1, 0.2, 0.3], a = 0.9, #n = 2));
    laws!(elements_in_memory(&[x] = x.clone(), &mut y = 0.2, a = 0.9, #m = 2));
    let l = vec![0.1, 0.7, 0.3, 0.2, 0.9, 0.5, 0.4, 0.6, 0.8];
    laws!(sums_apart(&[l] = l, &[x] = x, &[d] = vec![1.1, 0.8, 0.6], &mut y = 0.2, a = 0.9));
}

/// Each turn computes elements from those of earlier turns: the way back goes away from what it has restored.
#[reversible]
fn histories(x: &[f64], a: f64, d: usize) -> f64 {
    let n = x.len();
    let mut up = vec![a; n + 2];
    for i in 0..n {
        up[i + 2] += x[i] * up[i + 1].sin() + up[i] * up[i + 1];
    }
    let mut down = vec![0.0; n + 1];
    down[n] += a;
    for i in (0..n).rev() {
        down[i] += x[i] * down[i + 1] * down[i + 1];
    }
    let mut rows = vec![a; (n + 1) * d];
    for t in 0..n {
        for j in 0..d {
            rows[(t + 1) * d + j] += x[t] * rows[t * d + j] * rows[t * d + d - 1 - j];
        }
    }
    let mut sparse = vec![a; 2 * n + 2];
    for i in (0..2 * n).step_by(2) {
        sparse[i + 2] += x[i / 2] * sparse[i] * sparse[i + 1];
    }
    let mut means = vec![0.0; n];
    let mut loss = 0.0;
    for i in 1..n {
        let error = x[i] - means[i - 1];
        loss += error * error * means[i - 1];
        means[i] += (1.0 - a) * means[i - 1] * means[i - 1] + a * x[i];
    }
    let mut states = vec![[a; 2]; n + 1];
    for t in 0..n {
        let slope = [states[t][1], -states[t][0].sin()];
        for i in 0..2 {
            states[t + 1][i] += x[t] * slope[i] * states[t][1 - i];
        }
        loss += states[t][0];
    }
    up[n + 1] * down[0] + rows[n * d] * sparse[2 * n] + loss * states[n][0]
}

#[reversible]
fn raise(v: &mut f64, by: f64) {
    *v *= 1.5 + by;
    *v += by * by;
}

/// Each turn changes what others read or change, before or behind it.
#[reversible]
fn no_histories(x: &[f64], a: f64) -> f64 {
    let n = x.len();
    let mut twice = vec![a; n + 1];
    for i in 0..n {
        twice[i + 1] += x[i] * twice[i].sin();
        twice[i] *= 1.5 + x[i] * twice[i + 1];
    }
    let mut ahead = vec![a; n + 1];
    for i in 0..n {
        ahead[i] += x[i] * ahead[i + 1] * ahead[i + 1];
    }
    let mut scaled = vec![a; n + 1];
    for i in 0..n {
        scaled[i + 1] *= x[i] * scaled[i] * scaled[i];
    }
    let mut both = vec![a; n + 2];
    for i in 1..n + 1 {
        both[i] += x[i - 1] * both[i - 1] * both[i + 1];
    }
    let mut wave = vec![a; n + 1];
    for t in 0..3 {
        for i in 0..n {
            wave[i + 1] += x[t] * wave[i] * wave[i];
        }
    }
    let (mut s, mut late, mut called, mut traded) = (0.0, vec![a; n + 1], vec![a; n + 1], vec![a; n + 1]);
    for i in 0..n {
        s += late[i] * late[i];
        late[i + 1] += x[i] * late[i];
        s += late[i + 1] * late[i + 1];
    }
    let mut t = a;
    for i in 0..n {
        called[i + 1] += x[i] * called[i];
        raise(&mut called[i + 1], x[i]);
        called[i + 1] += x[i] * called[i];
        traded[i + 1] += x[i] * traded[i];
        std::mem::swap(&mut t, &mut traded[i + 1]);
        traded[i + 1] += x[i] * traded[i];
        t += traded[i] * x[i].sin();
    }
    twice[n] * ahead[0] + scaled[n] * both[n] + wave[n] + s * called[n] + traded[n] * t
}

/// What each turn releases has to be what it says, though nothing else reads it.
#[reversible]
fn released_in_each_turn(x: &mut [f64], k: i64) {
    for i in 0..x.len() {
        let mut known: i64 = 3 * k;
        known += k % 7;
        x[i] += 0.1 * (i as f64).sin();
        release!(known == 3 * k + k % 7);
    }
}

#[test]
fn what_is_released_in_a_turn_is_what_it_should_be() {
    laws!(released_in_each_turn(&mut [x] = vec![0.3, -0.7, 0.5], #k = 4));
}

#[test]
fn arrays_whose_elements_follow_from_others() {
    let x = vec![0.3, -0.7, 0.5, 0.9];
    for d in [1, 2, 3] {
        laws!(scalar histories(&[x] = x.clone(), a = 0.8, #d = d));
    }
    laws!(scalar no_histories(&[x] = x.clone(), a = 0.8));
    // Nothing reads what the way back has left behind.
    let adjoint = histories::source(Direction::Pullback);
    for array in ["up", "down", "rows", "sparse", "means", "states"] {
        assert!(!adjoint.contains(&format!("check!({array}")), "{adjoint}");
    }
    assert!(!adjoint.contains("] -= x"), "{adjoint}");
}
