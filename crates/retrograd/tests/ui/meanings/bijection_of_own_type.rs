//! A bijection that is known by its name, on a type of the user's own.

use retrograd::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Angle(f64);

impl Angle {
    fn exp(self) -> Angle {
        Angle(self.0.sin())
    }

    fn ln(self) -> Angle {
        Angle(self.0.cos())
    }
}

#[reversible(derivatives = "never")]
fn turn(a: &mut Angle) {
    *a = a.exp();
}

fn main() {}
