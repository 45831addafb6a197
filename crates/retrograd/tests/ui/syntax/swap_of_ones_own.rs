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

fn main() {}
