use retrograd::prelude::*;

fn check(x: f64) -> Option<()> {
    (x > 0.0).then_some(())
}

#[reversible]
fn guarded(x: f64) -> Option<f64> {
    check(x)?;
    Some(x)
}

fn main() {}
