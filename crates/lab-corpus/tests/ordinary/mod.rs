//! What holds of every random program of ordinary Rust: it means what plain Rust means, its derivatives are those of dual
//! numbers, and a record undoes it.

pub(crate) mod functions;
#[path = "../random/laws.rs"]
pub(crate) mod laws;
pub(crate) mod procedures;
pub(crate) mod state;

/// A test binary: the programs of one part, and a test for each law.
macro_rules! part {
    ($file:literal) => {
        #[allow(warnings, clippy::all, reason = "random text has unused names, and conditions that are always true")]
        mod programs {
            use crate::ordinary::functions::{Function, function};
            use crate::ordinary::procedures::{Procedure, keeps_all, procedure};
            use retrograd::ops::{dot, log_sum_exp, sum};
            use retrograd::prelude::*;

            include!(concat!(env!("OUT_DIR"), "/", $file));
        }

        $crate::ordinary::laws::laws! {
            ordinary::functions, FUNCTIONS:
            plain_rust_has_the_same_value,
            dual_numbers_have_the_same_value,
            gradient_agrees_with_dual_numbers,
            pushforward_agrees_with_dual_numbers;
            most_programs_do_something
        }

        $crate::ordinary::laws::laws! {
            ordinary::procedures, PROCEDURES:
            plain_rust_does_the_same,
            a_recorded_run_does_the_same,
            uncalling_undoes_a_recorded_run,
            exact_numbers_come_back_bit_by_bit,
            pushforward_agrees_with_dual_numbers,
            pullback_agrees_with_dual_numbers,
            pullback_is_the_transpose_of_pushforward;
            most_programs_do_something
        }
    };
}

pub(crate) use part;
