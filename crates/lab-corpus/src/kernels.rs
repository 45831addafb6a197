//! Programs that run once for each index, on the CPU and on devices.

mod bundle_adjustment;
mod mixtures;
mod sparse;
mod trajectories;
mod waves;

pub use bundle_adjustment::residuals;
pub use mixtures::mixture;
pub use sparse::sparse_product;
pub use trajectories::{henon_heiles, kepler};
pub use waves::{wave, wave_sign};
