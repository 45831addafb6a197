use retrograd::prelude::*;

#[reversible]
fn guarded(k: u8, y: &mut f64) {
    match k {
        0 if *y > 1.0 => *y += 1.0,
        _ => {}
    }
}

fn main() {}
