use retrograd::prelude::*;

#[reversible]
fn moving_index(v: &mut [usize], k: &mut usize) {
    swap(&mut v[*k], k);
}

fn main() {}
