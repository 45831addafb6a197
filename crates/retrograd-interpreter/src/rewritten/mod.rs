//! What only derived programs have: shadows, steps of derivatives, records, and checks of what was restored.
//!
//! These are the programs that the compiler hands to its back ends. The machine runs them as they are, so that they can be
//! compared with what the written program means.

mod checks;
mod derivatives;
mod partials;
mod record;
mod rules;
mod shadows;
mod sorting;
mod vectors;

pub(crate) use checks::{drifted, largest};
pub(crate) use derivatives::core;
pub(crate) use record::Kept;
pub(crate) use sorting::variant;
