use std::num::Wrapping;

use retrograd::numbers::{LosslessFrom, cast};
use retrograd::prelude::*;

#[reversible]
fn bits<T: Real>(x: &mut T, y: &mut Wrapping<u64>)
where
    Wrapping<u64>: LosslessFrom<T>,
{
    cast(x, y);
}

fn main() {}
