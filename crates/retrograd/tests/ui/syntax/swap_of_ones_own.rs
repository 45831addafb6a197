use retrograd::prelude::reversible;

#[reversible]
fn swap(a: &mut f64, b: &mut f64) {
    *a += *b;
    *b -= *a;
}

#[reversible]
fn use_it(a: &mut f64, b: &mut f64) {
    swap(a, b);
}

#[reversible]
fn take(a: &mut f64) {
    *a += 1.0;
}

#[reversible(record)]
fn take_it(a: f64) -> f64 {
    let mut b = a;
    let c = b * b;
    take(&mut b);
    b * c
}

fn main() {}
