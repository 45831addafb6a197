#[reversible]
pub fn postcondition(x: &mut i64, y: &mut i64) {
    if (*x > 0, *y > 0) {
        *y -= 1;
    }
}

#[reversible]
pub fn entry(x: &mut i64) {
    while (*x < 3, *x > 0) {
        *x += 1;
    }
}

#[reversible]
pub fn turn(x: &mut i64) {
    while (*x < 3, *x > 1) {
        *x += 1;
    }
}

#[reversible]
pub fn released(x: &mut f64) {
    let mut t = 0.5;
    t += *x;
    *x -= 1.0;
    release!(t == 1.0);
}

#[reversible]
pub fn released_part(x: &mut [i64]) {
    let mut t = [0, 0, 0];
    t[1] += x[0];
    x[0] += 1;
    release!(t == [0, 4, 0]);
}

#[reversible]
pub fn factor(x: &mut f64, by: f64) {
    *x *= by;
}

#[reversible]
pub fn lossy(x: &mut i64, by: i64) {
    *x /= by;
}

#[reversible]
pub fn round_trip(x: &mut f64) {
    *x = x.exp();
}

#[reversible]
pub fn popped(stack: &mut Stack<i64>, x: &mut i64) {
    stack.pop(x);
}

#[reversible]
pub fn equal(x: &mut [f64], i: usize, j: usize) {
    rotate(&mut x[i], &mut x[j], 0.5);
}

#[reversible]
pub fn same_element(x: &mut [f64], i: usize, j: usize) {
    x[i] += 2.0 * x[j];
}
