//! Memory: gradients through many steps without a record, with all states kept, and by a tape.

use std::hint::black_box;
use std::thread;

use allocation_counter::measure as count_allocations;
use retrograd::{Real, trace};

use super::derivatives::peers;
use super::{Experiment, Failure, Setting, steps};
use lab_corpus::programs::solar_system::{Bodies, solar_system};
use lab_corpus::programs::umm::umm;
use lab_corpus::yardsticks::data::Random;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table, Unit};
use lab_report::headline::{Headline, Sketch};
use lab_report::plot::{Axis, Plot, Series, Style, slope};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "memory",
    title: "Memory against steps",
    about: "A gradient that runs backwards needs as much memory for a million steps as for one. One that keeps all states, or \
            records a tape, needs more for every step.",
    run,
};

/// Eight bodies through time.
const SOLAR_SYSTEM: &str = "solar system";
/// A vector through a product of rotations.
const ROTATIONS: &str = "rotations";
/// The way that needs no record.
const BACKWARDS: &str = "backwards";

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

/// The angles of all rotations.
fn angles() -> [f64; 28] {
    Random::new(3).array(-1.0, 1.0)
}

/// A recurrent network: a vector of 8 numbers goes through so many rotations of all its parts. The gradient is that of its
/// first element at the end.
fn rotated(steps: usize) -> Vec<f64> {
    let theta = angles();
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
    let theta = angles();
    let graph = trace(&[&[0.5; 8][..], &theta].concat(), |numbers| {
        let (x, theta) = numbers.split_at(8);
        let mut x: [_; 8] = std::array::from_fn(|i| x[i]);
        (0..steps).for_each(|_| umm(&mut x, theta));
        x[0]
    });
    graph.gradient()
}

/// Another crate that writes tapes.
pub(crate) struct Tape {
    /// What its tape is called.
    pub(crate) name: &'static str,
    /// Through so many steps of a length: by places, speeds and masses.
    pub(crate) solar_system: fn(&Bodies<8>, f64, usize) -> Vec<f64>,
    /// Through so many rotations: by the numbers that are rotated, and by the angles.
    pub(crate) rotations: fn(&[f64], &[f64], usize) -> Vec<f64>,
}

/// A way to a gradient, and through how many steps at most.
struct Way {
    program: &'static str,
    name: &'static str,
    gradient: Box<dyn Fn(usize) -> Vec<f64> + Sync>,
    most: usize,
}

impl Way {
    fn new(
        program: &'static str,
        name: &'static str,
        gradient: impl Fn(usize) -> Vec<f64> + Sync + 'static,
        most: usize,
    ) -> Way {
        Way { program, name, gradient: Box::new(gradient), most }
    }

    /// The program, and the way to its gradient.
    fn label(&self) -> String {
        format!("{}, {}", self.program, self.name)
    }

    /// The peak of memory through so many steps. Each runs in a thread of its own, where no tape from before can be used again.
    fn peak(&self, steps: usize) -> u64 {
        let count = || count_allocations(|| drop(black_box((self.gradient)(steps)))).bytes_max;
        thread::scope(|scope| scope.spawn(count).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// The peak of memory for each number of steps.
type Peaks = Vec<(f64, f64)>;

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (long, short) = setting.size.pick((300, 100), (100_000, 1_000), (1_000_000, 3_000));
    let mut ways = vec![
        Way::new(SOLAR_SYSTEM, BACKWARDS, backwards, long),
        Way::new(SOLAR_SYSTEM, "all states kept", with_all_states, long),
        Way::new(SOLAR_SYSTEM, "tape", by_tape, short),
        Way::new(ROTATIONS, BACKWARDS, rotated, long),
        Way::new(ROTATIONS, "tape", rotated_by_tape, short),
    ];
    for tape in peers::TAPES {
        let through_time = move |steps| {
            let mut gradient = (tape.solar_system)(&Bodies::solar_system(), DAYS, steps);
            // That by masses was not asked for.
            gradient.truncate(48);
            gradient
        };
        let rotated = move |steps| (tape.rotations)(&[0.5; 8], &angles(), steps);
        ways.extend([
            Way::new(SOLAR_SYSTEM, tape.name, through_time, short),
            Way::new(ROTATIONS, tape.name, rotated, short),
        ]);
    }
    let parts = ways.len();
    let mut peaks: Vec<(&Way, Peaks)> = Vec::new();
    for way in &ways {
        peaks.push((way, steps(1, way.most, 2).into_iter().map(|n| (n as f64, way.peak(n) as f64)).collect()));
        setting.progress.done(peaks.len(), parts)?;
    }
    Ok(Findings {
        headlines: headline(&peaks).into_iter().collect(),
        claims: claims(&peaks),
        plots: vec![plot(&peaks)],
        tables: vec![table(&peaks)],
        remarks: [
            "What is counted is the peak number of bytes on the heap, including the vector that the gradient is returned in. \
             The unnamed tape is that of `retrograd::trace`, which also stores what second derivatives need.",
        ]
        .into_iter()
        .chain(peers::MISSING)
        .map(String::from)
        .collect(),})
}

fn claims(peaks: &[(&Way, Peaks)]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (way, peaks) in peaks.iter().filter(|(way, _)| way.name == BACKWARDS) {
        let (few, many) = (peaks[0].1, peaks[peaks.len() - 1].1);
        let text = format!("{}: extra bytes for {} steps, compared with one", way.program, Figure::count(way.most));
        claims.push(
            Claim::exactly(text, Figure { value: many - few, unit: Unit::Bytes }, 0.0).paper(
                "the evolution time can go arbitrarily long with constant memory",
                "NiLang (embedded), Appendix F",
            ),
        );
    }
    for (way, peaks) in peaks.iter().filter(|(way, _)| way.name != BACKWARDS) {
        let text = format!("{}: memory grows with this power of the steps", way.label());
        // The first steps cost what is there anyway.
        claims.push(Claim::between(text, Figure::plain(slope(&peaks[peaks.len() / 2..])), 0.8, 1.25));
    }
    for (way, _) in peaks.iter().filter(|(way, _)| way.name.starts_with("tape")) {
        let Way { program, name, gradient, .. } = way;
        let by_tape = gradient(30);
        let backwards = if *program == SOLAR_SYSTEM { backwards(30) } else { rotated(30) };
        assert_eq!(backwards.len(), by_tape.len(), "{program}: by as many numbers");
        let scale = by_tape.iter().fold(0.0_f64, |scale, g| scale.max(g.abs()));
        let difference = backwards.iter().zip(&by_tape).map(|(a, b)| (a - b).abs() / scale).fold(0.0, f64::max);
        let text = format!("{program}: largest difference of gradients, backwards and by {name}");
        claims.push(Claim::at_most(text, Figure::plain(difference), 1e-10));
    }
    claims
}

/// The peak of the solar system through all steps, beside a single step and a tape.
fn headline(peaks: &[(&Way, Peaks)]) -> Option<Headline> {
    let solar: Vec<&(&Way, Peaks)> = peaks.iter().filter(|(way, _)| way.program == SOLAR_SYSTEM).collect();
    let (_, ours) = solar.iter().find(|(way, _)| way.name == BACKWARDS)?;
    let (few, many) = (ours.first()?, ours.last()?);
    let tapes = solar.iter().filter(|(way, _)| way.name.starts_with("tape")).map(|(_, peaks)| each_step(peaks));
    let smallest = tapes.min_by(|one, other| one.value.total_cmp(&other.value))?;
    let figure = Figure::bytes(many.1 as u64);
    let sentence = format!(
        "of memory is enough for a gradient through {} steps of the solar system; a single step needs {}. A tape needs \
         {smallest} for each step.",
        Figure::count(many.0 as usize),
        Figure::bytes(few.1 as u64)
    );
    let series = solar.iter().map(|(way, peaks)| {
        let style = if way.name == BACKWARDS { Style::Line } else { Style::Dashed };
        Series::new(way.name, style, peaks.iter().copied())
    });
    let (x, y) = (Axis::logarithmic("steps"), Axis::logarithmic("bytes"));
    let sketch = Sketch::Plot(Plot::new("Peak memory of a gradient, against the steps.", x, y, series.collect()));
    Some(Headline { figure, sentence, sketch })
}

/// How much each further step adds.
fn each_step(peaks: &Peaks) -> Figure {
    let (few, many) = (peaks[0], peaks[peaks.len() - 1]);
    Figure { value: (many.1 - few.1) / (many.0 - few.0), unit: Unit::Bytes }
}

fn plot(peaks: &[(&Way, Peaks)]) -> Plot {
    let series = peaks.iter().map(|(way, peaks)| {
        let style = if way.name == BACKWARDS { Style::Line } else { Style::Dashed };
        Series::new(way.label(), style, peaks.iter().copied())
    });
    Plot::new(
        "Peak memory while a gradient is computed.",
        Axis::logarithmic("steps"),
        Axis::logarithmic("bytes"),
        series.collect(),
    )
}

fn table(peaks: &[(&Way, Peaks)]) -> Table {
    let mut table = Table::new(
        "Peak memory for few and for many steps, and how much each further step adds.",
        ["gradient", "one step", "steps", "peak", "each step"],
    );
    for (way, peaks) in peaks {
        let (few, many) = (peaks[0], peaks[peaks.len() - 1]);
        let figures = [
            Figure::bytes(few.1 as u64),
            Figure::count(many.0 as usize),
            Figure::bytes(many.1 as u64),
            each_step(peaks),
        ];
        table.row([Cell::from(way.label())].into_iter().chain(figures.map(Cell::from)));
    }
    table
}
