use retrograd::prelude::*;

#[reversible]
fn log(x: &mut f64) {
    let mut t = 1.0;
    #[host]
    {
        t += 1.0;
    }
    *x += t;
}

fn main() {}
