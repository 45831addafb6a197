//! The compiler behind `#[reversible]`: a plain library, every stage testable without rustc.
//!
//! ```text
//! tokens -> parse -> IR -> check -> elaborate -+-> emit            f
//!                                              +-> invert -> emit  f::uncall
//! ```
//!
//! Checking comes before every rewrite; no rewrite can fail.

pub mod analysis;
pub mod check;
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
pub mod parse;
pub mod print;
#[cfg(any(test, feature = "random"))]
pub mod random;
pub mod span;

pub use expand::{bijection, reversible};

use diagnostics::Diagnostics;
use ir::{Kind, Program};

/// What the companions of a program are made of.
#[derive(Debug)]
pub struct Derived {
    /// The program with explicit ends of life.
    pub forward: Program,
    /// Its inverse; a function has none.
    pub inverse: Option<Program>,
}

/// The whole pipeline up to the back end.
pub fn derive(input: &parse::Input<'_>) -> syn::Result<Derived> {
    let diagnostics = Diagnostics::default();
    let mut program = parse::parse(input, &diagnostics);
    check::activity::infer(&mut program);
    check::check(&program, &diagnostics);
    diagnostics.finish()?;
    let forward = elaborate::elaborate(&program);
    let inverse = (forward.kind == Kind::Procedure).then(|| elaborate::inverse(&forward));
    Ok(Derived { forward, inverse })
}
