//! Values as a few numbers, by which two runs of one program are told apart.

use super::compare::{Compare, digest};
use super::drift::DriftTolerance;

/// What values come to: a sum with weights, which differs if they do, but for what a backward run may be off by.
///
/// Bits would tell more, but a run that undoes two others gets the values of the first from the undoing of the second: they
/// are those values up to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Digest {
    sum: f64,
    /// The sum of all magnitudes.
    size: f64,
    count: u32,
    /// Whether there are numbers with the digits of `f32` among them.
    half: bool,
}

impl Digest {
    /// That of no values.
    pub fn new() -> Digest {
        Digest::default()
    }

    /// The same with more values.
    #[must_use]
    pub fn with<T: Compare + ?Sized>(self, value: &T) -> Digest {
        digest(value, self)
    }

    pub(super) fn add(&mut self, number: f64, half: bool) {
        // Weights from 1 to 2, of which no two are the same for long.
        let weight = 1.0 + (f64::from(self.count) * 0.618_033_988_749_894_9).fract();
        self.sum += weight * number;
        self.size += number.abs();
        self.count = self.count.wrapping_add(1);
        self.half |= half;
    }

    /// Whether the values are visibly others, by the tolerance for drift in force.
    pub(crate) fn differs(self, other: Digest) -> bool {
        let half = self.half || other.half;
        let DriftTolerance { relative, absolute } = DriftTolerance::current_for(half);
        match (self.sum.is_finite(), other.sum.is_finite()) {
            // A weight is at most two.
            (true, true) => {
                let allowed = relative * self.size.max(other.size) + absolute * f64::from(self.count.max(1));
                (self.sum - other.sum).abs() > 2.0 * allowed
            }
            (one, another) => one != another,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_differ_by_more_than_rounding() {
        let of = |x: &[f64], a: f64| Digest::new().with(x).with(&a);
        let first = of(&[1.0, -2.0, 3.0], 0.5);
        assert!(!first.differs(of(&[1.0, -2.0 + 1e-9, 3.0], 0.5)));
        for (x, a) in [([1.0, -2.0, 3.1], 0.5), ([1.0, -2.0, 3.0], 0.4), ([-2.0, 1.0, 3.0], 0.5), ([f64::NAN; 3], 0.5)]
        {
            assert!(first.differs(of(&x, a)), "{x:?} {a}");
        }
        assert!(!of(&[f64::NAN], 1.0).differs(of(&[f64::INFINITY], 1.0)));
        assert!(!Digest::new().with(&1.0_f32).differs(Digest::new().with(&1.0001_f32)));
    }
}
