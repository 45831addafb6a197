use retrograd::prelude::*;

#[derive(Active)]
struct Pair {
    a: f64,
    b: f64,
}

#[reversible]
fn on_a_let(x: f64) -> f64 {
    let y = {
        #[unchecked]
        let t = x * x;
        t + x
    };
    y
}

#[reversible]
fn on_a_parameter_of_a_closure(x: &[f64]) -> f64 {
    x.iter().map(|#[constant] v| *v * *v).sum()
}

#[reversible]
fn on_a_parameter_of_a_named_closure(x: f64) -> f64 {
    let square = |#[constant] v: f64| v * v;
    square(x)
}

#[reversible]
fn on_a_part_of_a_pattern(p: &Pair) -> f64 {
    let Pair { #[constant] a, b } = p;
    *a * *b
}

fn main() {}
