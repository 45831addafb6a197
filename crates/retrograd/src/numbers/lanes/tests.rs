//! Lanes against numbers without lanes, with all instructions that this machine has.

mod functions;
mod registers;

use super::{InstructionSet, Instructions, Kernel, run, with_instructions};

/// The instructions that this machine has.
fn available() -> impl Iterator<Item = Instructions> {
    Instructions::ALL.into_iter().filter(|instructions| instructions.are_available())
}

/// Those whose functions are computed in lanes.
fn with_functions() -> impl Iterator<Item = Instructions> {
    let scalar = cfg!(not(all(target_arch = "aarch64", target_feature = "neon")));
    available().filter(move |instructions| !scalar || *instructions != Instructions::Baseline)
}

/// What a kernel returns with these instructions.
fn with<K: Kernel>(instructions: Instructions, kernel: K) -> K::Output {
    with_instructions(instructions, || run(kernel)).expect("available instructions")
}
