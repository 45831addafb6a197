use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64, y: &mut f64) {
    {
        let twice = 2.0 * x;
        *y += twice;
    }
    *y += twice;
}

fn main() {}
