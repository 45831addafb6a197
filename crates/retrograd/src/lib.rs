//! A reversible programming language inside Rust: one body, run forwards and backwards, with and without derivatives.
//!
//! Put [`#[reversible]`](macro@reversible) on a function. Besides the function itself you get `f::uncall`, which
//! undoes it, derivatives such as `f::gradient` and `f::pullback`, and `f::source`, which shows all of them as text.
//!
//! ```
//! use retrograd::prelude::*;
//!
//! #[reversible]
//! fn kick_drift<T: Real>(x: &mut [T], v: &mut [T], dt: T) {
//!     for i in 0..x.len() {
//!         v[i] -= dt * x[i];
//!     }
//!     for i in 0..x.len() {
//!         x[i] += dt * v[i];
//!     }
//! }
//!
//! let (mut x, mut v) = ([1.0, 0.0], [0.0, 1.0]);
//! kick_drift(&mut x, &mut v, 0.5);
//! assert_eq!((x, v), ([0.75, 0.5], [-0.5, 1.0]));
//! kick_drift::uncall(&mut x, &mut v, 0.5);
//! assert_eq!((x, v), ([1.0, 0.0], [0.0, 1.0]));
//! assert!(kick_drift::source(Direction::Inverse).contains("x[i] -= dt * v[i];"));
//! ```
//!
//! # Writing a program
//!
//! What a procedure changes is passed by `&mut`, and every statement has an inverse. A `let mut` is scratch memory that is
//! released after its last use. Where a branch changes what its condition reads, a second condition tells the inverse which
//! branch was taken:
//!
//! ```
//! use retrograd::prelude::*;
//!
//! #[reversible]
//! fn collect(total: &mut u64, count: &mut u64, values: &[u64]) {
//!     let mut sum = 0;
//!     for i in 0..values.len() {
//!         sum += values[i];
//!     }
//!     if (*count == 0, *count == 1) {
//!         *count += 1;
//!         *total += sum;
//!     }
//! }
//!
//! let (mut total, mut count) = (5, 0);
//! collect(&mut total, &mut count, &[1, 2, 3]);
//! assert_eq!((total, count), (11, 1));
//! collect::uncall(&mut total, &mut count, &[1, 2, 3]);
//! assert_eq!((total, count), (5, 0));
//! ```
//!
//! A function with a return value changes nothing, and is used inside expressions. Methods and traits are reversible too:
//! their companions are `uncall_step` and `source_step`.
//!
//! ```
//! use retrograd::prelude::*;
//!
//! #[derive(Active)]
//! struct Oscillator {
//!     x: f64,
//!     v: f64,
//! }
//!
//! #[reversible]
//! impl Oscillator {
//!     fn energy(&self) -> f64 {
//!         0.5 * (self.x * self.x + self.v * self.v)
//!     }
//!
//!     fn step(&mut self, dt: f64) {
//!         self.v -= dt * self.x;
//!         self.x += dt * self.v;
//!     }
//! }
//!
//! let mut o = Oscillator { x: 1.0, v: 0.0 };
//! o.step(0.5);
//! o.uncall_step(0.5);
//! assert_eq!(o.energy(), 0.5);
//! ```
//!
//! [`#[bijection]`](macro@bijection) gives a function of one number its inverse, so that it can be applied in place:
//!
//! ```
//! use retrograd::prelude::*;
//!
//! #[bijection(inverse = y / (1.0 - y.abs()))]
//! fn squash(y: f64) -> f64 {
//!     y / (1.0 + y.abs())
//! }
//!
//! #[reversible]
//! fn activate(x: &mut [f64]) {
//!     for i in 0..x.len() {
//!         x[i] = squash(x[i]);
//!     }
//! }
//!
//! let mut x = [1.0, -3.0];
//! activate(&mut x);
//! assert_eq!(x, [0.5, -0.75]);
//! activate::uncall(&mut x);
//! assert_eq!(x, [1.0, -3.0]);
//! ```
//!
//! # Derivatives
//!
//! A function whose value is one number has a `gradient`: the value, and its derivative with respect to each argument that
//! derivatives flow through. A procedure has a `pullback`: it takes each argument with its *shadow*, which says how much
//! the result matters, runs backwards, and leaves how much the arguments mattered.
//!
//! ```
//! use retrograd::prelude::*;
//!
//! #[reversible]
//! fn energy(x: &[f64], stiffness: f64) -> f64 {
//!     let mut sum = 0.0;
//!     for i in 0..x.len() {
//!         sum += 0.5 * stiffness * x[i] * x[i];
//!     }
//!     sum
//! }
//!
//! let (value, by_x, by_stiffness) = energy::gradient(&[1.0, 2.0], 4.0);
//! assert_eq!((value, by_x, by_stiffness), (10.0, vec![4.0, 8.0], 2.5));
//!
//! #[reversible]
//! fn decay(x: &mut f64, rate: f64, steps: usize) {
//!     for _ in 0..steps {
//!         *x *= 1.0 - rate;
//!     }
//! }
//!
//! let (mut x, mut by_x, mut by_rate) = (2.0, 1.0, 0.0);
//! decay(&mut x, 0.5, 3);
//! decay::pullback((&mut x, &mut by_x), (0.5, &mut by_rate), 3);
//! assert_eq!((x, by_x, by_rate), (2.0, 0.125, -1.5));
//! ```
//!
//! Nothing is recorded for this: running the program backwards restores the values that a derivative needs.
//!
//! # Programs that lose information
//!
//! An ordinary program overwrites variables and leaves loops early. `#[reversible(record)]` takes it as it is, and keeps what
//! a derivative needs and the program has lost; `#[record]` does so for one statement, block or loop:
//!
//! ```
//! use retrograd::prelude::*;
//!
//! #[reversible(record)]
//! fn halvings(mut x: f64, limit: f64) -> f64 {
//!     let mut sum = 0.0;
//!     while x > limit {
//!         sum += x * x;
//!         x = 0.5 * x;
//!     }
//!     sum
//! }
//!
//! let (sum, by_x, _) = halvings::gradient(4.0, 1.5);
//! assert_eq!((sum, by_x), (20.0, 10.0)); // 4² + 2²
//! ```
//!
//! A procedure is recorded into a [`Record`], by which it is undone or pulled back:
//!
//! ```
//! use retrograd::{Record, prelude::*};
//!
//! #[reversible(record)]
//! fn cap(x: &mut f64, limit: f64) {
//!     if *x > limit {
//!         *x = limit;
//!     }
//! }
//!
//! let (mut x, mut record) = (7.5, Record::new());
//! cap::recorded(&mut x, 5.0, &mut record);
//! assert_eq!(x, 5.0);
//! cap::uncall(&mut x, 5.0, &mut record);
//! assert_eq!(x, 7.5);
//! ```
//!
//! Programs without a record restore floats up to rounding. Where they cannot, because they contract, absorb or multiply by
//! zero, the backward run stops with [`ErrorKind::Drift`], in every build.
//!
//! # More
//!
//! | what | where |
//! |---|---|
//! | derivatives through structs, and converting them to vectors | [`Active`], [`#[derive(Active)]`](derive@Active) |
//! | derivatives of your own functions | [`#[primitive]`](macro@primitive) |
//! | second derivatives | `f::hessian`, `f::hvp`, [`Dual`] |
//! | derivatives of any order along a line | [`derive::taylor`], [`Taylor`] |
//! | sparsity, sparse Hessians | [`trace`], [`Graph`](numbers::Graph) |
//! | products with the inverse of a Jacobian, Newton's method | the feature `inverse`, and the chapter on it in the book |
//! | densities that are learned by bijections | [`flow`] |
//! | products, solves and factors of matrices | [`dense`] |
//! | all rows of a Jacobian in one sweep | `f::jacobian`, [`Seeds`] |
//! | a program as a value, for drivers | [`procedure!`](procedure), [`Procedure`] |
//! | values that come back bit for bit | [`Fixed`], [`LogNumber`], [`Tropical`], [`ExactAdd`], [`ExactMul`] |
//! | many data points at once, in SIMD registers | [`lanes`], [`Lanes`], [`Shared`], `f::gradient_over` |
//! | and on several threads | `f::gradient_over` with the feature `rayon` |
//! | what recorded runs have lost | [`Record`], [`Recordable`] |
//! | products that are undone bit for bit | [`ops::damp`](fn@ops::damp), [`InformationBuffer`] |
//! | complex numbers | the feature `num-complex`, and the chapter on numbers in the book |
//! | random numbers that run backwards | [`random`] |
//! | many steps within a budget of memory | [`schedule`] |
//! | tests | [`check_gradient`](check::check_gradient) |
//!
//! # The rest of the library
//!
//! Programs are generic over [`Real`], store what they would lose in a [`Stack`] or in [`Slots`], and raise an
//! [`InvertibilityError`] where a step could not be undone; [`attempt`] turns that into a `Result`. [`check`] has the
//! comparisons behind it, and [`check_inverse`](check::check_inverse) for tests. [`ops`] has hand-written procedures, and the
//! traits to implement for your own types.
//!
//! ```
//! use retrograd::{ErrorKind, attempt, prelude::*};
//!
//! #[reversible]
//! fn divide(n: &mut u32, by: u32) {
//!     *n /= by;
//! }
//!
//! let mut n = 7;
//! let error = attempt(|| divide(&mut n, 2)).unwrap_err();
//! assert_eq!((error.kind, n), (ErrorKind::LossyInteger, 7));
//! ```
//!
//! The book in the repository is the language reference.

// Attributes of this crate name it in what they expand to, here as elsewhere.
extern crate self as retrograd;

mod active;
#[cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]
mod adapters;
pub mod check;
pub mod dense;
pub mod derive;
mod determinant;
pub mod diagram;
mod direction;
mod error;
pub mod flow;
mod information;
#[cfg(feature = "inverse")]
pub mod inverse;
pub mod kernel;
mod linear;
pub mod numbers;
pub mod ops;
pub mod prelude;
#[doc(hidden)]
pub mod private;
mod procedure;
mod progression;
pub mod random;
mod real;
mod record;
mod rules;
pub mod schedule;
mod shadow;
mod site;
mod slots;
mod stack;
#[cfg(feature = "rayon")]
mod threads;

pub use active::Active;
pub use check::attempt;
pub use determinant::LogDet;
pub use direction::Direction;
pub use error::{ErrorKind, InvertibilityError};
pub use information::InformationBuffer;
pub use linear::Linear;
pub use numbers::{Dual, ExactAdd, ExactMul, Fixed, Lanes, LogNumber, Shared, Taylor, Traced, Tropical, lanes, trace};
pub use procedure::{Procedure, Step};
pub use real::{Int, Real};
pub use record::{Record, Recordable};
pub use retrograd_macros::{Active, Recordable, bijection, primitive, procedure, reversible};
pub use shadow::{Constant, Seeds};
pub use slots::Slots;
pub use stack::Stack;
