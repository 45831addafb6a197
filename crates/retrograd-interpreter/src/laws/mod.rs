//! The laws of the language, on any program: what the compiler derives means what the written program means.
//!
//! The written program is run forwards, backwards and with tangents, from the language reference alone; the derived ones are
//! run as they are handed to back ends, with each optimisation and without. A program that breaks a law is shrunk to a small
//! one that breaks it too.

pub(crate) mod arguments;
mod compare;
mod shrink;

use std::fmt;

use retrograd_compiler::elaborate::inverse;
use retrograd_compiler::invert::invert;
use retrograd_compiler::ir::Records;

pub use arguments::Random;
pub use shrink::{shrink, statements};

use self::arguments::Arguments;
use self::compare::{differences, dot, misfit};
use crate::error::{Error, ErrorKind};
use crate::interpreter::{Interpreter, Outcome};
use crate::machine::Way;
use crate::module::{Compiled, Module};
use crate::{Pass, Run, Value};

/// A law that a program breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Which law.
    pub law: &'static str,
    /// The passes that the compiler did without.
    pub without: Vec<Pass>,
    /// In which way.
    pub problem: String,
    /// Whether a run ended with an error, and not with other numbers.
    pub ended: bool,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { law, without, problem, .. } = self;
        let without: Vec<&str> = without.iter().map(|pass| pass.name()).collect();
        let without =
            if without.is_empty() { "with all passes".into() } else { format!("without {}", without.join(", ")) };
        write!(f, "{law}, {without}: {problem}")
    }
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All laws hold, on so many inputs.
    Holds {
        /// How many inputs.
        inputs: usize,
    },
    /// No input is fit: rounding decides.
    Unfit,
    /// The interpreter does not know something that is in it.
    Unknown(String),
    /// A law is broken.
    Broken(Failure),
}

/// How the laws are checked.
#[derive(Clone, Copy)]
pub struct Laws<'p> {
    /// How many inputs each program is run on.
    pub inputs: usize,
    /// The sets of passes that the compiler does without, one derivation for each.
    pub without: &'p [&'p [Pass]],
    /// What is done to the derived programs first: nothing, but in tests of the laws.
    pub plant: &'p dyn Fn(&mut Compiled),
}

impl fmt::Debug for Laws<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Laws {{ inputs: {}, without: {:?} }}", self.inputs, self.without)
    }
}

/// Every pass left out, one at a time, and none, and all.
pub const EACH_PASS: [&[Pass]; 2 + Pass::ALL.len()] = [
    &[],
    &[Pass::Demand],
    &[Pass::Contract],
    &[Pass::Once],
    &[Pass::Sums],
    &[Pass::Unroll],
    &[Pass::Upwards],
    &[Pass::Fuse],
    &[Pass::Delay],
    &[Pass::Carry],
    &[Pass::Rows],
    &Pass::ALL,
];

/// How many steps a run may take.
const STEPS: u64 = 2_000_000;

/// One program with its derived ones, and one input.
struct Case<'m> {
    module: &'m Module,
    name: &'m str,
    args: Arguments,
    there: Outcome,
    back: Option<Outcome>,
}

type Law = (&'static str, fn(&Case<'_>, &Compiled) -> Result<Option<String>, Error>);

const OF_PROCEDURES: [Law; 7] = [
    ("the derived program does what was written", forward),
    ("the derived inverse does what the written program does backwards", backward),
    ("pushforward is the written program with tangents", pushforward),
    ("pullback is the transpose of that", pullback),
    ("unpushforward is the written program backwards with tangents", unpushforward),
    ("unpullback is the transpose of that", unpullback),
    ("inverted twice, a program is itself", involution),
];

const OF_FUNCTIONS: [Law; 3] = [
    ("the derived program does what was written", forward),
    ("pushforward is the written program with tangents", pushforward),
    ("pullback is the transpose of that", pullback_of_function),
];

impl Laws<'_> {
    /// One input and one derivation, as many programs are checked: every other one with all passes, the rest without one of them, or without any,
    /// in turn.
    pub fn in_turn(seed: u64) -> Laws<'static> {
        let sets = EACH_PASS.len() as u64 - 1;
        let turn = Random::new(seed).bits() % (2 * sets);
        let set = turn.checked_sub(sets).map_or(0, |turn| 1 + turn as usize);
        Laws { inputs: 1, without: std::slice::from_ref(&EACH_PASS[set]), plant: &|_| {} }
    }

    /// Checks the program of that name.
    pub fn check(&self, text: &str, name: &str) -> Verdict {
        let module = match Module::new(text) {
            Ok(module) => module,
            Err(error) => return broken("the program compiles", &[], error.to_string()),
        };
        let mut derivations = Vec::new();
        for without in self.without {
            let mut compiled = match module.compile(without) {
                Ok(compiled) => compiled,
                Err(error) => return judged("the program compiles", without, error),
            };
            (self.plant)(&mut compiled);
            derivations.push((*without, compiled));
        }
        let mut inputs = 0;
        for seed in 0..4 * self.inputs as u64 {
            match Case::prepare(&module, name, seed) {
                Ok((case, problem)) => match problem.map_or_else(|| case.broken_law(&derivations), Some) {
                    None => inputs += 1,
                    // Only now is it worth while to ask whether rounding decides here: then nothing is said about the program.
                    Some(_) if !case.is_steady() => {}
                    Some(verdict) => return verdict,
                },
                // The language says so where rounding loses what the way back needs.
                Err((_, error)) if error.is_drift() => {}
                Err((law, error)) => return judged(law, &[], error),
            }
            if inputs == self.inputs {
                break;
            }
        }
        if inputs == 0 { Verdict::Unfit } else { Verdict::Holds { inputs } }
    }
}

fn broken(law: &'static str, without: &[Pass], problem: String) -> Verdict {
    Verdict::Broken(Failure { law, without: without.to_vec(), problem, ended: false })
}

/// An error of a run: what the interpreter does not know is no failure of the compiler.
fn judged(law: &'static str, without: &[Pass], error: Error) -> Verdict {
    match &error.kind {
        ErrorKind::Unsupported(_) => Verdict::Unknown(error.to_string()),
        _ => {
            let problem = error.to_string();
            Verdict::Broken(Failure { law, without: without.to_vec(), problem, ended: true })
        }
    }
}

/// Runs a program as it was written. Functions undo what they compute.
fn written(module: &Module, name: &str, args: Vec<Value>, way: Way) -> Result<Outcome, Error> {
    Interpreter::new(module).with_budget(STEPS).undoing().run(name, args, way)
}

impl<'m> Case<'m> {
    /// An input, and what the written program makes of it; and what is wrong if the two directions of that do not undo each other.
    fn prepare(
        module: &'m Module,
        name: &'m str,
        seed: u64,
    ) -> Result<(Case<'m>, Option<Verdict>), (&'static str, Error)> {
        let law = "the written program runs forwards";
        let Some(program) = module.program(name) else {
            let missing = ErrorKind::Call(format!("there is no program `{name}`"));
            return Err((law, Error::new(missing)));
        };
        let args = Arguments::random(module, program, &mut Random::new(seed)).map_err(|error| (law, error))?;
        let there = written(module, name, args.moving(), Way::Forwards).map_err(|error| (law, error))?;
        let mut case = Case { module, name, args, there, back: None };
        if !module.is_procedure(name) || program.records != Records::Nothing {
            return Ok((case, None));
        }
        let law = "the written program runs backwards";
        let run = |args: &Arguments, way| written(module, name, args.moving(), way).map_err(|error| (law, error));
        case.back = Some(run(&case.args, Way::Backwards)?);
        // From where each of the two leads, the other leads back, derivatives included.
        let law = "backwards and forwards undo each other";
        for (moved, way) in case.returns() {
            let problem = match written(module, name, moved.moving(), way) {
                Ok(again) => differences(&case.args.moving(), &again.args),
                Err(error) => Some(error.to_string()),
            };
            if let Some(problem) = problem {
                return Ok((case, Some(judged(law, &[], Error::new(ErrorKind::Call(problem))))));
            }
        }
        Ok((case, None))
    }

    /// From where each of the two directions leads, the other one.
    fn returns(&self) -> Vec<(Arguments, Way)> {
        let there = (self.args.with(self.there.args.clone()), Way::Backwards);
        let back = self.back.as_ref().map(|back| (self.args.with(back.args.clone()), Way::Forwards));
        back.into_iter().chain([there].into_iter().filter(|_| self.back.is_some())).collect()
    }

    /// Whether derivatives exist on all ways that were gone, are moderate, and nearly those of neighbours.
    fn is_steady(&self) -> bool {
        let mut ways = vec![(self.args.clone(), Way::Forwards)];
        if self.back.is_some() {
            ways.push((self.args.clone(), Way::Backwards));
            ways.extend(self.returns());
        }
        ways.iter().all(|(args, way)| {
            let run = |args| written(self.module, self.name, args, *way);
            match (run(args.moving()), run(args.nudged())) {
                (Ok(there), Ok(near)) => compare::is_steady(&there, &near),
                _ => false,
            }
        })
    }

    /// The first law that one of the derivations breaks.
    fn broken_law(&self, derivations: &[(&[Pass], Compiled)]) -> Option<Verdict> {
        let laws: &[Law] = if self.module.is_procedure(self.name) { &OF_PROCEDURES } else { &OF_FUNCTIONS };
        derivations.iter().find_map(|(without, compiled)| {
            laws.iter().find_map(|(law, holds)| match holds(self, compiled) {
                Ok(None) => None,
                Ok(Some(problem)) => Some(broken(law, without, problem)),
                Err(error) => Some(judged(law, without, error)),
            })
        })
    }

    fn core(&self, compiled: &Compiled, args: Vec<Value>, way: Way, run: Run) -> Result<Outcome, Error> {
        Interpreter::new(self.module).with_budget(4 * STEPS).run_core(compiled, self.name, args, way, run)
    }
}

fn forward(case: &Case<'_>, compiled: &Compiled) -> Result<Option<String>, Error> {
    let run = case.core(compiled, case.args.still(), Way::Forwards, Run::Values)?;
    let value = misfit(&run.value.numbers(), &case.there.value.numbers(), "value");
    Ok(value.or_else(|| compare::values(&case.there.args, &run.args)))
}

fn backward(case: &Case<'_>, compiled: &Compiled) -> Result<Option<String>, Error> {
    let Some(back) = &case.back else { return Ok(None) };
    let run = case.core(compiled, case.args.still(), Way::Backwards, Run::Values)?;
    Ok(compare::values(&back.args, &run.args))
}

fn pushforward(case: &Case<'_>, compiled: &Compiled) -> Result<Option<String>, Error> {
    tangents(case, compiled, Way::Forwards, &case.there)
}

fn unpushforward(case: &Case<'_>, compiled: &Compiled) -> Result<Option<String>, Error> {
    case.back.as_ref().map_or(Ok(None), |back| tangents(case, compiled, Way::Backwards, back))
}

/// Values and tangents of a derived run are those of the written program.
fn tangents(case: &Case<'_>, compiled: &Compiled, way: Way, written: &Outcome) -> Result<Option<String>, Error> {
    let run = case.core(compiled, case.args.with_tangents(), way, Run::Tangent)?;
    if let Value::Tuple(both) = &run.value {
        let value = misfit(&both[0].numbers(), &written.value.numbers(), "value");
        return Ok(value.or_else(|| misfit(&both[1].numbers(), &written.value.tangents(), "tangent")));
    }
    let (values, shadows) = case.args.apart(&run.args);
    let problem = compare::values(&written.args, &values);
    Ok(problem
        .or_else(|| misfit(&case.args.active_numbers(&shadows), &case.args.active_tangents(&written.args), "tangent")))
}

fn pullback(case: &Case<'_>, compiled: &Compiled) -> Result<Option<String>, Error> {
    adjoints(case, compiled, Way::Forwards, &case.there)
}

fn unpullback(case: &Case<'_>, compiled: &Compiled) -> Result<Option<String>, Error> {
    case.back.as_ref().map_or(Ok(None), |back| adjoints(case, compiled, Way::Backwards, back))
}

/// `⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩`, and the values are those in front.
fn adjoints(case: &Case<'_>, compiled: &Compiled, way: Way, written: &Outcome) -> Result<Option<String>, Error> {
    // A procedure with a record is run with it first.
    if compiled.programs.get(case.name).is_some_and(|derived| derived.recorded.is_some()) {
        return Ok(None);
    }
    let behind = case.args.with(written.args.clone());
    let run = case.core(compiled, behind.with_adjoints(), way, Run::Adjoint)?;
    let (values, shadows) = case.args.apart(&run.args);
    if let Some(problem) = compare::near(&case.args.still(), &values) {
        return Ok(Some(problem));
    }
    let given = case.args.adjoints();
    let found = case.args.active_numbers(&shadows);
    let tangents = case.args.active_tangents(&written.args);
    Ok(compare::unequal(dot(&given, &tangents), dot(&found, &case.args.tangents()), &given, &tangents))
}

fn pullback_of_function(case: &Case<'_>, compiled: &Compiled) -> Result<Option<String>, Error> {
    let seed: Vec<f64> = [0.7, -1.1, 0.4].into_iter().cycle().take(case.there.value.numbers().len()).collect();
    let mut args = case.args.with_adjoints();
    args.push(case.there.value.shadow(&mut seed.iter().copied()));
    let run = case.core(compiled, args, Way::Forwards, Run::Adjoint)?;
    if let Some(problem) = misfit(&run.value.numbers(), &case.there.value.numbers(), "value") {
        return Ok(Some(problem));
    }
    let (_, shadows) = case.args.apart(&run.args[..run.args.len() - 1]);
    let found = case.args.active_numbers(&shadows);
    let gained: Vec<f64> = found.iter().zip(case.args.adjoints()).map(|(new, old)| new - old).collect();
    let tangents = case.there.value.tangents();
    Ok(compare::unequal(dot(&seed, &tangents), dot(&gained, &case.args.tangents()), &seed, &tangents))
}

fn involution(case: &Case<'_>, compiled: &Compiled) -> Result<Option<String>, Error> {
    let Some(derived) = compiled.programs.get(case.name) else { return Ok(None) };
    // A program that records has no inverse without its record.
    if case.back.is_none() {
        return Ok(None);
    }
    let forward = &derived.forward.program;
    if invert(&invert(&forward.body)) != forward.body {
        return Ok(Some("the body differs".into()));
    }
    let differs = derived.inverse.as_ref().is_some_and(|back| inverse(&back.program) != *forward);
    Ok(differs.then(|| "the inverse of the inverse differs".into()))
}
