//! A trait says whether derivatives flow through `self`: callers of the trait would lose them.

use retrograd::prelude::*;

#[reversible]
trait Force {
    fn at(&self, x: f64) -> f64;
}

#[derive(Active)]
struct Spring {
    k: f64,
}

#[reversible]
impl Force for Spring {
    fn at(#[constant] &self, x: f64) -> f64 {
        self.k * x
    }
}

fn main() {}
