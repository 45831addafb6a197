//! Drivers: one kind of derivative in each file.

mod adjoint_over_adjoint;
mod edge_pushing;
#[doc(hidden)]
pub mod rows;
#[doc(hidden)]
pub mod second;
mod taylor;

pub use edge_pushing::SparseHessian;
pub use taylor::taylor;
