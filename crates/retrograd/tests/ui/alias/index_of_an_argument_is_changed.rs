use retrograd::prelude::*;

#[reversible]
fn take_from(a: &mut usize, b: &mut usize) {
    *a += 1;
    *b -= 1;
}

#[reversible]
fn moving_index(v: &mut [usize], k: &mut usize) {
    take_from(&mut v[*k], k);
}

fn main() {}
