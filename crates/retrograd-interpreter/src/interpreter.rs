//! Runs of whole programs, for those who have a module and arguments.

use retrograd_compiler::ir::{Kind, Mode, Program, Role, Run};

use crate::error::{Result, unfit};
use crate::machine::{Machine, Way};
use crate::module::{Compiled, Module};
use crate::rewritten::core;
use crate::value::{Ref, Value};

/// Runs the programs of a module.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter<'m> {
    module: &'m Module,
    limit: u64,
    undoes: bool,
}

/// What a run leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The value of a function; of a procedure, `()`.
    pub value: Value,
    /// The arguments as they are afterwards.
    pub args: Vec<Value>,
    /// How many steps were made.
    pub steps: u64,
    /// How many bits the same statements overwrite, or forget with a local, where nobody can undo them.
    pub overwritten: u64,
}

/// A run with a record, there and back.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundTrip {
    /// What the run leaves behind.
    pub there: Outcome,
    /// How many bits the record holds then: what the run would have lost without it.
    pub held: u64,
    /// The arguments when the record is empty again.
    pub back: Vec<Value>,
}

impl<'m> Interpreter<'m> {
    /// An interpreter that gives a run up after ten million steps.
    pub fn new(module: &'m Module) -> Interpreter<'m> {
        Interpreter { module, limit: 10_000_000, undoes: false }
    }

    /// The same with another budget.
    pub fn with_budget(self, limit: u64) -> Interpreter<'m> {
        Interpreter { limit, ..self }
    }

    /// The same, where functions undo what they compute, as adjoint runs do: where rounding loses too much for that, the run ends with
    /// the error that compiled code gives.
    pub fn undoing(self) -> Interpreter<'m> {
        Interpreter { undoes: true, ..self }
    }

    /// Runs a program as it was written, or a procedure backwards. Each number moves along its tangent.
    ///
    /// ```
    /// use retrograd_interpreter::{Interpreter, Module, Value, Way};
    ///
    /// let module = Module::new("#[reversible] fn step(x: &mut f64, v: &mut f64) { *v -= 0.5 * *x; *x += 0.5 * *v; }")?;
    /// let there = Interpreter::new(&module).run("step", vec![Value::f64(1.0), Value::f64(0.0)], Way::Forwards)?;
    /// assert_eq!(there.args, [Value::f64(0.75), Value::f64(-0.5)]);
    /// let back = Interpreter::new(&module).run("step", there.args, Way::Backwards)?;
    /// assert_eq!(back.args, [Value::f64(1.0), Value::f64(0.0)]);
    /// # Ok::<(), retrograd_interpreter::Error>(())
    /// ```
    pub fn run(&self, name: &str, args: Vec<Value>, way: Way) -> Result<Outcome> {
        let Some(program) = self.module.program(name) else { return unfit(format!("there is no program `{name}`")) };
        if way == Way::Backwards && program.kind == Kind::Function {
            return unfit(format!("`{name}` is a function, and has no inverse"));
        }
        let mut machine = Machine::new(self.module, None, program, self.limit);
        machine.undoes = self.undoes;
        around(machine, program, args, |machine, args| machine.call_written(program, args, way))
            .map(|(outcome, _)| outcome)
    }

    /// Runs what the compiler derived from a program, as back ends get it. In derivative runs each argument is followed by its
    /// shadow, `()` where there is none, and a pullback of a function takes the adjoint of its value last.
    pub fn run_core(
        &self,
        compiled: &'m Compiled,
        name: &str,
        args: Vec<Value>,
        way: Way,
        run: Run,
    ) -> Result<Outcome> {
        let program = compiled.programs.get(name).and_then(|derived| core(derived, way, run));
        let Some(program) = program else { return unfit(format!("`{name}` has no such run")) };
        let machine = Machine::new(self.module, Some(compiled), program, self.limit);
        around(machine, program, args, |machine, args| machine.call_core(program, args)).map(|(outcome, _)| outcome)
    }

    /// Runs a procedure that keeps a record forwards, filling it, and backwards, emptying it.
    ///
    /// ```
    /// use retrograd_interpreter::{Interpreter, Module, Value};
    ///
    /// let module = Module::new("#[reversible(record)] fn f(x: &mut f64) { *x = 2.0; }")?;
    /// let trip = Interpreter::new(&module).with_record(&module.compile(&[])?, "f", vec![Value::f64(0.5)])?;
    /// assert_eq!((trip.there.args, trip.held, trip.back), (vec![Value::f64(2.0)], 64, vec![Value::f64(0.5)]));
    /// # Ok::<(), retrograd_interpreter::Error>(())
    /// ```
    pub fn with_record(&self, compiled: &'m Compiled, name: &str, args: Vec<Value>) -> Result<RoundTrip> {
        let derived = compiled.programs.get(name);
        let way = |way| derived.and_then(|derived| core(derived, way, Run::Keep));
        let (Some(keep), Some(unkeep)) = (way(Way::Forwards), way(Way::Backwards)) else {
            return unfit(format!("`{name}` has no run with a record"));
        };
        let machine = Machine::new(self.module, Some(compiled), keep, self.limit);
        let (there, machine) = around(machine, keep, args, |machine, args| machine.call_core(keep, args))?;
        let held = machine.kept.iter().map(|kept| kept.value.bits()).sum();
        let (back, _) = around(machine, unkeep, there.args.clone(), |machine, args| machine.call_core(unkeep, args))?;
        Ok(RoundTrip { there, held, back: back.args })
    }
}

/// Runs a program on arguments in cells of their own, where they can be looked at afterwards.
fn around<'m>(
    mut machine: Machine<'m>,
    program: &'m Program,
    args: Vec<Value>,
    run: impl FnOnce(&mut Machine<'m>, Vec<Value>) -> Result<Value>,
) -> Result<(Outcome, Machine<'m>)> {
    let params: Vec<_> = program.params.iter().filter(|param| param.role != Role::Record).collect();
    if params.len() != args.len() {
        return unfit(format!("`{}` takes {} arguments, and got {}", program.name, params.len(), args.len()));
    }
    let count = args.len();
    let mut passed = Vec::new();
    for (cell, (arg, param)) in args.into_iter().zip(&params).enumerate() {
        let arg = match &program.var(param.var).ty {
            Some(ty) if matches!(param.role, Role::Value) => machine.coerced(arg, ty)?,
            _ => arg,
        };
        machine.memory.cells.push(arg.clone());
        passed.push(match param.mode {
            _ if arg == Value::Unit => Value::Unit,
            Mode::Change | Mode::Borrow => Value::Ref(Ref { cell, path: Vec::new() }),
            Mode::Value => arg,
        });
    }
    let value = run(&mut machine, passed)?;
    let value = machine.memory.load(value)?;
    machine.memory.cells.truncate(count);
    let args = std::mem::take(&mut machine.memory.cells);
    Ok((Outcome { value, args, steps: machine.steps, overwritten: machine.overwritten }, machine))
}
