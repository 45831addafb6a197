use retrograd::prelude::*;

#[reversible]
trait Walks {
    fn walk(&mut self, by: f64);
}

struct Point {
    x: f64,
}

#[reversible]
impl Walks for Point {
    fn walk(&mut self, by: f64) {
        self.x += by;
    }
}

fn main() {}
