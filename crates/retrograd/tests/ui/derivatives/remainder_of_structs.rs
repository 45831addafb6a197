use std::ops::Rem;

use retrograd::prelude::*;

#[derive(Clone, Copy, Active)]
struct Cell {
    x: f64,
    y: f64,
}

impl Rem for Cell {
    type Output = Cell;

    fn rem(self, size: Cell) -> Cell {
        Cell { x: self.x % size.x, y: self.y % size.y }
    }
}

#[reversible]
fn wrapped(place: Cell, size: Cell) -> f64 {
    let inside = place % size;
    inside.x * inside.y
}

fn main() {}
