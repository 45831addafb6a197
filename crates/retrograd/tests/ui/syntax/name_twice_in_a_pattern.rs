use retrograd::prelude::*;

#[reversible]
fn in_a_let(x: &mut f64) {
    let (a, a) = (1.0, 2.0);
    *x += a;
}

#[reversible]
fn in_ancillas(x: &mut f64) {
    let (mut b, mut b) = (1.0, 2.0);
    b += 1.0;
    *x += b;
}

#[reversible]
fn in_a_loop(x: &mut f64, v: &[f64]) {
    for (i, i) in v.iter().enumerate() {
        *x += *i;
    }
}

#[reversible]
fn in_an_arm(x: &mut f64, v: (usize, usize)) {
    *x += match v {
        (0, 0) => 1.0,
        (n, n) => 2.0,
    };
}

#[reversible]
fn in_a_closure(x: &mut f64, v: &[f64], w: &[f64]) {
    *x += v.iter().zip(w).map(|(c, c)| *c).sum::<f64>();
}

#[reversible]
fn in_a_split(x: &mut [f64]) {
    let (d, d) = x.split_at_mut(1);
    d[0] += 1.0;
}

fn main() {}
