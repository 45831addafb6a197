//! Dense linear algebra in plain loops, beside adjoints that were written by hand.

use super::derivatives::contest::{Contest, FUNCTION, HAND, RETROGRAD, Row};
use super::{Experiment, Failure, Setting};
use lab_corpus::dense as ours;
use lab_corpus::programs::matvec::matvec;
use lab_corpus::yardsticks::data::Random;
use lab_corpus::yardsticks::{dense as plain, matvec as plain_matvec};
use lab_report::findings::Findings;
use lab_report::measure::Contestant;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "dense_loops",
    title: "Dense linear algebra in plain loops",
    about: "A matrix times a vector, the product of two matrices, a triangular solve in place, and a Cholesky decomposition that \
            records what it overwrites, as one writes them first. Their derivatives stand beside adjoints by hand, which keep sums in \
            locals and go through rows as slices.",
    run,
};

/// What a derivative may take, of the time of the one by hand.
const LIMIT: f64 = 1.2;

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (large, small) = setting.size.pick((20, 10), (1000, 300), (1000, 300));
    let mut contest = Contest::new(setting, "", 4, "Dense linear algebra.", &[FUNCTION, HAND, RETROGRAD]);
    let (vectors, factors) = (Inputs::new(large), Inputs::new(small));
    contest.measure("matvec", || vec![product_with_a_vector(&vectors)])?;
    contest.measure("product", || vec![product(&factors)])?;
    contest.measure("solve", || vec![solve(&vectors)])?;
    contest.measure("cholesky", || vec![cholesky(&factors)])?;
    Ok(contest.findings())
}

/// Matrices of that size, the second of them symmetric and positive definite, and vectors.
struct Inputs {
    n: usize,
    a: Vec<f64>,
    definite: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Inputs {
    fn new(n: usize) -> Inputs {
        let mut random = Random::new(n as u64);
        let mut numbers = |count: usize| -> Vec<f64> { (0..count).map(|_| random.array::<1>(-1.0, 1.0)[0]).collect() };
        let (a, x, y) = (numbers(n * n), numbers(n), numbers(n));
        let element = |i: usize, j: usize| if i == j { n as f64 } else { 0.5 * (a[i * n + j] + a[j * n + i]) };
        let definite = (0..n * n).map(|k| element(k / n, k % n)).collect();
        Inputs { n, a, definite, x, y }
    }
}

/// Something that is changed, with its adjoint, and the adjoints of what is only read.
#[derive(Default)]
struct Run {
    value: Vec<f64>,
    adjoint: Vec<f64>,
    others: Vec<Vec<f64>>,
}

impl Run {
    /// Begins anew.
    fn begin(&mut self, value: &[f64], adjoint: &[f64], others: &[usize]) {
        self.value.clear();
        self.value.extend_from_slice(value);
        self.adjoint.clear();
        self.adjoint.extend_from_slice(adjoint);
        self.others.resize(others.len(), Vec::new());
        for (other, &length) in self.others.iter_mut().zip(others) {
            other.clear();
            other.resize(length, 0.0);
        }
    }

    fn numbers(&self) -> Vec<f64> {
        [&self.adjoint[..], &self.others.concat()].concat()
    }
}

fn product_with_a_vector(inputs: &Inputs) -> Row<'_> {
    let Inputs { n, a, x, y, .. } = inputs;
    let run = |name, pullback: fn(&mut Run, &[f64], &[f64])| {
        let compute = move |run: &mut Run| {
            run.begin(y, x, &[n * n, *n]);
            pullback(run, a, x);
        };
        Contestant::new(name, Run::default(), compute, Run::numbers)
    };
    let function = |y: &mut Vec<f64>| plain_matvec::matvec(y, a, x);
    Row::new(format!("matrix times vector, n = {n}"), 1)
        .with([
            Contestant::new(FUNCTION, y.clone(), function, Vec::clone),
            run(HAND, |run, a, x| {
                let [g_a, g_x] = &mut run.others[..] else { return };
                plain::matvec_pullback(&mut run.value, &run.adjoint, a, g_a, x, g_x);
            }),
            run(RETROGRAD, |run, a, x| {
                let [g_a, g_x] = &mut run.others[..] else { return };
                matvec::pullback((&mut run.value, &mut run.adjoint), (a, g_a), (x, g_x));
            }),
        ])
        .at_most(LIMIT, HAND)
}

fn product(inputs: &Inputs) -> Row<'_> {
    let Inputs { n, a, definite: b, .. } = inputs;
    type Gradient = (f64, Vec<f64>, Vec<f64>);
    let run = |name, gradient: fn(&[f64], &[f64], usize) -> Gradient| {
        let numbers = |(_, g_a, g_b): &Gradient| [&g_a[..], g_b].concat();
        Contestant::new(name, Gradient::default(), move |found: &mut Gradient| *found = gradient(a, b, *n), numbers)
    };
    let function = |value: &mut f64| *value = plain::product(a, b, *n);
    Row::new(format!("product of matrices, n = {n}"), 1)
        .with([
            Contestant::new(FUNCTION, 0.0, function, |value| vec![*value]),
            run(HAND, plain::product_gradient),
            run(RETROGRAD, ours::product::gradient),
        ])
        .at_most(LIMIT, HAND)
}

fn solve(inputs: &Inputs) -> Row<'_> {
    let Inputs { n, definite: l, x, y, .. } = inputs;
    let run = |name, pullback: fn(&mut Run, &[f64], usize)| {
        let compute = move |run: &mut Run| {
            run.begin(y, x, &[n * n]);
            pullback(run, l, *n);
        };
        Contestant::new(name, Run::default(), compute, Run::numbers)
    };
    let function = |x: &mut Vec<f64>| {
        x.copy_from_slice(y);
        plain::solve(x, l, *n);
    };
    Row::new(format!("triangular solve, n = {n}"), 1)
        .with([
            Contestant::new(FUNCTION, y.clone(), function, Vec::clone),
            run(HAND, |run, l, n| {
                plain::solve_pullback(&mut run.value, &mut run.adjoint, l, &mut run.others[0], n);
            }),
            run(RETROGRAD, |run, l, n| {
                ours::solve::pullback((&mut run.value, &mut run.adjoint), (l, &mut run.others[0]), n);
            }),
        ])
        .at_most(LIMIT, HAND)
}

fn cholesky(inputs: &Inputs) -> Row<'_> {
    let Inputs { n, definite: a, .. } = inputs;
    type Gradient = (f64, Vec<f64>);
    let run = |name, gradient: fn(&[f64], usize) -> Gradient| {
        let numbers = |(_, g_a): &Gradient| g_a.clone();
        Contestant::new(name, Gradient::default(), move |found: &mut Gradient| *found = gradient(a, *n), numbers)
    };
    let function = |value: &mut f64| *value = plain::cholesky(a, *n);
    Row::new(format!("Cholesky decomposition, n = {n}"), 1)
        .with([
            Contestant::new(FUNCTION, 0.0, function, |value| vec![*value]),
            run(HAND, plain::cholesky_gradient),
            run(RETROGRAD, ours::cholesky::gradient),
        ])
        .at_most(LIMIT, HAND)
}
