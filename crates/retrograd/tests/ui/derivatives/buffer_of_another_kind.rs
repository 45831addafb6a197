use retrograd::prelude::*;

#[derive(Active)]
struct InformationBuffer {
    bits: f64,
}

#[reversible]
fn collect(sum: &mut f64, lost: &InformationBuffer) {
    *sum += lost.bits;
}

fn main() {}
