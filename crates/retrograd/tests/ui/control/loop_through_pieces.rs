use retrograd::prelude::*;

#[reversible]
fn use_it(x: &[f64], y: &mut f64) {
    for piece in x.chunks(2) {
        *y += piece[0];
    }
}

fn main() {}
