use retrograd::prelude::*;

#[reversible(record)]
fn set(x: &mut f64, y: f64) {
    *x = y;
}

#[reversible(record)]
fn reset(n: &mut usize) {
    *n = 0;
}

#[reversible(record)]
trait Model {
    fn step(&mut self, dt: f64);
}

#[derive(Active)]
struct Ball {
    x: f64,
}

#[reversible(record)]
impl Ball {
    fn drop(&mut self) {
        self.x = 0.0;
    }
}

#[reversible]
fn procedure(x: &mut f64, y: f64) {
    set(x, y);
}

#[reversible]
fn function(x: f64) -> f64 {
    let mut y = x;
    set(&mut y, x);
    release!(y == x);
    x
}

#[reversible]
fn counting(n: &mut usize) {
    reset(n);
}

#[reversible(derivatives = "never")]
fn without_derivatives(x: &mut f64, y: f64) {
    set(x, y);
}

#[reversible]
fn generic<M: Model>(model: &mut M, dt: f64) {
    model.step(dt);
}

#[reversible]
fn method(ball: &mut Ball) {
    ball.drop();
}

fn main() {
    let mut x = 1.0;
    set::uncall(&mut x, 2.0);
}
