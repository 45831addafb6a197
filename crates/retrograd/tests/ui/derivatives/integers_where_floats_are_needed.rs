use retrograd::prelude::*;

#[reversible]
fn scale(x: &mut [f64], by: f64) {
    for i in 0..x.len() {
        x[i] *= by;
    }
}

fn main() {
    let (mut x, mut grad) = ([1, 2], [0, 0]);
    scale::pullback((&mut x, &mut grad), (2.0, &mut 0.0));
}
