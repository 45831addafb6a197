use retrograd::prelude::*;

#[reversible]
fn count(y: &mut u64) {
    'outer: for i in 0..10 {
        *y += i;
    }
}

fn main() {}
