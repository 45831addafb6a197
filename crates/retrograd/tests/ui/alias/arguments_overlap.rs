use retrograd::prelude::*;

#[reversible]
fn add_first(all: &mut [f64], one: &f64) {
    all[0] += *one;
}

#[reversible]
fn whole_and_part(x: &mut [f64]) {
    add_first(x, &x[3]);
}

fn main() {}
