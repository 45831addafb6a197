use retrograd::prelude::*;

#[reversible(record)]
trait Lossy {
    fn step(&mut self, dt: f64);

    fn again(&mut self, dt: f64);

    fn size(&self) -> f64;
}

#[reversible]
trait Reversible {
    fn step(&mut self, dt: f64);

    fn again(&mut self, dt: f64);

    fn size(&self) -> f64;
}

#[derive(Active)]
struct Ball {
    x: f64,
}

#[reversible]
impl Lossy for Ball {
    fn step(&mut self, dt: f64) {
        self.x += dt;
    }

    fn again(&mut self, dt: f64) {
        self.x += dt;
    }

    fn size(&self) -> f64 {
        self.x
    }
}

#[reversible(record)]
impl Reversible for Ball {
    fn step(&mut self, dt: f64) {
        self.x = dt;
    }

    fn again(&mut self, dt: f64) {
        self.x = dt;
    }

    fn size(&self) -> f64 {
        self.x
    }
}

#[derive(Active)]
struct Marked {
    x: f64,
}

#[reversible]
impl Reversible for Marked {
    fn step(&mut self, dt: f64) {
        #[record]
        {
            self.x = dt;
        }
    }

    fn again(&mut self, dt: f64) {
        self.x += dt;
    }

    fn size(&self) -> f64 {
        self.x
    }
}

fn main() {}
