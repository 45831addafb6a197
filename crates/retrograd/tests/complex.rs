//! Complex numbers: every operation against pairs of real numbers, statements, edges, and other numbers as their parts.

#![cfg(feature = "num-complex")]

#[path = "complex/edges.rs"]
mod edges;
#[path = "derivatives/laws.rs"]
mod laws;
#[path = "complex/numbers.rs"]
mod numbers;
#[path = "complex/operations.rs"]
mod operations;
#[path = "complex/pairs.rs"]
mod pairs;
#[path = "complex/statements.rs"]
mod statements;
