use retrograd::prelude::*;

#[reversible]
fn count(x: &mut f64, #[host] calls: &mut u64) {
    *x += 1.0;
    *calls += 1;
}

fn main() {}
