use retrograd::prelude::*;

#[reversible]
fn axpy(y: &mut i64, x: &i64, c: i64) {
    *y += c * *x;
}

#[reversible]
fn mix(a: &mut [i64], b: &mut [i64]) {
    a[0] += b[0];
    b[1] += a[1];
}

#[reversible]
fn calls(x: &mut [i64], rows: &mut [[i64; 2]], i: usize, j: usize) {
    axpy(&mut x[i], &x[j], 3);
    swap(&mut x[i], &mut x[j]);
    mix(&mut x[..2], &mut x[2..]);
    mix(&mut rows[i], &mut rows[j]);
    axpy(&mut rows[i][0], &rows[j][1], x[0]);
    axpy(&mut rows[0][0], &rows[0][1], 2);
}

#[test]
fn they_run_there_and_back() {
    let (mut x, mut rows) = ([1, 2, 3, 4], [[5, 6], [7, 8]]);
    calls(&mut x, &mut rows, 0, 1);
    assert_ne!((x, rows), ([1, 2, 3, 4], [[5, 6], [7, 8]]));
    calls::uncall(&mut x, &mut rows, 0, 1);
    assert_eq!((x, rows), ([1, 2, 3, 4], [[5, 6], [7, 8]]));
}
