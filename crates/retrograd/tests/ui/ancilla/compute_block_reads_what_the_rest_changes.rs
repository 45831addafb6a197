use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut f64, y: &mut f64) {
    let mut t = 0.0;
    #[compute]
    {
        t += *x;
    }
    *y += t;
    *x += 1.0;
}

fn main() {}
