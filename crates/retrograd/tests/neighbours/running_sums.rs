use retrograd::prelude::*;

#[reversible]
fn into_another_array(y: &mut [i64], x: &[i64]) {
    let mut sum = 0;
    for i in 0..x.len() {
        sum += x[i];
        y[i] += sum;
    }
}

#[reversible]
fn into_another_column(x: &mut [[i64; 2]]) {
    let mut sum = 0;
    for i in 0..x.len() {
        sum += x[i][0];
        x[i][1] += sum;
    }
}

#[reversible]
fn at_a_counter(y: &mut [i64], x: &[i64]) {
    let mut k = 0;
    let mut sum = 0;
    while (k < x.len(), k > 0) {
        sum += x[k];
        k += 1;
        y[k - 1] += sum;
    }
    y[0] += 100 * sum;
}

#[reversible]
fn in_place_with_a_release(x: &mut [i64], total: i64) {
    let mut sum = 0;
    for i in 0..x.len() {
        sum += x[i];
        x[i] += sum;
    }
    release!(sum == total);
}

#[test]
fn they_run_there_and_back() {
    let (start, x) = ([7, 7, 7], [1, 2, 3]);
    let mut y = start;
    into_another_array(&mut y, &x);
    assert_eq!(y, [8, 10, 13]);
    at_a_counter(&mut y, &x);
    at_a_counter::uncall(&mut y, &x);
    into_another_array::uncall(&mut y, &x);
    assert_eq!(y, start);

    let mut x = [1, 2, 3];
    in_place_with_a_release(&mut x, 6);
    assert_eq!(x, [2, 5, 9]);
    in_place_with_a_release::uncall(&mut x, 6);
    assert_eq!(x, [1, 2, 3]);

    let start = [[1, 0], [2, 0], [3, 0]];
    let mut x = start;
    into_another_column(&mut x);
    assert_eq!(x, [[1, 1], [2, 3], [3, 6]]);
    into_another_column::uncall(&mut x);
    assert_eq!(x, start);
}
