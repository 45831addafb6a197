use retrograd::prelude::*;

#[reversible]
fn shuffle(a: &mut [usize]) {
    a.swap(a[0], 1);
}

fn main() {}
