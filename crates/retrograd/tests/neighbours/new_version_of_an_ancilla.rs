use retrograd::prelude::*;

fn half(x: i64) -> i64 {
    x / 2
}

#[reversible]
fn versions(y: &mut i64, x: i64) {
    let mut t = x;
    t += 1;
    *y += t;
    t = t * t;
    *y -= t;
    t = half(t);
    *y += 3 * t;
}

#[reversible]
fn in_each_turn(y: &mut i64, x: &[i64]) {
    for i in 0..x.len() {
        let mut t = x[i];
        t = t * t;
        t += 1;
        *y += t;
    }
}

#[test]
fn they_run_there_and_back() {
    let mut y = 7;
    versions(&mut y, 5);
    assert_eq!(y, 7 + 6 - 36 + 3 * 18);
    in_each_turn(&mut y, &[1, 2]);
    in_each_turn::uncall(&mut y, &[1, 2]);
    versions::uncall(&mut y, 5);
    assert_eq!(y, 7);
}
