use retrograd::prelude::*;

#[reversible]
fn grow(stack: &mut Stack<f64>) {
    for i in 0..stack.len() {
        let mut x = i as f64;
        stack.push(&mut x);
        release!(x == 0.0);
    }
}

fn main() {}
