use num_complex::Complex;
use retrograd::prelude::*;

#[reversible]
fn square(z: Complex<f64>) -> Complex<f64> {
    z * z
}

fn main() {
    square::gradient(Complex::new(1.0, 2.0));
}
