use retrograd::prelude::*;

#[reversible]
fn next(state: &mut u8, y: &mut f64) {
    match *state {
        0 => *state += 1,
        _ => *y += 1.0,
    }
}

fn main() {}
