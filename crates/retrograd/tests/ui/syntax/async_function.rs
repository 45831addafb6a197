use retrograd::prelude::*;

#[reversible]
async fn use_it(x: &mut f64) {
    *x += 1.0;
}

fn main() {}
