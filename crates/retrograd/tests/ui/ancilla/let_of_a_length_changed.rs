use retrograd::prelude::*;

#[reversible]
fn stale(stack: &mut Stack<f64>, x: &mut f64, y: &mut usize) {
    let depth = stack.len();
    stack.push(x);
    *y += depth;
}

fn main() {}
