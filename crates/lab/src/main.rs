//! `retrograd`: a tour of reversible programs, each with the inverse that was derived from it.

use std::process::ExitCode;

fn main() -> ExitCode {
    lab::cli::run()
}
