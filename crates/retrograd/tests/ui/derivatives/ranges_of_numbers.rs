use retrograd::prelude::*;

#[reversible]
fn width(a: f64, b: f64) -> f64 {
    let r = a..b;
    (r.end - r.start) * 2.0
}

#[reversible]
fn in_a_tuple<T: Real>(a: T, b: T) -> T {
    let r = (a..b, 1.0);
    r.0.start * r.0.end
}

#[reversible]
fn closed(a: f64) -> f64 {
    let r = 2.0..=a * a;
    *r.end() * 3.0
}

#[reversible]
fn open(y: &mut f64, a: f64) {
    let r = a..;
    *y += r.start * r.start;
}

struct Part {
    range: std::ops::Range<f64>,
}

#[reversible]
fn in_a_struct(y: &mut f64, a: f64) {
    let part = Part { range: 0.0..a };
    *y += part.range.end;
}

fn main() {}
