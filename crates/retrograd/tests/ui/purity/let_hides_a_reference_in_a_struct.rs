use retrograd::prelude::*;

pub struct Handle<'a> {
    value: &'a mut f64,
}

#[reversible]
fn packed(x: &mut f64) {
    let mut handle = Handle { value: x };
    *handle.value += 1.0;
}

fn main() {}
