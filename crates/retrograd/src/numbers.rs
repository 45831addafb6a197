//! Numbers that programs over `T: Real` run on for more than their values.
//!
//! | number | gives |
//! |---|---|
//! | [`Dual`] | derivatives in several directions at once, and Hessian-vector products in a pullback |
//! | [`Taylor`] | derivatives of any order along a line |
//! | [`Traced`] | the data-flow [`Graph`] of a run: sparsity, and sparse or dense second derivatives |
//!
//! Each of them computes the values that `f64` does, bit for bit, and its derivatives by the same rules.

// Recurrences are sums over indices, and read like their formulas.
#![allow(clippy::needless_range_loop)]
// `scalar!` writes `x = x + y` for types that may have no `+=`.
#![allow(clippy::assign_op_pattern)]

#[cfg(feature = "num-complex")]
mod complex;
mod dual;
mod exact;
#[cfg(test)]
mod laws;
mod operators;
mod shadows;
mod taylor;
mod traced;

pub use dual::Dual;
pub use taylor::Taylor;
pub use traced::{Graph, Node, Traced, trace};
