use std::path::PathBuf;
use std::time::Duration;

use retrograd::prelude::*;

#[derive(Active)]
struct Image<T> {
    pixels: Vec<T>,
    file: PathBuf,
    age: Duration,
}

fn main() {}
