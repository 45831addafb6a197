//! The machine: where a run is, what it may still do, and how programs call each other.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use retrograd::ErrorKind as Law;
use retrograd_compiler::analysis::Context;
use retrograd_compiler::ir::{Activity, Block, Kind, Mode, Program, Records, Stmt, Type, TypeKind, VarId};
use retrograd_compiler::print;
use retrograd_compiler::span::Span;

use crate::error::{Broken, Error, ErrorKind, Result, unfit};
use crate::memory::Memory;
use crate::module::{Compiled, Module};
use crate::number::Repr;
use crate::rewritten::Kept;
use crate::run::life::Plan;
use crate::value::{Ref, Value};

/// Runs programs.
#[derive(Debug)]
pub(crate) struct Machine<'m> {
    pub(crate) module: &'m Module,
    /// The derived programs, of a machine that runs these.
    pub(crate) compiled: Option<&'m Compiled>,
    pub(crate) memory: Memory,
    pub(crate) frame: Frame<'m>,
    /// How many steps were made, and how many may be.
    pub(crate) steps: u64,
    pub(crate) limit: u64,
    /// How many bits a plain program would have lost.
    pub(crate) overwritten: u64,
    /// When what is computed in each block is undone.
    pub(crate) plans: HashMap<*const Block, Rc<Plan>>,
    /// Whether functions undo their locals, so that it is seen whether they can.
    pub(crate) undoes: bool,
    /// The record of the run.
    pub(crate) kept: Vec<Kept>,
    /// How many of the runs that filled it decide by floats that they were given.
    pub(crate) decisions: usize,
    /// How deep calls nest.
    pub(crate) depth: usize,
}

/// A program that is being run.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'m> {
    pub(crate) program: &'m Program,
    /// The cell of its first variable.
    base: usize,
    /// The type of the numbers of a generic program.
    pub(crate) number: Repr,
    /// What the lengths of arrays are that have names, `N` of `[T; N]`.
    pub(crate) lengths: Rc<[(String, usize)]>,
    /// Inside `#[unchecked]`.
    pub(crate) unchecked: bool,
    /// While a statement is run for some locals only: those that may be changed.
    pub(crate) only: Option<Rc<BTreeSet<VarId>>>,
}

/// What comes after a statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Flow {
    /// The next one.
    Next,
    /// What is behind the loop of that number.
    Break(usize),
    /// The next iteration of the loop of that number.
    Continue(usize),
    /// The caller.
    Return(Option<Value>),
}

/// In which direction a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As it is written.
    Forwards,
    /// Its inverse.
    Backwards,
}

impl Way {
    /// The other direction, if something is run backwards.
    pub(crate) fn turned(self, inverse: bool) -> Way {
        match (self, inverse) {
            (Way::Forwards, false) | (Way::Backwards, true) => Way::Forwards,
            (Way::Forwards, true) | (Way::Backwards, false) => Way::Backwards,
        }
    }
}

/// How deep calls may nest.
const DEPTH: usize = 400;

impl<'m> Machine<'m> {
    /// A machine in front of a program, with its arguments in cells of their own.
    pub(crate) fn new(
        module: &'m Module,
        compiled: Option<&'m Compiled>,
        program: &'m Program,
        limit: u64,
    ) -> Machine<'m> {
        let lengths = Rc::new([]);
        let frame = Frame { program, base: 0, number: Repr::F64(0.0), lengths, unchecked: false, only: None };
        let memory = Memory::default();
        Machine {
            module,
            compiled,
            memory,
            frame,
            steps: 0,
            limit,
            overwritten: 0,
            plans: HashMap::new(),
            undoes: false,
            kept: Vec::new(),
            decisions: 0,
            depth: 0,
        }
    }

    /// The cell of a variable.
    pub(crate) fn cell(&self, var: VarId) -> Ref {
        Ref { cell: self.frame.base + var.0, path: Vec::new() }
    }

    /// What a variable holds.
    pub(crate) fn var(&self, var: VarId) -> &Value {
        &self.memory.cells[self.frame.base + var.0]
    }

    pub(crate) fn set(&mut self, var: VarId, value: Value) {
        let cell = self.frame.base + var.0;
        self.memory.cells[cell] = value;
    }

    /// Allows that many steps from here on.
    pub(crate) fn allow(&mut self, steps: u64) {
        self.limit = self.steps.saturating_add(steps);
    }

    /// Counts a step.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > self.limit {
            return Err(Error::new(ErrorKind::Budget(self.limit)));
        }
        Ok(())
    }

    /// The same error, at a construct of the program that is being run.
    pub(crate) fn at(&self, error: Error, span: Span) -> Error {
        error.at(&self.frame.program.name.to_string(), span.line_column())
    }

    /// Whether laws are checked here.
    pub(crate) fn checks(&self) -> bool {
        !self.frame.unchecked && self.frame.only.is_none()
    }

    /// A law that a statement has broken.
    pub(crate) fn broken<T>(
        &self,
        law: Law,
        stmt: &Stmt,
        variable: String,
        expected: String,
        actual: String,
    ) -> Result<T> {
        let statement = print::head(self.frame.program, &Context::new(self.frame.program), stmt);
        let broken = Broken { law, statement, variable, expected, actual };
        Err(self.at(Error::new(ErrorKind::Broken(Box::new(broken))), stmt.span()))
    }

    /// Runs a program in a frame of its own, and gives its value.
    pub(crate) fn call(
        &mut self,
        program: &'m Program,
        args: Vec<Value>,
        run: impl FnOnce(&mut Machine<'m>, &'m Program) -> Result<Value>,
    ) -> Result<Value> {
        let outer = self.enter(program, args)?;
        let result = run(self, program);
        self.leave(outer, result)
    }

    /// Begins a program in a frame of its own; gives the frame of the caller.
    pub(crate) fn enter(&mut self, program: &'m Program, args: Vec<Value>) -> Result<Frame<'m>> {
        if self.depth >= DEPTH {
            return Err(Error::new(ErrorKind::Panic("stack overflow: calls nest too deep".into())));
        }
        if args.len() != program.params.len() {
            let (name, count) = (&program.name, program.params.len());
            return unfit(format!("`{name}` takes {count} arguments, and got {}", args.len()));
        }
        let number = args.iter().find_map(|arg| self.number_in(arg)).unwrap_or(self.frame.number);
        let base = self.memory.cells.len();
        self.memory.cells.resize(base + program.vars.len(), Value::Unit);
        let lengths = self.lengths(program, &args);
        let frame = Frame { program, base, number, lengths, unchecked: false, only: None };
        let outer = std::mem::replace(&mut self.frame, frame);
        self.depth += 1;
        if let Err(error) = self.bind_arguments(program, args) {
            self.leave(outer, Ok(Value::Unit))?;
            return Err(error);
        }
        Ok(outer)
    }

    /// Goes back to the caller with a value.
    pub(crate) fn leave(&mut self, outer: Frame<'m>, result: Result<Value>) -> Result<Value> {
        let base = std::mem::replace(&mut self.frame, outer).base;
        self.depth -= 1;
        // Nothing that a value refers to ends with the call: values are copied out.
        let result = result.and_then(|value| self.owned(value, base));
        self.memory.cells.truncate(base);
        result
    }

    fn bind_arguments(&mut self, program: &'m Program, args: Vec<Value>) -> Result<()> {
        for (param, arg) in program.params.iter().zip(args) {
            let var = program.var(param.var);
            let arg = match param.mode {
                Mode::Value => self.memory.load(arg)?,
                Mode::Change | Mode::Borrow => arg,
            };
            let arg = match (&var.ty, arg) {
                (_, arg @ Value::Ref(_)) | (None, arg) => arg,
                (Some(ty), arg) => self.coerced(arg, ty)?,
            };
            let arg = match (var.activity, arg) {
                (Activity::Constant, Value::Float(float)) => Value::Float(float.still()),
                (Activity::Constant, arg) if param.mode != Mode::Change => {
                    let mut value = self.memory.load(arg)?;
                    value.each_float_mut(&mut |float| float.tangent = 0.0);
                    value
                }
                (_, arg) => arg,
            };
            self.set(param.var, arg);
        }
        Ok(())
    }

    /// A value without references to cells from `base` on.
    fn owned(&self, value: Value, base: usize) -> Result<Value> {
        Ok(match value {
            Value::Ref(place) if place.cell >= base => self.memory.load(Value::Ref(place))?,
            Value::Tuple(all) => {
                Value::Tuple(all.into_iter().map(|value| self.owned(value, base)).collect::<Result<_>>()?)
            }
            value => value,
        })
    }

    /// The lengths that arguments give to names.
    fn lengths(&self, program: &Program, args: &[Value]) -> Rc<[(String, usize)]> {
        let mut lengths = Vec::new();
        for (param, arg) in program.params.iter().zip(args) {
            let Some(ty) = &program.var(param.var).ty else { continue };
            let mut named = false;
            ty.walk(&mut |ty| {
                named |= match &ty.kind {
                    TypeKind::Array { len, .. } => len.text().parse::<usize>().is_err(),
                    TypeKind::Named { name, .. } => {
                        !self.module.generics.is_empty() && self.module.generics.contains_key(&name.to_string())
                    }
                    TypeKind::Reference { .. } | TypeKind::Slice(_) | TypeKind::Tuple(_) | TypeKind::Other => false,
                };
            });
            if named && let Ok(value) = self.memory.load(arg.clone()) {
                self.measure(ty, &value, &mut lengths);
            }
        }
        lengths.into()
    }

    /// The type of the first number in a value.
    fn number_in(&self, value: &Value) -> Option<Repr> {
        match value {
            Value::Float(float) => (!matches!(float.repr, Repr::Open(_))).then_some(float.repr),
            Value::Ref(place) => {
                let place = self.memory.follow(place.clone()).ok()?;
                match self.memory.view(&place).ok()? {
                    crate::memory::View::One(value) => self.number_in(value),
                    crate::memory::View::Many(all) => all.iter().find_map(|value| self.number_in(value)),
                }
            }
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => all.iter().find_map(|v| self.number_in(v)),
            Value::Struct(_, fields) => fields.iter().find_map(|(_, value)| self.number_in(value)),
            Value::Option(Some(value)) => self.number_in(value),
            Value::Slots(slots) => slots.values().find_map(|value| self.number_in(value)),
            _ => None,
        }
    }

    /// Runs a program as it was written, or backwards.
    pub(crate) fn call_written(&mut self, program: &'m Program, args: Vec<Value>, way: Way) -> Result<Value> {
        self.call(program, args, |machine, program| match (way, program.kind) {
            (Way::Forwards, kind) => {
                let value = machine.whole(program)?;
                if machine.undoes && kind == Kind::Function && program.records == Records::Nothing {
                    // A function changes nothing: backwards, it computes its locals and undoes them.
                    machine.block_backwards(&program.body)?;
                }
                Ok(value)
            }
            (Way::Backwards, Kind::Procedure) => {
                machine.block_backwards(&program.body)?;
                Ok(Value::Unit)
            }
            (Way::Backwards, Kind::Function) => unfit(format!("`{}` is a function, and has no inverse", program.name)),
        })
    }

    /// Runs the body of a program, and gives its value.
    pub(crate) fn whole(&mut self, program: &'m Program) -> Result<Value> {
        match self.block(&program.body)? {
            Flow::Return(Some(value)) => self.result(value),
            Flow::Return(None) => Ok(Value::Unit),
            _ => match &program.result {
                Some(result) => {
                    let value = self.eval(result).map_err(|error| self.at(error, result.span))?;
                    self.result(value)
                }
                None => Ok(Value::Unit),
            },
        }
    }

    fn result(&mut self, value: Value) -> Result<Value> {
        match (&self.frame.program.output, value) {
            (Some(ty), value) if !matches!(value, Value::Ref(_)) => self.coerced(value, ty),
            (_, value) => Ok(value),
        }
    }

    /// The lengths of arrays in a value, by the names that its type gives them.
    fn measure(&self, ty: &Type, value: &Value, lengths: &mut Vec<(String, usize)>) {
        match (&ty.kind, value) {
            (TypeKind::Reference { of, .. }, value) => self.measure(of, value, lengths),
            (TypeKind::Array { of, len }, Value::List(all)) => {
                lengths.push((len.text().to_string(), all.len()));
                all.first().into_iter().for_each(|first| self.measure(of, first, lengths));
            }
            (TypeKind::Slice(of), Value::List(all)) => {
                all.first().into_iter().for_each(|first| self.measure(of, first, lengths));
            }
            (TypeKind::Tuple(types), Value::Tuple(all)) => {
                types.iter().zip(all).for_each(|(ty, value)| self.measure(ty, value, lengths));
            }
            // The struct has names of its own for what the type says.
            (TypeKind::Named { name, arguments, .. }, Value::Struct(_, fields)) => {
                let name = name.to_string();
                let (Some(own), Some(declared)) = (self.module.generics.get(&name), self.module.structs.get(&name))
                else {
                    return;
                };
                let mut inside = Vec::new();
                for ((_, ty), (_, value)) in declared.iter().zip(fields) {
                    self.measure(ty, value, &mut inside);
                }
                for (own, argument) in own.iter().zip(arguments) {
                    let length = inside.iter().find(|(name, _)| name == own);
                    if let (Some((_, length)), TypeKind::Named { name, .. }) = (length, &argument.kind) {
                        lengths.push((name.to_string(), *length));
                    }
                }
            }
            _ => {}
        }
    }
}
