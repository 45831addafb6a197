use retrograd::prelude::*;

#[reversible]
trait Force {
    fn force(&self, x: f64) -> f64;
}

/// It has no derivative, and nobody can ask for one.
struct Gravity;

#[reversible]
impl Force for Gravity {
    fn force(#[constant] &self, x: f64) -> f64 {
        x * 9.81
    }
}

#[derive(Active)]
struct Spring {
    stiffness: f64,
}

#[reversible]
impl Force for Spring {
    fn force(#[constant] &self, x: f64) -> f64 {
        x * self.stiffness
    }
}

fn main() {}
