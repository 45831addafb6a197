//! `reverse` and `swap` of a type of the user's own, which could also be those of the slice that it stands for.

use retrograd::prelude::*;
use std::ops::{Deref, DerefMut};

struct Ring {
    v: Vec<i64>,
}

impl Ring {
    fn reverse(&mut self) {
        self.v[1..].reverse();
    }

    fn swap(&mut self, i: usize, j: usize) {
        self.v.swap(i + 1, j + 1);
    }
}

impl Deref for Ring {
    type Target = Vec<i64>;
    fn deref(&self) -> &Vec<i64> {
        &self.v
    }
}

impl DerefMut for Ring {
    fn deref_mut(&mut self) -> &mut Vec<i64> {
        &mut self.v
    }
}

#[reversible(derivatives = "never")]
fn reversed(r: &mut Ring) {
    r.reverse();
}

#[reversible(derivatives = "never")]
fn swapped(r: &mut Ring) {
    r.swap(0, 1);
}

fn main() {}
