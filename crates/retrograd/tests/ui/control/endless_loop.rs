use retrograd::prelude::*;

#[reversible]
fn spin(n: &mut u64) {
    loop {
        *n += 1;
        if *n > 10 {
            break;
        }
    }
}

fn main() {}
