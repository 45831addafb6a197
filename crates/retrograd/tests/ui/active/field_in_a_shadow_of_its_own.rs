use std::collections::HashMap;

use retrograd::prelude::*;

#[derive(Active)]
struct Image<T> {
    pixels: HashMap<u32, T>,
    size: usize,
}

fn main() {}
