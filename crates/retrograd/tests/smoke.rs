use retrograd::prelude::*;

#[reversible]
fn norm<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

#[reversible]
fn kick_drift<T: Real>(x: &mut [T], v: &mut [T], dt: T) {
    for i in 0..x.len() {
        v[i] -= dt * x[i];
    }
    for i in 0..x.len() {
        x[i] += dt * v[i];
    }
}

#[reversible]
fn rfib(out: &mut u64, n: u64) {
    if n <= 2 {
        *out += 1;
    } else {
        rfib(out, n - 1);
        rfib(out, n - 2);
    }
}

#[reversible]
fn rfibn(n: &mut u64, z: u64) {
    let mut out = 0;
    rfib(&mut out, *n);
    while (out < z, *n != 0) {
        rfib::uncall(&mut out, *n);
        *n += 1;
        rfib(&mut out, *n);
    }
    rfib::uncall(&mut out, *n);
    release!(out == 0);
}

#[reversible]
fn rrfib(out: &mut u64, n: u64) {
    if n >= 1 {
        let mut counter = n;
        while (counter > 1, counter != n) {
            rrfib(out, counter - 1);
            counter -= 2;
        }
        release!(counter == n % 2);
    }
    *out += 1;
}

#[reversible]
fn mixed(y: &mut [f64], a: &[f64]) {
    let mut t = 0.0;
    for i in 0..a.len() {
        let s = a[i] * 2.0;
        t += s;
        y[i] += t;
    }
    let k = t * 0.5;
    y[0] *= k + 10.0;
    y[1] = y[1].sinh();
    {
        let (l, r) = y.split_at_mut(2);
        l[0] += r[0];
    }
    rotate(&mut y[0], &mut y[2], k);
    for (i, v) in y.iter_mut().enumerate().rev() {
        *v += a[i];
    }
    y.swap(0, 1);
    #[compute]
    {
        y[0] += 2.0;
    }
    println!("{k}");
    y[1] += y[0];
    y[2] -= norm(a);
}

#[test]
fn smoke() {
    let mut x = vec![1.0, 2.0];
    let mut v = vec![0.5, 0.25];
    kick_drift(&mut x, &mut v, 0.1);
    kick_drift::uncall(&mut x, &mut v, 0.1);
    assert!((x[0] - 1.0f64).abs() < 1e-12);
    let mut o = 0;
    rfib(&mut o, 10);
    assert_eq!(o, 55);
    let mut n = 0;
    rfibn(&mut n, 100);
    assert_eq!(n, 12);
    rfibn::uncall(&mut n, 100);
    assert_eq!(n, 0);
    let mut o = 0;
    rrfib(&mut o, 10);
    rrfib::uncall(&mut o, 10);
    assert_eq!(o, 0);
    let mut y = [1.0, 2.0, 3.0, 4.0];
    mixed(&mut y, &[0.1, 0.2, 0.3, 0.4]);
    println!("{y:?}");
    mixed::uncall(&mut y, &[0.1, 0.2, 0.3, 0.4]);
    println!("{y:?}");
    println!("{}", mixed::source(Direction::Forward));
    println!("{}", mixed::source(Direction::Inverse));
    println!("{}", rrfib::source(Direction::Inverse));
}
