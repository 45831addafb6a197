use retrograd::prelude::*;

#[reversible]
fn forever(y: &mut u64) {
    for i in 0.. {
        *y += i;
    }
}

fn main() {}
