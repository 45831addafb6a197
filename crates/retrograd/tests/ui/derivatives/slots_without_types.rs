use retrograd::prelude::*;

#[reversible]
fn shifted(x: &mut f64) {
    let mut slots = Slots::new();
    slots.allocate(3);
    slots[3] += 2.0;
    *x += slots[3];
}

fn main() {}
