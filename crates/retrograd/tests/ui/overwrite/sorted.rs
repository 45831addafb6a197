use retrograd::prelude::*;

#[reversible]
fn order(x: &mut [u32]) {
    x.sort();
}

fn main() {}
