//! Time against space: how often steps are run, and how many states there are at once.

mod simulation;

use std::cell::Cell;

use retrograd::Slots;
use retrograd::schedule::{Action, Bennett, Counts, Memory, Revolve, Schedule, StoreAll, adjoint, differentiable};

use super::{Experiment, Failure, Setting};
use lab_corpus::programs::bennett::bennett;
use lab_report::findings::{Cell as TableCell, Claim, Figure, Findings, Table};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "time_against_space",
    title: "Time against space",
    about: "To go back through steps that cannot be undone, states are kept or computed again. Where memory can be erased, Revolve runs \
            the fewest steps; where it cannot, Bennett's schedule is what is left. Both are counted against their formulas, and timed on a wave.",
    run,
};

const TABLE: &str = "NiLang (embedded), Table 1";
const FIGURE: &str = "NiLang (embedded), Figure 1";

/// What was counted while a schedule was carried out.
struct Counted {
    /// How often a step was run.
    runs: u64,
    /// The most states at once.
    peak: usize,
    /// What arrived at the start.
    gradient: f64,
}

/// Carries a schedule out with the logistic map, and counts in the step itself.
fn count(schedule: &dyn Schedule) -> Counted {
    let runs = Cell::new(0);
    let mut step = differentiable(
        |_, x: &mut f64| {
            runs.set(runs.get() + 1);
            *x = 3.75 * *x * (1.0 - *x);
        },
        |_, x: &f64, by_x: &mut f64| *by_x *= 3.75 * (1.0 - 2.0 * x),
    );
    let mut states = Memory::limited(schedule.predicted().peak);
    let (gradient, counts) = adjoint(&mut step, schedule, 0.3, &mut states, |_| 1.0)
        .expect("there is room for all states that were predicted");
    Counted { runs: runs.get(), peak: counts.peak, gradient }
}

/// n + r·n − C(s + r, s + 1), with the least r for which C(s + r, s) is at least n.
fn formula_of_revolve(n: u64, s: u64) -> u64 {
    let (mut r, mut reached) = (0, 1);
    while reached < n {
        r += 1;
        reached = reached * (s + r) / r;
    }
    // C(s + r, s + 1) = C(s + r, s) · r / (s + 1)
    n + r * n - reached * r / (s + 1)
}

/// How many of all pairs of steps and snapshots do not have the counts of the formula, the snapshots, or the gradient.
fn revolve_against_formula(steps: usize, snapshots: usize) -> (usize, [usize; 3]) {
    let (mut pairs, mut wrong) = (0, [0; 3]);
    for n in 1..=steps {
        let exact = count(&StoreAll::new(n)).gradient;
        for s in 1..=snapshots {
            let counted = count(&Revolve::new(n, s).expect("there is a snapshot"));
            pairs += 1;
            wrong[0] += usize::from(counted.runs != formula_of_revolve(n as u64, s as u64));
            wrong[1] += usize::from(counted.peak > s);
            wrong[2] += usize::from(counted.gradient != exact);
        }
    }
    (pairs, wrong)
}

/// Bennett's recursion as a reversible program, beside its formulas.
fn bennett_against_formula(most: usize) -> (Table, [usize; 2]) {
    let mut table = Table::new(
        "Bennett's recursion as a reversible program: kᵐ steps in k parts.",
        ["parts k", "levels m", "steps", "calls", "(2k − 1)ᵐ", "states at once", "m(k − 1) + 2"],
    );
    let mut wrong = [0; 2];
    for k in [2_usize, 3, 4, 6, 10] {
        for m in (1..).take_while(|&m| k.pow(m) <= most) {
            let (n, formula) = (k.pow(m), ((2 * k - 1).pow(m), m as usize * (k - 1) + 2));
            let (mut states, mut calls) = (Slots::from_iter([(0, 0.3)]), 0);
            bennett(&mut states, k, 0, n, &mut calls);
            wrong[0] += usize::from(calls != formula.0);
            wrong[1] += usize::from(states.peak() != formula.1);
            let counts = [n, calls, formula.0, states.peak(), formula.1].map(|count| Figure::count(count).into());
            table.row([k.to_string(), m.to_string()].map(TableCell::from).into_iter().chain(counts));
        }
    }
    (table, wrong)
}

/// The rows of the paper's table, with numbers for one number of steps.
fn table_of_paper(n: usize) -> Table {
    let mut table = Table::new(
        format!("The table of the paper for {} steps, with the constants that it leaves out.", Figure::count(n)),
        ["way", "the paper: time", "steps that are run, over all", "the paper: space", "states at once"],
    );
    let logarithm = n.ilog2() as usize;
    let schedules: [(&str, &str, &str, Box<dyn Schedule>); 4] = [
        ("checkpoints, most memory", "O(T)", "O(ST)", Box::new(StoreAll::new(n))),
        ("checkpoints, least memory", "O(T²)", "O(S)", Box::new(Revolve::new(n, 1).expect("there is a snapshot"))),
        (
            "checkpoints, a logarithm of both",
            "O(T log T)",
            "O(S log T)",
            Box::new(Revolve::new(n, logarithm).expect("there are snapshots")),
        ),
        (
            "reverse computing, least memory",
            "O(T^1.585)",
            "O(S log T)",
            Box::new(Bennett::new(n, 2).expect("there are two parts")),
        ),
    ];
    for (way, time, space, schedule) in schedules {
        let Counts { peak, .. } = schedule.predicted();
        let over = Figure::times(schedule.predicted().steps() as f64 / n as f64);
        table.row([way.into(), time.into(), over.into(), space.into(), Figure::count(peak).into()]);
    }
    table
}

/// How a schedule moves through the states: a line for each stretch that is run, over the steps that were run before.
fn path(schedule: &dyn Schedule) -> [Vec<(f64, f64)>; 3] {
    let mut now = 0.0;
    let [mut forward, mut cleared, mut back] = [const { Vec::new() }; 3];
    for action in schedule.actions() {
        let (line, from, to): (&mut Vec<_>, usize, usize) = match action {
            Action::Forward { from, to } => (&mut forward, from, to),
            Action::Uncompute { step } => (&mut cleared, step + 1, step),
            Action::Adjoint { step } => (&mut back, step + 1, step),
            _ => continue,
        };
        let length = from.abs_diff(to) as f64;
        line.extend([(now, from as f64), (now + length, to as f64)]);
        now += length;
    }
    [forward, cleared, back]
}

/// The figure of the paper: who computes what, and when.
fn figure_of_paper(name: &str, schedule: &dyn Schedule) -> Plot {
    let labels = ["run", "run again to clear a state", "taken back"];
    let series = labels.into_iter().zip(path(schedule)).filter(|(_, ends)| !ends.is_empty());
    Plot::new(
        format!("{name}: where it is in {} steps, against the steps that it has run.", schedule.steps()),
        Axis::linear("steps that were run"),
        Axis::linear("state"),
        series.map(|(label, ends)| Series::new(label, Style::Segments, ends)).collect(),
    )
}

/// Steps against states, for both schedules.
fn curves(n: usize) -> Plot {
    let over = |counts: Counts| (counts.peak as f64, counts.steps() as f64 / n as f64);
    let many: Vec<usize> = super::steps(2, n / 2, 8);
    let revolve = many.iter().map(|&s| over(Revolve::new(n, s).expect("there are snapshots").predicted()));
    let mut bennett: Vec<(f64, f64)> =
        many.iter().map(|&k| over(Bennett::new(n, k).expect("there are parts").predicted())).collect();
    bennett.sort_by(|a, b| a.0.total_cmp(&b.0));
    Plot::new(
        format!("Steps against states: the way back through {} steps.", Figure::count(n)),
        Axis::logarithmic("states at once"),
        Axis::logarithmic("steps that are run, over all"),
        vec![Series::new("Revolve", Style::Line, revolve), Series::new("Bennett", Style::Marks, bennett)],
    )
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (steps, snapshots, most, long) =
        setting.size.pick((20, 5, 100, 256), (60, 12, 1_000, 4_096), (200, 20, 10_000, 65_536));
    let (pairs, wrong) = revolve_against_formula(steps, snapshots);
    setting.progress.done(1, 3)?;
    let (bennett_table, bennett_wrong) = bennett_against_formula(most);
    setting.progress.done(2, 3)?;
    let simulation = simulation::measure(setting.size);

    let none = |text: String, wrong: usize| Claim::exactly(text, Figure::count(wrong), 0.0);
    let of_pairs = format!("of {} pairs of n ≤ {steps} and s ≤ {snapshots}", Figure::count(pairs));
    let mut claims = vec![
        none(format!("Revolve: {of_pairs}, those with other counts of steps than n + r·n − C(s + r, s + 1)"), wrong[0])
            .paper("η(τ, δ) = (τ + δ)! / τ! δ!", FIGURE),
        none(format!("Revolve: {of_pairs}, those with more than s states at once"), wrong[1]),
        none(format!("Revolve: {of_pairs}, those with another gradient than by keeping all"), wrong[2]),
        none("Bennett: rows with other counts of calls than (2k − 1)ᵐ".to_string(), bennett_wrong[0])
            .paper("O(T^1.585) for k = 2", TABLE),
        none("Bennett: rows with other numbers of states than m(k − 1) + 2".to_string(), bennett_wrong[1])
            .paper("O(S log(T/S))", TABLE),
    ];
    claims.extend(simulation.claims());
    Ok(Findings {
        claims,
        plots: vec![
            figure_of_paper("Revolve with 4 snapshots", &Revolve::new(32, 4).expect("there are snapshots")),
            figure_of_paper("Bennett with 2 parts", &Bennett::new(32, 2).expect("there are two parts")),
            curves(long),
            simulation.plot(),
            simulation.clock(),
        ],
        tables: vec![table_of_paper(long), bennett_table, simulation.table()],
        remarks: vec![
            "Steps that are run are counted in the step itself, states by the store that keeps them. Revolve counts the first state among its \
             snapshots."
                .to_string(),
            "Bennett's schedule goes there and back: it needs as many calls for either, and carries the adjoint through each step once."
                .to_string(),
        ],
        ..Findings::default()
    })
}
