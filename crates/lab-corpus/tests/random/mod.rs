//! What holds of every random program: the laws of `call` and `uncall`, and those of the derivative runs.

pub(crate) mod chance;
pub(crate) mod functions;
pub(crate) mod jacobian;
pub(crate) mod laws;
pub(crate) mod meaning;
pub(crate) mod procedures;
pub(crate) mod state;

/// A test binary: the programs of one part, and a test for each law.
macro_rules! part {
    ($file:literal) => {
        #[allow(warnings, clippy::all, reason = "random text has unused names, and conditions that are always true")]
        mod programs {
            use crate::random::functions::{Function, Value, function, pullback, scalar};
            use crate::random::procedures::{Procedure, procedure};
            use crate::random::state::{Floats, State};
            use retrograd::ops::{dot, log_sum_exp, sum};
            use retrograd::prelude::*;

            include!(concat!(env!("OUT_DIR"), "/", $file));
        }

        $crate::random::laws::laws! {
            random::procedures, PROCEDURES:
            compiled_code_does_what_programs_mean,
            uncalling_undoes_a_call,
            pushforward_agrees_with_dual_numbers,
            pullback_agrees_with_dual_numbers,
            pullback_is_the_transpose_of_pushforward,
            pullback_gives_the_inputs_back,
            unpushforward_undoes_pushforward,
            unpullback_undoes_pullback,
            un_runs_agree_with_elimination;
            most_programs_do_something
        }
        $crate::random::laws::laws! {
            random::functions, FUNCTIONS:
            compiled_code_does_what_programs_mean,
            dual_numbers_have_the_same_value,
            pushforward_agrees_with_dual_numbers,
            pullback_agrees_with_dual_numbers,
            pullback_is_the_transpose_of_pushforward,
            gradient_agrees_with_dual_numbers,
            recorded_and_reversible_forms_agree;
        }
    };
}

pub(crate) use part;
