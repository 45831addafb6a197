use retrograd::prelude::*;

#[derive(Active)]
struct Point {
    x: f64,
}

impl Point {
    fn shift(&mut self, by: f64) {
        self.x += by;
    }
}

#[reversible]
fn shift_it(p: &mut Point, by: f64) {
    p.shift(by);
}

fn main() {}
