use retrograd::prelude::*;

#[reversible(without = "contrat")]
fn use_it(y: &mut f64) {
    *y += 1.0;
}

fn main() {
    let mut y = 0.0;
    use_it(&mut y);
    use_it::uncall(&mut y);
}
