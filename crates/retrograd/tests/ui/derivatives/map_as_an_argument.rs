use std::collections::HashMap;

use retrograd::prelude::*;

#[reversible]
fn look_up(y: &mut f64, table: &HashMap<String, f64>, x: f64) {
    *y += x * table["a"];
}

fn main() {}
