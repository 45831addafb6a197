use std::ops::Mul;

use retrograd::prelude::*;

#[derive(Active, Clone, Copy)]
struct Matrix {
    diagonal: [f64; 2],
}

impl Mul for Matrix {
    type Output = Matrix;
    fn mul(self, other: Matrix) -> Matrix {
        Matrix { diagonal: [self.diagonal[0] * other.diagonal[0], self.diagonal[1] * other.diagonal[1]] }
    }
}

#[reversible]
fn first(a: Matrix, b: Matrix) -> f64 {
    let product = a * b;
    product.diagonal[0]
}

fn main() {}
