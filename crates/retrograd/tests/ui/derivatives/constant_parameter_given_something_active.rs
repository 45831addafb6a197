use retrograd::prelude::*;

#[derive(Active)]
struct Spring {
    x: f64,
    #[constant]
    k: f64,
}

#[reversible]
fn scaled(x: f64, #[constant] c: f64) -> f64 {
    x * c
}

#[reversible]
fn first(x: f64, #[constant] c: &[f64]) -> f64 {
    x * c[0]
}

#[reversible]
fn kick(v: &mut f64, #[constant] c: f64) {
    *v += c;
}

#[reversible]
fn by_value(s: &Spring) -> f64 {
    scaled(s.x, s.k * s.x)
}

#[reversible]
fn by_reference(x: &[f64]) -> f64 {
    first(2.0, x)
}

#[reversible]
fn in_a_statement(v: &mut f64, x: f64) {
    kick(v, x.sin());
}

#[reversible]
trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[reversible]
impl Energy for Spring {
    fn energy(&self, #[constant] x: f64) -> f64 {
        self.x * x
    }
}

fn main() {}
