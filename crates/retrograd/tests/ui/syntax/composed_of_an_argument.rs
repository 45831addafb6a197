//! What a method of a composed trait takes besides `self` is not made of the types inside.

use retrograd::prelude::*;

#[reversible(composed)]
trait Layer {
    fn join(&mut self, other: &Self);
}

#[derive(Active, Clone, Debug)]
struct Seq<A, B> {
    first: A,
    second: B,
}

#[reversible(composed)]
impl<A: Layer, B: Layer> Layer for Seq<A, B> {
    fn join(&mut self, other: &Self) {
        self.first.join(&other.first);
        self.second.join(&other.second);
    }
}

fn main() {}
