//! The laws of functions that record: the value is that of plain Rust, and derivatives are those of dual numbers.

use super::laws::{Inputs, Named, dot, misfit, unequal};
use super::state::{NUMBERS, Number, Random, State};

/// A function of plain Rust.
pub(crate) type Plain = fn(&[f64], [f64; 3], f64, f64, &[i64], i64, usize) -> f64;

/// A random function.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    pub(crate) call: fn(&State<f64>) -> f64,
    /// The same text, compiled by rustc alone.
    pub(crate) plain: Option<Plain>,
    pub(crate) dual: fn(&State<Number>) -> Number,
    /// The value and its gradient.
    pub(crate) gradient: fn(&State<f64>) -> (f64, [f64; NUMBERS]),
    /// The value and its tangent.
    pub(crate) pushforward: fn(&State<f64>, &State<f64>) -> (f64, f64),
}

/// The runs of a function.
macro_rules! function {
    ($program:ident, $plain:expr, $source:expr) => {
        $crate::ordinary::functions::Function {
            name: stringify!($program),
            source: $source,
            call: |a| $program(&a.x, a.v, a.s, a.t, &a.m, a.k, a.n),
            plain: $plain,
            dual: |a| $program(&a.x, a.v, a.s, a.t, &a.m, a.k, a.n),
            gradient: |a| {
                let (value, x, [v0, v1, v2], s, t) = $program::gradient(&a.x, a.v, a.s, a.t, &a.m, a.k, a.n);
                (value, [x[0], x[1], x[2], x[3], v0, v1, v2, s, t])
            },
            pushforward: |a, d| $program::pushforward((&a.x, &d.x), (a.v, d.v), (a.s, d.s), (a.t, d.t), &a.m, a.k, a.n),
        }
    };
}

pub(crate) use function;

impl Named for Function {
    fn name(&self) -> &'static str {
        self.name
    }

    fn source(&self) -> &'static str {
        self.source
    }
}

/// One input, with a direction.
pub(crate) struct Case {
    state: State<f64>,
    value: f64,
    dual: Number,
    tangent: [f64; NUMBERS],
}

/// The inputs for each function.
pub(crate) fn inputs(functions: &[Function]) -> Vec<Inputs<Case>> {
    let prepare = |function: &Function, seed| {
        let mut random = Random(seed);
        let (state, tangent) = (random.state(), random.numbers());
        let dual = (function.dual)(&state.variables());
        let neighbour = (function.dual)(&state.nudged().variables()).eps;
        let largest = 1.0 + dual.eps.iter().map(|d| d.abs()).sum::<f64>();
        let is_like = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-4 * largest;
        let is_fit = largest < 1e6 && dual.eps.iter().zip(&neighbour).all(is_like);
        is_fit.then(|| Case { state, value: (function.call)(&state), dual, tangent })
    };
    functions.iter().map(|function| Inputs::choose(|seed| prepare(function, seed))).collect()
}

pub(crate) fn plain_rust_has_the_same_value(function: &Function, case: &Case) -> Option<String> {
    let a = &case.state;
    let (plain, value) = (function.plain?(&a.x, a.v, a.s, a.t, &a.m, a.k, a.n), case.value);
    (plain.to_bits() != value.to_bits()).then(|| format!("{plain:?} in plain Rust, and {value:?}"))
}

/// Runs on dual numbers take the same way, and have the same value bit for bit.
pub(crate) fn dual_numbers_have_the_same_value(_: &Function, case: &Case) -> Option<String> {
    let (dual, plain) = (case.dual.re, case.value);
    (dual.to_bits() != plain.to_bits()).then(|| format!("{dual:?} on dual numbers, and {plain:?}"))
}

/// The value beside a gradient is that of the plain call, and the gradient is that of dual numbers.
pub(crate) fn gradient_agrees_with_dual_numbers(function: &Function, case: &Case) -> Option<String> {
    let (value, gradient) = (function.gradient)(&case.state);
    let differs = value.to_bits() != case.value.to_bits();
    let value = differs.then(|| format!("the value is {value:?} and should be {:?}", case.value));
    value.or_else(|| misfit(&gradient, &case.dual.eps, "derivative"))
}

/// The same of `pushforward`.
pub(crate) fn pushforward_agrees_with_dual_numbers(function: &Function, case: &Case) -> Option<String> {
    let (value, tangent) = (function.pushforward)(&case.state, &case.state.with(case.tangent));
    let value = misfit(&[value], &[case.value], "value");
    let size = case.dual.eps.iter().map(|d| d.abs()).sum();
    value.or_else(|| unequal(tangent, dot(&case.dual.eps, &case.tangent), size))
}

/// Few programs have a value that depends on nothing.
pub(crate) fn most_programs_do_something(functions: &[Function], inputs: &[Inputs<Case>]) {
    let is_flat = |case: &Case| case.dual.eps == [0.0; NUMBERS];
    let flat = inputs.iter().filter(|inputs| inputs.fit.iter().all(is_flat)).count();
    assert!(flat * 10 <= functions.len(), "{flat} programs have no derivatives");
}
