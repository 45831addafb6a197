use std::ops::{Div, Mul};

use retrograd::prelude::*;

#[derive(Active, Clone, Copy)]
struct Vector<T> {
    x: T,
    y: T,
}

impl Mul<f64> for Vector<f64> {
    type Output = Vector<f64>;
    fn mul(self, factor: f64) -> Vector<f64> {
        Vector { x: self.x * factor, y: self.y * factor }
    }
}

impl<T: Real> Div<T> for Vector<T> {
    type Output = Vector<T>;
    fn div(self, by: T) -> Vector<T> {
        Vector { x: self.x / by, y: self.y / by }
    }
}

#[reversible]
fn doubled(v: Vector<f64>) -> f64 {
    let w = v * 2.0;
    w.x * w.y
}

#[reversible]
fn shrunk<T: Real>(v: Vector<T>, by: T) -> T {
    let w = v / by;
    w.x * w.y
}

fn main() {
    doubled::gradient(Vector { x: 1.0, y: 2.0 });
}
