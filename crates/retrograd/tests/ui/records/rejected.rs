use retrograd::prelude::*;
use retrograd::Record;

#[reversible(record)]
fn unknown(x: &mut f64) {
    *x = missing?;
}

#[reversible(record)]
fn function(x: f64) -> f64 {
    missing?
}

#[derive(Active)]
struct Ball {
    x: f64,
}

#[reversible(record)]
trait Model {
    fn step(&mut self);

    fn twice(&mut self) {
        let _ = missing?;
    }
}

#[reversible(record)]
impl Model for Ball {
    fn step(&mut self) {
        self.x = missing?;
    }
}

#[reversible(record)]
fn caller(x: &mut f64, ball: &mut Ball) {
    unknown(x);
    ball.step();
    ball.twice();
    *x = function(*x);
}

fn main() {
    let (mut record, mut x, mut gx) = (Record::new(), 1.0, 1.0);
    unknown::recorded(&mut x, &mut record);
    unknown::uncall(&mut x, &mut record);
    unknown::pullback((&mut x, &mut gx), &mut record);
    function::gradient_in(&mut record, x);
    let mut ball = Ball { x };
    ball.recorded_step(&mut record);
    ball.uncall_twice(&mut record);
}
