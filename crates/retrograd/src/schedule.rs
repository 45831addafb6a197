//! Time against space: adjoints of many steps within a budget of memory.
//!
//! A reversible step needs no memory: its pullback restores the state it started from. Any other step must have that state at
//! hand, and there may be too many states to keep all of them. A [`Schedule`] says which to keep, and which to compute again: as a
//! sequence of [`Action`]s that knows nothing of the model. [`adjoint`] carries one out, for a [`Step`] of any kind, with snapshots in
//! memory or on disk.
//!
//! ```
//! use retrograd::schedule::{Memory, Revolve, adjoint, differentiable};
//!
//! // The logistic map, from which there is no way back.
//! let mut step = differentiable(
//!     |_, x: &mut f64| *x = 3.75 * *x * (1.0 - *x),
//!     |_, x: &f64, by_x: &mut f64| *by_x *= 3.75 * (1.0 - 2.0 * x),
//! );
//! let schedule = Revolve::new(1000, 10)?;
//! let (by_start, counts) = adjoint(&mut step, &schedule, 0.3, &mut Memory::new(), |_end| 1.0)?;
//! assert_eq!((counts.steps(), counts.peak), (4636, 10));
//!
//! let (mut x, mut exact) = (0.3, 1.0);
//! for _ in 0..1000 {
//!     exact *= 3.75 * (1.0 - 2.0 * x);
//!     x = 3.75 * x * (1.0 - x);
//! }
//! assert!((by_start - exact).abs() <= 1e-9 * exact.abs());
//! # Ok::<(), retrograd::schedule::Error>(())
//! ```
//!
//! | schedule | steps that are run | snapshots | for |
//! |---|---|---|---|
//! | [`Reversal`] | 2n | none | steps that are reversible |
//! | [`StoreAll`] | 2n − 1 | n | short runs |
//! | [`Periodic`] | below 3n | about 2√n at best | a simple compromise |
//! | [`Revolve`] | the fewest for s snapshots | s | everything else |
//! | [`Multistage`] | the same | some in memory, others on disk | large states |
//! | [`Online`] | few more than the fewest | s | runs whose end is not known: [`adjoint_while`] |
//! | [`Bennett`] | n^1.585 at worst | log n at best | machines that cannot erase |
//!
//! [`best`] chooses among them by what steps and snapshots cost.

mod action;
mod bennett;
mod best;
mod driver;
mod error;
mod multistage;
mod online;
mod periodic;
mod plan;
mod reversal;
mod revolve;
mod step;
mod store;
mod store_all;

pub use action::{Action, Counts, Schedule, Storage};
pub use bennett::Bennett;
pub use best::{Budget, Costs, best};
pub use driver::{adjoint, adjoint_while};
pub use error::Error;
pub use multistage::Multistage;
pub use online::Online;
pub use periodic::Periodic;
#[doc(hidden)]
pub use plan::{Plan, kept_bytes, snapshots_within};
pub use reversal::Reversal;
pub use revolve::Revolve;
pub use step::{Differentiable, Recorded, Reversible, Step, Undo, differentiable, recorded, reversible};
pub use store::{Disk, Memory, SnapshotStore, Staged};
pub use store_all::StoreAll;
