use retrograd::prelude::*;

#[derive(Active)]
struct Ball {
    height: f64,
    speed: f64,
}

#[reversible]
fn step(balls: &mut [Ball]) {
    for Ball { height, speed } in balls.iter_mut() {
        *height += *speed;
    }
}

#[reversible]
fn first_and_last(x: &mut [(f64, f64, f64)]) {
    for (a, .., b) in x.iter_mut() {
        *a += *b;
    }
}

fn main() {}
