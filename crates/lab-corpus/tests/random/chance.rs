//! Random states and directions, the same on every platform.

use super::state::{Floats, NUMBERS, State};

/// Splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between -2 and 2.
    pub(crate) fn float(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 51) as f64 - 2.0
    }

    /// From -20 to 20.
    fn int(&mut self) -> i64 {
        (self.bits() % 41) as i64 - 20
    }

    pub(crate) fn floats(&mut self) -> Floats<f64> {
        Floats::of(&std::array::from_fn::<f64, NUMBERS, _>(|_| self.float()))
    }

    pub(crate) fn state(&mut self) -> State<f64> {
        State {
            floats: self.floats(),
            w: self.float(),
            u: std::array::from_fn(|_| self.int()),
            k: self.int(),
            b: self.bits().is_multiple_of(2),
            m: std::array::from_fn(|_| self.int()),
            n: (self.bits() % 7) as usize,
            h: 0,
        }
    }
}
