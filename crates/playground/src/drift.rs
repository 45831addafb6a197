//! How far floats are from what they were when a journey came by before.

use std::collections::BTreeMap;

use crate::json::Json;

/// How many stops are remembered.
const MOST: usize = 128;

/// The numbers of the arguments at some stops, on the way there, and how far they were off on the way back.
#[derive(Debug, Default)]
pub(crate) struct Drift {
    /// Every how many stops they are remembered; zero until there is one.
    stride: u64,
    there: BTreeMap<u64, Vec<f64>>,
    /// The largest difference at each stop, relative to the largest number.
    back: BTreeMap<u64, f64>,
    /// How many numbers came back to the beginning with other bits.
    changed: Option<usize>,
}

impl Drift {
    /// Whether numbers of this stop are remembered, or are going to be.
    pub(crate) fn wants(&self, position: u64) -> bool {
        position.is_multiple_of(self.stride.max(1))
    }

    /// The journey has come to a stop where it has not been yet.
    pub(crate) fn there(&mut self, position: u64, numbers: Vec<f64>) {
        self.stride = self.stride.max(1);
        self.there.insert(position, numbers);
        if self.there.len() > MOST {
            self.stride *= 2;
            let stride = self.stride;
            self.there.retain(|at, _| at.is_multiple_of(stride));
            self.back.retain(|at, _| at.is_multiple_of(stride));
        }
    }

    /// Whether the stop was passed on the way there.
    pub(crate) fn knows(&self, position: u64) -> bool {
        self.there.contains_key(&position)
    }

    /// The journey has come back to a stop.
    pub(crate) fn back(&mut self, position: u64, numbers: &[f64]) {
        let Some(before) = self.there.get(&position) else { return };
        let scale = before.iter().chain(numbers).fold(0.0_f64, |most, x| most.max(x.abs()));
        let off = before
            .iter()
            .zip(numbers)
            .fold(0.0_f64, |most, (a, b)| if a == b { most } else { most.max((a - b).abs()) });
        self.back.insert(position, if scale > 0.0 { off / scale } else { off });
        if position == 0 {
            let others = before.iter().zip(numbers).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            self.changed = Some(others);
        }
    }

    pub(crate) fn json(&self) -> Json {
        let worst = self.back.values().fold(0.0_f64, |most, x| most.max(*x));
        let curve = self.back.iter().map(|(at, x)| Json::list([Json::from(*at), Json::from(*x)]));
        Json::Object(vec![
            ("measured", (!self.back.is_empty()).into()),
            ("worst", worst.into()),
            ("changed", self.changed.map(|count| count as u64).into()),
            ("curve", Json::list(curve)),
        ])
    }
}
