//! Passes over derivative programs, one per file. Each keeps the meaning, and is measured.

pub mod contract;
pub mod demand;

use crate::ir::Program;
use crate::passes::Pass;

/// All passes, but those that the program does without.
pub fn optimize(mut program: Program) -> Program {
    let passes = program.passes;
    if passes.has(Pass::Demand) {
        demand::demand(&mut program);
    }
    if passes.has(Pass::Contract) {
        contract::contract(&mut program);
    }
    program
}
