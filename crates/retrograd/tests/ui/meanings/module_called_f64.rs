//! A module may be called like a type of floats, and its functions are not those of the type.

use retrograd::prelude::*;

mod f64 {
    pub fn sin(x: core::primitive::f64) -> core::primitive::f64 {
        x * x
    }
}

#[reversible]
fn f(x: core::primitive::f64) -> core::primitive::f64 {
    f64::sin(x) * 2.0
}

fn main() {}
