use retrograd::prelude::*;

#[reversible]
fn stale(x: &mut f64, y: &mut f64) {
    let mut t = 1.0;
    {
        #[compute]
        {
            t += *x;
        }
        *y += t;
        *x += 1.0;
    }
    *y += 2.0 * t;
}

fn main() {}
