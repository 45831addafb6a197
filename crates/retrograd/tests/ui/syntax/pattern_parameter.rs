use retrograd::prelude::*;

#[reversible]
fn use_it((a, b): (f64, f64), y: &mut f64) {
    *y += a * b;
}

#[reversible]
fn use_both((a, b): (f64, f64), [c, d]: [f64; 2]) -> f64 {
    a * b + c * d
}

struct Point {
    x: f64,
    y: f64,
}

#[reversible]
fn use_fields(y: &mut f64, Point { x: a, y: b }: Point) {
    *y += a * b;
}

#[reversible]
fn use_a_reference(&x: &f64) -> f64 {
    x * x
}

#[reversible]
fn use_a_name_for_the_whole(all @ [first, ..]: [f64; 2]) -> f64 {
    all[1] * first
}

#[reversible]
fn use_nothing(x: f64, _: f64) -> f64 {
    x * x
}

fn main() {
    let mut y = use_both((1.0, 2.0), [3.0, 4.0]);
    use_it((1.0, 2.0), &mut y);
    use_it::uncall((1.0, 2.0), &mut y);
}
