//! A trait has no companions for types without a size.

use retrograd::prelude::*;

#[reversible]
trait Scale {
    fn scale(&mut self, by: f64);

    fn first(&self) -> f64;
}

#[reversible]
impl Scale for [f64] {
    fn scale(&mut self, by: f64) {
        for i in 0..self.len() {
            self[i] *= by;
        }
    }

    fn first(&self) -> f64 {
        self[0]
    }
}

fn main() {}
