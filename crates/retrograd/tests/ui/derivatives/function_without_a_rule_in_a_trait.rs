use retrograd::prelude::*;

mod tables {
    pub fn sine(x: f64) -> f64 {
        x.sin()
    }
}

#[reversible]
trait Tabulated {
    fn look_up(&self, y: f64) -> f64 {
        tables::sine(y)
    }
}

fn main() {}
