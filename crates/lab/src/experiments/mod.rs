//! One experiment per file, named by what it shows, and the list of all.
//!
//! An experiment is a file with an `EXPERIMENT` and a line in [`ALL`]; the report, the command line and the tests go
//! through that list.

use std::fs;
use std::path::{Path, PathBuf};

use lab_corpus::yardsticks::adbench::Malformed;
use lab_report::findings::{Cell, Claim, Figure, NOTHING, Table};
use lab_report::measure::{Results, Timing, worse};
use lab_report::{Experiment, Failure, Setting, Size};
use retrograd::inverse::Modes;

pub mod bessel_function;
pub mod bit_exact_return;
pub mod bundle_adjustment;
pub mod cost_law;
pub mod coupling_layers;
pub mod decompositions;
pub mod dense_loops;
pub mod derivatives;
pub mod energy;
pub mod gaussian_mixture;
pub mod granularity;
pub mod graph_embedding;
pub mod hand_tracking;
pub mod inverse_products;
pub mod lanes;
pub mod learning_backwards;
pub mod learning_by_consistency;
pub mod losing_information;
pub mod lstm;
pub mod lumps;
pub mod memory;
pub mod newton;
pub mod passes;
pub mod power_function;
pub mod recurrent_net;
pub mod round_off;
pub mod sparse_product;
pub mod spin_glass;
pub mod time_against_space;
pub mod waveform_inversion;

/// Every experiment, in the order of the report.
pub const ALL: &[Experiment] = &[
    round_off::EXPERIMENT,
    bit_exact_return::EXPERIMENT,
    power_function::EXPERIMENT,
    spin_glass::EXPERIMENT,
    learning_backwards::EXPERIMENT,
    energy::EXPERIMENT,
    memory::EXPERIMENT,
    bessel_function::EXPERIMENT,
    sparse_product::EXPERIMENT,
    graph_embedding::EXPERIMENT,
    gaussian_mixture::EXPERIMENT,
    bundle_adjustment::EXPERIMENT,
    lstm::EXPERIMENT,
    hand_tracking::EXPERIMENT,
    decompositions::EXPERIMENT,
    learning_by_consistency::EXPERIMENT,
    coupling_layers::EXPERIMENT,
    granularity::EXPERIMENT,
    passes::EXPERIMENT,
    derivatives::EXPERIMENT,
    dense_loops::EXPERIMENT,
    lanes::EXPERIMENT,
    cost_law::EXPERIMENT,
    losing_information::EXPERIMENT,
    inverse_products::EXPERIMENT,
    lumps::EXPERIMENT,
    newton::EXPERIMENT,
    time_against_space::EXPERIMENT,
    waveform_inversion::EXPERIMENT,
    recurrent_net::EXPERIMENT,
];

/// Numbers of steps from `first` to `last`, about `per_decade` in each power of ten.
///
/// ```
/// use lab::experiments::steps;
///
/// assert_eq!(steps(10, 1000, 2), [10, 32, 100, 316, 1000]);
/// ```
pub fn steps(first: usize, last: usize, per_decade: u32) -> Vec<usize> {
    let (low, high) = ((first as f64).log10(), (last as f64).log10());
    let parts = ((high - low) * f64::from(per_decade)).round().max(1.0);
    let mut steps: Vec<usize> =
        (0..=parts as u32).map(|i| 10_f64.powf(low + (high - low) * f64::from(i) / parts).round() as usize).collect();
    steps.dedup();
    steps
}

/// The times of a race as a table, each also as a multiple of the first one.
pub fn times(caption: impl Into<String>, results: &Results) -> Table {
    let mut table = Table::new(caption, ["who", "fastest", "median", "over the first"]);
    let first = results.timings().next().map(|(_, timing)| timing.clone());
    for (name, timing) in results.timings() {
        let over = first.as_ref().map_or(f64::NAN, |first| timing.ratio(first));
        let cells = [Figure::seconds(timing.minimum()), Figure::seconds(timing.median()), Figure::times(over)];
        table.row([Cell::from(name)].into_iter().chain(cells.map(Cell::from)));
    }
    table
}

/// What is kept of a race: the times, and how far some contestants are from others. What they found may be large.
struct Standing {
    timings: Vec<(&'static str, Timing)>,
    differences: Vec<(&'static str, &'static str, f64)>,
}

impl Standing {
    /// Keeps the differences of these pairs.
    fn new<const N: usize>(results: &Results, pairs: [(&'static str, &'static str); N]) -> Standing {
        let timings = results.timings().map(|(name, timing)| (name, timing.clone())).collect();
        let standing = Standing { timings, differences: Vec::new() };
        pairs.into_iter().fold(standing, |standing, (one, other)| standing.compared(results, one, other))
    }

    /// Keeps the difference of one more pair: no number if one of them did not find numbers.
    fn compared(self, results: &Results, one: &'static str, other: &'static str) -> Standing {
        self.differs(one, other, results.difference(one, other))
    }

    /// Keeps another difference.
    fn differs(mut self, one: &'static str, other: &'static str, difference: f64) -> Standing {
        self.differences.push((one, other, difference));
        self
    }

    /// The times of a contestant, if it took part.
    fn timing(&self, name: &str) -> Option<&Timing> {
        self.timings.iter().find(|timing| timing.0 == name).map(|(_, timing)| timing)
    }

    /// The fastest time of a contestant for one of so many equal parts; a dash if it took no part.
    fn cell(&self, name: &str, parts: usize) -> Cell {
        self.timing(name).map_or(NOTHING.into(), |timing| Figure::seconds(timing.part(parts).minimum()).into())
    }

    /// The fastest time of a contestant.
    #[track_caller]
    fn seconds(&self, name: &str) -> Figure {
        Figure::seconds(self.timing(name).expect("it took part").minimum())
    }

    /// How many times as long as another one a contestant took.
    #[track_caller]
    fn ratio(&self, name: &str, other: &str) -> Figure {
        let timing = |name| self.timing(name).expect("it took part");
        Figure::times(timing(name).ratio(timing(other)))
    }

    /// How far two contestants are from each other in the worst of all races in which both took part.
    fn worst<'a>(all: impl IntoIterator<Item = &'a Standing>, one: &str, other: &str) -> Option<Figure> {
        let differences = all.into_iter().flat_map(|standing| &standing.differences);
        let of_pair = differences.filter(|(a, b, _)| (*a, *b) == (one, other)).map(|(_, _, difference)| *difference);
        largest(of_pair).map(Figure::plain)
    }
}

/// The largest of some numbers, if there are any. What is not a number counts as larger than all.
fn largest(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    numbers.into_iter().reduce(worse)
}

/// The machine on which other tools were measured with problems of ADBench.
const MACHINE_OF_PEERS: &str = "one pinned core of an AMD EPYC (Zen 4)";

/// A figure beside those that other tools reached on [`MACHINE_OF_PEERS`].
fn beside_peers(text: &str, ours: Figure, peers: &[(&str, f64)]) -> impl Iterator<Item = Claim> {
    peers.iter().map(move |(peer, figure)| {
        let claim = Claim::beside(format!("{text}, beside {peer}"), ours);
        claim.paper_figure(*figure, format!("{peer}, {MACHINE_OF_PEERS}"))
    })
}

/// The beginnings of the names of files that some experiment reads, each with the experiment.
pub const KINDS_OF_FILES: [(&str, &str); 4] =
    [("gmm", "gaussian_mixture"), ("ba", "bundle_adjustment"), ("lstm", "lstm"), ("hand", "hand_tracking")];

/// The experiment that reads a file.
pub fn reader_of(path: &Path) -> Option<&'static str> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    KINDS_OF_FILES.iter().find(|(kind, _)| name.starts_with(kind)).map(|(_, reader)| *reader)
}

/// What is in those files whose names begin with `kind`, each with its name.
fn read_files<T>(
    files: &[PathBuf],
    kind: &str,
    read: impl Fn(&Path) -> Result<T, Failure>,
) -> Result<Vec<(String, T)>, Failure> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let files = files.iter().filter(|path| name(path).starts_with(kind));
    files.map(|path| Ok((name(path), read(path)?))).collect()
}

/// What is in a file.
fn read_file<T>(path: &Path, parse: impl FnOnce(&str) -> Result<T, Malformed>) -> Result<T, Failure> {
    let wrong = |line, what| Failure::File { path: path.to_path_buf(), line, what };
    let text = fs::read_to_string(path).map_err(|error| wrong(None, format!("it could not be read: {error}")))?;
    parse(&text).map_err(|Malformed { line, what }| wrong(Some(line), what))
}

/// No Jacobian of an experiment with inverses may be worse conditioned.
const WORST_CONDITION: f64 = 1e6;

/// The condition number of a Jacobian, by the largest sums of magnitudes in a row.
fn condition(modes: &Modes) -> Result<f64, retrograd::inverse::Error> {
    let n = modes.graph().inputs();
    let unit = |k: usize| (0..n).map(|i| f64::from(i == k)).collect::<Vec<f64>>();
    let units: Vec<Vec<f64>> = (0..n).map(unit).collect();
    let norm = |columns: Vec<Vec<f64>>| {
        (0..n).map(|i| columns.iter().map(|column| column[i].abs()).sum::<f64>()).fold(0.0, f64::max)
    };
    Ok(norm(modes.jvp_many(&units)) * norm(modes.solve_many(&units)?))
}
