use retrograd::prelude::*;

#[reversible]
fn chosen(c: bool, a: f64, b: f64) -> f64 {
    let z;
    if c {
        z = a;
    } else {
        z = b;
    }
    z * z
}

#[reversible(record)]
fn never_given(x: f64) -> f64 {
    let y: f64;
    let mut z = x;
    z = z * y;
    z
}

fn main() {}
