use retrograd::prelude::*;

type Pair = (u8, u8);

#[reversible]
fn both(y: &mut u8) {
    let (mut a, mut b): Pair = (1, 2);
    a += 1;
    b += a;
    *y += b;
}

fn main() {}
