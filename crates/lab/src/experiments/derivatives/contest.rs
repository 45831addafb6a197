//! Derivatives against the clock: whoever computes the same takes turns, and what comes out are rows of a table and claims.

use crate::experiments::{Failure, Setting};
use lab_report::findings::{Cell, Claim, Figure, Findings, NOTHING, Table};
use lab_report::measure::{Contestant, Race, Results, Timing, worse};

/// The function itself, without derivatives, in plain Rust.
pub(crate) const FUNCTION: &str = "function";
/// The derivative that was written by hand.
pub(crate) const HAND: &str = "by hand";
/// The derivative that retrograd made.
pub(crate) const RETROGRAD: &str = "retrograd";
/// A crate that carries tangents.
pub(crate) const NUM_DUAL: &str = "num-dual";
/// A crate with tapes and tangents.
pub(crate) const ECHIDNA: &str = "echidna";
/// The tapes of that crate, where it could carry tangents.
pub(crate) const ECHIDNA_BY_TAPE: &str = "echidna, by tape";
/// A crate with tapes.
pub(crate) const EASY_ML: &str = "easy-ml";

/// A promise about the time of somebody.
#[derive(Clone, Copy, Debug)]
enum Promise {
    /// At most so many times as long as somebody else.
    Slower(f64, &'static str),
    /// At least so many times as fast as somebody else.
    Faster(f64, &'static str),
    /// At most so many seconds.
    Within(f64),
}

/// A program: a row of the table.
pub(crate) struct Row<'a> {
    /// What is computed.
    label: String,
    /// How many equal parts the computation has; times are for one of them.
    parts: usize,
    /// Who computes it.
    race: Race<'a>,
    /// What is promised, and about whom.
    promises: Vec<(&'static str, Promise)>,
    /// What else is known of it.
    claims: Vec<Claim>,
}

impl<'a> Row<'a> {
    /// A row in which nobody takes part yet.
    pub(crate) fn new(label: impl Into<String>, parts: usize) -> Row<'a> {
        Row { label: label.into(), parts, race: Race::new(), promises: Vec::new(), claims: Vec::new() }
    }

    /// Adds whoever takes part. What they find is compared with the first that is not the function itself.
    pub(crate) fn with(self, contestants: impl IntoIterator<Item = Contestant<'a>>) -> Row<'a> {
        Row { race: self.race.join(contestants), ..self }
    }

    /// Adds others, and promises that the derivative of retrograd is faster than theirs.
    pub(crate) fn against(mut self, peers: Vec<Contestant<'a>>) -> Row<'a> {
        self.promises.extend(peers.iter().map(|peer| (RETROGRAD, Promise::Faster(1.0, peer.name))));
        self.with(peers)
    }

    /// Promises that the derivative of retrograd takes at most so many times as long as `other`.
    pub(crate) fn at_most(self, times: f64, other: &'static str) -> Row<'a> {
        self.promise(RETROGRAD, Promise::Slower(times, other))
    }

    /// Promises that `name` is so many times as fast as `other`.
    pub(crate) fn faster(self, name: &'static str, times: f64, other: &'static str) -> Row<'a> {
        self.promise(name, Promise::Faster(times, other))
    }

    /// Promises that `name` takes at most so many seconds.
    pub(crate) fn within(self, name: &'static str, seconds: f64) -> Row<'a> {
        self.promise(name, Promise::Within(seconds))
    }

    /// Adds a claim that does not come from the clock.
    pub(crate) fn claim(mut self, claim: Claim) -> Row<'a> {
        self.claims.push(claim);
        self
    }

    fn promise(mut self, name: &'static str, promise: Promise) -> Row<'a> {
        self.promises.push((name, promise));
        self
    }
}

/// The times of somebody, who may have taken no part.
fn timing<'r>(results: &'r Results, name: &str) -> Option<&'r Timing> {
    results.timings().find(|(who, _)| *who == name).map(|(_, timing)| timing)
}

/// How far results are apart: relative to each number, or to a thousandth of the largest where that is more. Results of
/// different lengths cannot be compared.
fn difference(expected: &[f64], found: &[f64]) -> f64 {
    if expected.len() != found.len() {
        return f64::NAN;
    }
    let scale = expected.iter().fold(1e-300, |scale: f64, x| scale.max(x.abs()));
    let apart = |(a, b): (&f64, &f64)| (a - b).abs() / (a.abs() + 1e-3 * scale);
    expected.iter().zip(found).map(apart).fold(0.0, worse)
}

/// Rows that are measured one after the other.
pub(crate) struct Contest<'a> {
    setting: &'a Setting<'a>,
    /// What the names of programs should contain.
    named: &'a str,
    /// How many programs are done, and how many there are.
    programs: (usize, usize),
    /// Who stands in the table.
    columns: &'static [&'static str],
    fastest: Table,
    middle: Table,
    claims: Vec<Claim>,
}

impl<'a> Contest<'a> {
    /// A contest of so many programs, of which those are measured whose names contain `named`.
    pub(crate) fn new(
        setting: &'a Setting<'a>,
        named: &'a str,
        programs: usize,
        caption: &str,
        columns: &'static [&'static str],
    ) -> Contest<'a> {
        let table = |round: &str, suffix: &str| Table {
            caption: format!("{caption} {round}."),
            columns: ["program".into()].into_iter().chain(columns.iter().map(|who| format!("{who}{suffix}"))).collect(),
            rows: Vec::new(),
        };
        Contest {
            setting,
            named,
            programs: (0, programs),
            columns,
            fastest: table("Times of the fastest round", ""),
            middle: table("Median times", " (median)"),
            claims: Vec::new(),
        }
    }

    /// Measures the rows of a program, unless it was not asked for.
    pub(crate) fn measure<'r>(&mut self, program: &str, rows: impl FnOnce() -> Vec<Row<'r>>) -> Result<(), Failure> {
        let rows = if program.contains(self.named) { rows() } else { Vec::new() };
        for row in rows {
            self.row(row);
            self.setting.progress.done(self.programs.0, self.programs.1)?;
        }
        self.programs.0 += 1;
        self.setting.progress.done(self.programs.0, self.programs.1)
    }

    fn row(&mut self, row: Row) {
        let Row { label, parts, race, promises, claims } = row;
        self.claims.extend(claims);
        let results = race.run(self.setting.size.effort());
        for (table, time) in
            [(&mut self.fastest, Timing::minimum as fn(&Timing) -> f64), (&mut self.middle, Timing::median)]
        {
            let cells = self.columns.iter().map(|who| match timing(&results, who) {
                Some(timing) => Figure::seconds(time(timing) / parts as f64).into(),
                None => Cell::from(NOTHING),
            });
            table.row([Cell::from(label.clone())].into_iter().chain(cells));
        }
        let mut derivatives = results.timings().filter(|(who, _)| *who != FUNCTION).map(|(who, _)| results.found(who));
        if let Some(expected) = derivatives.next() {
            let differences: Vec<f64> = derivatives.map(|found| difference(expected, found)).collect();
            if let Some(most) = differences.into_iter().max_by(f64::total_cmp) {
                let text = format!("{label}: largest difference of derivatives");
                self.claims.push(Claim::at_most(text, Figure::plain(most), 1e-9));
            }
        }
        // Nothing is promised about who took no part.
        self.claims.extend(promises.into_iter().filter_map(|(who, promise)| {
            let whose = timing(&results, who)?;
            Some(match promise {
                Promise::Slower(times, other) => {
                    let ratio = Figure::times(whose.ratio(timing(&results, other)?));
                    Claim::at_most(format!("{label}: {who} over {other}"), ratio, times).timed()
                }
                Promise::Faster(times, other) => {
                    let ratio = Figure::times(1.0 / whose.ratio(timing(&results, other)?));
                    Claim::at_least(format!("{label}: {who}, times as fast as {other}"), ratio, times).timed()
                }
                Promise::Within(seconds) => {
                    let time = Figure::seconds(whose.minimum() / parts as f64);
                    Claim::at_most(format!("{label}: time of {who}"), time, seconds)
                }
            })
        }));
    }

    /// What was found.
    pub(crate) fn findings(self) -> Findings {
        Findings { claims: self.claims, tables: vec![self.fastest, self.middle], ..Findings::default() }
    }
}
