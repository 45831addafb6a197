use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64, y: &mut f64) {
    let mut t = x;
    *y += t;
    #[inverse]
    release!(t == x);
}

fn main() {}
