use retrograd::prelude::*;

#[reversible]
fn add(x: &mut f64, y: &mut f64) {
    *x += *y;
}

#[reversible]
fn count(x: &mut f64, #[host] calls: &mut f64) {
    #[host]
    {
        *calls += 1.0;
    }
    add(x, calls);
}

fn main() {}
