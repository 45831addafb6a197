use retrograd::prelude::*;

pub struct Counter {
    n: u64,
}

impl Counter {
    fn count(&mut self) {
        self.n += 1;
    }
}

#[reversible(derivatives = "never")]
fn use_it(counter: &mut Counter) {
    Counter::count(counter);
}

fn main() {}
