use retrograd::prelude::*;

#[reversible]
fn log(x: &mut f64) {
    #[host]
    {
        *x = 0.0;
    }
}

fn main() {}
