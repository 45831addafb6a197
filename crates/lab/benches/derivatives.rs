//! Derivatives against the clock: those experiments of the report that measure derivatives, in full size and with their tables.
//!
//! `cargo bench -p lab --bench derivatives` runs them, and other crates take part. `-- NAME` runs only the
//! experiments and programs whose names contain `NAME`; `-- --quick` takes less time.

use std::time::Instant;

use lab::experiments::{cost_law, derivatives, lanes};
use lab_report::findings::{Findings, Table, Verdict};
use lab_report::{Entry, Experiment, Failure, Machine, Report, Setting, Size, summary};

/// An experiment that can be run with some of its programs.
type Find = fn(&Setting, &str) -> Result<Findings, Failure>;

const ALL: [(Experiment, Find); 3] = [
    (derivatives::EXPERIMENT, derivatives::find),
    (lanes::EXPERIMENT, lanes::find),
    (cost_law::EXPERIMENT, cost_law::find),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |option: &str| arguments.iter().any(|argument| argument == option);
    let named = arguments.iter().find(|argument| !argument.starts_with('-')).map_or("", String::as_str);
    // `cargo bench` says `--bench`, and `cargo test` does not.
    let size = match (asked("--bench"), asked("--quick")) {
        (false, _) => Size::Small,
        (true, true) => Size::Quick,
        (true, false) => Size::Full,
    };
    let mut report = Report {
        machine: Machine::here(),
        command: format!("cargo bench -p lab --bench derivatives -- {named}"),
        size,
        planned: ALL.len(),
        experiments: Vec::new(),
    };
    for (experiment, find) in ALL {
        eprintln!("{}", experiment.title);
        let start = Instant::now();
        // An experiment that was asked for by its name runs with all of its programs.
        let programs = if experiment.name.contains(named) { "" } else { named };
        let outcome = find(&Setting::of_size(size), programs);
        report.experiments.push(Entry::new(&experiment, start.elapsed().as_secs_f64(), outcome));
    }
    print!("{}", summary(&report));
    let findings = || report.experiments.iter().filter_map(Entry::findings);
    for table in findings().flat_map(|findings| &findings.tables).filter(|table| !table.rows.is_empty()) {
        print!("\n{}", text(table));
    }
    for remark in findings().flat_map(|findings| &findings.remarks) {
        println!("\n{remark}");
    }
    let targets = || findings().flat_map(|findings| &findings.claims).filter(|claim| claim.timed);
    let met = targets().filter(|claim| claim.verdict() == Verdict::Holds).count();
    println!("\n{met} of {} targets met", targets().count());
}

/// A table for a terminal: the first column as wide as its cells, and numbers to the right.
fn text(table: &Table) -> String {
    let head = table.columns.clone();
    let rows = table.rows.iter().map(|row| row.iter().map(ToString::to_string).collect());
    let lines: Vec<Vec<String>> = [head].into_iter().chain(rows).collect();
    let width = |i: usize| lines.iter().map(|line| line[i].chars().count()).max().unwrap_or(0);
    let mut text = format!("{}\n", table.caption);
    for line in &lines {
        for (i, cell) in line.iter().enumerate() {
            let width = width(i);
            text += &if i == 0 { format!("{cell:width$}") } else { format!("  {cell:>width$}") };
        }
        text.push('\n');
    }
    text
}
