//! Passes over derivative programs, one per file. Each keeps the meaning, and is measured.

pub mod contract;
pub mod demand;
pub mod views;

use crate::ir::Program;
use crate::passes::Pass;

/// All passes, but those that the program does without. The last one is none of these: rustc would not take two views at once.
pub fn optimize(mut program: Program) -> Program {
    let passes = program.passes;
    if passes.has(Pass::Demand) {
        demand::demand(&mut program);
    }
    if passes.has(Pass::Contract) {
        contract::contract(&mut program);
    }
    views::views(&mut program);
    program
}
