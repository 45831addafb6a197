use retrograd::prelude::*;

#[reversible]
fn behind(x: &mut f64, y: &mut f64) {
    let mut t = 1.0;
    #[compute]
    {
        *x += 1.0;
    }
    *y += t * *x;
    release!(t == 1.0);
}

fn main() {}
