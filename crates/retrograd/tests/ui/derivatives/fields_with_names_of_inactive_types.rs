use retrograd::prelude::*;

#[derive(Active)]
struct Range {
    lo: f64,
    hi: f64,
}

#[derive(Active)]
struct Body {
    bounds: Range,
    #[constant]
    limits: Range,
    mass: f64,
}

#[reversible]
fn middle(body: &Body) -> f64 {
    body.mass * body.bounds.lo
}

fn main() {}
