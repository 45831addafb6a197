use retrograd::prelude::*;

#[derive(Active, Clone, Debug)]
struct Range {
    lo: f64,
    hi: f64,
}

#[reversible]
fn in_a_slice(r: &[Range], x: f64) -> f64 {
    r[0].hi * r[0].lo * x
}

#[reversible]
fn in_a_let(a: f64, x: f64) -> f64 {
    let r: Range = Range { lo: a * x, hi: a };
    r.hi * r.lo * a
}

fn main() {}
