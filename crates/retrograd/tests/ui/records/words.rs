use retrograd::prelude::*;

#[reversible(record = "some")]
fn first(x: f64) -> f64 {
    x
}

#[reversible]
fn second(x: f64) -> f64 {
    let mut y = x;
    #[record(some)]
    for _ in 0..3 {
        y = y * y;
    }
    y
}

#[reversible(record)]
fn third(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        loop {
            break y * y;
        }
    }
    y
}

#[reversible(record)]
fn fourth(x: &mut f64) -> f64 {
    *x = 1.0;
    *x
}

fn main() {}
