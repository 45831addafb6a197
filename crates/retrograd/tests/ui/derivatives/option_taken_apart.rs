use retrograd::prelude::*;

#[reversible]
fn in_a_match(x: f64, scale: Option<f64>) -> f64 {
    match scale {
        Some(s) => s * x,
        None => x,
    }
}

#[reversible]
fn in_a_branch(y: &mut f64, scale: &Option<f64>) {
    if let Some(s) = scale {
        *y += *s;
    }
}

#[reversible]
fn by_a_method(x: f64, scale: Option<f64>) -> f64 {
    x * scale.unwrap_or(1.0)
}

fn main() {}
