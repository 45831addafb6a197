use retrograd::prelude::*;

#[reversible]
fn use_it(x: f64, y: &mut f64) {
    #[compute]
    {
        let mut square = 0.0;
        square += x * x;
    }
    *y += square;
}

fn main() {}
