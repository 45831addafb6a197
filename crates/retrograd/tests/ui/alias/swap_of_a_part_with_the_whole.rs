use retrograd::prelude::*;

pub struct Tree {
    children: Vec<Tree>,
}

#[reversible]
fn knot(tree: &mut Tree) {
    swap(tree, &mut tree.children[0]);
}

fn main() {}
