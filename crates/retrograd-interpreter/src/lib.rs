//! The language of retrograd without rustc.
//!
//! A [`Module`] is read from text. [`Interpreter`] runs its programs on dynamic [`Value`]s and gives them the meaning that the
//! language reference says: forwards; backwards, by undoing one statement after the other; and with tangents, which every
//! number carries along. Nothing of that goes through the rewrites of the compiler, so that these can be compared with it:
//! [`Module::compile`] has the compiler derive inverse, tangent and adjoint, and [`Interpreter::run_core`] runs these as they
//! are handed to back ends.

pub mod debug;
mod elementary;
mod error;
mod eval;
mod example;
mod interpreter;
pub mod laws;
mod machine;
mod memory;
mod module;
mod number;
mod rewritten;
mod run;
mod slots;
mod source;
mod value;

pub use error::{Broken, Error, ErrorKind, Message, Result};
pub use interpreter::{Interpreter, Outcome, RoundTrip};
pub use machine::Way;
pub use module::{Compiled, Module};
pub use number::{Float, Int, IntKind, Repr};
pub use retrograd_compiler::ir::Run;
pub use retrograd_compiler::passes::Pass;
pub use slots::Slots;
pub use source::Printed;
pub use value::{Ref, Span, Value};
