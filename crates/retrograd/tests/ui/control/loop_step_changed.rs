use retrograd::prelude::*;

#[reversible]
fn stride(step: &mut usize, y: &mut f64) {
    for i in (0..10).step_by(*step) {
        *y += i as f64;
        *step += 1;
    }
}

fn main() {}
