use retrograd::prelude::*;

#[bijection(inverse = x - 3)]
fn shifted(x: i64) -> i64 {
    x + 3
}

#[reversible]
fn integers(x: &mut [i64], b: &mut bool) {
    x[0] = -x[0];
    x[1] = shifted(x[1]);
    x[1] = !x[1];
    x[2] ^= x[0];
    *b = !*b;
    *b ^= x[2] > 0;
}

#[reversible]
fn floats(x: &mut f64, y: &mut [f64]) {
    *x = x.exp();
    *x = (*x).ln();
    y[0] = y[0].recip();
    y[1] = y[1].cbrt();
    *x *= 1.0 + y[0] * y[0];
}

#[test]
fn they_run_there_and_back() {
    let (mut x, mut b) = ([1, 2, 3], true);
    integers(&mut x, &mut b);
    assert_eq!(x, [-1, -6, -4]);
    integers::uncall(&mut x, &mut b);
    assert_eq!((x, b), ([1, 2, 3], true));

    let (mut x, mut y) = (0.5, [4.0, 8.0]);
    floats(&mut x, &mut y);
    floats::uncall(&mut x, &mut y);
    assert!((x - 0.5_f64).abs() + (y[0] - 4.0_f64).abs() + (y[1] - 8.0).abs() < 1e-12);
}
