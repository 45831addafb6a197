//! `sample!` and `sampled!`: what a local is now goes to the samples of a record, and comes back, for types that a record can keep.

use super::Asked;
use crate::record::{Record, Recordable};

/// The first choice: what can be kept.
pub trait SampleByRecord {
    /// The type of the local.
    type Local;
    /// The local is this now.
    fn sample(&self, record: &mut Record, point: usize);
    /// What it was in the iteration that is being undone, and the number of that.
    fn sampled(&self, record: &Record, point: usize) -> Option<(usize, Self::Local)>;
}

impl<T: Recordable> SampleByRecord for &Asked<'_, T> {
    type Local = T;

    fn sample(&self, record: &mut Record, point: usize) {
        record.keep_sample(point, self.0);
    }

    fn sampled(&self, record: &Record, point: usize) -> Option<(usize, T)> {
        record.recall_sample(point, self.0)
    }
}

/// The second choice: nothing is known of what cannot be kept.
pub trait NoSample {
    /// The type of the local.
    type Local;
    /// Nothing.
    fn sample(&self, record: &mut Record, point: usize);
    /// Nothing.
    fn sampled(&self, record: &Record, point: usize) -> Option<(usize, Self::Local)>;
}

impl<T> NoSample for Asked<'_, T> {
    type Local = T;

    fn sample(&self, _: &mut Record, _: usize) {}

    fn sampled(&self, _: &Record, _: usize) -> Option<(usize, T)> {
        None
    }
}

/// `sample!(record, point, &x)`: a sample of `x`, if there can be one.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_sample {
    ($record:expr, $point:expr, $local:expr) => {{
        #[allow(unused_imports, reason = "the type of the local decides which of them is used")]
        use $crate::private::{NoSample as _, SampleByRecord as _};
        (&&$crate::private::Asked($local)).sample($record, $point)
    }};
}
pub use __retrograd_sample as sample;

/// `sampled!(record, point, &x)`: what `x` was, if it was sampled.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_sampled {
    ($record:expr, $point:expr, $local:expr) => {{
        #[allow(unused_imports, reason = "the type of the local decides which of them is used")]
        use $crate::private::{NoSample as _, SampleByRecord as _};
        (&&$crate::private::Asked($local)).sampled($record, $point)
    }};
}
pub use __retrograd_sampled as sampled;
