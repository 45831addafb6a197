use std::ops::{Index, IndexMut};

use retrograd::ops::Indexed;
use retrograd::prelude::*;

pub struct Matrix(Vec<f64>);

impl Index<usize> for Matrix {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.0[i]
    }
}

impl IndexMut<usize> for Matrix {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.0[i]
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.0[2 * i + j]
    }
}

impl Indexed for Matrix {}

#[reversible(derivatives = "never")]
fn linear(a: &mut Matrix) {
    a[0] += a[(0, 1)];
}

#[reversible(derivatives = "never")]
fn by_a_variable(a: &mut Matrix, i: usize, j: (usize, usize)) {
    a[i] *= a[j];
}

fn main() {}
