use retrograd::prelude::*;

pub struct Dice {
    seed: u64,
}

impl Dice {
    fn roll(&mut self) -> u64 {
        self.seed = self.seed * 5 % 7;
        self.seed
    }
}

#[reversible(derivatives = "never")]
fn gamble(y: &mut u64, dice: &mut Dice) {
    for i in 0..dice.roll() {
        *y += i;
    }
}

fn main() {}
