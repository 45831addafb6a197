use retrograd::prelude::*;

pub struct Game {
    score: u32,
}

#[reversible(derivatives = "never")]
impl Game {
    fn win(&mut self) {
        self.score += 10;
    }

    fn play(&mut self, luck: u32) {
        if self.score < luck {
            self.win();
        }
    }
}

fn main() {}
