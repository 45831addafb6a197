//! A method of the user's own with the name of one that copies what an `Option` refers to.

use retrograd::prelude::*;

#[derive(Active, Clone, Copy)]
struct Point<T> {
    c: T,
}

#[reversible]
impl<T: Real> Point<T> {
    fn copied(&self) -> Point<T> {
        Point { c: self.c * self.c }
    }
}

#[reversible]
fn by_name(x: f64) -> f64 {
    let p = Point { c: x };
    let q = p.copied();
    q.c
}

#[reversible]
fn by_type(x: f64) -> f64 {
    let p = Point { c: x };
    let q = Point::copied(&p);
    q.c
}

fn main() {}
