//! An `impl` of a reversible trait for a type that is made of others which have the trait.

use retrograd::prelude::*;

#[reversible]
trait Layer {
    fn apply(&mut self, x: &mut f64);
}

#[derive(Active, Clone, Debug)]
struct Seq<A, B> {
    first: A,
    second: B,
}

#[reversible]
impl<A: Layer, B> Layer for Seq<A, B>
where
    B: Layer,
{
    fn apply(&mut self, x: &mut f64) {
        self.first.apply(x);
        self.second.apply(x);
    }
}

fn main() {}
