use retrograd::prelude::*;

#[reversible]
fn guarded(x: &mut f64, y: f64) {
    println!("{}", if y == 0.0 { return } else { y });
    *x += 1.0;
}

fn main() {}
