//! Memory: gradients through many steps without a record, with all states kept, and by a tape.

use std::hint::black_box;

use allocation_counter::measure as count_allocations;
use retrograd::{Real, trace};

use super::{Experiment, Failure, Setting, steps};
use crate::programs::solar_system::{Bodies, solar_system};
use crate::programs::umm::umm;
use crate::report::findings::{Cell, Claim, Figure, Findings, Table, Unit};
use crate::report::plot::{Axis, Plot, Series, Style, slope};
use crate::yardsticks::data::Random;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "memory",
    title: "Memory against steps",
    about: "A gradient that runs backwards needs as much memory for a million steps as for one. One that keeps all states, or \
            records a tape, needs more for every step.",
    run,
};

/// Days in a step.
const DAYS: f64 = 4.0;

type Vectors = [[f64; 3]; 8];

/// By the first coordinate of the Earth at the end: the adjoints of all places and speeds at the beginning.
fn backwards(steps: usize) -> Vec<f64> {
    let Bodies { mut x, mut v, m } = Bodies::solar_system();
    let (mut g_x, mut g_v, mut g_m, mut g_dt) = (Vectors::default(), Vectors::default(), [0.0; 8], 0.0);
    g_x[2][0] = 1.0;
    solar_system(&mut x, &mut v, &m, DAYS, steps);
    solar_system::pullback((&mut x, &mut g_x), (&mut v, &mut g_v), (&m, &mut g_m), (DAYS, &mut g_dt), steps);
    [g_x.as_flattened(), g_v.as_flattened()].concat()
}

/// The same with the state behind each step kept, so that no step is undone twice.
fn with_all_states(steps: usize) -> Vec<f64> {
    let Bodies { mut x, mut v, m } = Bodies::solar_system();
    let mut states = Vec::with_capacity(steps);
    for _ in 0..steps {
        solar_system(&mut x, &mut v, &m, DAYS, 1);
        states.push((x, v));
    }
    let (mut g_x, mut g_v, mut g_m, mut g_dt) = (Vectors::default(), Vectors::default(), [0.0; 8], 0.0);
    g_x[2][0] = 1.0;
    while let Some((mut x, mut v)) = states.pop() {
        solar_system::pullback((&mut x, &mut g_x), (&mut v, &mut g_v), (&m, &mut g_m), (DAYS, &mut g_dt), 1);
    }
    [g_x.as_flattened(), g_v.as_flattened()].concat()
}

/// The same by a tape of all operations.
fn by_tape(steps: usize) -> Vec<f64> {
    let Bodies { x, v, m } = Bodies::solar_system();
    let start = [x.as_flattened(), v.as_flattened()].concat();
    let graph = trace(&start, |numbers| {
        let (vectors, _) = numbers.as_chunks::<3>();
        let mut x: [_; 8] = std::array::from_fn(|i| vectors[i]);
        let mut v: [_; 8] = std::array::from_fn(|i| vectors[8 + i]);
        solar_system(&mut x, &mut v, &m.map(Real::lit), Real::lit(DAYS), steps);
        x[2][0]
    });
    graph.gradient()
}

/// A recurrent network: a vector of 8 numbers goes through so many rotations of all its parts. The gradient is that of its
/// first element at the end.
fn rotated(steps: usize) -> Vec<f64> {
    let theta: [f64; 28] = Random::new(3).array(-1.0, 1.0);
    let (mut x, mut g_x, mut g_theta) = ([0.5; 8], [0.0; 8], [0.0; 28]);
    g_x[0] = 1.0;
    for _ in 0..steps {
        umm(&mut x, &theta);
    }
    for _ in 0..steps {
        umm::pullback((&mut x, &mut g_x), (&theta, &mut g_theta));
    }
    [&g_x[..], &g_theta].concat()
}

/// The same by a tape of all operations.
fn rotated_by_tape(steps: usize) -> Vec<f64> {
    let theta: [f64; 28] = Random::new(3).array(-1.0, 1.0);
    let graph = trace(&[&[0.5; 8][..], &theta].concat(), |numbers| {
        let (x, theta) = numbers.split_at(8);
        let mut x: [_; 8] = std::array::from_fn(|i| x[i]);
        (0..steps).for_each(|_| umm(&mut x, theta));
        x[0]
    });
    graph.gradient()
}

/// A gradient through so many steps.
type Gradient = fn(steps: usize) -> Vec<f64>;

/// A way to a gradient, and through how many steps at most.
struct Way {
    program: &'static str,
    name: &'static str,
    gradient: Gradient,
    most: usize,
}

/// The peak of memory for each number of steps.
type Peaks = Vec<(f64, f64)>;

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (long, short) = setting.size.pick((300, 100), (100_000, 1_000), (1_000_000, 3_000));
    let way = |program, name, gradient, most| Way { program, name, gradient, most };
    let ways = [
        way("solar system", "backwards", backwards, long),
        way("solar system", "all states kept", with_all_states, long),
        way("solar system", "tape", by_tape, short),
        way("rotations", "backwards", rotated, long),
        way("rotations", "tape", rotated_by_tape, short),
    ];
    let parts = ways.len();
    let mut peaks: Vec<(&Way, Peaks)> = Vec::new();
    for way in &ways {
        let peak = |steps: usize| count_allocations(|| drop(black_box((way.gradient)(steps)))).bytes_max;
        peaks.push((way, steps(1, way.most, 2).into_iter().map(|n| (n as f64, peak(n) as f64)).collect()));
        setting.progress.done(peaks.len(), parts)?;
    }
    Ok(Findings {
        claims: claims(&peaks),
        plots: vec![plot(&peaks)],
        tables: vec![table(&peaks)],
        remarks: vec![
            "Counted are the bytes on the heap at their peak, with the vector that the gradient is returned in. The tape is that of \
             `retrograd::trace`, which keeps what second derivatives need too."
                .to_string(),
        ],
    })
}

fn claims(peaks: &[(&Way, Peaks)]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (way, peaks) in peaks.iter().filter(|(way, _)| way.name == "backwards") {
        let (few, many) = (peaks[0].1, peaks[peaks.len() - 1].1);
        let text = format!("{}: bytes that {} steps need more than one", way.program, Figure::count(way.most));
        claims.push(
            Claim::exactly(text, Figure { value: many - few, unit: Unit::Bytes }, 0.0).paper(
                "the evolution time can go arbitrarily long with constant memory",
                "NiLang (embedded), Appendix F",
            ),
        );
    }
    for (way, peaks) in peaks.iter().filter(|(way, _)| way.name != "backwards") {
        let text = format!("{}, {}: memory grows with this power of the steps", way.program, way.name);
        // The first steps cost what is there anyway.
        claims.push(Claim::between(text, Figure::plain(slope(&peaks[peaks.len() / 2..])), 0.8, 1.25));
    }
    let pairs: [(&str, [Gradient; 2]); 2] =
        [("solar system", [backwards, by_tape]), ("rotations", [rotated, rotated_by_tape])];
    for (program, gradients) in pairs {
        let [backwards, by_tape] = gradients.map(|gradient| gradient(30));
        let scale = by_tape.iter().fold(0.0_f64, |scale, g| scale.max(g.abs()));
        let difference = backwards.iter().zip(&by_tape).map(|(a, b)| (a - b).abs() / scale).fold(0.0, f64::max);
        let text = format!("{program}: largest difference of gradients, backwards and by tape");
        claims.push(Claim::at_most(text, Figure::plain(difference), 1e-10));
    }
    claims
}

fn plot(peaks: &[(&Way, Peaks)]) -> Plot {
    let series = peaks.iter().map(|(way, peaks)| {
        let style = if way.name == "backwards" { Style::Line } else { Style::Dashed };
        Series::new(format!("{}, {}", way.program, way.name), style, peaks.iter().copied())
    });
    Plot::new(
        "The peak of memory while a gradient is computed.",
        Axis::logarithmic("steps"),
        Axis::logarithmic("bytes"),
        series.collect(),
    )
}

fn table(peaks: &[(&Way, Peaks)]) -> Table {
    let mut table = Table::new(
        "The peak of memory for few and for many steps.",
        ["program", "gradient", "one step", "steps", "peak"],
    );
    for (way, peaks) in peaks {
        let (few, many) = (peaks[0], peaks[peaks.len() - 1]);
        let figures = [Figure::bytes(few.1 as u64), Figure::count(many.0 as usize), Figure::bytes(many.1 as u64)];
        table.row([Cell::from(way.program), way.name.into()].into_iter().chain(figures.map(Cell::from)));
    }
    table
}
