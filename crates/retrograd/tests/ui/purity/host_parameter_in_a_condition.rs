use retrograd::prelude::*;

#[reversible]
fn count(x: &mut f64, #[host] calls: &mut u64) {
    if *calls > 3 {
        *x += 1.0;
    }
}

fn main() {}
