use retrograd::prelude::*;

#[reversible]
fn grow(n: &mut usize, y: &mut f64) {
    for i in 0..*n {
        *y += i as f64;
        *n += 1;
    }
}

fn main() {}
