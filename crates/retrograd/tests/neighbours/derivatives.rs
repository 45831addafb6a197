//! What to write instead of the mistakes in `tests/ui/derivatives`.

use retrograd::prelude::*;

#[reversible]
fn polar<T: Real>(x: T, y: T) -> (T, T) {
    (x.hypot(y), y.atan2(x))
}

#[reversible]
fn radius<T: Real>(x: T, y: T) -> T {
    x.hypot(y)
}

#[primitive(d_x = 1.0)]
fn next(x: f64) -> f64 {
    x.next_up()
}

#[primitive(d_x = x.cos())]
fn table(x: f64) -> f64 {
    x.sin()
}

#[reversible]
fn look_up(x: &mut f64, y: f64) {
    *x += table(y) * next(y);
}

#[derive(Active, Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

#[reversible]
impl Point {
    fn shift(&mut self, by: f64) {
        self.x += by;
    }

    fn length(&self) -> f64 {
        self.x.hypot(self.y)
    }
}

enum Kind {
    Add,
    Scale,
}

#[reversible]
fn change(x: &mut f64, by: f64, #[constant] kind: &Kind) {
    match kind {
        Kind::Add => *x += by,
        Kind::Scale => *x *= by,
    }
}

#[reversible(derivatives = "never")]
fn apply(x: &mut f64, y: f64, f: fn(f64) -> f64) {
    *x += f(y);
}

#[test]
fn they_run_there_and_back() {
    assert_eq!(radius::gradient(3.0, 4.0).0, 5.0);
    assert_eq!(polar::jacobian(3.0, 4.0).1[0].len(), 2);
    assert_eq!(radius::hessian(3.0, 4.0).2.len(), 4);
    let (mut x, mut grad_x, mut grad_y) = (0.0, 1.0, 0.0);
    look_up(&mut x, 0.5);
    look_up::pullback((&mut x, &mut grad_x), (0.5, &mut grad_y));
    assert!(grad_y > 0.5);
    let mut point = Point { x: 2.0, y: 4.0 };
    point.shift(1.0);
    assert_eq!(point.gradient_length().0, 5.0);
    for kind in [Kind::Add, Kind::Scale] {
        change(&mut x, 2.0, &kind);
        change::pullback((&mut x, &mut grad_x), (2.0, &mut grad_y), &kind);
    }
    apply(&mut x, 4.0, f64::sqrt);
    apply::uncall(&mut x, 4.0, f64::sqrt);
}
