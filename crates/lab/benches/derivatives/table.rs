//! The table: what was measured, and which targets were met.

use lab::measure::{Effort, Time, Timing, measure};
use retrograd::lanes::Instructions;

use crate::measure::{Column, Contestant};

/// The columns of the table, in order.
pub(crate) const COLUMNS: &[Column] = &[
    Column::Objective,
    Column::Hand,
    Column::Ours,
    Column::Peer("num-dual"),
    Column::Peer("echidna"),
    Column::Peer("easy-ml"),
];

/// The columns of the table of derivatives in lanes.
pub(crate) const IN_LANES: &[Column] = &[
    Column::Ours,
    Column::Lanes(Instructions::Baseline),
    Column::Lanes(Instructions::Avx2),
    Column::Lanes(Instructions::Avx512),
];

/// A promise about a column.
#[derive(Clone, Copy, Debug)]
struct Target {
    of: Column,
    at_most: Limit,
}

/// How long something may take.
#[derive(Clone, Copy, Debug)]
enum Limit {
    /// So many times as long as something else.
    Times(f64, Column),
    /// So many seconds.
    Seconds(f64),
}

/// A line of the table.
pub(crate) struct Row<'a> {
    /// The columns of its table.
    columns: &'static [Column],
    /// What is computed.
    name: String,
    /// How many equal parts the computation has; times are for one of them.
    parts: usize,
    /// Who computes it.
    contestants: Vec<Contestant<'a>>,
    /// What is promised.
    targets: Vec<Target>,
}

/// A line of the table with its times.
pub(crate) struct Measured {
    columns: &'static [Column],
    name: String,
    cells: Vec<(Column, Timing)>,
    targets: Vec<Target>,
}

impl<'a> Row<'a> {
    /// A line in which nobody takes part yet.
    pub(crate) fn new(name: impl Into<String>, parts: usize) -> Row<'a> {
        Row { columns: COLUMNS, name: name.into(), parts, contestants: Vec::new(), targets: Vec::new() }
    }

    /// A line of the table of derivatives in lanes.
    pub(crate) fn in_lanes(name: impl Into<String>, parts: usize) -> Row<'a> {
        Row { columns: IN_LANES, ..Row::new(name, parts) }
    }

    /// Adds whoever takes part.
    pub(crate) fn with(mut self, contestants: impl IntoIterator<Item = Contestant<'a>>) -> Row<'a> {
        self.contestants.extend(contestants);
        self
    }

    /// Adds a promise about our derivative.
    pub(crate) fn at_most(mut self, times: f64, against: Column) -> Row<'a> {
        self.targets.push(Target { of: Column::Ours, at_most: Limit::Times(times, against) });
        self
    }

    /// Adds a promise about these instructions, where the machine has them: so many times as fast as without lanes.
    pub(crate) fn faster(self, instructions: Instructions, times: f64) -> Row<'a> {
        self.promise(instructions, Limit::Times(1.0 / times, Column::Ours))
    }

    /// Adds a promise about these instructions, where the machine has them: at most so many seconds.
    pub(crate) fn within(self, instructions: Instructions, seconds: f64) -> Row<'a> {
        self.promise(instructions, Limit::Seconds(seconds))
    }

    fn promise(mut self, instructions: Instructions, at_most: Limit) -> Row<'a> {
        if instructions.are_available() {
            self.targets.push(Target { of: Column::Lanes(instructions), at_most });
        }
        self
    }

    /// Checks that all derivatives of the row agree, and measures.
    pub(crate) fn measure(mut self, effort: Effort) -> Measured {
        let mut expected: Option<(Column, Vec<f64>)> = None;
        for contestant in self.contestants.iter_mut().filter(|contestant| contestant.column != Column::Objective) {
            let found = contestant.run.result();
            match &expected {
                None => expected = Some((contestant.column, found)),
                Some((by, expected)) => {
                    if let Some(difference) = disagreement(expected, &found) {
                        panic!("{}: {by:?} and {:?} disagree: {difference}", self.name, contestant.column);
                    }
                }
            }
        }
        let timings = measure(&mut self.contestants, effort);
        let part = |(contestant, timing): (&Contestant, Timing)| (contestant.column, timing.part(self.parts));
        let cells = self.contestants.iter().zip(timings).map(part).collect();
        Measured { columns: self.columns, name: self.name, cells, targets: self.targets }
    }
}

/// Where two results differ by more than rounding.
fn disagreement(expected: &[f64], found: &[f64]) -> Option<String> {
    if expected.len() != found.len() {
        return Some(format!("{} numbers and {}", expected.len(), found.len()));
    }
    let scale = expected.iter().fold(1e-300, |scale: f64, x| scale.max(x.abs()));
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (a.abs() + 1e-3 * scale);
    let place = expected.iter().zip(found).position(|(&a, &b)| !same(a, b))?;
    Some(format!("{} and {} at {place}", expected[place], found[place]))
}

impl Measured {
    fn timing(&self, column: Column) -> Option<&Timing> {
        self.cells.iter().find(|cell| cell.0 == column).map(|cell| &cell.1)
    }

    /// How many times as long as another column one takes.
    fn ratio(&self, column: Column, other: Column) -> Option<f64> {
        Some(self.timing(column)?.ratio(self.timing(other)?))
    }

    /// What became of the promises, or `None` while our derivative does not exist.
    fn verdicts(&self) -> Vec<(String, Option<bool>)> {
        let promised = self.targets.iter().map(|&Target { of, at_most }| {
            let whose = if of == Column::Ours { String::new() } else { format!("{}: ", name(of)) };
            match at_most {
                Limit::Times(times, against) => {
                    let limit = format!("<= {times:.2} x {}", name(against));
                    match self.ratio(of, against) {
                        None => (whose + &limit, None),
                        Some(ratio) => (format!("{whose}{ratio:.2} {limit}"), Some(ratio <= times)),
                    }
                }
                Limit::Seconds(seconds) => {
                    let limit = format!("<= {}", Time(seconds));
                    match self.timing(of).map(Timing::minimum) {
                        None => (whose + &limit, None),
                        Some(time) => (format!("{whose}{} {limit}", Time(time)), Some(time <= seconds)),
                    }
                }
            }
        });
        let peers = self.columns.iter().filter(|column| matches!(column, Column::Peer(_))).filter_map(|&peer| {
            let ratio = self.ratio(Column::Ours, peer)?;
            Some((format!("{:.1} x faster than {}", 1.0 / ratio, name(peer)), Some(ratio < 1.0)))
        });
        promised.chain(peers).collect()
    }
}

/// A column as it is called.
fn name(column: Column) -> &'static str {
    match column {
        Column::Objective => "objective",
        Column::Hand => "by hand",
        Column::Ours => "ours",
        Column::Lanes(Instructions::Baseline) => "baseline",
        Column::Lanes(Instructions::Avx2) => "AVX2",
        Column::Lanes(Instructions::Avx512) => "AVX-512",
        Column::Lanes(_) => "other lanes",
        Column::Peer(name) => name,
    }
}

/// Says how to read the tables.
pub(crate) fn introduction() {
    println!(
        "Times are those of the fastest round, and below them of the one in the middle. Ratios are from the quieter"
    );
    println!("half of rounds; in each round, the contestants run right after one another.");
}

/// Prints the head of a table.
pub(crate) fn head(columns: &[Column]) {
    print!("\n{:38}", "");
    for &column in columns {
        print!("{:>11}", name(column));
    }
    println!("{}", if columns.contains(&Column::Hand) { "  hand/obj." } else { "" });
}

impl Measured {
    /// Prints the line, and below it what became of the promises.
    pub(crate) fn print(&self) {
        for middle in [false, true] {
            print!("{:38}", if middle { "" } else { &self.name });
            for &column in self.columns {
                match self.timing(column) {
                    None => print!("{:>11}", if middle { "" } else { "-" }),
                    Some(timing) => print!("{:>11}", Time(if middle { timing.median() } else { timing.minimum() })),
                }
            }
            match self.ratio(Column::Hand, Column::Objective) {
                Some(ratio) if !middle => println!("  {ratio:>9.2}"),
                _ => println!(),
            }
        }
        for (text, verdict) in self.verdicts() {
            let verdict = match verdict {
                None => "-",
                Some(true) => "met",
                Some(false) => "MISSED",
            };
            println!("    {verdict:8}{text}");
        }
    }

    /// How many promises were met, and how many there are.
    pub(crate) fn score(&self) -> (usize, usize) {
        let verdicts = self.verdicts();
        (verdicts.iter().filter(|verdict| verdict.1 == Some(true)).count(), verdicts.len())
    }
}
