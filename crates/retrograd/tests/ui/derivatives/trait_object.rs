//! No derivative flows through a trait object.

use retrograd::prelude::*;

#[reversible]
trait Force {
    fn at(&self, x: f64) -> f64;
}

#[reversible]
fn kick(v: &mut f64, force: &dyn Force, x: f64) {
    *v += force.at(x);
}

#[reversible]
fn all(forces: &[Box<dyn Force>], x: f64) -> f64 {
    let mut sum = 0.0;
    for force in forces {
        sum += force.at(x);
    }
    sum
}

fn main() {}
