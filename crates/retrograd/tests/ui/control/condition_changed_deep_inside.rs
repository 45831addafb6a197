use retrograd::prelude::*;

#[reversible]
fn deep(x: &mut [f64], n: usize) {
    if x[0] > 0.0 {
        for i in 0..n {
            match i {
                1 => x[0] += 1.0,
                _ => {}
            }
        }
    }
}

fn main() {}
