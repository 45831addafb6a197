//! The compiler behind `#[reversible]`: a plain library, every stage testable without rustc.
//!
//! ```text
//! tokens -> parse -> IR -> check -> elaborate -+-> emit            f
//!                                              +-> invert -> emit  f::uncall
//! ```
//!
//! Checking comes before every rewrite; no rewrite can fail.

mod active;
pub mod adjoint;
pub mod analysis;
pub mod check;
mod derivative;
pub mod diagnostics;
pub mod elaborate;
pub mod emit;
mod expand;
pub mod fallback;
pub mod hygiene;
pub mod invert;
pub mod ir;
#[cfg(test)]
mod laws;
pub mod optimize;
mod panics;
pub mod parse;
pub mod passes;
mod primitive;
pub mod print;
mod procedure;
pub mod signature;
pub mod span;
pub mod tangent;

pub use active::derive_active;
pub use expand::{bijection, reversible};
pub use primitive::primitive;
pub use procedure::procedure;

use diagnostics::Diagnostics;
use ir::{Kind, Program};
use optimize::optimize;

/// What the companions of a program are made of.
#[derive(Debug)]
pub struct Derived {
    /// The program with explicit ends of life.
    pub forward: Program,
    /// Its inverse; a function has none.
    pub inverse: Option<Program>,
    /// The derivative runs, if anything is active.
    pub derivatives: Option<Derivatives>,
}

/// The derivative runs of a program. Those of its inverse undo those of the program.
#[derive(Debug)]
pub struct Derivatives {
    /// Backwards, with adjoints.
    pub pullback: Program,
    /// Forwards, with tangents.
    pub pushforward: Program,
    /// The pullback of the inverse.
    pub unpullback: Option<Program>,
    /// The pushforward of the inverse.
    pub unpushforward: Option<Program>,
}

/// The whole pipeline up to the back end.
pub fn derive(input: &parse::Input<'_>) -> syn::Result<Derived> {
    let diagnostics = Diagnostics::default();
    let mut program = parse::parse(input, &diagnostics);
    check::activity::infer(&mut program);
    check::check(&program, &diagnostics);
    if input.options.derivatives {
        check::activity::check_references(&program, &diagnostics);
    }
    diagnostics.finish()?;
    let forward = elaborate::elaborate(&program);
    let inverse = (forward.kind == Kind::Procedure).then(|| elaborate::inverse(&forward));
    let derivatives = (input.options.derivatives && input.signature.has_derivatives()).then(|| Derivatives {
        pullback: optimize(adjoint::adjoint(&forward, &diagnostics)),
        pushforward: optimize(tangent::tangent(&forward, &diagnostics)),
        unpullback: inverse.as_ref().map(|inverse| optimize(adjoint::adjoint(inverse, &diagnostics))),
        unpushforward: inverse.as_ref().map(|inverse| optimize(tangent::tangent(inverse, &diagnostics))),
    });
    diagnostics.finish()?;
    Ok(Derived { forward, inverse, derivatives })
}
