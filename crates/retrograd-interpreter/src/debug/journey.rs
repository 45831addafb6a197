//! Programs that wait between two statements.

use retrograd_compiler::ir::{Mode, Program, Records, Role, Run};

use super::guide::{Kept, Stop};
use super::walk::Walker;
use crate::error::{Error, Result, unfit, unsupported};
use crate::machine::{Machine, Way};
use crate::module::{Compiled, Module};
use crate::rewritten::core;
use crate::value::{Ref, Value};

/// A program on its way, which waits between two statements as long as it is told to.
#[derive(Debug)]
pub struct Journey<'m> {
    walker: Walker<'m>,
    program: &'m Program,
    position: u64,
}

/// How a journey has come to where it stands.
#[derive(Debug)]
pub struct Arrival {
    /// In which direction; at an end that it did not leave, in the one that it was to go.
    pub way: Way,
    /// What could not be run or undone, in front of which it stays, and what is not what it was.
    pub failed: Vec<Error>,
}

impl<'m> Journey<'m> {
    /// A journey that stands in front of the first statement of a program.
    pub fn new(module: &'m Module, name: &str, args: Vec<Value>) -> Result<Journey<'m>> {
        let Some(program) = module.program(name) else {
            return unfit(format!("there is no program `{name}`"));
        };
        if program.records != Records::Nothing {
            return unsupported(format!("the way back of `{name}`, which keeps a record"));
        }
        Journey::begin(Machine::new(module, None, program, u64::MAX), program, args)
    }

    /// A journey through the adjoint run of a program, as back ends get it: each argument is followed by its shadow, and a function
    /// takes the adjoint of its value last. It only goes forwards.
    pub fn adjoint(module: &'m Module, compiled: &'m Compiled, name: &str, args: Vec<Value>) -> Result<Journey<'m>> {
        let Some(program) = compiled.programs.get(name).and_then(|d| core(d, Way::Forwards, Run::Adjoint)) else {
            return unfit(format!("`{name}` has no derivatives"));
        };
        Journey::begin(Machine::new(module, Some(compiled), program, u64::MAX), program, args)
    }

    fn begin(mut machine: Machine<'m>, program: &'m Program, args: Vec<Value>) -> Result<Journey<'m>> {
        let count = program.params.iter().filter(|param| param.role != Role::Record).count();
        if count != args.len() {
            return unfit(format!("`{}` takes {count} arguments, and got {}", program.name, args.len()));
        }
        let mut args = args.into_iter();
        let mut passed = Vec::new();
        for param in &program.params {
            let arg = if param.role == Role::Record { None } else { args.next() };
            let arg = match (&program.var(param.var).ty, arg.unwrap_or(Value::Unit)) {
                (Some(ty), arg) if param.role == Role::Value => machine.coerced(arg, ty)?,
                (_, arg) => arg,
            };
            let cell = machine.memory.cells.len();
            machine.memory.cells.push(arg.clone());
            let lent = matches!(param.mode, Mode::Change | Mode::Borrow) && arg != Value::Unit;
            passed.push(if lent { Value::Ref(Ref { cell, path: Vec::new() }) } else { arg });
        }
        machine.enter(program, passed)?;
        Ok(Journey { walker: Walker::new(machine, program), program, position: 0 })
    }

    /// Where it stands.
    pub fn stop(&self) -> Stop<'_, 'm> {
        self.walker.stop(self.position)
    }

    /// Goes to the next stop in that direction, within so many steps of the interpreter, and stays where it is at an end. After an
    /// error it cannot go on.
    pub fn step(&mut self, way: Way, budget: u64) -> Result<Arrival> {
        if self.stop().is_last(way) {
            return Ok(Arrival { way, failed: Vec::new() });
        }
        self.walker.machine.allow(budget);
        let arrived = self.walker.step(way)?;
        match (way, arrived) {
            (Way::Forwards, Way::Forwards) => self.position += 1,
            (Way::Backwards, Way::Backwards) => self.position -= 1,
            // A statement could not be run: it is where it was.
            _ => {}
        }
        Ok(Arrival { way: arrived, failed: std::mem::take(&mut self.walker.failed) })
    }

    /// Gives all variables the values that they had when it stood here before.
    pub fn put_back(&mut self, kept: Kept) {
        self.walker.put_back(kept.cells);
    }

    /// The arguments as they are now.
    pub fn arguments(&self) -> Result<Vec<Value>> {
        let memory = &self.walker.machine.memory;
        memory.cells[..self.program.params.len()].iter().map(|value| memory.load(value.clone())).collect()
    }
}
