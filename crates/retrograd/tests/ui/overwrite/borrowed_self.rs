use retrograd::prelude::*;

pub struct Counter {
    n: u64,
}

#[reversible]
impl Counter {
    fn count(&self) {
        self.n += 1;
    }
}

fn main() {}
