use num_complex::Complex;
use retrograd::prelude::*;

#[primitive(d_z = z * 2.0)]
fn power(z: Complex<f64>) -> f64 {
    z.norm_sqr()
}

fn main() {
    power::gradient(Complex::new(1.0, 2.0));
}
