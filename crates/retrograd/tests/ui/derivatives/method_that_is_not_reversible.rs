use retrograd::prelude::*;

#[derive(Active, Clone)]
struct Point {
    x: f64,
    y: f64,
}

impl Point {
    fn size(&self) -> f64 {
        self.x.hypot(self.y)
    }
}

#[reversible]
fn add_size(z: &mut f64, p: &Point) {
    *z += p.size() * p.x;
}

fn main() {}
