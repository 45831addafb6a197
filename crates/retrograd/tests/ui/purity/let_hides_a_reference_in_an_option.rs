use retrograd::prelude::*;

#[reversible]
fn packed(x: &mut f64) {
    let maybe = Some(x);
    if let Some(v) = maybe {
        *v += 1.0;
    }
}

fn main() {}
