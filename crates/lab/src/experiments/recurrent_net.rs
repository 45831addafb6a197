//! A recurrent net that learns from a long signal, in little memory.

use argmin::core::{CostFunction, Executor, Gradient};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use retrograd::Record;

use super::{Experiment, Failure, Setting, steps};
use lab_corpus::programs::recurrent::{Lesson, checkpointed, recorded};
use lab_corpus::yardsticks::recurrent as plain;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table, Unit};
use lab_report::measure::{Race, difference, largest};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "recurrent_net",
    title: "A recurrent net, and ten thousand steps",
    about: "A net listens to a signal and guesses how it goes on. It forgets, so that its gradient has to keep what it forgot, or run \
            steps again: with a few snapshots, memory does not grow with the length of the signal.",
    run,
};

/// How many numbers the net remembers.
const UNITS: usize = 8;
/// How many states are kept.
const SNAPSHOTS: usize = 20;

/// The gradient and the bytes that were kept for it, with everything kept and with a few states.
fn gradients(lesson: &Lesson) -> [(Vec<f64>, usize); 2] {
    let Lesson { weights, signal } = lesson;
    let (mut all, mut few) = (Record::new(), Record::new());
    let (_, kept): (f64, Vec<f64>) = recorded::gradient_in(&mut all, weights, signal, UNITS);
    let (_, repeated) = checkpointed::gradient_in(&mut few, weights, signal, UNITS, SNAPSHOTS);
    [(kept, all.peak_bytes()), (repeated, few.peak_bytes())]
}

/// What an optimiser is given.
struct Problem<'a>(&'a [f64]);

impl CostFunction for Problem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, weights: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(checkpointed(weights, self.0, UNITS, SNAPSHOTS))
    }
}

impl Gradient for Problem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, weights: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        Ok(checkpointed::gradient(weights, self.0, UNITS, SNAPSHOTS).1)
    }
}

/// The loss after so many iterations of L-BFGS.
fn train(lesson: &Lesson, iterations: u64) -> f64 {
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7);
    let trained = Executor::new(Problem(&lesson.signal), solver)
        .configure(|state| state.param(lesson.weights.clone()).max_iters(iterations))
        .run()
        .expect("the loss has derivatives everywhere");
    trained.state().get_best_cost()
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (most, iterations) = setting.size.pick((300, 3), (10_000, 8), (10_000, 40));
    let lengths = steps(10, most, 2);
    let mut found = Vec::new();
    for (done, &length) in lengths.iter().enumerate() {
        found.push(gradients(&Lesson::new(UNITS, length)));
        setting.progress.done(done, lengths.len() + 2)?;
    }
    let worst = found.iter().map(|[(kept, _), (repeated, _)]| difference(kept, repeated) / largest(kept));
    let worst = worst.fold(0.0, lab_report::measure::worse);
    let peaks =
        |way: usize| lengths.iter().zip(&found).map(move |(&length, found)| (length as f64, found[way].1 as f64));
    let (all, few): (Vec<_>, Vec<_>) = (peaks(0).collect(), peaks(1).collect());
    let last = lengths.len() - 1;
    let enough = lengths.iter().position(|&length| length > 2 * SNAPSHOTS).expect("the last one is longer");

    let lesson = Lesson::new(UNITS, most);
    let Lesson { weights, signal } = &lesson;
    let results = Race::new()
        .with("loss", 0.0, |loss| *loss = plain::loss(weights, signal, UNITS), |loss| vec![*loss])
        .with("loss of the program", 0.0, |loss| *loss = recorded(weights, signal, UNITS), |loss| vec![*loss])
        .with("recorded", Vec::new(), |g| *g = recorded::gradient(weights, signal, UNITS).1, Vec::clone)
        .with(
            "with 20 snapshots",
            Vec::new(),
            |g| *g = checkpointed::gradient(weights, signal, UNITS, SNAPSHOTS).1,
            Vec::clone,
        )
        .run(setting.size.effort());
    setting.progress.done(lengths.len() + 1, lengths.len() + 2)?;
    let (before, after) = (results.found("loss")[0], train(&lesson, iterations));

    let mut table = Table::new(
        "Memory of a gradient against the length of the signal.",
        ["steps", "everything kept", "20 snapshots"],
    );
    for (all, few) in all.iter().zip(&few) {
        let bytes = [all.1, few.1].map(|bytes| Cell::from(Figure::bytes(bytes as u64)));
        table.row([Cell::from(Figure::count(all.0 as usize).to_string())].into_iter().chain(bytes));
    }
    Ok(Findings {
        claims: vec![
            Claim::at_most(
                "largest difference of gradients, recorded and with 20 snapshots",
                Figure::plain(worst),
                1e-10,
            ),
            Claim::at_most(
                "difference of the loss from that in plain Rust",
                Figure::plain(results.difference("loss", "loss of the program")),
                1e-12,
            ),
            Claim::exactly(
                format!(
                    "extra bytes for {} steps with 20 snapshots, compared with {}",
                    Figure::count(most),
                    lengths[enough]
                ),
                Figure { value: few[last].1 - few[enough].1, unit: Unit::Bytes },
                0.0,
            ),
            Claim::at_most(
                format!("loss after {iterations} iterations, as a part of that before"),
                Figure::plain(after / before),
                setting.size.pick(0.8, 0.2, 0.05),
            ),
        ],
        plots: vec![Plot::new(
            "Memory of a gradient through a recurrent net.",
            Axis::logarithmic("steps"),
            Axis::logarithmic("bytes that are kept"),
            vec![Series::new("everything kept", Style::Dashed, all), Series::new("20 snapshots", Style::Line, few)],
        )],
        tables: vec![table, super::times(format!("Gradients through {most} steps."), &results)],
        remarks: vec![format!(
            "The net remembers {UNITS} numbers, and has {} weights: angles of rotations, and what goes in and out.",
            weights.len()
        )],
        ..Findings::default()
    })
}
