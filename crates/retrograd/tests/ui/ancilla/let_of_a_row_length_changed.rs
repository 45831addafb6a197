use retrograd::prelude::*;

#[reversible]
fn stale(rows: &mut [Vec<f64>], y: &mut usize) {
    let width = rows[0].len();
    rows.swap(0, 1);
    *y += width;
}

fn main() {}
