//! What a pullback costs: one sweep backwards, and one run forwards for each level of nesting.

use std::hint::black_box;

use super::derivatives::contest::{Contest, FUNCTION, RETROGRAD, Row};
use super::{Experiment, Failure, Setting};
use lab_corpus::nesting::{BLOCKS, FUNCTIONS, Nested, calls, pulled, recursion};
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::measure::Contestant;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "cost_law",
    title: "What nesting costs",
    about: "Programs that do all their work in the innermost of several levels: the cost of a pullback grows linearly with the \
            depth, never exponentially.",
    run: |setting| find(setting, ""),
};

/// A program of so many levels against its pullback: on the clock, where it takes at most `most` times as long, and in calls of
/// what takes the time.
fn program<'a>(
    label: String,
    depth: usize,
    most: f64,
    run: impl Fn(f64) -> f64 + 'a,
    pullback: impl Fn(f64) -> (f64, f64) + 'a,
) -> Row<'a> {
    let price = calls(|| pullback(2.0)) as f64 / calls(|| run(2.0)) as f64;
    let text = format!("{label}: calls of the innermost level, {RETROGRAD} over {FUNCTION}");
    let counted = Claim::exactly(text, Figure::times(price), depth as f64 + 1.0);
    let function = Contestant::new(FUNCTION, 0.0, move |y| *y = run(black_box(2.0)), |y: &f64| vec![*y]);
    let retrograd = Contestant::new(RETROGRAD, 0.0, move |g| *g = pullback(black_box(2.0)).1, |g: &f64| vec![*g]);
    Row::new(label, 1).with([function, retrograd]).at_most(most, FUNCTION).claim(counted)
}

/// The experiment, if the name of its programs, `nesting`, contains `named`.
///
/// # Errors
///
/// [`Failure::Stopped`] if it was.
pub fn find(setting: &Setting, named: &str) -> Result<Findings, Failure> {
    let nested = |kind: &str, programs: &[Nested]| {
        let one = |&Nested { depth, run, pullback }: &Nested| {
            program(format!("{kind}, depth {depth}"), depth, depth as f64 + 1.5, run, pullback)
        };
        programs.iter().map(one).collect::<Vec<_>>()
    };
    let recursive = [1, 4, 16, 64].map(|depth| {
        let pullback = move |x| pulled(|slope| recursion::pullback((x, slope), depth, 1.0));
        // A run of depth 0 is a call too.
        let most = depth as f64 + 2.5;
        program(format!("recursion, depth {depth}"), depth, most, move |x| recursion(x, depth), pullback)
    });
    let kinds = [nested("functions", FUNCTIONS), nested("blocks", BLOCKS), recursive.into()];
    let mut contest = Contest::new(setting, named, kinds.len(), "Pullbacks by depth.", &[FUNCTION, RETROGRAD]);
    for programs in kinds {
        contest.measure("nesting", || programs)?;
    }
    let mut findings = contest.findings();
    let table = ratios(&findings);
    findings.tables.extend(table);
    Ok(findings)
}

/// How many times as long as its program a pullback takes, by depth; nothing if nothing was measured.
fn ratios(findings: &Findings) -> Option<Table> {
    let ratio = |kind: &str, depth: usize| {
        let text = format!("{kind}, depth {depth}: {RETROGRAD} over {FUNCTION}");
        findings.claims.iter().find(|claim| claim.text == text).map(|claim| claim.ours)
    };
    let depths: Vec<usize> = (1..).take_while(|&depth| ratio("functions", depth).is_some()).collect();
    let rows = [("functions that call one another", "functions"), ("loops in loops, an ancilla in each", "blocks")];
    let rows = rows.map(|(name, kind)| {
        let cells = depths.iter().map(|&depth| ratio(kind, depth).unwrap_or(Figure::times(f64::NAN)).into());
        [Cell::from(name)].into_iter().chain(cells).collect()
    });
    (!depths.is_empty()).then(|| Table {
        caption: "How many times as long as the program its pullback takes, by depth.".to_string(),
        columns: ["depth".to_string()].into_iter().chain(depths.iter().map(usize::to_string)).collect(),
        rows: rows.to_vec(),
    })
}
