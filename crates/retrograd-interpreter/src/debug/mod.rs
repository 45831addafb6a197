//! A debugger that goes both ways.
//!
//! A [`Session`] stands between two statements of a program and moves forwards, by running the next one, or backwards, by undoing the
//! one before. Nothing is kept of where it has been: a million steps back take the memory of none.

mod commands;
mod condition;
mod goal;
mod guide;
mod journey;
mod script;
mod travel;
mod trip;
mod walk;

pub use commands::{BUDGET, Commands};
pub use guide::{Guide, Kept, Stop};
pub use journey::Journey;
pub use script::Script;
pub use trip::{Adjoints, Length};

use crate::error::{Result, unfit, unsupported};
use crate::machine::Machine;
use crate::module::Module;
use crate::value::{Ref, Value};
use retrograd_compiler::ir::{Mode, Records};

/// A program that is looked at while it runs.
#[derive(Debug)]
pub struct Session<'m> {
    module: &'m Module,
    name: &'m str,
}

impl<'m> Session<'m> {
    /// A session with a program of a module.
    pub fn new(module: &'m Module, name: &'m str) -> Session<'m> {
        Session { module, name }
    }

    /// Moves as the guide says until it has had enough.
    pub fn run(&self, args: Vec<Value>, guide: &mut dyn Guide) -> Result<()> {
        let Some(program) = self.module.program(self.name) else {
            return unfit(format!("there is no program `{}`", self.name));
        };
        if program.params.len() != args.len() {
            let count = program.params.len();
            return unfit(format!("`{}` takes {count} arguments, and got {}", self.name, args.len()));
        }
        if program.records != Records::Nothing {
            return unsupported(format!("the way back of `{}`, which keeps a record", self.name));
        }
        let mut machine = Machine::new(self.module, None, program, u64::MAX);
        let mut passed = Vec::new();
        for (cell, (arg, param)) in args.into_iter().zip(&program.params).enumerate() {
            let arg = match &program.var(param.var).ty {
                Some(ty) => machine.coerced(arg, ty)?,
                None => arg,
            };
            machine.memory.cells.push(arg.clone());
            let lent = matches!(param.mode, Mode::Change | Mode::Borrow) && arg != Value::Unit;
            passed.push(if lent { Value::Ref(Ref { cell, path: Vec::new() }) } else { arg });
        }
        machine.call(program, passed, |machine, program| {
            machine.travel(program, guide)?;
            Ok(Value::Unit)
        })?;
        Ok(())
    }
}
