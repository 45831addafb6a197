//! The laws of procedures: of `call` and `uncall`, of the four derivative runs, and of how they belong together.

use retrograd_interpreter::Way;

use super::chance::Random;
use super::jacobian::{Jacobian, Number, nudged};
use super::laws::{Inputs, Named, dot, misfit, unequal};
use super::meaning;
use super::state::{CHANGED, Floats, State, difference};

/// A run of a program, forwards or backwards.
pub(crate) type Run<T> = fn(&mut State<T>);

/// A run with tangents or adjoints.
pub(crate) type Derivative = fn(&mut State<f64>, &mut Floats<f64>);

/// A random procedure.
pub(crate) struct Procedure {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    /// Whether floats come back bit by bit.
    pub(crate) exact: bool,
    pub(crate) call: Run<f64>,
    pub(crate) uncall: Run<f64>,
    /// `call` and `uncall` on dual numbers, of a generic program.
    pub(crate) duals: Option<[Run<Number>; 2]>,
    pub(crate) pushforward: Derivative,
    pub(crate) unpushforward: Derivative,
    pub(crate) pullback: Derivative,
    pub(crate) unpullback: Derivative,
}

/// The runs of one program.
macro_rules! procedure {
    ($program:ident, $numbers:ident, $exact:literal, $source:expr) => {
        $crate::random::procedures::Procedure {
            name: stringify!($program),
            source: $source,
            exact: $exact,
            call: $crate::random::procedures::run!($program),
            uncall: $crate::random::procedures::run!($program::uncall),
            duals: $crate::random::procedures::duals!($program, $numbers),
            pushforward: $crate::random::procedures::tangents!($program::pushforward),
            unpushforward: $crate::random::procedures::tangents!($program::unpushforward),
            pullback: $crate::random::procedures::adjoints!($program::pullback),
            unpullback: $crate::random::procedures::adjoints!($program::unpullback),
        }
    };
}

macro_rules! run {
    ($run:path) => {
        |state| {
            let f = &mut state.floats;
            $run(
                &mut f.x,
                &mut f.y,
                &mut f.a,
                &mut f.z,
                &mut f.s,
                &mut state.u,
                &mut state.k,
                &mut state.b,
                &f.p,
                &f.q,
                f.c,
                state.w,
                &state.m,
                state.n,
                &mut state.h,
            )
        }
    };
}

macro_rules! duals {
    ($program:ident, plain) => {
        None
    };
    ($program:ident, generic) => {
        Some([$crate::random::procedures::run!($program), $crate::random::procedures::run!($program::uncall)])
    };
}

macro_rules! tangents {
    ($run:path) => {
        |state, d| {
            let f = &mut state.floats;
            $run(
                (&mut f.x, &mut d.x),
                (&mut f.y, &mut d.y),
                (&mut f.a, &mut d.a),
                (&mut f.z, &mut d.z),
                (&mut f.s, &mut d.s),
                &mut state.u,
                &mut state.k,
                &mut state.b,
                (&f.p, &d.p),
                (&f.q, &d.q),
                (f.c, d.c),
                state.w,
                &state.m,
                state.n,
                &mut state.h,
            )
        }
    };
}

macro_rules! adjoints {
    ($run:path) => {
        |state, g| {
            let f = &mut state.floats;
            $run(
                (&mut f.x, &mut g.x),
                (&mut f.y, &mut g.y),
                (&mut f.a, &mut g.a),
                (&mut f.z, &mut g.z),
                (&mut f.s, &mut g.s),
                &mut state.u,
                &mut state.k,
                &mut state.b,
                (&f.p, &mut g.p),
                (&f.q, &mut g.q),
                (f.c, &mut g.c),
                state.w,
                &state.m,
                state.n,
                &mut state.h,
            )
        }
    };
}

pub(crate) use {adjoints, duals, procedure, run, tangents};

impl Named for Procedure {
    fn name(&self) -> &'static str {
        self.name
    }

    fn source(&self) -> &'static str {
        self.source
    }
}

/// A procedure or its inverse, with the derivative runs that belong to it.
struct Direction<'p> {
    run: Run<f64>,
    dual: Option<Run<Number>>,
    pushforward: Derivative,
    pullback: Derivative,
    program: &'p Procedure,
}

impl Procedure {
    fn forward(&self) -> Direction<'_> {
        Direction {
            run: self.call,
            dual: self.duals.map(|[call, _]| call),
            pushforward: self.pushforward,
            pullback: self.pullback,
            program: self,
        }
    }

    /// The inverse is a procedure too: `unpushforward` is its pushforward, and `unpullback` its pullback.
    fn backward(&self) -> Direction<'_> {
        Direction {
            run: self.uncall,
            dual: self.duals.map(|[_, uncall]| uncall),
            pushforward: self.unpushforward,
            pullback: self.unpullback,
            program: self,
        }
    }
}

impl Direction<'_> {
    fn after(&self, before: &State<f64>) -> State<f64> {
        let mut state = *before;
        (self.run)(&mut state);
        state
    }

    /// The Jacobian of all floats, those that are only read included.
    fn jacobian(&self, before: &State<f64>) -> Jacobian {
        match self.dual {
            Some(dual) => Jacobian::by_duals(before, |mut state| {
                dual(&mut state);
                state.floats.numbers().to_vec()
            }),
            None => Jacobian::by_tangents(|tangent| self.tangents(before, tangent).1.numbers().to_vec()),
        }
    }

    fn tangents(&self, before: &State<f64>, tangent: Floats<f64>) -> (State<f64>, Floats<f64>) {
        let (mut state, mut tangent) = (*before, tangent);
        (self.pushforward)(&mut state, &mut tangent);
        (state, tangent)
    }

    fn adjoints(&self, after: &State<f64>, adjoint: Floats<f64>) -> (State<f64>, Floats<f64>) {
        let (mut state, mut adjoint) = (*after, adjoint);
        (self.pullback)(&mut state, &mut adjoint);
        (state, adjoint)
    }

    /// What is in front of this run and behind it, and the Jacobian in between; none where rounding decides.
    fn crossing(&self, before: State<f64>) -> Option<Crossing> {
        let (jacobian, near) = (self.jacobian(&before), nudged(&before));
        let (after, after_near) = (self.after(&before), self.after(&near));
        let is_steady = jacobian.is_like(&self.jacobian(&near)) && after.integers() == after_near.integers();
        (is_steady && jacobian.norm() <= 1e5).then_some(Crossing { before, after, jacobian })
    }
}

/// One run of a procedure or of its inverse.
pub(crate) struct Crossing {
    before: State<f64>,
    after: State<f64>,
    jacobian: Jacobian,
}

/// One input: a run forwards, a run backwards, and directions for derivatives.
pub(crate) struct Case {
    forward: Crossing,
    backward: Crossing,
    tangent: Floats<f64>,
    adjoint: Floats<f64>,
}

/// The inputs for each procedure.
pub(crate) fn inputs(procedures: &[Procedure]) -> Vec<Inputs<Case>> {
    let prepare = |procedure: &Procedure, seed| {
        let mut random = Random(seed);
        let state = random.state();
        let (tangent, adjoint) = (random.floats(), random.floats());
        let (forward, backward) = (procedure.forward().crossing(state)?, procedure.backward().crossing(state)?);
        // Back again the derivatives must not be steep either.
        procedure.backward().crossing(forward.after)?;
        procedure.forward().crossing(backward.after)?;
        Some(Case { forward, backward, tangent, adjoint })
    };
    procedures.iter().map(|procedure| Inputs::choose(|seed| prepare(procedure, seed))).collect()
}

/// A law holds for the program and for its inverse.
fn both(program: &Procedure, case: &Case, law: fn(&Direction, &Crossing, &Case) -> Option<String>) -> Option<String> {
    let forward = law(&program.forward(), &case.forward, case);
    forward.or_else(|| law(&program.backward(), &case.backward, case).map(|problem| format!("backwards, {problem}")))
}

/// What the compiler makes of a program does what its text means, in both directions, bit for bit.
pub(crate) fn compiled_code_does_what_programs_mean(program: &Procedure, case: &Case) -> Option<String> {
    let text = (program.source, program.name);
    let meaning = |way, crossing: &Crossing| meaning::of_procedure(text, way, &crossing.before, &crossing.after);
    let forward = meaning(Way::Forwards, &case.forward);
    forward.or_else(|| meaning(Way::Backwards, &case.backward).map(|problem| format!("backwards, {problem}")))
}

/// `uncall(call(s)) == s` and `call(uncall(s)) == s`
pub(crate) fn uncalling_undoes_a_call(program: &Procedure, case: &Case) -> Option<String> {
    let back = program.backward().after(&case.forward.after);
    let again = program.forward().after(&case.backward.after);
    let forward = difference(&case.forward.before, &back, program.exact);
    forward.or_else(|| difference(&case.backward.before, &again, program.exact).map(|p| format!("backwards, {p}")))
}

/// Values and tangents of `pushforward` are those of the plain program on dual numbers.
pub(crate) fn pushforward_agrees_with_dual_numbers(program: &Procedure, case: &Case) -> Option<String> {
    both(program, case, |direction, crossing, case| {
        let (state, tangent) = direction.tangents(&crossing.before, case.tangent);
        let value = difference(&crossing.after, &state, direction.program.exact);
        value.or_else(|| misfit(&tangent.numbers(), &crossing.jacobian.times(&case.tangent), "tangent"))
    })
}

/// Adjoints of `pullback` are those of the plain program on dual numbers.
pub(crate) fn pullback_agrees_with_dual_numbers(program: &Procedure, case: &Case) -> Option<String> {
    both(program, case, |direction, crossing, case| {
        let (_, adjoint) = direction.adjoints(&crossing.after, case.adjoint);
        let expected = crossing.jacobian.transposed_times(&case.adjoint.numbers());
        misfit(&adjoint.numbers(), &expected, "adjoint")
    })
}

/// `⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩`
pub(crate) fn pullback_is_the_transpose_of_pushforward(program: &Procedure, case: &Case) -> Option<String> {
    both(program, case, |direction, crossing, case| {
        let tangent = direction.tangents(&crossing.before, case.tangent).1.numbers();
        let adjoint = direction.adjoints(&crossing.after, case.adjoint).1.numbers();
        let (given, wanted) = (case.adjoint.numbers(), case.tangent.numbers());
        let size = dot(&given.map(f64::abs), &tangent.map(f64::abs));
        unequal(dot(&given, &tangent), dot(&adjoint, &wanted), size)
    })
}

/// The values behind a pullback are the inputs, for every argument; the host was not there.
pub(crate) fn pullback_gives_the_inputs_back(program: &Procedure, case: &Case) -> Option<String> {
    both(program, case, |direction, crossing, case| {
        let (state, _) = direction.adjoints(&crossing.after, case.adjoint);
        let host = (state.h != crossing.after.h).then(|| "the host's counter was changed".to_string());
        difference(&crossing.before, &state, direction.program.exact).or(host)
    })
}

/// Tangents come back, those of arguments that are only read included.
pub(crate) fn unpushforward_undoes_pushforward(program: &Procedure, case: &Case) -> Option<String> {
    let undone = |there: Direction, back: Direction, before: &State<f64>| {
        let (after, tangent) = there.tangents(before, case.tangent);
        let (state, tangent) = back.tangents(&after, tangent);
        let value = difference(before, &state, program.exact);
        value.or_else(|| misfit(&tangent.numbers(), &case.tangent.numbers(), "tangent"))
    };
    let forward = undone(program.forward(), program.backward(), &case.forward.before);
    forward.or_else(|| undone(program.backward(), program.forward(), &case.backward.before))
}

/// Adjoints come back, those of arguments that are only read included.
pub(crate) fn unpullback_undoes_pullback(program: &Procedure, case: &Case) -> Option<String> {
    let undone = |there: Direction, back: Direction, after: &State<f64>| {
        let (before, adjoint) = there.adjoints(after, case.adjoint);
        let (state, adjoint) = back.adjoints(&before, adjoint);
        let value = difference(after, &state, program.exact);
        value.or_else(|| misfit(&adjoint.numbers(), &case.adjoint.numbers(), "adjoint"))
    };
    let forward = undone(program.forward(), program.backward(), &case.forward.after);
    forward.or_else(|| undone(program.backward(), program.forward(), &case.backward.after))
}

/// `unpushforward` multiplies by the inverse of the Jacobian, and `unpullback` by the transpose of that.
pub(crate) fn un_runs_agree_with_elimination(program: &Procedure, case: &Case) -> Option<String> {
    // Where the program leads from a state to another one, its inverse leads back: the un-runs are the runs of that.
    let solved = |back: Direction, crossing: &Crossing| {
        let inverse = crossing.jacobian.inverse()?;
        let (_, tangent) = back.tangents(&crossing.after, case.tangent);
        let (_, adjoint) = back.adjoints(&crossing.before, case.adjoint);
        let tangent = misfit(&tangent.numbers(), &inverse.times(&case.tangent), "tangent");
        tangent.or_else(|| {
            let expected = inverse.transposed_times(&case.adjoint.numbers());
            misfit(&adjoint.numbers(), &expected, "adjoint")
        })
    };
    let forward = solved(program.backward(), &case.forward);
    forward.or_else(|| solved(program.forward(), &case.backward).map(|problem| format!("backwards, {problem}")))
}

/// Few programs change nothing, and few have a Jacobian that says nothing.
pub(crate) fn most_programs_do_something(procedures: &[Procedure], inputs: &[Inputs<Case>]) {
    let is_idle = |case: &Case| difference(&case.forward.before, &case.forward.after, true).is_none();
    let is_flat = |case: &Case| {
        let moved = case.forward.jacobian.times(&case.tangent);
        misfit(&moved[..CHANGED], &case.tangent.numbers()[..CHANGED], "tangent").is_none()
    };
    let share = |holds: &dyn Fn(&Case) -> bool| inputs.iter().filter(|inputs| inputs.fit.iter().all(holds)).count();
    assert!(share(&is_idle) * 50 <= procedures.len(), "{} programs change nothing", share(&is_idle));
    assert!(share(&is_flat) * 10 <= procedures.len(), "{} programs only add constants", share(&is_flat));
}
