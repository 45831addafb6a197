use retrograd::prelude::*;

#[reversible]
fn skip(y: &mut usize) {
    for i in 0..10 {
        *y += i;
        i += 1;
    }
}

fn main() {}
