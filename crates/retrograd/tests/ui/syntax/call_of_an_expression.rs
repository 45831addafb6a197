use retrograd::prelude::*;

pub struct Machine {
    step: fn(&mut f64),
}

#[reversible]
fn use_it(machine: &Machine, x: &mut f64) {
    (machine.step)(x);
}

fn main() {}
