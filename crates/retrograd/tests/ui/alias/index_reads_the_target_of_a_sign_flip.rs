use retrograd::prelude::*;

#[reversible]
fn chase(a: &mut [isize]) {
    a[a[0] as usize] = -a[a[0] as usize];
}

fn main() {}
