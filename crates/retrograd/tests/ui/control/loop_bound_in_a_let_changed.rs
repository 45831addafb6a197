use retrograd::prelude::*;

#[reversible]
fn grow(n: &mut usize, y: &mut f64) {
    let turns = 0..*n;
    for i in turns {
        *y += i as f64;
        *n += 1;
    }
}

fn main() {}
