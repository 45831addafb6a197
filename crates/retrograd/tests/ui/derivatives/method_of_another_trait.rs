use retrograd::reversible;

trait Shift {
    fn square(self) -> f64;
}

impl Shift for f64 {
    fn square(self) -> f64 {
        self + 1.0
    }
}

#[reversible]
fn shifted(x: f64) -> f64 {
    x.square()
}

fn main() {}
