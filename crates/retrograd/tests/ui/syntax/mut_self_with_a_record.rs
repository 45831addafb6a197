use retrograd::prelude::*;

pub struct Counter {
    n: u64,
}

#[reversible(record)]
impl Counter {
    fn count(mut self, y: &mut u64) {
        self.n += 1;
        *y = self.n;
    }
}

fn main() {}
