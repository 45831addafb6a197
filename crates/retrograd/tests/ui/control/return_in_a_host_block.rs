use retrograd::prelude::*;

#[reversible]
fn guarded(x: &mut f64, y: f64) {
    #[host]
    {
        if y == 0.0 {
            return;
        }
    }
    *x += 1.0;
}

fn main() {}
