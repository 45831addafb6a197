use retrograd::prelude::*;

#[reversible]
fn shift(x: &mut [i64], by: i64) {
    x[0] += by;
}

#[reversible]
fn elements(x: &mut Vec<i64>) {
    let last = x.len() - 1;
    for i in 0..x.len() {
        x[i] += i as i64;
    }
    x[last] += x[0] * x.len() as i64;
    x.rotate_left(1);
    if !x.is_empty() {
        x[0] -= 9;
    }
}

#[reversible]
fn slices(x: &mut [i64]) {
    for i in 0..x.len() {
        shift(x, i as i64);
        shift(&mut x[1..], 2);
    }
}

#[reversible]
fn rows(x: &mut [Vec<i64>]) {
    for i in 0..x.len() {
        for j in 0..x[i].len() {
            x[i][j] += j as i64;
        }
    }
    for i in 0..x.len() {
        x.swap(0, i);
    }
}

#[reversible]
fn another_stack(from: &mut Stack<i64>, to: &mut Stack<i64>, n: usize) {
    for i in 0..to.len() {
        let mut t = i as i64;
        from.push(&mut t);
        release!(t == 0);
    }
}

#[test]
fn they_run_there_and_back() {
    let start = vec![1, 2, 3];
    let mut x = start.clone();
    elements(&mut x);
    slices(&mut x);
    assert_ne!(x, start);
    slices::uncall(&mut x);
    elements::uncall(&mut x);
    assert_eq!(x, start);

    let start = [vec![1], vec![2, 3], vec![]];
    let mut x = start.clone();
    rows(&mut x);
    assert_ne!(x, start);
    rows::uncall(&mut x);
    assert_eq!(x, start);

    let (mut from, mut to) = (Stack::new(), Stack::from(vec![1, 2, 3]));
    another_stack(&mut from, &mut to, 3);
    assert_eq!(from.as_slice(), [0, 1, 2]);
    another_stack::uncall(&mut from, &mut to, 3);
    assert!(from.is_empty());
}
