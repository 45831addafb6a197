//! Passes over derivative programs, one per file. Each keeps the meaning, and is measured.

pub mod demand;

use crate::adjoint::Derivative;

/// All passes.
pub fn optimize(derivative: Derivative) -> Derivative {
    let mut derivative = derivative;
    demand::demand(&mut derivative.program);
    derivative
}
