//! Passes over derivative programs, one per file. Each keeps the meaning, and is measured.

pub mod contract;
pub mod demand;
pub mod forwards;
pub mod views;

use crate::adjoint::Derivative;
use crate::passes::Pass;

/// All passes, but those that the program does without. The last one is none of these: rustc would not take two views at once.
pub fn optimize(derivative: Derivative) -> Derivative {
    let mut derivative = derivative;
    let program = &mut derivative.program;
    let passes = program.passes;
    if passes.has(Pass::Demand) {
        demand::demand(program);
    }
    if passes.has(Pass::Contract) {
        contract::contract(program);
    }
    if passes.has(Pass::Forwards) {
        forwards::forwards(program);
    }
    views::views(program);
    derivative
}
