use retrograd::kernel::{Buffer, Device, Error};
use retrograd::prelude::*;

/// Each run reads as many elements as it likes.
#[reversible(kernel)]
fn product(#[index] i: usize, y: &mut [f64], #[scatter] x: &[f64], columns: &[usize], d: usize) {
    for k in 0..d {
        y[i] += x[columns[i * d + k]];
    }
}

fn run(device: &Device, y: &Buffer<f64>, x: &Buffer<f64>, columns: &Buffer<usize>) -> Result<(), Error> {
    let mut rows = device.upload(&[[0.0; 1]; 2])?;
    product::launch_jacobian(device, 2, y, (x, &mut rows), columns, 3)
}

fn main() {}
