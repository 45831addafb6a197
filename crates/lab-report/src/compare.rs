//! Two reports beside each other.

use std::fmt::Write;

use super::Report;
use super::findings::{Figure, Findings, NOTHING, Named, Unit, Verdict};

/// A figure that two reports have, or one of them.
struct Pair {
    what: String,
    before: Option<(Figure, Option<Verdict>)>,
    after: Option<(Figure, Option<Verdict>)>,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The figures beside each other, as text.
    pub text: String,
    /// How many claims held before and fail after.
    pub broken: usize,
}

/// Compares the claims and the numbers in tables of two reports.
///
/// Figures that are the same are only counted.
pub fn compare(before: &Report, after: &Report) -> Comparison {
    let mut text = String::new();
    // Writing into a string cannot fail, here and below.
    for (name, report) in [("A", before), ("B", after)] {
        let machine = &report.machine;
        let _ = writeln!(
            text,
            "{name}: {}, {} build, {}: {}",
            machine.processor, machine.build, machine.date, report.command
        );
    }
    let mut broken = 0;
    for name in names(before, after) {
        let [was, is] = [before, after].map(|report| {
            report.experiments.iter().find(|entry| entry.name == name).and_then(|entry| entry.findings())
        });
        let pairs =
            pairs(&was.map(Findings::figures).unwrap_or_default(), &is.map(Findings::figures).unwrap_or_default());
        let _ = writeln!(text, "\n{name}");
        if was.is_none() || is.is_none() {
            let _ = writeln!(text, "  found something {}", if was.is_none() { "in B only" } else { "in A only" });
            continue;
        }
        let (same, other): (Vec<&Pair>, Vec<&Pair>) = pairs.iter().partition(|pair| pair.before == pair.after);
        for pair in other {
            let verdict = |side: &Option<(Figure, Option<Verdict>)>| side.as_ref().and_then(|side| side.1);
            let breaks = (verdict(&pair.before), verdict(&pair.after)) == (Some(Verdict::Holds), Some(Verdict::Fails));
            broken += usize::from(breaks);
            let _ = writeln!(text, "{}{}", line(pair), if breaks { "  held, and FAILS" } else { "" });
        }
        let _ = writeln!(text, "  {} figures are the same", same.len());
    }
    Comparison { text, broken }
}

/// The experiments of both reports, in order, each once.
fn names(before: &Report, after: &Report) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for entry in before.experiments.iter().chain(&after.experiments) {
        if !names.contains(&entry.name) {
            names.push(entry.name.clone());
        }
    }
    names
}

/// Figures with the same name, in the order in which they come.
fn pairs(before: &[Named], after: &[Named]) -> Vec<Pair> {
    let mut left: Vec<Option<&Named>> = after.iter().map(Some).collect();
    let mut pairs = Vec::new();
    for Named { name, figure, verdict } in before {
        let partner =
            left.iter_mut().find(|other| other.is_some_and(|other| other.name == *name)).and_then(Option::take);
        pairs.push(Pair {
            what: name.clone(),
            before: Some((*figure, *verdict)),
            after: partner.map(|Named { figure, verdict, .. }| (*figure, *verdict)),
        });
    }
    let new = |Named { name, figure, verdict }: &Named| Pair {
        what: name.clone(),
        before: None,
        after: Some((*figure, *verdict)),
    };
    pairs.extend(left.into_iter().flatten().map(new));
    pairs
}

/// A figure in both reports, and how many times as large it became.
fn line(Pair { what, before, after }: &Pair) -> String {
    let shown =
        |side: &Option<(Figure, Option<Verdict>)>| side.map_or(NOTHING.to_string(), |(figure, _)| figure.to_string());
    let ratio = match (before, after) {
        (Some((before, _)), Some((after, _))) if before.value != 0.0 => {
            Figure { value: after.value / before.value, unit: Unit::Times }.to_string()
        }
        _ => String::new(),
    };
    format!("  {:>12} {:>12} {ratio:>10}  {what}", shown(before), shown(after))
}
