use retrograd::prelude::*;

#[reversible]
fn before_the_change(x: &mut i64, y: &mut i64) {
    let old = *x;
    let twice = 2 * old;
    *y += twice;
    *x += 1;
    let new = *x;
    *y += new;
}

#[reversible]
fn in_each_turn(x: &mut [i64], y: &mut [i64]) {
    for i in 0..x.len() {
        let old = x[i];
        let scaled = |c: i64| c * old;
        y[i] += old + scaled(3);
        x[i] *= 2;
    }
}

#[reversible]
fn of_another_element(x: &mut [i64]) {
    let first = x[0];
    for i in 1..x.len() {
        x[i] += first;
    }
    let v = &mut x[1..3];
    let second = v[0];
    x[0] += second;
}

#[test]
fn they_run_there_and_back() {
    let (mut x, mut y) = ([1, 2, 3], [4, 5, 6]);
    in_each_turn(&mut x, &mut y);
    of_another_element(&mut x);
    let (mut a, mut b) = (x[0], y[0]);
    before_the_change(&mut a, &mut b);
    assert_ne!((a, b), (x[0], y[0]));
    before_the_change::uncall(&mut a, &mut b);
    assert_eq!((a, b), (x[0], y[0]));
    of_another_element::uncall(&mut x);
    in_each_turn::uncall(&mut x, &mut y);
    assert_eq!((x, y), ([1, 2, 3], [4, 5, 6]));
}
