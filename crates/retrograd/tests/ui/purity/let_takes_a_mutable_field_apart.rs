use retrograd::prelude::*;

pub struct Line {
    ends: (f64, f64),
}

#[reversible]
fn lean(line: &mut Line) {
    let (a, b) = &mut line.ends;
    *a += *b;
}

fn main() {}
