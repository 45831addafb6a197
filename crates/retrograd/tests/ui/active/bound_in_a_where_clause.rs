use retrograd::prelude::*;

#[derive(Active)]
struct Camera<T>
where
    T: Copy + Default,
{
    rotation: [T; 3],
    focal: T,
}

fn main() {}
