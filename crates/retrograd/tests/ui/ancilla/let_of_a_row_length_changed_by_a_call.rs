use retrograd::prelude::*;

#[reversible]
fn turn(rows: &mut [Vec<f64>]) {
    rows.rotate_left(1);
}

#[reversible]
fn stale(rows: &mut [Vec<f64>], y: &mut usize) {
    let width = rows[0].len();
    turn(rows);
    *y += width;
}

fn main() {}
