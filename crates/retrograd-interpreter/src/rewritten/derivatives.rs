//! Calls between derived programs, and derivative runs of what the library has.

use retrograd_compiler::Derived;
use retrograd_compiler::ir::{Callee, Expr, Program, Role, Run, Stmt};

use super::shadows::joined;
use crate::error::{Result, unfit, unsupported};
use crate::machine::{Machine, Way};
use crate::value::{Ref, Value};

/// The core of a derived program, for a run of it.
pub(crate) fn core(derived: &Derived, way: Way, run: Run) -> Option<&Program> {
    let recorded = derived.recorded.as_ref();
    let derivatives = derived.derivatives.as_ref();
    let form = match (run, way) {
        (Run::Values, Way::Forwards) => Some(&derived.forward),
        (Run::Values, Way::Backwards) => derived.inverse.as_ref(),
        (Run::Tangent, Way::Forwards) => derivatives.map(|runs| &runs.pushforward),
        (Run::Tangent, Way::Backwards) => derivatives.and_then(|runs| runs.unpushforward.as_ref()),
        (Run::Adjoint, Way::Forwards) => derivatives.map(|runs| &runs.pullback),
        (Run::Adjoint, Way::Backwards) => derivatives.and_then(|runs| runs.unpullback.as_ref()),
        (Run::Keep, Way::Forwards) => Some(recorded.map_or(&derived.forward, |recorded| &recorded.keep)),
        (Run::Keep, Way::Backwards) => match recorded {
            Some(recorded) => recorded.unkeep.as_ref(),
            None => derived.inverse.as_ref(),
        },
        (Run::Spend, Way::Forwards) => match recorded {
            Some(recorded) => recorded.spend.as_ref(),
            None => derivatives.map(|runs| &runs.pullback),
        },
        (Run::Spend, Way::Backwards) => None,
    };
    form.map(|form| &form.core)
}

impl<'m> Machine<'m> {
    /// What was derived from a program of the module.
    fn derived(&self, program: &Program) -> Option<&'m Derived> {
        let name = self.module.programs.iter().find(|(_, own)| std::ptr::eq(*own, program)).map(|(name, _)| name)?;
        self.compiled?.programs.get(name)
    }

    /// Calls a function of the module on values.
    pub(crate) fn call_derived_function(&mut self, program: &'m Program, args: Vec<Value>) -> Result<Value> {
        match self.derived(program) {
            Some(_) => self.call_derived(program, args, Way::Forwards, Run::Values),
            // An ordinary function.
            None => self.call_written(program, args, Way::Forwards),
        }
    }

    /// Runs what was derived from a program of the module.
    pub(crate) fn call_derived(&mut self, program: &'m Program, args: Vec<Value>, way: Way, run: Run) -> Result<Value> {
        let Some((derived, core)) = self.derived(program).and_then(|derived| Some((derived, core(derived, way, run)?)))
        else {
            return unfit(format!("`{}` has no such run", program.name));
        };
        if run == Run::Keep && way == Way::Forwards && derived.decides {
            self.decisions += 1;
        }
        self.call_core(core, args)
    }

    /// Runs a core, which may have a record among its parameters.
    pub(crate) fn call_core(&mut self, core: &'m Program, mut args: Vec<Value>) -> Result<Value> {
        for (i, param) in core.params.iter().enumerate() {
            if param.role == Role::Record {
                args.insert(i, Value::Unit);
            }
        }
        self.call(core, args, |machine, core| machine.whole(core))
    }

    /// A derivative run of a function, inside an expression.
    pub(crate) fn companion(&mut self, callee: &'m Callee, run: Run, args: &'m [Expr]) -> Result<Value> {
        let args = self.arguments(args)?;
        if let Some(program) = self.callee(callee, &args) {
            return self.call_derived(program, args, Way::Forwards, run);
        }
        let name = match callee {
            Callee::Path(path) | Callee::Associated(path) => path.last().to_string(),
            Callee::Method { name, .. } => return unsupported(format!("a derivative of the method `{name}`")),
        };
        match run {
            Run::Values | Run::Keep => self.library_function(&name, args),
            Run::Tangent => {
                let mut moving = Vec::new();
                for pair in args.chunks(2) {
                    let (value, tangent) = (self.memory.load(pair[0].clone())?, self.tangent_of(pair.get(1))?);
                    moving.push(value.along(&mut tangent.into_iter()));
                }
                let value = self.library_function(&name, moving)?;
                let tangent = value.shadow(&mut value.tangents().into_iter());
                Ok(Value::Tuple(vec![value.along(&mut std::iter::empty()), tangent]))
            }
            Run::Adjoint | Run::Spend => {
                let Some((seed, args)) = args.split_last() else { return unfit("a pullback takes a seed") };
                let seed = self.memory.load(seed.clone())?.numbers();
                let values: Vec<Value> = args.iter().step_by(2).cloned().collect();
                let mut loaded = Vec::new();
                for value in values {
                    loaded.push(self.memory.load(value)?.along(&mut std::iter::empty()));
                }
                for (at, shadow) in args.iter().skip(1).step_by(2).enumerate() {
                    let Value::Ref(shadow) = shadow else { continue };
                    let gains = self.transposed(&loaded, at, &seed, |machine, moving| {
                        Ok(machine.library_function(&name, moving)?.tangents())
                    })?;
                    self.gain(shadow, gains)?;
                }
                self.library_function(&name, loaded)
            }
        }
    }

    fn tangent_of(&self, shadow: Option<&Value>) -> Result<Vec<f64>> {
        match shadow {
            Some(shadow) => Ok(self.memory.load(shadow.clone())?.numbers()),
            None => Ok(Vec::new()),
        }
    }

    /// What each number of an argument contributes to outputs with these adjoints, one run for each.
    fn transposed(
        &mut self,
        values: &[Value],
        at: usize,
        seed: &[f64],
        run: impl Fn(&mut Machine<'m>, Vec<Value>) -> Result<Vec<f64>>,
    ) -> Result<Vec<f64>> {
        let count = values[at].numbers().len();
        let mut gains = Vec::new();
        for k in 0..count {
            let mut moving = values.to_vec();
            moving[at] = moving[at].clone().along(&mut (0..count).map(|i| if i == k { 1.0 } else { 0.0 }));
            let tangents = run(self, moving)?;
            gains.push(tangents.iter().zip(seed).map(|(t, g)| t * g).sum());
        }
        Ok(gains)
    }

    /// Adds to a shadow.
    fn gain(&mut self, shadow: &Ref, gains: Vec<f64>) -> Result<()> {
        let place = self.memory.follow(shadow.clone())?;
        let old = self.memory.view(&place)?.to_value();
        let mut gains = gains.into_iter();
        let mut gained = old.clone();
        gained.each_float_mut(&mut |float| *float = crate::number::Float::f64(gains.next().unwrap_or(0.0)));
        self.memory.store(&place, joined(old, gained, 1.0)?)
    }

    /// A derivative run of a procedure of the library. Arguments come with their shadows.
    pub(crate) fn library_derivative(
        &mut self,
        callee: &Callee,
        args: &[Value],
        way: Way,
        run: Run,
        stmt: &'m Stmt,
    ) -> Result<()> {
        let name = match callee {
            Callee::Path(path) | Callee::Associated(path) => path.last().to_string(),
            Callee::Method { name, .. } => name.to_string(),
        };
        let adjoint = run.is_adjoint();
        if self.vector_procedure(&name, args, way, run)? {
            return Ok(());
        }
        if run == Run::Keep {
            return self.library_procedure(callee, args, way, stmt);
        }
        match (name.as_str(), args) {
            ("push" | "pop", [stack, shadows, x, shadow]) => {
                let pushes = (name == "push") == (way == Way::Forwards);
                match (pushes, adjoint) {
                    (true, false) => {
                        self.push(stack, x)?;
                        self.push_shadow(shadows, shadow, false)
                    }
                    (false, false) => {
                        self.pop(stack, x, stmt)?;
                        self.pop_shadow(shadows, shadow, false)
                    }
                    // An adjoint run undoes the values.
                    (true, true) => {
                        self.pop(stack, x, stmt)?;
                        self.pop_shadow(shadows, shadow, true)
                    }
                    (false, true) => {
                        self.push(stack, x)?;
                        self.push_shadow(shadows, shadow, true)
                    }
                }
            }
            ("allocate" | "free", [slots, shadow, key, ..]) => {
                let allocates = (name == "allocate") == (way == Way::Forwards);
                // An adjoint run undoes the values.
                match allocates != adjoint {
                    true => self.allocate(slots, key, Some(shadow)),
                    false => self.free(slots, key, Some(shadow)),
                }
            }
            ("rotate", [a, ga, b, gb, angle, gangle]) => {
                self.rotate_derivative(callee, [a, ga, b, gb, angle, gangle], way, adjoint, stmt)
            }
            _ => unsupported(format!("a derivative of the procedure `{name}`")),
        }
    }

    /// What is put aside takes its shadow with it. The zero that is left has none; in an adjoint run, what was dropped comes back.
    fn push_shadow(&mut self, shadows: &Value, shadow: &Value, adjoint: bool) -> Result<()> {
        let (Value::Ref(shadows), Value::Ref(shadow)) = (shadows, shadow) else { return Ok(()) };
        let (shadows, shadow) = (self.memory.follow(shadows.clone())?, self.memory.follow(shadow.clone())?);
        let moved = self.memory.view(&shadow)?.to_value();
        let zero = moved.zero_shadow();
        self.memory.elements_of(&shadows, 0)?.push(moved);
        let left = if adjoint { self.memory.elements_of(&shadows, 1)?.pop().unwrap_or(zero) } else { zero };
        self.memory.store(&shadow, left)
    }

    fn pop_shadow(&mut self, shadows: &Value, shadow: &Value, adjoint: bool) -> Result<()> {
        let (Value::Ref(shadows), Value::Ref(shadow)) = (shadows, shadow) else { return Ok(()) };
        let (shadows, shadow) = (self.memory.follow(shadows.clone())?, self.memory.follow(shadow.clone())?);
        if adjoint {
            let dropped = self.memory.view(&shadow)?.to_value();
            self.memory.elements_of(&shadows, 1)?.push(dropped);
        }
        match self.memory.elements_of(&shadows, 0)?.pop() {
            Some(moved) => self.memory.store(&shadow, moved),
            None => unfit("the shadow of a stack is as high as the stack"),
        }
    }

    /// Both numbers turn, and so do their tangents; adjoints turn back, by the transpose.
    fn rotate_derivative(
        &mut self,
        callee: &Callee,
        [a, ga, b, gb, angle, gangle]: [&Value; 6],
        way: Way,
        adjoint: bool,
        stmt: &'m Stmt,
    ) -> Result<()> {
        let (Value::Ref(at_a), Value::Ref(at_b)) = (a, b) else { return unfit("`rotate` changes two numbers") };
        let shadow = |machine: &Self, shadow: &Value| -> Result<f64> {
            Ok(machine.memory.load(shadow.clone())?.numbers().first().copied().unwrap_or(0.0))
        };
        let (da, db, dangle) = (shadow(self, ga)?, shadow(self, gb)?, shadow(self, gangle)?);
        let turn = |machine: &mut Self, tangents: [f64; 3], way: Way| -> Result<[f64; 2]> {
            for (place, tangent) in [at_a, at_b].into_iter().zip(tangents) {
                let value = machine.memory.view(place)?.to_value().along(&mut std::iter::once(tangent));
                machine.memory.store(place, value)?;
            }
            let angle = machine.memory.load(angle.clone())?.along(&mut std::iter::once(tangents[2]));
            machine.library_procedure(callee, &[a.clone(), b.clone(), angle], way, stmt)?;
            let mut turned = [0.0; 2];
            for (place, turned) in [at_a, at_b].into_iter().zip(&mut turned) {
                let value = machine.memory.view(place)?.to_value();
                *turned = value.tangents().first().copied().unwrap_or(0.0);
                machine.memory.store(place, value.along(&mut std::iter::empty()))?;
            }
            Ok(turned)
        };
        let set = |machine: &mut Self, shadow: &Value, value: f64| match shadow {
            Value::Ref(place) => machine.memory.store(place, Value::f64(value)),
            _ => Ok(()),
        };
        if !adjoint {
            let [a, b] = turn(self, [da, db, dangle], way)?;
            set(self, ga, a)?;
            return set(self, gb, b);
        }
        // The values go back first; then each input in turn moves the outputs, and the values are the inputs again.
        let back = way.turned(true);
        turn(self, [0.0; 3], back)?;
        let inputs = [self.memory.view(at_a)?.to_value(), self.memory.view(at_b)?.to_value()];
        let mut gains = [0.0; 3];
        for k in 0..3 {
            let mut unit = [0.0; 3];
            unit[k] = 1.0;
            let [a, b] = turn(self, unit, way)?;
            gains[k] = a * da + b * db;
            self.memory.store(at_a, inputs[0].clone())?;
            self.memory.store(at_b, inputs[1].clone())?;
        }
        set(self, ga, gains[0])?;
        set(self, gb, gains[1])?;
        set(self, gangle, dangle + gains[2])
    }
}
