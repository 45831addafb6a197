//! Ways to one gradient, with the time and the memory that each takes.

use allocation_counter::measure as count_allocations;
use retrograd::Record;
use retrograd::schedule::{Revolve, Schedule};

use lab_corpus::programs::wave::{Shot, checkpointed, recorded, reversed};
use lab_corpus::yardsticks::wave as plain;
use lab_report::findings::{Cell, Claim, Figure, Table};
use lab_report::measure::once;
use lab_report::plot::{Axis, Plot, Series, Style};

/// How many states are kept, and what that is called.
const SNAPSHOTS: [(usize, &str); 3] =
    [(10, "with 10 snapshots"), (40, "with 40 snapshots"), (160, "with 160 snapshots")];

/// A way to the gradient, and what it took.
pub(super) struct Way {
    pub(super) name: &'static str,
    /// How many states are kept, if only some are.
    snapshots: Option<usize>,
    pub(super) gradient: Vec<f64>,
    /// The bytes that its record held at most.
    record: usize,
    /// The bytes on the heap at most, with all arrays.
    heap: u64,
    /// How many times as long as the misfit in plain Rust it took.
    time: f64,
    /// How long it took, in seconds.
    seconds: f64,
}

/// A way, before it is measured: it is given a record.
type Run<'a> = &'a dyn Fn(&mut Record) -> Vec<f64>;

/// Measures all ways, each once: backwards first.
pub(super) fn measure(shot: &Shot, speed: &[f64]) -> Vec<Way> {
    let (_, misfit) = once(|| plain::misfit(shot, speed));
    let way = |name, snapshots, run: Run| {
        let (mut record, mut heap) = (Record::new(), 0);
        let (gradient, seconds) = once(|| {
            let mut gradient = Vec::new();
            heap = count_allocations(|| gradient = run(&mut record)).bytes_max;
            gradient
        });
        Way { name, snapshots, gradient, record: record.peak_bytes(), heap, time: seconds / misfit, seconds }
    };
    let mut ways = vec![
        way("backwards", None, &|record| reversed::gradient_in(record, speed, shot).1),
        way("recorded", None, &|record| recorded::gradient_in(record, speed, shot).1),
    ];
    for (snapshots, name) in SNAPSHOTS {
        let shot = shot.clone().with_snapshots(snapshots);
        ways.push(way(name, Some(snapshots), &|record| checkpointed::gradient_in(record, speed, &shot).1));
    }
    ways
}

impl Way {
    /// How many steps are run forwards.
    fn steps(&self, shot: &Shot) -> u64 {
        let revolve = |snapshots| Revolve::new(shot.steps, snapshots).expect("there are snapshots").predicted().steps();
        self.snapshots.map_or(shot.steps as u64, revolve)
    }
}

/// What holds of the memory that each way needs.
pub(super) fn claims(ways: &[Way], shot: &Shot) -> Vec<Claim> {
    let ring = shot.steps * 4 * shot.size * size_of::<f64>();
    let state = (2 * (shot.size + 2).pow(2) + shot.layer.places() + 3 * shot.layer.cells() + 2) * size_of::<f64>();
    let mut claims = Vec::new();
    for way in ways {
        let kept = Figure::bytes(way.record as u64);
        claims.push(match (way.snapshots, way.name) {
            (Some(snapshots), name) => {
                let text = format!("{name}: what is kept, as states, one for the step that is taken back");
                let states = way.record as f64 / state as f64;
                Claim::at_most(text, Figure::plain(states), snapshots.min(shot.steps) as f64 + 1.0)
            }
            (None, "backwards") => {
                Claim::exactly("backwards: what is kept is the ring around the model, in each step", kept, ring as f64)
            }
            (None, name) => {
                let times = way.record as f64 / ring as f64;
                Claim::at_least(format!("{name}: what is kept, in rings"), Figure::times(times), 4.0)
            }
        });
    }
    claims
}

/// Time against memory.
pub(super) fn plot(ways: &[Way], shot: &Shot) -> Plot {
    let place = |way: &Way| (way.record as f64, way.time);
    let mut series: Vec<Series> = ways
        .iter()
        .filter(|way| way.snapshots.is_none())
        .map(|way| Series::new(way.name, Style::Marks, [place(way)]))
        .collect();
    let checkpointed = ways.iter().filter(|way| way.snapshots.is_some()).map(place);
    series.push(Series::new("10, 40 and 160 snapshots", Style::Line, checkpointed));
    Plot::new(
        format!("Time against memory: the gradient through {} steps.", shot.steps),
        Axis::logarithmic("bytes that are kept"),
        Axis::logarithmic("time of the misfit"),
        series,
    )
}

/// What each way took.
pub(super) fn table(ways: &[Way]) -> Table {
    let columns = ["gradient", "kept", "peak of the heap", "time", "over the misfit"];
    let mut table = Table::new("Ways to the gradient.", columns);
    for way in ways {
        let figures = [
            Figure::bytes(way.record as u64),
            Figure::bytes(way.heap),
            Figure::seconds(way.seconds),
            Figure::times(way.time),
        ];
        table.row([Cell::from(way.name)].into_iter().chain(figures.map(Cell::from)));
    }
    table
}

/// Memory against the steps that are run: both are the same on every machine.
pub(super) fn work(ways: &[Way], shot: &Shot) -> Table {
    let mut table = Table::new(
        "What each way keeps, and how often it runs a step.",
        ["way", "kept", "steps that are run forwards"],
    );
    for way in ways {
        let figures = [Figure::bytes(way.record as u64), Figure::count(way.steps(shot) as usize)];
        table.row([Cell::from(way.name)].into_iter().chain(figures.map(Cell::from)));
    }
    table
}
