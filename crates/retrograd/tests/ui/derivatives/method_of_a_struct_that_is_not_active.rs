use retrograd::prelude::*;

struct Point {
    x: f64,
}

#[reversible]
impl Point {
    fn shift(&mut self, by: f64) {
        self.x += by;
    }
}

fn main() {}
