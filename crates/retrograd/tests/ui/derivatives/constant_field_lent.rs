use retrograd::prelude::*;

#[derive(Active)]
struct Spring {
    length: f64,
    #[constant]
    marks: Vec<f64>,
}

#[reversible]
fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[reversible]
fn total(spring: &Spring) -> f64 {
    spring.length * sum(&spring.marks)
}

fn main() {}
