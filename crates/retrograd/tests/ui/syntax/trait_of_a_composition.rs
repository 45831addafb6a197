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

// Nothing is said about what uses it.
#[reversible]
fn twice<L: Layer>(layer: &mut Seq<L, L>, x: &mut f64) {
    layer.apply(x);
}

fn main() {}
