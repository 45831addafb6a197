use retrograd::prelude::*;

#[derive(Active, Clone, Copy)]
struct LogProb {
    of: f64,
}

#[reversible]
impl std::ops::Add for LogProb {
    type Output = LogProb;

    fn add(self, other: LogProb) -> LogProb {
        LogProb { of: (self.of.exp() + other.of.exp()).ln() }
    }
}

#[reversible]
impl From<f64> for LogProb {
    fn from(of: f64) -> LogProb {
        LogProb { of }
    }
}

fn main() {}
