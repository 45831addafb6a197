use retrograd::prelude::*;

fn spoil(x: &mut f64) {
    *x = 0.0;
}

#[reversible]
fn log(x: &mut f64) {
    #[host]
    spoil(&mut *x);
}

fn main() {}
