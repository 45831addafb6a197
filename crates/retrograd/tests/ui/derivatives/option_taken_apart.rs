use retrograd::prelude::*;

#[reversible]
fn root(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

#[reversible]
fn without_a_name(y: &mut f64, x: f64) {
    *y += if let Some(r) = root(x) { r } else { 0.0 };
}

#[reversible]
fn by_a_method(x: f64, scale: Option<f64>) -> f64 {
    x * scale.map_or(1.0, f64::sin)
}

fn main() {}
