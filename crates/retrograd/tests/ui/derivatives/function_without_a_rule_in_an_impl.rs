use retrograd::prelude::*;

mod tables {
    pub fn sine(x: f64) -> f64 {
        x.sin()
    }
}

#[derive(Active)]
struct Cell {
    value: f64,
}

#[reversible]
impl Cell {
    fn look_up(&mut self, y: f64) {
        self.value += tables::sine(y);
    }
}

fn main() {}
