use retrograd::prelude::*;

#[reversible]
fn wheel(a: &mut [usize]) {
    a.rotate_left(a[0] % 3);
}

fn main() {}
