use retrograd::prelude::*;

static TOTAL: f64 = 0.0;

#[reversible]
fn tally(x: f64) {
    TOTAL += x;
}

fn main() {}
