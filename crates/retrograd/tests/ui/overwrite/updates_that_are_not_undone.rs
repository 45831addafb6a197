use std::num::Saturating;
use std::ops::{AddAssign, BitXorAssign, SubAssign};

use retrograd::prelude::*;

#[reversible]
fn saturating(x: &mut Saturating<u8>, y: Saturating<u8>) {
    *x += y;
}

#[reversible]
fn by_an_integer(x: &mut [Saturating<u8>], y: u8) {
    x[0] -= y;
}

#[derive(Clone, Copy)]
struct Clipped(f64);

impl AddAssign for Clipped {
    fn add_assign(&mut self, other: Clipped) {
        self.0 = (self.0 + other.0).min(1.0);
    }
}

impl SubAssign for Clipped {
    fn sub_assign(&mut self, other: Clipped) {
        self.0 = (self.0 - other.0).max(0.0);
    }
}

impl BitXorAssign for Clipped {
    fn bitxor_assign(&mut self, other: Clipped) {
        self.0 = other.0;
    }
}

impl SubAssign<Clipped> for f64 {
    fn sub_assign(&mut self, other: Clipped) {
        *self = (*self - other.0).max(0.0);
    }
}

impl AddAssign<Clipped> for f64 {
    fn add_assign(&mut self, other: Clipped) {
        *self = (*self + other.0).min(1.0);
    }
}

#[reversible(derivatives = "never")]
fn of_the_user(x: &mut Clipped, y: Clipped) {
    *x += y;
}

#[reversible(derivatives = "never")]
fn of_bits(x: &mut Clipped, y: Clipped) {
    *x ^= y;
}

#[reversible(derivatives = "never")]
fn by_a_type_of_the_user(x: &mut f64, y: Clipped) {
    *x += y;
}

fn main() {}
