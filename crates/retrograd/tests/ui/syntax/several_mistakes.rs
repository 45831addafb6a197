use retrograd::prelude::*;

#[reversible]
fn broken(x: &mut f64, y: &[f64], n: usize) {
    *x = 1.0;
    y[0] += *x;
    for i in 0..n {
        if *x > 0.0 {
            *x -= 1.0;
        }
        break;
    }
    *x += *x;
    let mut t = *x;
    *x += 1.0;
    release!(s == t);
}

fn main() {}
