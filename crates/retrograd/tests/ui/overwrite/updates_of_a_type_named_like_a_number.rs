use retrograd::prelude::*;

#[allow(non_camel_case_types)]
type u8 = std::num::Saturating<std::primitive::u8>;

#[reversible(derivatives = "never")]
fn grow(x: &mut u8, y: u8) {
    *x += y;
}

#[reversible]
fn grow_all(x: &mut [u8]) {
    for i in 1..x.len() {
        x[i] += x[i - 1];
    }
}

fn main() {}
