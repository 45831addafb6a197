//! Calls of procedures: those of the module, and those of the library.

use retrograd::ErrorKind as Law;
use retrograd_compiler::ir::{ArgKind, BinaryOp, Call, Callee, Elementary, Program, Run, Stmt};

use super::atomic::{float, mismatch};
use crate::elementary;
use crate::error::{Result, unfit, unsupported};
use crate::machine::{Machine, Way};
use crate::memory::View;
use crate::number::Float;
use crate::value::{Ref, Value};

impl<'m> Machine<'m> {
    /// `g(&mut x, y)`, or its inverse.
    pub(super) fn procedure(&mut self, s: &'m Call, stmt: &'m Stmt, way: Way) -> Result<()> {
        let top = self.memory.cells.len();
        let run = self.call_procedure(s, stmt, way);
        self.memory.cells.truncate(top);
        run
    }

    fn call_procedure(&mut self, s: &'m Call, stmt: &'m Stmt, way: Way) -> Result<()> {
        let args = self.procedure_arguments(s, stmt)?;
        let way = way.turned(s.inverse);
        let program = self.callee(&s.callee, &args);
        match (program, s.run) {
            (Some(program), Run::Values) if self.compiled.is_none() => {
                self.call_written(program, args, way)?;
                Ok(())
            }
            (Some(program), run) => self.call_derived(program, args, way, run).map(|_| ()),
            (None, Run::Values) => self.library_procedure(&s.callee, &args, way, stmt),
            (None, run) => self.library_derivative(&s.callee, &args, way, run, stmt),
        }
    }

    /// The arguments of a call: what it changes and what it borrows stays where it is.
    pub(crate) fn procedure_arguments(&mut self, s: &'m Call, stmt: &'m Stmt) -> Result<Vec<Value>> {
        let mut args = Vec::new();
        let mut changed: Vec<Ref> = Vec::new();
        for arg in &s.args {
            args.push(match &arg.kind {
                ArgKind::Change(place) => {
                    let at = self.place(place)?;
                    for other in &changed {
                        self.check_apart(&at, other, stmt)?;
                    }
                    changed.push(at.clone());
                    Value::Ref(at)
                }
                ArgKind::Borrow(place) => Value::Ref(self.place(place)?),
                ArgKind::Value(e) => self.eval(e)?,
                ArgKind::Host(_) => Value::Unit,
            });
        }
        Ok(args)
    }

    /// The program of the module that is called.
    pub(crate) fn callee(&self, callee: &Callee, args: &[Value]) -> Option<&'m Program> {
        match callee {
            Callee::Path(path) | Callee::Associated(path) => self.program_at(path),
            Callee::Method { name, .. } => self.method_of(args.first()?, &name.to_string()),
        }
    }

    /// A procedure of the library.
    pub(crate) fn library_procedure(
        &mut self,
        callee: &Callee,
        args: &[Value],
        way: Way,
        stmt: &'m Stmt,
    ) -> Result<()> {
        let name = match callee {
            Callee::Path(path) | Callee::Associated(path) => path.last().to_string(),
            Callee::Method { name, .. } => name.to_string(),
        };
        if self.vector_procedure(&name, args, way, Run::Values)? {
            return Ok(());
        }
        match (name.as_str(), args, way) {
            ("rotate", [a, b, angle], way) => self.rotate(a, b, angle, way),
            ("push", [stack, x], Way::Forwards) | ("pop", [stack, x], Way::Backwards) => self.push(stack, x),
            ("pop", [stack, x], Way::Forwards) | ("push", [stack, x], Way::Backwards) => self.pop(stack, x, stmt),
            _ => unsupported(format!("the procedure `{name}`")),
        }
    }

    fn rotate(&mut self, a: &Value, b: &Value, angle: &Value, way: Way) -> Result<()> {
        let (Value::Ref(a), Value::Ref(b)) = (a, b) else { return unfit("`rotate` changes two numbers") };
        let number = |machine: &Self, value: Value| match machine.memory.load(value)? {
            Value::Float(x) => Ok(x),
            other => unfit(format!("{} is no number", other.kind())),
        };
        let angle = number(self, angle.clone())?;
        let angle = if way == Way::Backwards { angle.negated() } else { angle };
        let (x, y) = (number(self, Value::Ref(a.clone()))?, number(self, Value::Ref(b.clone()))?);
        let sin = elementary::apply(Elementary::Sin, &[angle.like(x.repr)?])?;
        let cos = elementary::apply(Elementary::Cos, &[angle.like(x.repr)?])?;
        let product = |a: Float, b: Float| float(BinaryOp::Mul, a, b);
        let first = float(BinaryOp::Sub, product(cos, x)?, product(sin, y)?)?;
        let second = float(BinaryOp::Add, product(sin, x)?, product(cos, y)?)?;
        self.memory.store(a, Value::Float(first))?;
        self.memory.store(b, Value::Float(second))
    }

    /// `stack.push(&mut x)`: zero is left behind.
    pub(crate) fn push(&mut self, stack: &Value, x: &Value) -> Result<()> {
        let (Value::Ref(stack), Value::Ref(x)) = (stack, x) else { return unfit("`push` changes both") };
        let value = self.memory.view(x)?.to_value();
        let zero = zero_like(&value)?;
        match self.memory.at(stack)? {
            Value::Stack(all) | Value::List(all) => all.push(value),
            other => return unfit(format!("{} is no stack", other.kind())),
        }
        self.memory.store(x, zero)
    }

    /// `stack.pop(&mut x)`
    pub(crate) fn pop(&mut self, stack: &Value, x: &Value, stmt: &'m Stmt) -> Result<()> {
        let (Value::Ref(stack), Value::Ref(x)) = (stack, x) else { return unfit("`pop` changes both") };
        let old = self.memory.view(x)?.to_value();
        let empty =
            matches!(self.memory.view(stack)?, View::One(Value::Stack(all) | Value::List(all)) if all.is_empty());
        if empty {
            return self.broken(Law::EmptyStack, stmt, "stack".into(), "at least one value".into(), "none".into());
        }
        if self.checks()
            && let Some((path, expected, actual)) = mismatch(&zero_like(&old)?, &old)
        {
            return self.broken(Law::StackTarget, stmt, format!("x{path}"), expected, actual);
        }
        let value = match self.memory.at(stack)? {
            Value::Stack(all) | Value::List(all) => all.pop(),
            other => return unfit(format!("{} is no stack", other.kind())),
        };
        self.memory.store(x, value.unwrap_or(Value::Unit))
    }
}

/// The zero of the type of a value.
pub(crate) fn zero_like(value: &Value) -> Result<Value> {
    let all = |all: &[Value]| all.iter().map(zero_like).collect::<Result<Vec<_>>>();
    Ok(match value {
        Value::Float(x) => Value::Float(Float::of(x.repr, 0.0)?),
        Value::Int(n) => Value::Int(crate::number::Int { value: 0, ..*n }),
        Value::Bool(_) => Value::Bool(false),
        Value::Tuple(parts) => Value::Tuple(all(parts)?),
        // An array keeps its length, and a vector would not; arrays are what stacks are given.
        Value::List(parts) => Value::List(all(parts)?),
        Value::Option(_) => Value::Option(None),
        Value::Stack(_) => Value::Stack(Vec::new()),
        Value::Unit => Value::Unit,
        Value::Struct(name, fields) => {
            let fields = fields.iter().map(|(field, value)| Ok((field.clone(), zero_like(value)?)));
            Value::Struct(name.clone(), fields.collect::<Result<_>>()?)
        }
        other => return unsupported(format!("the zero of {}", other.kind())),
    })
}
