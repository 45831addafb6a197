use retrograd::prelude::*;

#[allow(unused_macros)]
macro_rules! bump {
    ($x:expr) => {
        $x += 1.0
    };
}

#[reversible]
fn use_it(y: &mut f64) {
    bump!(*y);
}

fn main() {}
