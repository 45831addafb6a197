use std::path::PathBuf;

use retrograd::prelude::*;

#[derive(Active)]
struct Image {
    pixels: Vec<f64>,
    file: PathBuf,
}

fn main() {}
