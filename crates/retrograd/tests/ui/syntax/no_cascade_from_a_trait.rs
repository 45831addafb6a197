use retrograd::prelude::*;

#[reversible(derivatives = "never")]
pub trait Step {
    fn velocity(&mut self) -> &mut f64;

    fn stop(&mut self, v: &mut f64) {
        *v = 0.0;
    }
}

fn main() {}
