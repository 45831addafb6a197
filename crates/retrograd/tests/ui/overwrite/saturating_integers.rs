use std::num::Saturating;

use retrograd::prelude::*;

#[reversible]
fn negated(x: &mut Saturating<i8>) {
    *x = -*x;
}

#[reversible]
fn in_a_loop(x: &mut [Saturating<i32>], y: &[Saturating<i32>]) {
    for (a, b) in x.iter_mut().zip(y) {
        *a -= *b;
    }
}

#[reversible]
fn of_a_local(y: &mut u8, x: Saturating<u8>) {
    let mut t = x;
    t += Saturating(100);
    *y += t.0;
}

pub struct Meter {
    level: Saturating<u16>,
}

#[reversible(derivatives = "never")]
impl Meter {
    fn rise(&mut self, by: Saturating<u16>) {
        self.level += by;
    }
}

fn main() {}
