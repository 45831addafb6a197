use retrograd::prelude::*;

#[reversible]
fn nothing_is_kept(x: f64) -> f64 {
    let mut y = 0.0;
    #[recompute]
    for _ in 0..3 {
        y += x * x;
    }
    y
}

#[reversible(record)]
fn how_much(x: f64) -> f64 {
    let mut y = x;
    #[recompute(all)]
    for _ in 0..3 {
        y = y * y;
    }
    y
}

#[reversible(record)]
fn nothing_is_computed(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y = y * y;
        #[recompute]
        println!("{y}");
        if y > 1.0 {
            #[recompute]
            return y;
        }
    }
    y
}

fn main() {}
