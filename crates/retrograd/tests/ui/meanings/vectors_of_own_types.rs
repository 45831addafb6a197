//! Methods of a type of one's own that are called like those of vectors and slices, in recorded programs.

use retrograd::prelude::*;

#[derive(Active, Clone, Debug)]
struct Ring {
    at: Vec<f64>,
}

impl Ring {
    fn push(&mut self, x: f64) {
        self.at.insert(0, x);
    }

    fn sort(&mut self) {
        self.at.reverse();
    }
}

#[reversible(record)]
fn pushed(r: &mut Ring, k: f64) {
    r.push(k);
    r.at[0] *= k;
}

#[reversible(record)]
fn sorted(r: &mut Ring, k: f64) {
    r.sort();
    r.at[0] *= k;
}

fn main() {}
