//! `#[reversible]` stands once on an item, and not on its methods.

use retrograd::prelude::*;

#[reversible]
#[reversible(record)]
fn twice(x: &mut f64) {
    *x += 1.0;
}

struct Counter(u32);

#[reversible(derivatives = "never")]
impl Counter {
    #[reversible]
    fn count(&mut self, by: u32) {
        self.0 += by;
    }
}

fn main() {
    let mut x = 1.0;
    twice(&mut x);
    twice::uncall(&mut x);
    Counter(0).count(1);
    Counter(0).uncall_count(1);
}
