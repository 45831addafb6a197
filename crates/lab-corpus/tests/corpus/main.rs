//! The corpus: what its programs compute, that each is undone by its inverse, and what they do at the edges.

mod edges;
mod laws;
mod results;
mod twins;
