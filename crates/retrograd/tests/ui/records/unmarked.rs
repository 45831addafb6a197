use retrograd::prelude::*;

#[reversible]
fn operand(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        #[record]
        y *= 0.5;
    }
    let mut z = 1.0;
    z += z * y;
    z
}

#[reversible]
fn condition(x: &mut f64, y: &mut f64) {
    #[record]
    {
        *y = *x * *x;
    }
    if *x > 1.0 {
        *x -= *y;
    }
}

#[reversible]
fn range(x: &mut [f64], n: &mut usize) {
    for i in 0..*n {
        #[record]
        if x[i] > 1.0 {
            *n = i;
        }
    }
}

#[reversible]
fn index(x: &mut [usize], y: &mut f64) {
    x[x[0]] += 1;
    #[record]
    *y = 0.0;
}

fn main() {}
