use retrograd::prelude::*;

pub struct Cell {
    x: f64,
}

impl Cell {
    fn bump(&mut self) -> f64 {
        self.x += 1.0;
        self.x
    }
}

#[reversible]
fn energy(x: f64) -> f64 {
    let mut cell = Cell { x };
    cell.bump()
}

fn main() {}
