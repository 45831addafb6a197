use retrograd::prelude::*;

#[derive(Clone, Copy)]
enum Law {
    Linear(f64),
    Power(f64),
}

#[allow(unused_imports)] use Law::*; // Only what is rejected names them.

#[derive(Active)]
struct Spring {
    x: f64,
    #[constant]
    law: Law,
}

#[reversible]
fn force(s: &Spring) -> f64 {
    match s.law {
        Linear(k) => s.x * k,
        Power(p) => s.x * s.x * p,
    }
}

fn main() {}
