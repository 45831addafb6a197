//! Inverse accumulation: products with the inverse of a Jacobian, and with its transpose, without forming it.
//!
//! A reversible program has these as `f::unpushforward` (J⁻¹ẏ) and `f::unpullback` (J⁻ᵀx̄). This module is for programs that
//! are not reversible, with temporaries, constants and shared reads: [`trace`](crate::trace) records the data-flow graph of a function
//! with as many results as arguments, and [`Graph::inverse`] makes [`Modes`] of it.
//!
//! ```
//! use retrograd::{Real, trace};
//!
//! // Cartesian coordinates of a point in polar ones.
//! let modes = trace(&[2.0, 0.5], |x| [x[0] * x[1].cos(), x[0] * x[1].sin()]).inverse()?;
//! let step = modes.solve(&[1.0, 0.0])?;
//! assert!((step[0] - 0.5_f64.cos()).abs() < 1e-15);
//! assert!((step[1] + 0.5_f64.sin() / 2.0).abs() < 1e-15);
//! assert!((modes.log_det()?.log_abs - 2.0_f64.ln()).abs() < 1e-15);
//! # Ok::<(), retrograd::inverse::Error>(())
//! ```
//!
//! # How it works
//!
//! Let t be the tangents of all values of the run: inputs, temporaries and outputs. They satisfy one linear equation for each
//! operation, `t_v = Σ ∂v/∂p · t_p`, and one for each output, which says what it is. These equations are as sparse as the program is
//! short. A maximum flow through the graph says which equation determines which value, and strongly connected components say
//! in which order: most equations are then solved one by one, as those of a program that computes in place are, and only values that
//! determine each other need a factorisation, of their own small system. The transposed product is the reverse sweep of the same
//! steps.
//!
//! The finest parts of a program between which exactly as many values are alive as there are inputs are its *lumps*. They do not
//! depend on the order in which the program computes; [`Modes::lumps`] lists them, and [`Modes::diagram`] draws them.
//!
//! # What is built on it
//!
//! | | |
//! |---|---|
//! | [`newton`], [`Newton`] | where a program has a given value, without a matrix |
//! | [`Newton::implicit`] | derivatives of that place, by parameters of the program |
//! | [`minimize`], [`Graph::inverse_hessian`] | minima, and products with the inverse of a Hessian |
//! | [`Steps`] | many runs of a program in a row, which need not be reversible |
//! | [`Ode`] | the four linearised equations beside a differential equation |

mod coupled;
mod diagram;
mod error;
mod hessian;
mod implicit;
mod lumps;
mod matching;
mod minimize;
mod modes;
mod moving;
mod newton;
mod ode;
mod ordering;
mod solver;
mod steps;
mod system;

pub use crate::LogDet;
pub use error::{Error, Value};
pub use hessian::InverseHessian;
pub use implicit::Implicit;
pub use lumps::Lump;
pub use minimize::{Minimum, minimize};
pub use modes::Modes;
pub use newton::{Newton, Solution, newton};
pub use ode::{Carried, Method, Ode, Unstable};
pub use steps::Steps;

#[cfg(doc)]
use crate::numbers::Graph;
