use retrograd::prelude::*;

fn table(x: f64) -> f64 {
    x.sin()
}

#[reversible]
trait Tabulated {
    fn look_up(&self, y: f64) -> f64 {
        table(y)
    }
}

fn main() {}
