use retrograd::prelude::*;

#[bijection(d = 1.0)]
fn shifted(x: f64) -> f64 {
    x + 1.0
}

#[reversible]
fn use_it(x: &mut f64) {
    *x = shifted(*x);
}

fn main() {
    let mut x = 1.0;
    use_it(&mut x);
    use_it::uncall(&mut x);
}
