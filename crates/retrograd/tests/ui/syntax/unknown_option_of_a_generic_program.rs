use retrograd::prelude::*;

#[reversible(tape = "none")]
fn affine<T: Real>(x: T) -> T {
    2.0 * x + 1.0
}

struct Line;

#[reversible(tape = "none")]
impl Line {
    fn at<T: Real>(x: T, y: &mut T) {
        *y += 2.0 * x;
    }
}

#[reversible(tape = "none")]
trait Curve {
    fn height<T: Real>(x: T) -> T {
        x * x + 1.0
    }
}

fn main() {
    affine::gradient(1.0);
    let mut y = 0.0;
    Line::at(1.0, &mut y);
    Line::uncall_at(1.0, &mut y);
}
