use retrograd::prelude::*;

#[reversible]
fn use_it(y: &mut f64, k: u8) {
    match k {
        #[cfg(any())]
        0 => *y += 1.0,
        _ => *y += 2.0,
    }
}

fn main() {}
