//! What a record keeps is `Recordable`.

use retrograd::prelude::*;

#[derive(Clone, Copy)]
enum Phase {
    Rest,
    Motion,
}

#[reversible(record)]
fn advance(x: &mut f64, #[constant] phase: &mut Phase) {
    if *x > 1.0 {
        *phase = Phase::Motion;
    }
    *x = *x * *x;
}

fn main() {
    let mut phase = Phase::Rest;
    advance(&mut 1.0, &mut phase);
}
