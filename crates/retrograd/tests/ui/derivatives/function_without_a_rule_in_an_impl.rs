use retrograd::prelude::*;

fn table(x: f64) -> f64 {
    x.sin()
}

#[derive(Active)]
struct Cell {
    value: f64,
}

#[reversible]
impl Cell {
    fn look_up(&mut self, y: f64) {
        self.value += table(y);
    }
}

fn main() {}
