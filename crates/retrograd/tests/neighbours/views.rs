use retrograd::prelude::*;

#[reversible]
fn halves(x: &mut [i64], m: usize) {
    let (left, right) = x.split_at_mut(m);
    let mut t = left[0];
    t *= 2;
    right[0] += t;
    for i in 0..left.len() {
        let a = left[i];
        right[i] += a;
    }
    swap(&mut left[0], &mut right[1]);
}

#[reversible]
fn windows(x: &mut [i64], k: usize) {
    let v = &mut x[k..];
    v[0] += v[1];
    let w = &mut v[1..];
    w[0] += 5;
    x[0] -= 3;
}

#[reversible]
fn elements(x: &mut [i64], y: &[i64], z: &mut i64) {
    for (i, v) in x.iter_mut().enumerate().rev() {
        *v += i as i64 * *z;
        *z += *v;
    }
    for (a, b) in x.iter_mut().zip(y.iter()) {
        *a += b * b;
    }
    for v in &mut x[1..] {
        *v -= 1;
    }
    for v in x.iter() {
        *z += *v;
    }
    for v in x[1..].iter() {
        *z *= 2;
        *z += *v;
    }
}

#[reversible]
fn fields(pairs: &mut [(i64, i64)]) {
    for pair in pairs.iter_mut() {
        pair.0 += pair.1;
    }
    let first = &mut pairs[0];
    first.1 += first.0;
}

#[test]
fn they_run_there_and_back() {
    let start = [1, 2, 3, 4];
    let (mut x, mut z) = (start, 7);
    halves(&mut x, 2);
    windows(&mut x, 1);
    elements(&mut x, &[9, 8, 7, 6], &mut z);
    assert_ne!(x, start);
    elements::uncall(&mut x, &[9, 8, 7, 6], &mut z);
    windows::uncall(&mut x, 1);
    halves::uncall(&mut x, 2);
    assert_eq!((x, z), (start, 7));

    let mut pairs = [(1, 2), (3, 4)];
    fields(&mut pairs);
    assert_eq!(pairs, [(3, 5), (7, 4)]);
    fields::uncall(&mut pairs);
    assert_eq!(pairs, [(1, 2), (3, 4)]);
}
