use retrograd::prelude::*;

#[derive(Active, Clone)]
struct Point {
    x: f64,
    y: f64,
}

impl Point {
    fn norm(&self) -> f64 {
        self.x.hypot(self.y)
    }
}

#[reversible]
fn add_norm(z: &mut f64, p: &Point) {
    *z += p.norm() * p.x;
}

fn main() {}
