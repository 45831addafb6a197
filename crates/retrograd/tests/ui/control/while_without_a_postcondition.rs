use retrograd::prelude::*;

#[reversible]
fn halve(n: &mut u64, steps: &mut u64) {
    while *n > 1 {
        *n -= 2;
        *steps += 1;
    }
}

fn main() {}
