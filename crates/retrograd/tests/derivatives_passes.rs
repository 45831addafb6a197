//! Programs at the edge of what the passes over derivative programs may leave out, compute later or turn round.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::Dual;
use retrograd::prelude::*;

#[reversible]
fn added_to_twice(y: &mut f64, x: &[f64], index: &[usize], a: f64) {
    let mut v = [0.0; 3];
    for &i in index {
        v[i] += (x[i] * a).exp();
    }
    for i in 0..3 {
        *y += v[i] * v[i];
    }
    let mut w = [0.0; 3];
    for i in index.iter().copied() {
        w[i] += (x[i] * a).exp();
    }
    for i in 0..3 {
        *y *= w[i] + 1.5;
    }
    let mut u = [0.0; 3];
    for k in 0..3 {
        let i = index[k];
        u[i] += (x[k] * a).exp();
    }
    *y += u[0] * u[1];
}

#[reversible]
fn added_to_in_nested_loops(y: &mut f64, x: &[f64], a: f64) {
    let mut v = [0.0; 2];
    for k in 0..2 {
        for i in 0..2 {
            v[i] += (x[i] * a * k as f64).exp();
        }
    }
    let mut m = [[0.0; 2]; 2];
    let mut d = [[0.0; 2]; 2];
    let mut e = [0.0; 3];
    for i in 0..2 {
        for j in 0..2 {
            m[i][j] += (x[i] * x[j]).exp();
            d[i][i] += (x[i] * x[j]).exp();
            e[i + j] += (x[i] * x[j]).exp();
        }
    }
    *y += v[0] * v[1];
    *y *= m[0][1] + m[1][0];
    *y *= d[0][0] * d[1][1] * e[1];
}

#[reversible]
fn added_to_in_a_branch(y: &mut f64, x: &[f64], a: f64, c: bool) {
    let mut t = 0.0;
    if c {
        t += a.exp();
    } else {
        *y *= 2.0;
    }
    *y += t * t;
    let mut v = [0.0; 2];
    for i in 0..2 {
        if x[i] > 0.35 {
            v[i] += (a * x[i]).exp();
        }
    }
    *y += v[0].cos() * v[1].cos();
}

#[reversible]
fn added_to_for_a_while(y: &mut f64, a: f64, b: f64, n: usize) {
    let mut t = 0.0;
    {
        #[compute]
        {
            t += a.exp();
        }
        *y += t * t;
        {
            #[compute]
            {
                t += b.exp();
            }
            *y *= t;
        }
        *y += t;
    }
    let mut u = 0.0;
    for i in 0..n {
        #[compute]
        {
            u += (a * i as f64).exp();
        }
        *y += u * u;
    }
    *y *= 1.0 + t + u;
}

#[reversible]
fn added_to_backwards(y: &mut f64, a: f64) {
    #[inverse]
    {
        let mut t = 0.0;
        t += a.exp();
        *y += t * t;
    }
    let mut u = 0.0;
    #[inverse]
    {
        u += a.exp();
    }
    *y *= u;
    let mut w = 0.0;
    #[inverse]
    {
        w -= a.exp();
    }
    *y *= w;
}

#[reversible]
fn added_to_and_replaced(y: &mut f64, a: f64) {
    let mut t = 0.0;
    t += a.exp();
    *y += t;
    t = t * a;
    t += a.exp();
    *y *= t;
    let mut u = 0.0;
    u += (a * a).exp();
    *y *= u;
    release!(u == (a * a).exp());
}

#[reversible]
fn added_to_through_elements(y: &mut f64, x: &[f64], a: f64) {
    let mut v = [0.0; 3];
    for e in v.iter_mut() {
        *e += a.exp();
    }
    for i in 0..3 {
        v[i] += (x[i] * a).exp();
    }
    for i in 0..3 {
        *y += v[i] * v[i];
    }
}

/// Elements of a list come again, whatever the list is gone through with.
#[reversible]
fn added_to_by_lists<T: Real>(x: &[T], index: &[usize], pairs: &[[usize; 2]]) -> T {
    let mut t = [T::zero(); 2];
    for i in index.iter().copied() {
        t[i] += x[i].tanh();
    }
    let mut reversed = [T::zero(); 2];
    for i in index.iter().copied().rev().step_by(2) {
        reversed[i] += x[i].tanh();
    }
    let mut zipped = [T::zero(); 2];
    for (i, v) in index.iter().copied().zip(x.iter()) {
        zipped[i] += v.tanh();
    }
    let mut counted = vec![T::zero(); 2];
    for (_, i) in index.iter().copied().enumerate() {
        counted[i] += x[i].tanh();
    }
    let mut nested = [[T::zero(); 2]; 2];
    for i in 0..2 {
        for j in index.iter().copied() {
            nested[i][j] += (x[i] * x[j]).tanh();
        }
    }
    let mut rows = [[T::zero(); 2]; 2];
    for [i, j] in pairs.iter().copied() {
        rows[i][j] += (x[i] * x[j]).tanh();
    }
    let mut grouped = [T::zero(); 2];
    for group in index.chunks_exact(2) {
        for i in group.iter().copied() {
            grouped[i] += x[i].tanh();
        }
    }
    let squares = t[0] * t[0] + reversed[0] * reversed[0] + zipped[0] * zipped[0] + counted[0] * counted[0];
    squares + nested[0][0] * nested[1][0] + rows[0][1] * rows[0][1] + grouped[0] * grouped[0]
}

/// A loop that does not count the element, beside one that does.
#[reversible]
fn added_to_in_other_loops<T: Real>(x: &[T], n: usize) -> T {
    let mut a = [T::zero(); 2];
    let mut k = 0;
    while (k < n, k > 0) {
        for i in 0..2 {
            a[i] += (x[i] * (k as T + 1.0)).tanh();
        }
        k += 1;
    }
    let mut b = [T::zero(); 2];
    for _ in 0..n {
        for i in (0..2).rev() {
            b[i] += x[i].tanh();
        }
    }
    let mut c = [T::zero(); 4];
    for i in (0..4).step_by(3) {
        for j in 0..2 {
            c[i - i / 3 * 2 * j] += (x[j] * (i as T + 1.0)).tanh();
        }
    }
    let mut d = [T::zero(); 2];
    for i in 0..2 {
        d[i / 2] += x[i].tanh();
    }
    a[0] * a[1] + b[0] * b[1] + c[0] * c[3] + c[1] * c[1] + d[0] * d[0]
}

#[test]
fn what_was_added_more_than_once_is_not_taken_for_the_last_term() {
    let (index, pairs) = (vec![0_usize, 0, 1, 0], vec![[0_usize, 1], [0, 1], [1, 0]]);
    laws!(scalar added_to_by_lists(&[x] = vec![0.5, 0.25], #&[index] = index.clone(), #&[pairs] = pairs.clone()));
    laws!(scalar added_to_in_other_loops(&[x] = vec![0.5, 0.25], #n = 3));
    let x = [Dual::new(0.5, [1.0, 0.0]), Dual::new(0.25, [0.0, 1.0])];
    let exact = |y: Dual<f64, 2>, (value, gradient): (f64, Vec<f64>)| {
        laws::close(&[&[y.re], &y.eps[..]].concat(), &[&[value], &gradient[..]].concat(), "the gradient");
    };
    exact(added_to_by_lists(&x, &index, &pairs), added_to_by_lists::gradient(&[0.5, 0.25], &index, &pairs));
    exact(added_to_in_other_loops(&x, 3), added_to_in_other_loops::gradient(&[0.5, 0.25], 3));
}

#[test]
fn what_was_added_once_is_known() {
    laws!(added_to_through_elements(&mut y = 0.3, &[x] = vec![0.3, 0.4, 0.5], a = 0.7));
    laws!(added_to_twice(&mut y = 0.3, &[x] = vec![0.3, 0.4, 0.5], #&[index] = vec![1_usize, 1, 0], a = 0.7));
    laws!(added_to_in_nested_loops(&mut y = 0.3, &[x] = vec![0.3, 0.4], a = 0.7));
    for c in [true, false] {
        laws!(added_to_in_a_branch(&mut y = 0.3, &[x] = vec![0.3, 0.4], a = 0.7, #c = c));
    }
    laws!(added_to_for_a_while(&mut y = 0.3, a = 0.7, b = 0.2, #n = 3));
    laws!(added_to_backwards(&mut y = 0.3, a = 0.7));
    laws!(added_to_and_replaced(&mut y = 0.3, a = 0.7));
}

/// What only a postcondition reads.
#[reversible]
fn read_by_a_postcondition(x: f64) -> f64 {
    let mut a = x;
    let mut k = 7;
    if (k % 2 == 0, k % 2 == 1) {
        a += 1.0;
        k += 1;
    } else {
        a *= x;
        k += 1;
    }
    a * a
}

#[reversible]
fn read_by_the_postconditions_of_a_chain(y: &mut f64, x: f64, n: usize) {
    let mut k = n;
    let mut level = x;
    if (k == 0, k == 10) {
        *y += x * x;
        k += 10;
    } else if (k == 1, k == 11) {
        *y *= 1.0 + x;
        k += 10;
    } else if (level > 10.0, level > 100.0) {
        *y -= x.sin();
        level *= 20.0;
    } else {
        *y += x.cos();
        k += 20;
    }
}

#[reversible]
fn read_by_postconditions_inside(y: &mut f64, x: &[f64], n: usize) {
    let mut k = 0;
    for i in 0..x.len() {
        if (k % 2 == 0, k % 2 == 1) {
            match n {
                0 => {
                    *y += x[i] * x[i];
                    k += 1;
                }
                _ => {
                    let mut inner = 1;
                    if (inner == 1, inner == 4) {
                        *y *= x[i] + 1.5;
                        inner += 3;
                    }
                    k += 3;
                }
            }
            let mut turns = 0;
            while (turns < n, turns > 0) {
                *y += x[i].sin() * turns as f64;
                turns += 1;
            }
        } else {
            *y -= x[i].cos();
            k += 1;
        }
    }
}

#[test]
fn what_a_postcondition_reads_is_there() {
    laws!(scalar read_by_a_postcondition(x = 3.0));
    for n in 0..4 {
        laws!(read_by_the_postconditions_of_a_chain(&mut y = 0.3, x = 0.7, #n = n));
        laws!(read_by_the_postconditions_of_a_chain(&mut y = 0.3, x = 12.0, #n = n));
        laws!(read_by_postconditions_inside(&mut y = 0.3, &[x] = vec![0.3, 0.4, 0.5], #n = n));
    }
}

#[reversible]
fn sum_in_a_branch(x: &[f64], a: f64, n: usize) -> f64 {
    let mut s = a;
    for i in 0..x.len() {
        s -= x[i] * a;
    }
    match n {
        0 => s,
        1 => {
            let t = s * 2.0;
            t + a
        }
        2 => -s + a,
        _ => a,
    }
}

#[reversible]
fn sum_in_a_condition(x: &[f64], a: f64) -> f64 {
    let mut s = a;
    for i in 0..x.len() {
        s += x[i] * a;
    }
    if s > 1.0 { a } else { a * a }
}

#[reversible]
fn sums_in_a_tuple(x: &[f64], a: f64) -> (f64, [f64; 2], bool) {
    let mut s = a;
    let mut t = 1.0;
    for i in 0..x.len() {
        s += x[i] * a;
        t -= x[i];
    }
    (s, [-s, s + t * 2.0], s > 0.5)
}

#[reversible]
fn sum_and_its_floor(x: &[f64], a: f64) -> f64 {
    let mut s = a;
    for i in 0..x.len() {
        s += x[i] * a;
    }
    s + s.floor() * 3.0 + (s as i64) as f64
}

#[reversible]
fn square(x: f64) -> f64 {
    x * x
}

#[reversible]
fn sum_in_a_call(x: &[f64], a: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += square(x[i] + a);
    }
    let b = square(a);
    square(s) + s * b
}

#[reversible]
fn sum_of_everything(x: &[f64], a: f64) -> f64 {
    let mut s = 0.0;
    #[inverse]
    for i in 0..x.len() {
        s += x[i] * a;
    }
    let mut k = 0;
    while (k < 3, k > 0) {
        s += a * k as f64;
        k += 1;
    }
    if a > 0.0 {
        s -= a * a;
    }
    for v in x {
        #[compute]
        {
            s += 1.0;
        }
        let mut p = *v;
        p *= a;
        for w in x {
            p += w * v;
        }
        s += p * p;
    }
    s * 3.0 + a
}

#[test]
fn sums_that_only_the_value_reads() {
    for n in 0..4 {
        laws!(scalar sum_in_a_branch(&[x] = vec![0.3, 0.4], a = 0.7, #n = n));
    }
    laws!(scalar sum_in_a_condition(&[x] = vec![0.3, 0.4], a = 0.7));
    laws!(fn sums_in_a_tuple(&[x] = vec![0.3, 0.4], a = 0.7));
    laws!(scalar sum_and_its_floor(&[x] = vec![0.3, 0.4], a = 0.7));
    laws!(scalar sum_in_a_call(&[x] = vec![0.3, 0.4], a = 0.7));
    laws!(scalar sum_of_everything(&[x] = vec![0.3, 0.4], a = 0.7));
}

#[reversible]
fn neighbours(x: &[f64], w: &[f64], index: &[usize], a: f64) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        s += x[i] * x[i - 1] * a + w[i] * a;
    }
    for i in (0..x.len()).rev().step_by(2) {
        s += (x[i] * w[i]).sin() * a;
    }
    for i in 0..index.len() {
        let k = index[i];
        let t = x[k] * a;
        s += t * t;
        s += x[index[(i + 1) % index.len()]];
    }
    s
}

#[reversible]
fn running(x: &[f64], a: f64) -> f64 {
    let mut t = vec![0.0; x.len()];
    for i in 0..x.len() {
        t[i] += x[i] * a;
    }
    let mut u = vec![0.0; x.len()];
    for i in 1..x.len() {
        u[i] += t[i] * t[i - 1];
    }
    let mut s = a;
    for i in 0..x.len() {
        s += u[i] * u[i];
    }
    for i in 1..x.len() {
        u[i] += u[i - 1] * x[i];
    }
    s + u[x.len() - 1]
}

#[reversible]
fn waves(x: &mut [f64], y: &[f64], a: f64) {
    for i in 0..x.len() {
        x[i] += y[i] * a;
    }
    for i in 1..x.len() {
        x[i] += x[i - 1] * y[i];
    }
    for i in 1..x.len() {
        x[i - 1] += x[i] * y[i] * a;
    }
}

#[test]
fn loops_in_another_order() {
    let x = vec![0.3, 0.4, 0.5, 0.6];
    let index = vec![2_usize, 0, 0, 1];
    laws!(scalar neighbours(&[x] = x.clone(), &[w] = vec![0.1, 0.2, 0.7, 0.8], #&[index] = index.clone(), a = 0.9));
    laws!(scalar running(&[x] = x.clone(), a = 0.9));
    laws!(waves(&mut [x] = x.clone(), &[y] = vec![0.1, 0.2, 0.7, 0.8], a = 0.9));
}

/// A sum, what is made of it, and elements that the adjoint of the sum goes through again.
#[reversible]
fn sums_of_rows<T: Real>(y: &mut [T], a: &[T], x: &[T]) {
    let columns = x.len();
    for i in 0..y.len() {
        let mut sum = T::zero();
        let mut square = T::zero();
        for j in 0..columns {
            sum += a[columns * i + j] * x[j];
        }
        for j in 0..columns {
            square += x[j] * a[columns * i + j] * a[columns * i + j];
        }
        y[i] += sum * (1.0 + square).sqrt();
        y[i] *= 1.0 + 0.1 * square.cos();
    }
}

/// Loops that change what others read: in the same iteration, in the one before, in the one behind.
#[reversible]
fn changed_on_the_way(x: &mut [f64], y: &mut f64, z: &mut [f64], b: &[f64], a: f64) {
    for j in 1..b.len() {
        x[j] += a * b[j];
    }
    for j in 1..b.len() {
        z[0] += x[j] * b[j];
    }
    *y *= a + 2.0;
    for j in 1..b.len() {
        z[1] += x[j - 1] * b[j];
    }
    for j in 1..b.len() {
        x[j] += z[0] * b[j];
    }
    z[0] *= 1.5;
    for j in 1..b.len() {
        *y += x[j - 1] * b[j];
    }
    for j in 1..b.len() {
        x[j - 1] += z[1] * b[j] * b[j - 1];
    }
    for k in 1..b.len() {
        z[0] += x[k] * b[k] * a;
    }
}

/// References and copies that are made between loops.
#[reversible]
fn held_between_loops(x: &mut [f64], y: &mut f64, b: &[f64], a: f64) {
    for j in 1..b.len() {
        x[j] += a * b[j];
    }
    let r = &b[1];
    let first = x[0];
    for j in 1..b.len() {
        *y += first * b[j] * *r;
    }
    let (l, _) = b.split_at(b.len());
    for j in 1..b.len() {
        x[j] += *y * l[j] * first;
    }
}

/// Ranges that change between loops, and indices that do.
#[reversible]
fn ranges_on_the_way(y: &mut f64, x: &mut [f64], m: &mut usize, k: &mut usize, b: &[f64], a: f64) {
    for j in 0..*m {
        x[j] += a * b[j];
    }
    *m -= 1;
    for j in 0..*m {
        *y += b[j] * x[j];
    }
    *k += 1;
    for j in 0..*m {
        x[*k] += b[j] * a * a;
    }
    for j in 0..*m {
        *y += b[j] * x[0];
    }
}

#[test]
fn loops_that_become_one() {
    let (x, b) = (vec![0.3, 0.4, 0.5], vec![0.7, 0.2, 0.9]);
    laws!(sums_of_rows(&mut [y] = vec![0.5, 0.1], &[a] = vec![0.3, 0.6, 0.2, 0.8, 0.1, 0.4], &[x] = x.clone()));
    laws!(sums_of_rows(&mut [y] = vec![0.5, 0.1], &[a] = Vec::<f64>::new(), &[x] = Vec::<f64>::new()));
    laws!(changed_on_the_way(&mut [x] = x.clone(), &mut y = 0.6, &mut [z] = [0.2, 0.8], &[b] = b.clone(), a = 0.9));
    laws!(held_between_loops(&mut [x] = x.clone(), &mut y = 0.6, &[b] = b.clone(), a = 0.9));
    laws!(ranges_on_the_way(&mut y = 0.6, &mut [x] = x, #&mut m = 3_usize, #&mut k = 0_usize, &[b] = b, a = 0.9));
}

#[reversible]
fn mixture<T: Real>(alphas: &[T], means: &[T], scales: &[T], x: &[T], d: usize, k: usize) -> T {
    let mut total = T::zero();
    let mut main = vec![T::zero(); k];
    for i in 0..x.len() / d {
        #[compute]
        {
            for j in 0..k {
                let mut q = T::zero();
                for c in 0..d {
                    let z = (x[i * d + c] - means[j * d + c]) * scales[j * d + c].exp();
                    q += z * z;
                }
                main[j] += alphas[j] - 0.5 * q;
            }
        }
        #[constant]
        let shift = main[0];
        let mut s = T::zero();
        for j in 0..k {
            s += (main[j] - shift).exp();
        }
        total += shift + s.ln();
    }
    total
}

#[reversible]
fn attract<T: Real>(q: &[[T; 2]], v: &mut [[T; 2]], m: &[T], dt: T) {
    for i in 0..q.len() {
        for j in 0..q.len() {
            if i != j {
                let dx = q[j][0] - q[i][0];
                let dy = q[j][1] - q[i][1];
                let r2 = dx * dx + dy * dy + 0.01;
                let f = dt * m[j] / (r2 * r2.sqrt());
                v[i][0] += f * dx;
                v[i][1] += f * dy;
            }
        }
    }
}

#[reversible]
fn leapfrog<T: Real>(q: &mut [[T; 2]], v: &mut [[T; 2]], m: &[T], dt: T, n: usize) {
    for _ in 0..n {
        for i in 0..q.len() {
            for k in 0..2 {
                q[i][k] += 0.5 * dt * v[i][k];
            }
        }
        attract(q, v, m, dt);
        for (a, b) in q.iter_mut().zip(v.iter()) {
            a[0] += 0.5 * dt * b[0];
            a[1] += 0.5 * dt * b[1];
        }
    }
}

#[reversible]
fn triangular(a: &mut [Vec<f64>]) {
    let n = a.len();
    for k in 0..n {
        for i in k + 1..n {
            a[i][k] /= a[k][k];
            let f = a[i][k];
            for j in k + 1..n {
                a[i][j] -= f * a[k][j];
            }
        }
    }
}

#[reversible]
fn butterflies(x: &mut [f64], t: f64) {
    let n = x.len() / 2;
    for i in 0..n {
        x[i] += x[i + n];
        x[i + n] *= -2.0;
        x[i + n] += x[i];
        rotate(&mut x[i], &mut x[i + n], t * i as f64);
    }
    if n > 1 {
        let (l, r) = x.split_at_mut(n);
        butterflies(l, t * 2.0);
        butterflies(r, t * 2.0);
    }
}

#[test]
fn whole_programs() {
    laws!(scalar mixture(
        &[alphas] = vec![0.1, 0.2],
        &[means] = vec![0.3, 0.4, 0.5, 0.6],
        &[scales] = vec![0.1, 0.2, 0.3, 0.4],
        &[x] = vec![0.5, 0.7, 0.2, 0.1, 0.9, 0.3],
        #d = 2,
        #k = 2
    ));
    laws!(leapfrog(
        &mut [q] = vec![[0.1, 0.9], [0.8, 0.2], [-0.7, -0.4]],
        &mut [v] = vec![[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]],
        &[m] = vec![1.0, 0.8, 1.2],
        dt = 0.05,
        #n = 4
    ));
    laws!(triangular(&mut [a] = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, 0.2], vec![0.3, 0.7, 5.0]]));
    laws!(butterflies(&mut [x] = vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], t = 0.3));
}

/// A permutation takes the shapes of its elements along.
#[reversible]
fn permuted_shapes<T: Real>(x: T, turns: usize) -> T {
    let mut rows = vec![vec![x; 1], vec![x; 3]];
    let mut sum = 0.0;
    for _ in 0..turns {
        rows.swap(0, 1);
        for k in 0..rows[0].len() {
            sum += x * x * k as T;
        }
    }
    sum
}

#[test]
fn permutations_of_rows_of_different_lengths() {
    for (turns, slope) in [(1, 12.0), (2, 12.0), (3, 24.0)] {
        let (_, gradient): (f64, f64) = permuted_shapes::gradient(2.0, turns);
        assert_eq!(gradient, slope, "{turns}");
    }
}
