use retrograd::prelude::*;

#[reversible]
fn double(x: &mut f64) {
    *x *= 2.0;
}

#[reversible(record)]
fn halve(x: &mut f64, y: &mut f64) {
    double::uncall(x);
    #[compute]
    {
        double(x);
    }
    *y = *x * *x;
}

#[reversible]
fn root(x: &mut f64, y: &mut f64) {
    #[inverse]
    {
        *x += 1.0;
    }
    #[record]
    {
        *y = *x * *x;
    }
}

fn main() {}
