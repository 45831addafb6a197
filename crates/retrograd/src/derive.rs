//! Drivers: one kind of derivative in each file.

mod adjoint_over_adjoint;
mod edge_pushing;
mod taylor;

pub use edge_pushing::SparseHessian;
pub use taylor::taylor;
