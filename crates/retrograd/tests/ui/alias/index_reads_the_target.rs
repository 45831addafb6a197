use retrograd::prelude::*;

#[reversible]
fn chase(a: &mut [usize]) {
    a[a[0]] += 1;
}

fn main() {}
