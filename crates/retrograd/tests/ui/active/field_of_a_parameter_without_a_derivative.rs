use std::collections::HashMap;

use retrograd::prelude::*;

#[derive(Active)]
struct Image<T> {
    pixels: HashMap<u32, T>,
}

fn main() {}
