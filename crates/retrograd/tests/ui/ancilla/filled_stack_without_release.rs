use retrograd::prelude::*;

#[reversible]
fn put_away(x: &mut f64) {
    let mut stack = Stack::new();
    stack.push(x);
    *x += 1.0;
}

fn main() {}
