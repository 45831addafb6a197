use retrograd::prelude::*;

pub struct Body {
    x: f64,
    v: f64,
}

#[reversible(derivatives = "never")]
impl Body {
    fn stop(&mut self) {
        self.v = 0.0;
    }

    fn drift(&mut self, dt: f64) {
        self.x += dt * self.v;
        self.stop();
    }
}

fn main() {
    let mut body = Body { x: 0.0, v: 1.0 };
    body.stop();
    body.uncall_stop();
    body.drift(0.1);
    body.uncall_drift(0.1);
}
