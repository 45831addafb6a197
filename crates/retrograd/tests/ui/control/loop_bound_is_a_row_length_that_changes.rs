use retrograd::prelude::*;

#[reversible]
fn turn(rows: &mut [Vec<f64>]) {
    for i in 0..rows[0].len() {
        rows.swap(0, 1);
    }
}

fn main() {}
