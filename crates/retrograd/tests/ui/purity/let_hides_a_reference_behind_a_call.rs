use retrograd::prelude::*;

fn same<T>(x: T) -> T {
    x
}

#[reversible]
fn renamed(x: &mut f64) {
    let mut y = same(x);
    *y += 1.0;
}

fn main() {}
