//! The laws of functions: a value, and its derivatives in every way that there is to get them.

use super::chance::Random;
use super::jacobian::{Jacobian, Number, nudged};
use super::laws::{Inputs, Named, dot, misfit, unequal};
use super::meaning;
use super::state::{Floats, State};

/// A random function. Values are lists of their numbers.
#[allow(clippy::type_complexity, reason = "a table of functions: names for their types would say no more")]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    pub(crate) call: fn(&State<f64>) -> Vec<f64>,
    /// `call` on dual numbers, of a generic program.
    pub(crate) dual: Option<fn(&State<Number>) -> Vec<Number>>,
    /// The value and its tangent.
    pub(crate) pushforward: fn(&State<f64>, &Floats<f64>) -> (Vec<f64>, Vec<f64>),
    /// The value, from the adjoint of it.
    pub(crate) pullback: fn(&State<f64>, &mut Floats<f64>, &[f64]) -> Vec<f64>,
    /// The pullback of the same program with a record, of some.
    pub(crate) recorded: Option<fn(&State<f64>, &mut Floats<f64>, &[f64]) -> Vec<f64>>,
    /// The value and its gradient, of a function of one result.
    pub(crate) gradient: Option<fn(&State<f64>) -> (f64, Floats<f64>)>,
}

/// The results of a function as a list.
pub(crate) trait Value<T> {
    fn list(self) -> Vec<T>;
    fn of(list: &[T]) -> Self;
}

impl Value<f64> for f64 {
    fn list(self) -> Vec<f64> {
        vec![self]
    }

    fn of(list: &[f64]) -> Self {
        list[0]
    }
}

impl Value<Number> for Number {
    fn list(self) -> Vec<Number> {
        vec![self]
    }

    fn of(list: &[Number]) -> Self {
        list[0]
    }
}

impl<T: Copy> Value<T> for (T, T) {
    fn list(self) -> Vec<T> {
        vec![self.0, self.1]
    }

    fn of(list: &[T]) -> Self {
        (list[0], list[1])
    }
}

impl<T: Copy> Value<T> for [T; 3] {
    fn list(self) -> Vec<T> {
        self.to_vec()
    }

    fn of(list: &[T]) -> Self {
        [list[0], list[1], list[2]]
    }
}

/// The runs of a function with one result.
macro_rules! scalar {
    ($program:ident, $numbers:ident, $exact:literal, $source:expr) => {
        $crate::random::functions::Function {
            gradient: Some(|state| {
                let State { floats: f, w, u, k, b, m, n, .. } = *state;
                let (value, x, y, a, z, s, p, q, c) =
                    $program::gradient(&f.x, &f.y, f.a, f.z, &f.s, &u, k, b, &f.p, &f.q, f.c, w, &m, n);
                let whole = |part: Vec<f64>| part.try_into().expect("a gradient is as long as its argument");
                (value, Floats { x: whole(x), y: whole(y), a, z, s, p: whole(p), q, c })
            }),
            ..function!($program, $numbers, $exact, $source)
        }
    };
}

/// The runs of a function with several results.
macro_rules! function {
    ($program:ident, $numbers:ident, $exact:literal, $source:expr) => {
        $crate::random::functions::Function {
            name: stringify!($program),
            source: $source,
            call: $crate::random::functions::evaluation!($program),
            dual: $crate::random::functions::dual!($program, $numbers),
            pushforward: |state, d| {
                let State { floats: f, w, u, k, b, m, n, .. } = *state;
                let (value, tangent) = $program::pushforward(
                    (&f.x, &d.x),
                    (&f.y, &d.y),
                    (f.a, d.a),
                    (f.z, d.z),
                    (&f.s, &d.s),
                    &u,
                    k,
                    b,
                    (&f.p, &d.p),
                    (&f.q, &d.q),
                    (f.c, d.c),
                    w,
                    &m,
                    n,
                );
                (value.list(), tangent.list())
            },
            pullback: $crate::random::functions::pullback!($program),
            recorded: None,
            gradient: None,
        }
    };
}

macro_rules! pullback {
    ($program:ident) => {
        |state, g, seed| {
            let State { floats: f, w, u, k, b, m, n, .. } = *state;
            let value = $program::pullback(
                (&f.x, &mut g.x),
                (&f.y, &mut g.y),
                (f.a, &mut g.a),
                (f.z, &mut g.z),
                (&f.s, &mut g.s),
                &u,
                k,
                b,
                (&f.p, &mut g.p),
                (&f.q, &mut g.q),
                (f.c, &mut g.c),
                w,
                &m,
                n,
                Value::of(seed),
            );
            value.list()
        }
    };
}

macro_rules! evaluation {
    ($program:ident) => {
        |state| {
            let State { floats: f, w, u, k, b, m, n, .. } = *state;
            $program(&f.x, &f.y, f.a, f.z, &f.s, &u, k, b, &f.p, &f.q, f.c, w, &m, n).list()
        }
    };
}

macro_rules! dual {
    ($program:ident, plain) => {
        None
    };
    ($program:ident, generic) => {
        Some($crate::random::functions::evaluation!($program))
    };
}

pub(crate) use {dual, evaluation, function, pullback, scalar};

impl Named for Function {
    fn name(&self) -> &'static str {
        self.name
    }

    fn source(&self) -> &'static str {
        self.source
    }
}

/// One input, with directions for derivatives.
pub(crate) struct Case {
    state: State<f64>,
    value: Vec<f64>,
    jacobian: Jacobian,
    tangent: Floats<f64>,
    adjoint: Floats<f64>,
}

impl Function {
    fn jacobian(&self, state: &State<f64>) -> Jacobian {
        match self.dual {
            Some(dual) => Jacobian::by_duals(state, |state| dual(&state)),
            None => Jacobian::by_tangents(|tangent| (self.pushforward)(state, &tangent).1),
        }
    }
}

/// The inputs for each function.
pub(crate) fn inputs(functions: &[Function]) -> Vec<Inputs<Case>> {
    let prepare = |function: &Function, seed| {
        let mut random = Random(seed);
        let state = random.state();
        let (tangent, adjoint) = (random.floats(), random.floats());
        let jacobian = function.jacobian(&state);
        let is_fit = jacobian.is_like(&function.jacobian(&nudged(&state)));
        is_fit.then(|| Case { state, value: (function.call)(&state), jacobian, tangent, adjoint })
    };
    functions.iter().map(|function| Inputs::choose(|seed| prepare(function, seed))).collect()
}

/// The adjoint of the value.
fn seed(case: &Case) -> Vec<f64> {
    [0.7, -1.1, 0.4][..case.value.len()].to_vec()
}

/// What the compiler makes of a function has the value that its text means, bit for bit.
pub(crate) fn compiled_code_does_what_programs_mean(function: &Function, case: &Case) -> Option<String> {
    meaning::of_function((function.source, function.name), &case.state, &case.value)
}

/// The value of a run on dual numbers is that of the run on `f64`, bit for bit.
pub(crate) fn dual_numbers_have_the_same_value(function: &Function, case: &Case) -> Option<String> {
    let state = case.state.map(|_, x| Number::constant(x), Number::constant);
    let values: Vec<f64> = function.dual?(&state).iter().map(|number| number.re).collect();
    (values != case.value).then(|| format!("{values:?} on dual numbers, and {:?}", case.value))
}

/// Value and tangent of `pushforward` are those of the plain function on dual numbers.
pub(crate) fn pushforward_agrees_with_dual_numbers(function: &Function, case: &Case) -> Option<String> {
    let (value, tangent) = (function.pushforward)(&case.state, &case.tangent);
    let value = misfit(&value, &case.value, "value");
    value.or_else(|| misfit(&tangent, &case.jacobian.times(&case.tangent), "tangent"))
}

/// `pullback` adds to each adjoint what dual numbers say.
pub(crate) fn pullback_agrees_with_dual_numbers(function: &Function, case: &Case) -> Option<String> {
    let mut adjoint = case.adjoint;
    let value = (function.pullback)(&case.state, &mut adjoint, &seed(case));
    let added = case.jacobian.transposed_times(&seed(case));
    let expected: Vec<f64> = case.adjoint.numbers().iter().zip(added).map(|(old, new)| old + new).collect();
    misfit(&value, &case.value, "value").or_else(|| misfit(&adjoint.numbers(), &expected, "adjoint"))
}

/// The same program with a record has the same value, bit for bit, and the same derivatives.
pub(crate) fn recorded_and_reversible_forms_agree(function: &Function, case: &Case) -> Option<String> {
    let recorded = function.recorded?;
    let (mut reversible_adjoint, mut recorded_adjoint) = (case.adjoint, case.adjoint);
    let value = (function.pullback)(&case.state, &mut reversible_adjoint, &seed(case));
    let recorded_value = recorded(&case.state, &mut recorded_adjoint, &seed(case));
    let differs = recorded_value != value;
    let value = differs.then(|| format!("the value is {recorded_value:?} with a record, and {value:?} without"));
    value.or_else(|| misfit(&recorded_adjoint.numbers(), &reversible_adjoint.numbers(), "recorded adjoint"))
}

/// `⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩`
pub(crate) fn pullback_is_the_transpose_of_pushforward(function: &Function, case: &Case) -> Option<String> {
    let (_, tangent) = (function.pushforward)(&case.state, &case.tangent);
    let mut adjoint = Floats::of(&[0.0; super::state::NUMBERS]);
    (function.pullback)(&case.state, &mut adjoint, &seed(case));
    let size = tangent.iter().map(|t| t.abs()).sum();
    unequal(dot(&seed(case), &tangent), dot(&adjoint.numbers(), &case.tangent.numbers()), size)
}

/// `gradient` is the pullback of 1.
pub(crate) fn gradient_agrees_with_dual_numbers(function: &Function, case: &Case) -> Option<String> {
    let (value, gradient) = function.gradient?(&case.state);
    let value = misfit(&[value], &case.value, "value");
    value.or_else(|| misfit(&gradient.numbers(), &case.jacobian.transposed_times(&[1.0]), "gradient"))
}
