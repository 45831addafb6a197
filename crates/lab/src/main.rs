//! `retrograd`: the experiments of the lab, and a tour of its reversible programs.

use std::process::ExitCode;

fn main() -> ExitCode {
    lab::cli::run()
}
