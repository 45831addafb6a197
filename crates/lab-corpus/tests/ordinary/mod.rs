//! What holds of every random program of ordinary Rust: its derivatives are those of dual numbers.

pub(crate) mod functions;
#[path = "../random/laws.rs"]
pub(crate) mod laws;
pub(crate) mod state;

/// A test binary: the programs of one part, and a test for each law.
macro_rules! part {
    ($file:literal) => {
        #[allow(warnings, clippy::all, reason = "random text has unused names, and conditions that are always true")]
        mod programs {
            use crate::ordinary::functions::{Function, function};
            use retrograd::ops::{dot, log_sum_exp, sum};
            use retrograd::prelude::*;

            include!(concat!(env!("OUT_DIR"), "/", $file));
        }

        $crate::ordinary::laws::laws! {
            ordinary::functions, FUNCTIONS:
            dual_numbers_have_the_same_value,
            gradient_agrees_with_dual_numbers,
            pushforward_agrees_with_dual_numbers;
            most_programs_do_something
        }
    };
}

pub(crate) use part;
