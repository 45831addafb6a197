//! The laws of procedures that record: a record undoes them, and their derivatives are those of dual numbers.

use retrograd::check::DriftTolerance;
use retrograd::{Fixed, Real, Record};

use super::laws::{Inputs, Named, dot, misfit, unequal};
use super::state::{NUMBERS, Number, Random, State, name};

/// Numbers whose sums are exact.
pub(crate) type Exact = Fixed<32>;

/// A run with a record on these.
pub(crate) type OnExact = fn(&mut State<Exact>, &mut Record);

/// A procedure of plain Rust.
pub(crate) type Plain = fn(&mut [f64], &mut [f64; 3], &mut f64, f64, &mut [i64], &mut i64, usize);

/// A random procedure.
pub(crate) struct Procedure {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    /// Whether it keeps what `+=` and `-=` change, so that floats come back bit by bit.
    pub(crate) keeps_all: bool,
    pub(crate) call: fn(&mut State<f64>),
    /// The same text, compiled by rustc alone.
    pub(crate) plain: Option<Plain>,
    pub(crate) dual: fn(&mut State<Number>),
    pub(crate) recorded: fn(&mut State<f64>, &mut Record),
    pub(crate) uncall: fn(&mut State<f64>, &mut Record),
    pub(crate) pushforward: fn(&mut State<f64>, &mut State<f64>),
    pub(crate) pullback: fn(&mut State<f64>, &mut State<f64>, &mut Record),
    /// `recorded` and `uncall` on exact numbers. With everything kept, floats are as good.
    pub(crate) exact: Option<[OnExact; 2]>,
}

/// The runs of a procedure.
macro_rules! procedure {
    ($program:ident, $plain:expr, $source:expr) => {
        $crate::ordinary::procedures::runs!(
            $program,
            $plain,
            $source,
            false,
            Some([
                |a, r| $program::recorded(&mut a.x, &mut a.v, &mut a.s, a.t, &mut a.m, &mut a.k, a.n, r),
                |a, r| $program::uncall(&mut a.x, &mut a.v, &mut a.s, a.t, &mut a.m, &mut a.k, a.n, r),
            ])
        )
    };
}

/// The runs of a procedure with `record = "all"`.
macro_rules! keeps_all {
    ($program:ident, $plain:expr, $source:expr) => {
        $crate::ordinary::procedures::runs!($program, $plain, $source, true, None)
    };
}

macro_rules! runs {
    ($program:ident, $plain:expr, $source:expr, $keeps_all:literal, $exact:expr) => {
        $crate::ordinary::procedures::Procedure {
            name: stringify!($program),
            source: $source,
            keeps_all: $keeps_all,
            call: |a| $program(&mut a.x, &mut a.v, &mut a.s, a.t, &mut a.m, &mut a.k, a.n),
            plain: $plain,
            dual: |a| $program(&mut a.x, &mut a.v, &mut a.s, a.t, &mut a.m, &mut a.k, a.n),
            recorded: |a, r| $program::recorded(&mut a.x, &mut a.v, &mut a.s, a.t, &mut a.m, &mut a.k, a.n, r),
            uncall: |a, r| $program::uncall(&mut a.x, &mut a.v, &mut a.s, a.t, &mut a.m, &mut a.k, a.n, r),
            pushforward: |a, d| {
                let (v, s) = ((&mut a.v, &mut d.v), (&mut a.s, &mut d.s));
                $program::pushforward((&mut a.x, &mut d.x), v, s, (a.t, d.t), &mut a.m, &mut a.k, a.n)
            },
            pullback: |a, g, r| {
                let (v, s) = ((&mut a.v, &mut g.v), (&mut a.s, &mut g.s));
                $program::pullback((&mut a.x, &mut g.x), v, s, (a.t, &mut g.t), &mut a.m, &mut a.k, a.n, r)
            },
            exact: $exact,
        }
    };
}

pub(crate) use {keeps_all, procedure, runs};

impl Named for Procedure {
    fn name(&self) -> &'static str {
        self.name
    }

    fn source(&self) -> &'static str {
        self.source
    }
}

impl Procedure {
    /// What is behind a run, and the record of it.
    fn recorded(&self, before: &State<f64>) -> (State<f64>, Record) {
        let (mut state, mut record) = (*before, Record::new());
        (self.recorded)(&mut state, &mut record);
        (state, record)
    }

    /// The numbers behind a run on dual numbers: a row of the Jacobian is in each.
    fn rows(&self, before: &State<f64>) -> [Number; NUMBERS] {
        let mut state = before.variables();
        (self.dual)(&mut state);
        state.numbers()
    }
}

/// One input, with directions.
pub(crate) struct Case {
    before: State<f64>,
    after: State<f64>,
    rows: [Number; NUMBERS],
    tangent: [f64; NUMBERS],
    adjoint: [f64; NUMBERS],
}

/// The inputs for each procedure.
pub(crate) fn inputs(procedures: &[Procedure]) -> Vec<Inputs<Case>> {
    let prepare = |procedure: &Procedure, seed| {
        let mut random = Random(seed);
        let (before, tangent, adjoint) = (random.state(), random.numbers(), random.numbers());
        let (mut after, mut near) = (before, before.nudged());
        (procedure.call)(&mut after);
        (procedure.call)(&mut near);
        let (rows, neighbours) = (procedure.rows(&before), procedure.rows(&before.nudged()));
        let size = |row: &Number| row.eps.iter().map(|d| d.abs()).sum::<f64>();
        let largest = 1.0 + rows.iter().map(size).sum::<f64>();
        let is_like = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-4 * largest;
        let are_like = |(a, b): (&Number, &Number)| a.eps.iter().zip(&b.eps).all(is_like);
        let is_steady = after.integers() == near.integers() && rows.iter().zip(&neighbours).all(are_like);
        (is_steady && largest < 1e5).then_some(Case { before, after, rows, tangent, adjoint })
    };
    procedures.iter().map(|procedure| Inputs::choose(|seed| prepare(procedure, seed))).collect()
}

/// The first thing that is not as it should be, bit for bit.
fn change(expected: &State<f64>, actual: &State<f64>) -> Option<String> {
    let (left, right) = (expected.numbers(), actual.numbers());
    let wrong = (0..NUMBERS).find(|&i| left[i].to_bits() != right[i].to_bits());
    let number = wrong.map(|i| format!("`{}` is {:?} and should be {:?}", name(i), right[i], left[i]));
    number.or_else(|| other_integers(expected, actual))
}

fn other_integers<T>(expected: &State<f64>, actual: &State<T>) -> Option<String> {
    let (left, right) = (expected.integers(), actual.integers());
    (left != right).then(|| format!("integers are {right:?} and should be {left:?}"))
}

/// The same within the tolerance for drift.
fn drift(case: &Case, actual: &State<f64>) -> Option<String> {
    let (left, right) = (case.before.numbers(), actual.numbers());
    let size = |numbers: &[f64]| numbers.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    let absolute = DriftTolerance::default().absolute * size(&left).max(size(&case.after.numbers()));
    let relative = |i: usize| DriftTolerance::default().relative * left[i].abs().max(right[i].abs());
    let is_near = |i: usize| (left[i] - right[i]).abs() <= absolute.max(relative(i));
    let wrong = (0..NUMBERS).find(|&i| !is_near(i));
    let number = wrong.map(|i| format!("`{}` is {:?} and should be {:?}", name(i), right[i], left[i]));
    number.or_else(|| other_integers(&case.before, actual))
}

/// A run that came back to where it began, and used its record up.
fn back(procedure: &Procedure, case: &Case, state: &State<f64>, record: &Record) -> Option<String> {
    let left = (record.bytes() > 0).then(|| format!("{} bytes are left in the record", record.bytes()));
    left.or_else(|| if procedure.keeps_all { change(&case.before, state) } else { drift(case, state) })
}

pub(crate) fn plain_rust_does_the_same(procedure: &Procedure, case: &Case) -> Option<String> {
    let mut a = case.before;
    procedure.plain?(&mut a.x, &mut a.v, &mut a.s, a.t, &mut a.m, &mut a.k, a.n);
    change(&a, &case.after)
}

/// So does a run on dual numbers.
pub(crate) fn a_recorded_run_does_the_same(procedure: &Procedure, case: &Case) -> Option<String> {
    let recorded = change(&case.after, &procedure.recorded(&case.before).0);
    recorded.or_else(|| change(&case.after, &case.after.with(case.rows.map(|row| row.re))))
}

/// `uncall(recorded(s)) == s`, with a record that another run has filled already.
pub(crate) fn uncalling_undoes_a_recorded_run(procedure: &Procedure, case: &Case) -> Option<String> {
    let (mut state, mut record) = procedure.recorded(&case.before);
    let (once, kept) = (state, record.bytes());
    (procedure.recorded)(&mut state, &mut record);
    (procedure.uncall)(&mut state, &mut record);
    if record.bytes() != kept {
        return Some(format!("{} bytes are left of the second run", record.bytes() - kept));
    }
    // The second run began where the first one ended.
    let (mut state, mut record) = match procedure.keeps_all {
        true => (state, record),
        false => procedure.recorded(&case.before),
    };
    let second = change(&once, &state);
    (procedure.uncall)(&mut state, &mut record);
    second.or_else(|| back(procedure, case, &state, &record))
}

pub(crate) fn exact_numbers_come_back_bit_by_bit(procedure: &Procedure, case: &Case) -> Option<String> {
    let [recorded, uncall] = procedure.exact?;
    let before = case.before.with(case.before.numbers().map(Exact::lit));
    let (mut state, mut record) = (before, Record::new());
    recorded(&mut state, &mut record);
    uncall(&mut state, &mut record);
    let wrong = (0..NUMBERS).find(|&i| before.numbers()[i] != state.numbers()[i]);
    let number = wrong.map(|i| format!("`{}` comes back as {}", name(i), state.numbers()[i]));
    number.or_else(|| other_integers(&case.before, &state))
}

/// Values and tangents of `pushforward` are those of the plain program on dual numbers.
pub(crate) fn pushforward_agrees_with_dual_numbers(procedure: &Procedure, case: &Case) -> Option<String> {
    let (mut state, mut tangent) = (case.before, case.before.with(case.tangent));
    (procedure.pushforward)(&mut state, &mut tangent);
    let expected = case.rows.map(|row| dot(&row.eps, &case.tangent));
    let value = misfit(&state.numbers(), &case.after.numbers(), "value");
    value.or_else(|| misfit(&tangent.numbers(), &expected, "tangent"))
}

/// Adjoints of `pullback` are those of the plain program on dual numbers, and its values are the inputs.
pub(crate) fn pullback_agrees_with_dual_numbers(procedure: &Procedure, case: &Case) -> Option<String> {
    let (mut state, mut record) = procedure.recorded(&case.before);
    let mut adjoint = case.before.with(case.adjoint);
    (procedure.pullback)(&mut state, &mut adjoint, &mut record);
    let column = |j: usize| case.rows.iter().zip(&case.adjoint).map(|(row, g)| row.eps[j] * g).sum();
    let expected: [f64; NUMBERS] = std::array::from_fn(column);
    misfit(&adjoint.numbers(), &expected, "adjoint").or_else(|| back(procedure, case, &state, &record))
}

/// `⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩`
pub(crate) fn pullback_is_the_transpose_of_pushforward(procedure: &Procedure, case: &Case) -> Option<String> {
    let (mut state, mut tangent) = (case.before, case.before.with(case.tangent));
    (procedure.pushforward)(&mut state, &mut tangent);
    let (mut state, mut record) = procedure.recorded(&case.before);
    let mut adjoint = case.before.with(case.adjoint);
    (procedure.pullback)(&mut state, &mut adjoint, &mut record);
    let (tangent, adjoint) = (tangent.numbers(), adjoint.numbers());
    let size = dot(&case.adjoint.map(f64::abs), &tangent.map(f64::abs));
    unequal(dot(&case.adjoint, &tangent), dot(&adjoint, &case.tangent), size)
}

/// Few programs change nothing.
pub(crate) fn most_programs_do_something(procedures: &[Procedure], inputs: &[Inputs<Case>]) {
    let is_idle = |case: &Case| change(&case.before, &case.after).is_none();
    let idle = inputs.iter().filter(|inputs| inputs.fit.iter().all(is_idle)).count();
    assert!(idle * 10 <= procedures.len(), "{idle} programs change nothing");
}
