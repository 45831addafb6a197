//! Calls of procedures: those of the module, and those of the library.

use retrograd::ops::damp;
use retrograd::{ErrorKind as Law, InformationBuffer, Real};
use retrograd_compiler::ir::{ArgKind, BinaryOp, Call, Callee, Elementary, Program, Run, Stmt};

use super::atomic::{float, mismatch};
use crate::elementary;
use crate::error::{Broken, Error, ErrorKind, Result, unfit, unsupported};
use crate::machine::{Machine, Way};
use crate::memory::View;
use crate::number::{Float, Repr, with_fixed};
use crate::slots::{self, Slots};
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
        let way = way.turned(s.inverse);
        if self.sort(s, way)? {
            return Ok(());
        }
        let args = self.procedure_arguments(s, stmt)?;
        let program = self.callee(&s.callee, &args);
        if let (Some(program), Callee::Path(path) | Callee::Associated(path)) = (program, &s.callee) {
            self.check_types(program, path)?;
        }
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
            ("allocate", [slots, key], Way::Forwards) | ("free", [slots, key], Way::Backwards) => {
                self.allocate(slots, key, None)
            }
            ("free", [slots, key], Way::Forwards) | ("allocate", [slots, key], Way::Backwards) => {
                self.free(slots, key, None)
            }
            ("damp", [x, factor, lost], way) => self.damp(x, factor, lost, way),
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

impl Machine<'_> {
    fn slots(&mut self, place: &Value) -> Result<&mut Slots> {
        let Value::Ref(place) = place else { return unfit("slots are changed in their place") };
        let place = self.memory.follow(place.clone())?;
        match self.memory.at(&place)? {
            Value::Slots(slots) => Ok(slots),
            other => unfit(format!("{} has no slots", other.kind())),
        }
    }

    /// `slots.allocate(key)`, and the same for the shadow if there is one.
    pub(crate) fn allocate(&mut self, slots: &Value, key: &Value, shadow: Option<&Value>) -> Result<()> {
        let key = self.memory.load(key.clone())?;
        let own = self.slots(slots)?;
        let Some(zero) = own.zero.as_deref().cloned() else { return unsupported("slots of an unknown type") };
        own.allocate(key.clone(), zero.clone())?;
        if let Some(shadow @ Value::Ref(_)) = shadow {
            let shadow = self.slots(shadow)?;
            let back = shadow.dropped.pop().unwrap_or_else(|| zero.zero_shadow());
            shadow.allocate(key, back)?;
        }
        Ok(())
    }

    /// `slots.free(key)`, and the same for the shadow if there is one: what it holds comes back if the slot does.
    pub(crate) fn free(&mut self, slots: &Value, key: &Value, shadow: Option<&Value>) -> Result<()> {
        let key = self.memory.load(key.clone())?;
        let checks = self.checks();
        let own = self.slots(slots)?;
        let held = own.free(&key)?;
        if checks && let Some((path, expected, actual)) = mismatch(&zero_like(&held)?, &held) {
            let mut error = slots::broken(Law::NonzeroFree, &key, &expected, &actual);
            if let ErrorKind::Broken(broken) = &mut error.kind {
                broken.variable += &path;
            }
            own.allocate(key, held)?;
            return Err(error);
        }
        if let Some(shadow @ Value::Ref(_)) = shadow {
            let shadow = self.slots(shadow)?;
            let held = shadow.free(&key)?;
            shadow.dropped.push(held);
        }
        Ok(())
    }

    /// `damp(&mut x, factor, &mut lost)`: the bits that a product loses go into a buffer.
    fn damp(&mut self, x: &Value, factor: &Value, lost: &Value, way: Way) -> Result<()> {
        let (Value::Ref(place), Value::Ref(lost)) = (x, lost) else { return unfit("`damp` changes both") };
        let (before, factor) = match (self.memory.load(x.clone())?, self.memory.load(factor.clone())?) {
            (Value::Float(x), Value::Float(factor)) => (x, factor.like(x.repr)?),
            _ => return unfit("`damp` multiplies numbers"),
        };
        let lost = self.memory.follow(lost.clone())?;
        let Value::Information(buffer) = self.memory.at(&lost)? else { return unfit("`damp` needs a buffer") };
        let repr = match (before.repr, factor.repr) {
            (Repr::F64(x), Repr::F64(factor)) => Repr::F64(damped(x, factor, buffer, way)?),
            (Repr::F32(x), Repr::F32(factor)) => Repr::F32(damped(x, factor, buffer, way)?),
            (Repr::Fixed(frac, x), Repr::Fixed(_, factor)) => with_fixed!(frac, F => {
                Repr::Fixed(frac, damped(F::from_bits(x), F::from_bits(factor), buffer, way)?.to_bits())
            }),
            _ => return unsupported("`damp` of these numbers"),
        };
        let after = Float { repr, tangent: 0.0 };
        let tangent = match way {
            Way::Forwards => factor.value() * before.tangent + before.value() * factor.tangent,
            Way::Backwards => (before.tangent - after.value() * factor.tangent) / factor.value(),
        };
        self.memory.store(place, Value::Float(Float { tangent, ..after }))
    }
}

/// The product that `damp` makes, or what it was made from.
fn damped<T: Real>(mut x: T, factor: T, lost: &mut InformationBuffer, way: Way) -> Result<T> {
    let run = retrograd::attempt(|| match way {
        Way::Forwards => damp(&mut x, factor, lost),
        Way::Backwards => damp::uncall(&mut x, factor, lost),
    });
    match run {
        Ok(()) => Ok(x),
        Err(error) => Err(Error::new(ErrorKind::Broken(Box::new(Broken {
            law: error.kind,
            statement: error.statement.into(),
            variable: error.variable.into(),
            expected: error.expected.into(),
            actual: error.actual.into(),
        })))),
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
        Value::Slots(_) => Value::Slots(Slots::default()),
        other => return unsupported(format!("the zero of {}", other.kind())),
    })
}
