use retrograd::prelude::*;

#[derive(Active)]
struct Lens {
    focus: i64,
}

#[reversible]
impl Lens {
    fn apply(&self, x: &mut i64) {
        *x += self.focus;
    }

    fn refocus(&mut self, by: &i64) {
        self.focus += *by;
    }
}

#[reversible]
fn dot(a: &[i64], b: &[i64]) -> i64 {
    let mut sum = 0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

#[reversible]
fn add(y: &mut i64, x: &i64) {
    *y += *x;
}

#[reversible]
fn reads(lens: &mut Lens, x: &mut i64, y: &mut i64, v: &mut [i64]) {
    (&lens).apply(x);
    lens.refocus(&*x);
    add(y, &*x);
    add(y, &v[0]);
    add(&mut v[1], &v[0]);
    *y += dot(v, v) + x.pow(2);
}

#[test]
fn they_run_there_and_back() {
    let (mut lens, mut x, mut y, mut v) = (Lens { focus: 2 }, 3, 4, [5, 6]);
    reads(&mut lens, &mut x, &mut y, &mut v);
    assert_eq!((lens.focus, x, y, v), (7, 5, 4 + 5 + 5 + 25 + 121 + 25, [5, 11]));
    reads::uncall(&mut lens, &mut x, &mut y, &mut v);
    assert_eq!((lens.focus, x, y, v), (2, 3, 4, [5, 6]));
}
