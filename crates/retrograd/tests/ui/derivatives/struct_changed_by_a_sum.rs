use std::ops::{Add, AddAssign, SubAssign};

use retrograd::prelude::*;

#[derive(Active, Clone, Copy)]
struct Vector {
    x: f64,
    y: f64,
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, other: Vector) -> Vector {
        Vector { x: self.x + other.x, y: self.y + other.y }
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, other: Vector) {
        self.x += other.x;
        self.y += other.y;
    }
}

impl SubAssign for Vector {
    fn sub_assign(&mut self, other: Vector) {
        self.x -= other.x;
        self.y -= other.y;
    }
}

#[reversible]
fn step(x: &mut Vector, v: Vector, a: Vector) {
    *x += v + a;
}

fn main() {}
