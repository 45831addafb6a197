use retrograd::prelude::*;

#[allow(non_upper_case_globals)]
const zero: i32 = 0;

#[reversible]
fn use_it(y: &mut i32, k: i32) {
    *y += zero;
    match k {
        zero => *y += 1,
        _ => *y += 2,
    }
}

fn main() {}
