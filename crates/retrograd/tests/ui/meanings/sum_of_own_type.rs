//! `sum`, `map` and `clone` of types of the user's own, and of traits of theirs on slices.

use retrograd::prelude::*;

#[reversible]
trait Total {
    fn sum(&self) -> f64;
}

#[reversible]
impl Total for Vec<f64> {
    fn sum(&self) -> f64 {
        let first = self[0];
        first * first
    }
}

#[reversible]
fn of_a_vector(x: &Vec<f64>) -> f64 {
    x.sum()
}

#[derive(Active, Clone)]
struct Weights {
    all: [f64; 2],
}

#[reversible]
impl Weights {
    fn sum(&self) -> f64 {
        self.all[0] * self.all[1]
    }
}

#[reversible]
fn of_an_own_type(w: &Weights) -> f64 {
    w.sum()
}

fn main() {}
