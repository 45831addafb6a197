//! Derived programs as text, beside the lines that they come from.

use retrograd_compiler::emit::rust::{origins, text};
use retrograd_compiler::ir::Run;

use crate::machine::Way;
use crate::module::{Compiled, Module};

/// A program as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// What `f::source` gives.
    pub text: String,
    /// For each of its lines, the line of the module that it comes from, counted from one.
    pub origins: Vec<Option<u32>>,
}

impl Module {
    /// A program, its inverse, or a derivative run of one of them, as text.
    pub fn printed(&self, compiled: &Compiled, name: &str, way: Way, run: Run) -> Option<Printed> {
        let derived = compiled.programs.get(name)?;
        let inverse = way == Way::Backwards;
        let text = text(&self.signature(name)?, derived, run, inverse);
        let origins = origins(derived, run, inverse, &text);
        Some(Printed { text, origins })
    }
}
