use std::ops::{Index, IndexMut};

use retrograd::ops::Indexed;
use retrograd::prelude::*;

struct Vector([f64; 2]);

impl Index<usize> for Vector {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.0[i]
    }
}

impl IndexMut<usize> for Vector {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.0[i]
    }
}

impl Indexed for Vector {}

impl Vector {
    fn len(&self) -> f64 {
        self.0[0].hypot(self.0[1])
    }
}

#[reversible(derivatives = "never")]
fn grow(v: &mut Vector) {
    v[0] += v.len();
}

fn main() {}
