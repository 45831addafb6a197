use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, SubAssign};

use retrograd::ops::{AddUpdate, NegUpdate};
use retrograd::prelude::*;

#[derive(Active, Clone, Copy)]
struct LogProbability {
    ln: f64,
}

impl Add for LogProbability {
    type Output = LogProbability;
    fn add(self, other: LogProbability) -> LogProbability {
        LogProbability { ln: (self.ln.exp() + other.ln.exp()).ln() }
    }
}

impl AddAssign for LogProbability {
    fn add_assign(&mut self, other: LogProbability) {
        *self = *self + other;
    }
}

impl SubAssign for LogProbability {
    fn sub_assign(&mut self, other: LogProbability) {
        self.ln = (self.ln.exp() - other.ln.exp()).ln();
    }
}

impl Neg for LogProbability {
    type Output = LogProbability;
    fn neg(self) -> LogProbability {
        LogProbability { ln: (-self.ln.exp()).ln_1p() }
    }
}

impl Sum for LogProbability {
    fn sum<I: Iterator<Item = LogProbability>>(all: I) -> LogProbability {
        all.fold(LogProbability { ln: f64::NEG_INFINITY }, Add::add)
    }
}

impl AddUpdate for LogProbability {}
impl NegUpdate for LogProbability {}

#[reversible]
fn sum(a: LogProbability, b: LogProbability) -> f64 {
    let c = a + b;
    c.ln
}

#[reversible]
fn complement(a: LogProbability) -> f64 {
    (if a.ln < 0.0 { -a } else { a }).ln
}

#[reversible]
fn total(a: &[LogProbability]) -> f64 {
    let c = a.iter().copied().sum::<LogProbability>();
    c.ln
}

#[reversible]
fn update(y: &mut LogProbability, a: LogProbability) {
    *y += a;
}

#[reversible]
fn shift(y: &mut LogProbability) {
    *y += LogProbability { ln: 1.0 };
}

#[reversible]
fn negation(y: &mut LogProbability) {
    *y = -*y;
}

fn main() {}
