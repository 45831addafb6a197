//! One simulation under all schedules: a wave in a plane, with an absorbing layer around it.

use retrograd::Record;
use retrograd::schedule::{Bennett, Counts, Memory, Revolve, Schedule, StoreAll, adjoint, recorded};

use lab_corpus::programs::wave::{Circle, Field, Shot, advance, reversed, squares};
use lab_report::Size;
use lab_report::findings::{Cell, Claim, Figure, Table};
use lab_report::measure::{difference, largest, once};
use lab_report::plot::{Axis, Plot, Series, Style};

/// What a schedule took.
struct Trip {
    family: &'static str,
    name: String,
    counts: Counts,
    gradient: Vec<f64>,
    /// The bytes of all states that were kept at once.
    bytes: u64,
    seconds: f64,
}

/// The wave under all schedules, and backwards.
pub(super) struct Simulation {
    steps: usize,
    trips: Vec<Trip>,
    /// The gradient with the wave run backwards, the bytes that this keeps, and the time.
    backwards: (Vec<f64>, u64, f64),
}

/// The gradient under a schedule, and what was counted.
fn scheduled(shot: &Shot, speed: &[f64], schedule: &dyn Schedule) -> (Vec<f64>, Counts) {
    let courant = squares(speed, shot);
    let mut step = recorded(
        |t, field: &mut Field<f64>| advance(field, &courant, shot, t),
        |t, field, record| advance::recorded(field, &courant, shot, t, record),
        |t, field, (by_field, by_courant): &mut (Field<f64>, Vec<f64>), record| {
            advance::pullback((field, by_field), (&courant, by_courant), shot, t, record);
        },
    );
    let silence = Field::silent(shot);
    let seed = (Field { misfit: 1.0, ..silence.clone() }, vec![0.0; courant.len()]);
    let ((_, by_courant), counts) =
        adjoint(&mut step, schedule, silence, &mut Memory::new(), |_| seed).expect("memory has room");
    let mut gradient = vec![0.0; speed.len()];
    squares::pullback((speed, &mut gradient), shot, by_courant);
    (gradient, counts)
}

/// Runs the wave under all schedules.
pub(super) fn measure(size: Size) -> Simulation {
    let (cells, depth, steps) = size.pick((8, 3, 27), (24, 6, 216), (60, 10, 1_000));
    let truth = Circle::ground(cells, &[Circle { middle: [0.5, 0.4], radius: 0.3, factor: 1.1 }]);
    let shot = Shot::around(cells, depth, steps).heard_through(&truth);
    let speed = vec![1.0; cells * cells];
    let mut schedules: Vec<(&'static str, String, Box<dyn Schedule>)> =
        vec![("all states", "all states".to_string(), Box::new(StoreAll::new(steps)))];
    for snapshots in [2, 4, 8, 16, 32, 64] {
        let schedule = Revolve::new(steps, snapshots).expect("there are snapshots");
        schedules.push(("Revolve", format!("Revolve, {snapshots} snapshots"), Box::new(schedule)));
    }
    for parts in size.pick(&[3, 9][..], &[3, 6, 15], &[3, 10, 32]).iter().copied() {
        let schedule = Bennett::new(steps, parts).expect("there are parts");
        schedules.push(("Bennett", format!("Bennett, {parts} parts"), Box::new(schedule)));
    }
    let state = Field::<f64>::silent(&shot);
    let numbers = state.u.len() * 2 + state.outer.len() + state.change.len() + state.right.len() * 2 + 1;
    let trips = schedules.into_iter().map(|(family, name, schedule)| {
        let ((gradient, counts), seconds) = once(|| scheduled(&shot, &speed, &*schedule));
        let bytes = (counts.peak * numbers * size_of::<f64>()) as u64;
        Trip { family, name, counts, gradient, bytes, seconds }
    });
    let trips = trips.collect();
    let ((gradient, bytes), seconds) = once(|| {
        let mut record = Record::new();
        let (_, gradient) = reversed::gradient_in(&mut record, &speed, &shot);
        (gradient, record.peak_bytes() as u64)
    });
    Simulation { steps, trips, backwards: (gradient, bytes, seconds) }
}

/// What running the wave backwards is called.
const BACKWARDS: &str = "backwards, the ring kept";

impl Simulation {
    pub(super) fn claims(&self) -> Vec<Claim> {
        let [exact, ..] = &self.trips[..] else { unreachable!("all states are kept first") };
        let far = |gradient: &[f64]| Figure::plain(difference(&exact.gradient, gradient) / largest(&exact.gradient));
        let mut claims: Vec<Claim> = self.trips[1..]
            .iter()
            .map(|trip| {
                let text = format!("the wave: difference of the gradient from keeping all states, {}", trip.name);
                Claim::at_most(text, far(&trip.gradient), 1e-12)
            })
            .collect();
        let text = format!("the wave: difference of the gradient from keeping all states, {BACKWARDS}");
        claims.push(Claim::at_most(text, far(&self.backwards.0), 1e-10));
        let text = "the wave: what is kept backwards, as a part of all states";
        let part = self.backwards.1 as f64 / exact.bytes as f64;
        claims.push(Claim::at_most(text, Figure::plain(part), 0.2));
        claims
    }

    /// A series for each family of schedules, with what is drawn upwards.
    fn series(&self, up: impl Fn(&Trip) -> f64, backwards: f64) -> Vec<Series> {
        let of = |family: &'static str, style| {
            let trips = self.trips.iter().filter(move |trip| trip.family == family);
            Series::new(family, style, trips.map(|trip| (trip.bytes as f64, up(trip))))
        };
        vec![
            of("all states", Style::Marks),
            of("Revolve", Style::Line),
            of("Bennett", Style::Dashed),
            Series::new(BACKWARDS, Style::Marks, [(self.backwards.1 as f64, backwards)]),
        ]
    }

    /// Steps against memory, which is the same on every machine.
    pub(super) fn plot(&self) -> Plot {
        let steps = self.steps as f64;
        Plot::new(
            format!("The gradient of a wave through {} steps: steps against memory.", Figure::count(self.steps)),
            Axis::logarithmic("bytes that are kept"),
            Axis::logarithmic("steps that are run, over all"),
            self.series(|trip| trip.counts.steps() as f64 / steps, 2.0),
        )
    }

    /// Time against memory.
    pub(super) fn clock(&self) -> Plot {
        Plot::new(
            format!("The gradient of a wave through {} steps: time against memory.", Figure::count(self.steps)),
            Axis::logarithmic("bytes that are kept"),
            Axis::logarithmic("seconds"),
            self.series(|trip| trip.seconds, self.backwards.2),
        )
    }

    pub(super) fn table(&self) -> Table {
        let caption = "A wave under all schedules.";
        let mut table = Table::new(caption, ["schedule", "states at once", "kept", "steps that are run", "time"]);
        for trip in &self.trips {
            let figures = [
                Figure::count(trip.counts.peak),
                Figure::bytes(trip.bytes),
                Figure::count(trip.counts.steps() as usize),
                Figure::seconds(trip.seconds),
            ];
            table.row([Cell::from(trip.name.as_str())].into_iter().chain(figures.map(Cell::from)));
        }
        let figures = [
            Figure::count(0),
            Figure::bytes(self.backwards.1),
            Figure::count(2 * self.steps),
            Figure::seconds(self.backwards.2),
        ];
        table.row([Cell::from(BACKWARDS)].into_iter().chain(figures.map(Cell::from)));
        table
    }
}
