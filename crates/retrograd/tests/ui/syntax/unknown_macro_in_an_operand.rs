use retrograd::prelude::*;

#[allow(unused_macros)]
macro_rules! twice {
    ($x:expr) => {
        2.0 * $x
    };
}

#[reversible]
fn use_it(y: &mut f64, x: f64) {
    *y += twice!(x);
}

fn main() {}
