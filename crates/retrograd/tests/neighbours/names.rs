use retrograd::prelude::*;

fn double(x: i64) -> i64 {
    2 * x
}

fn triple(x: i64) -> i64 {
    3 * x
}

fn apply(x: i64, f: fn(i64) -> i64) -> i64 {
    f(x)
}

mod physics {
    use retrograd::prelude::*;

    #[reversible]
    pub fn step(x: &mut i64, by: i64) {
        *x += by;
    }
}

#[reversible]
fn two(a: &mut i64, b: &mut i64, k: &[usize; 2]) {
    *a += k[0] as i64;
    *b += k[1] as i64;
}

#[reversible]
fn shadowed(y: &mut i64, x: i64) {
    let x = x + 1;
    let x_2 = 100;
    *y += x;
    let x = x + x_2;
    *y += [1, 2].iter().map(|x| x * x_2).sum::<i64>() + x;
}

#[reversible]
fn exchanged(y: &mut i64, a: i64, b: i64) {
    let (mut a, mut b) = (b, a);
    a *= 10;
    b += 3;
    *y += a + b;
}

#[reversible]
fn functions(y: &mut i64, step: i64, g: impl Fn(i64) -> i64) {
    physics::step(y, step);
    *y += apply(step, double) + g(step);
    let double: fn(i64) -> i64 = triple;
    *y += apply(step, double);
}

#[reversible]
fn matrices(y: &mut i64, x: i64) {
    let A = 2 * x;
    *y += A;
}

#[reversible]
fn generated(x: &mut [i64], indices: [usize; 2]) {
    two(&mut x[0], &mut x[1], &indices);
}

#[reversible]
fn released_name_again(y: &mut i64, x: i64) {
    let mut t = x;
    *y += t;
    release!(t == x);
    let mut t = 2 * x;
    t += 1;
    *y += t;
}

#[test]
fn they_run_there_and_back() {
    let mut y = 7;
    shadowed(&mut y, 1);
    assert_eq!(y, 7 + 2 + 300 + 102);
    exchanged(&mut y, 1, 2);
    assert_eq!(y, 411 + 24);
    functions(&mut y, 5, |v| v + 1);
    assert_eq!(y, 435 + 5 + 10 + 6 + 15);
    matrices(&mut y, 3);
    released_name_again(&mut y, 4);
    released_name_again::uncall(&mut y, 4);
    matrices::uncall(&mut y, 3);
    functions::uncall(&mut y, 5, |v| v + 1);
    exchanged::uncall(&mut y, 1, 2);
    shadowed::uncall(&mut y, 1);
    assert_eq!(y, 7);

    let mut x = [0, 0];
    generated(&mut x, [7, 8]);
    assert_eq!(x, [7, 8]);
    generated::uncall(&mut x, [7, 8]);
    assert_eq!(x, [0, 0]);
}
