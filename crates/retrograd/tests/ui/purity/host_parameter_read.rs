use retrograd::prelude::*;

#[reversible]
fn count(x: &mut f64, #[host] calls: &mut f64) {
    #[host]
    {
        *calls += 1.0;
    }
    *x += *calls;
}

fn main() {}
