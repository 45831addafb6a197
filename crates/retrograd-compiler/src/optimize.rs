//! Passes over derivative programs, one per file. Each keeps the meaning, and is measured.

pub mod contract;
pub mod demand;
pub mod forwards;
pub mod views;

use crate::adjoint::Derivative;

/// All passes.
pub fn optimize(derivative: Derivative) -> Derivative {
    let mut derivative = derivative;
    demand::demand(&mut derivative.program);
    contract::contract(&mut derivative.program);
    forwards::forwards(&mut derivative.program);
    views::views(&mut derivative.program);
    derivative
}
