use retrograd::prelude::*;

pub struct Queue {
    asked: usize,
}

impl Queue {
    fn len(&mut self) -> usize {
        self.asked += 1;
        self.asked
    }
}

impl retrograd::ops::Shaped for Queue {}

#[reversible(derivatives = "never")]
fn ask(y: &mut usize, queue: &mut Queue) {
    *y += queue.len();
}

fn main() {}
