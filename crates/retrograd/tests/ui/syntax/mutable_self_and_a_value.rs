use retrograd::prelude::*;

pub struct Counter {
    n: u64,
}

#[reversible]
impl Counter {
    fn next(&mut self) -> u64 {
        self.n += 1;
        self.n
    }
}

fn main() {}
