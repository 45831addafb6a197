use retrograd::prelude::*;

#[derive(Active)]
struct Spring {
    length: f64,
    #[constant]
    stiffness: f64,
    #[constant]
    marks: Vec<f64>,
}

#[reversible]
fn harden(spring: &mut Spring, by: f64) {
    spring.stiffness += by;
    spring.length *= spring.stiffness;
}

#[reversible]
fn mark(spring: &mut Spring, at: f64) {
    spring.marks[0] *= at;
}

#[reversible]
fn like(spring: &Spring, at: f64) -> Spring {
    Spring { length: spring.length, stiffness: at, marks: spring.marks.clone() }
}

fn main() {}
