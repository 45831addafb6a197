use retrograd::prelude::*;

#[reversible]
fn inside(x: &mut Option<f64>) {
    match *x {
        Some(ref v) => *v += 1.0,
        None => {}
    }
}

fn main() {}
