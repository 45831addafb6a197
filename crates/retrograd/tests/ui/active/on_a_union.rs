use retrograd::prelude::*;

#[derive(Active)]
union Number {
    single: f32,
    double: f64,
}

fn main() {}
