use retrograd::prelude::*;

enum Kind {
    Add,
    Scale,
}

#[reversible]
fn change(x: &mut f64, by: f64, kind: Kind) {
    match kind {
        Kind::Add => *x += by,
        Kind::Scale => *x *= by,
    }
}

fn main() {}
