use retrograd::prelude::*;

#[reversible]
fn first(x: &[f64], y: &mut f64) {
    for i in 0..x.len() {
        *y += if x[i] > 0.0 { x[i] } else { break };
    }
}

fn main() {}
