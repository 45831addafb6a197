//! How laws are checked, and failures reported.

use super::state::{NUMBERS, name};

/// How many inputs each program is run on.
pub(crate) const INPUTS: usize = 4;

/// How far a derivative may be from what it should be, relative to the largest one and to 1.
const TOLERANCE: f64 = 1e-7;

/// A program and its text.
pub(crate) trait Named {
    fn name(&self) -> &'static str;
    fn source(&self) -> &'static str;
}

/// The inputs of one program, and how many were left out because rounding decides their derivatives.
pub(crate) struct Inputs<C> {
    pub(crate) fit: Vec<C>,
    pub(crate) skipped: usize,
    /// What went wrong where none was expected.
    pub(crate) problems: Vec<String>,
}

impl<C> Inputs<C> {
    /// The first inputs that are fit.
    pub(crate) fn choose(prepare: impl Fn(u64) -> Option<C>) -> Self {
        let mut inputs = Inputs { fit: Vec::new(), skipped: 0, problems: Vec::new() };
        for seed in 0..4 * INPUTS as u64 {
            match guarded(|| prepare(seed)) {
                Ok(Some(case)) => inputs.fit.push(case),
                Ok(None) => inputs.skipped += 1,
                Err(problem) => inputs.problems.push(format!("input {seed}: {problem}")),
            }
            if inputs.fit.len() + inputs.problems.len() >= INPUTS {
                break;
            }
        }
        inputs
    }
}

/// What a panic that is no failed check says, such as an index out of range.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let owned = panic.downcast_ref::<String>().cloned();
    owned.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
}

/// Runs `action`; a failed check or a panic in words.
pub(crate) fn guarded<R>(action: impl FnOnce() -> R) -> Result<R, String> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| retrograd::attempt(action))) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error)) => Err(error.to_string()),
        Err(panic) => Err(format!("a panic, {}", words(&*panic))),
    }
}

/// Tests a law for all programs: a list of those that break it, then the source of the first.
pub(crate) fn check<P: Named, C>(
    law: &str,
    programs: &[P],
    inputs: &[Inputs<C>],
    holds: impl Fn(&P, &C) -> Option<String>,
) {
    let failure = |program: &P, case: &C| match guarded(|| holds(program, case)) {
        Ok(problem) => problem,
        Err(problem) => Some(problem),
    };
    let broken = programs.iter().zip(inputs).filter_map(|(program, inputs)| {
        let mut failures = inputs.fit.iter().enumerate().filter_map(|(i, case)| Some((i, failure(program, case)?)));
        let (i, problem) = failures.next()?;
        Some((program, format!("input {i}: {problem}")))
    });
    report(law, &broken.collect::<Vec<_>>());
}

/// Tests that every program ran, and on inputs of which few had to be left out.
pub(crate) fn check_inputs<P: Named, C>(programs: &[P], inputs: &[Inputs<C>]) {
    let broken = programs.iter().zip(inputs).filter_map(|(program, inputs)| {
        let problem = inputs.problems.first().cloned();
        let problem = problem.or((inputs.fit.len() < INPUTS).then(|| "no inputs are fit".to_string()))?;
        Some((program, problem))
    });
    report("a plain run", &broken.collect::<Vec<_>>());
    let skipped: usize = inputs.iter().map(|inputs| inputs.skipped).sum();
    println!("{skipped} inputs of {} programs were left out", programs.len());
    assert!(skipped * 50 <= programs.len() * INPUTS, "{skipped} inputs of {} programs were left out", programs.len());
}

fn report<P: Named>(law: &str, broken: &[(&P, String)]) {
    let list: String = broken.iter().map(|(program, problem)| format!("{}, {problem}\n", program.name())).collect();
    if let Some((first, _)) = broken.first() {
        panic!("{law} fails for {} programs:\n{list}\n{}", broken.len(), first.source());
    }
}

/// The first derivative by or of a number of the state that is not what it should be, in words.
pub(crate) fn misfit(actual: &[f64], expected: &[f64], what: &str) -> Option<String> {
    let size = expected.iter().fold(1.0, |size: f64, d| size.max(d.abs()));
    let is_close = |i: &usize| (actual[*i] - expected[*i]).abs() <= TOLERANCE * size;
    let wrong = (0..expected.len()).find(|i| !is_close(i))?;
    let name = if expected.len() == NUMBERS { name(wrong) } else { format!("result {wrong}") };
    Some(format!("the {what} of `{name}` is {:?} and should be {:?}", actual[wrong], expected[wrong]))
}

/// The sum of products.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Two ways to the same number, which is a sum of products of this size.
pub(crate) fn unequal(left: f64, right: f64, size: f64) -> Option<String> {
    let is_close = (left - right).abs() <= TOLERANCE * (1.0 + size);
    (!is_close).then(|| format!("⟨adjoint, tangent⟩ is {left:?} behind the program and {right:?} in front of it"))
}

/// A test for each law of some programs, one for what holds of them together, and one for their inputs.
macro_rules! laws {
    ($suite:ident::$kind:ident, $programs:ident: $($law:ident),+; $($of_all:ident),*) => {
        mod $kind {
            use std::sync::LazyLock;

            use super::programs::$programs as ALL;
            use crate::$suite::$kind as laws;
            use crate::$suite::laws::{Inputs, check, check_inputs};

            static INPUTS: LazyLock<Vec<Inputs<laws::Case>>> = LazyLock::new(|| laws::inputs(ALL));

            $(
                #[test]
                fn $law() {
                    check(stringify!($law), ALL, &INPUTS, laws::$law);
                }
            )+

            $(
                #[test]
                fn $of_all() {
                    laws::$of_all(ALL, &INPUTS);
                }
            )*

            #[test]
            fn all_run_and_few_inputs_are_left_out() {
                check_inputs(ALL, &INPUTS);
            }
        }
    };
}

pub(crate) use laws;
