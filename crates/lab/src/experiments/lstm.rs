//! A recurrent net of ADBench: the gradient of a loss, backwards through a long text.

use allocation_counter::measure as count_allocations;
use retrograd::Dual;

use super::{Experiment, Failure, Setting, Standing, beside_peers, largest, read_file, read_files};
use lab_corpus::programs::lstm::objective;
use lab_corpus::variants::never_checked;
use lab_corpus::yardsticks::adbench::net::Net as NetOf;
use lab_corpus::yardsticks::data::Random;
use lab_corpus::yardsticks::lstm as plain;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::measure::Race;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "lstm",
    title: "Long short-term memory",
    about: "How badly a net predicts the characters of a text, and the gradient with respect to all its parameters: the \
            problem of ADBench, with generated data or its files.",
    run,
};

/// The bits of a character, in all files of the suite.
const BITS: usize = 14;

/// A net of the suite.
type Net = NetOf<BITS>;

/// The parameters of a net, or the gradient by them: layers, and those of inputs and outputs.
type Parameters<T> = (Vec<[[T; BITS]; 8]>, [[T; BITS]; 3]);

/// What peers take for a gradient of 2 layers and 1024 characters.
const PEERS: [(&str, f64); 3] = [("Tapenade", 5.06e-3), ("Tapenade with fast-math", 2.64e-3), ("Enzyme", 3.80e-3)];

/// What was found for one net.
struct Found {
    name: String,
    layers: usize,
    characters: usize,
    standing: Standing,
    /// How far the slopes along random directions are from differences of the plain objective, over the largest.
    from_differences: f64,
    /// The peak of what a gradient allocates.
    peak: u64,
    /// The same of one that compares nothing.
    peak_unchecked: u64,
}

/// All parameters, one behind the other.
fn flat((layers, extra): &Parameters<f64>) -> Vec<f64> {
    [layers.as_flattened().as_flattened(), extra.as_flattened()].concat()
}

fn gradient(net: &Net) -> Parameters<f64> {
    let (_, layers, extra) = objective::gradient(&net.layers, &net.extra, &net.start, &net.sequence);
    (layers, extra)
}

/// The gradient by dual numbers: forwards once for each row of parameters.
fn gradient_forwards(net: &Net) -> Vec<f64> {
    type Tangents = Dual<f64, BITS>;
    let rows = |numbers: &[[f64; BITS]]| numbers.iter().map(|row| row.map(Tangents::constant)).collect::<Vec<_>>();
    let (start, sequence) = (rows(net.start.as_flattened()), rows(&net.sequence));
    let layers = net.layers.iter().map(|layer| layer.map(|row| row.map(Tangents::constant))).collect();
    let mut parameters: Parameters<Tangents> = (layers, net.extra.map(|row| row.map(Tangents::constant)));
    let mut gradient = Vec::new();
    for row in 0..8 * net.layers.len() + 3 {
        let moved = |(layers, extra): &mut Parameters<Tangents>, size: f64| {
            let rows = layers.as_flattened_mut().iter_mut().chain(extra).nth(row);
            rows.into_iter().flatten().enumerate().for_each(|(i, x)| x.eps[i] = size);
        };
        moved(&mut parameters, 1.0);
        gradient.extend(objective(&parameters.0, &parameters.1, start.as_chunks().0, &sequence).eps);
        moved(&mut parameters, 0.0);
    }
    gradient
}

/// How far the slopes along random directions are from central differences of the plain objective, over the largest slope.
fn difference_of_slopes(net: &Net, gradient: &[f64]) -> f64 {
    const STEP: f64 = 1e-5;
    let mut random = Random::new(13);
    let slopes = (0..8).map(|_| {
        let direction: Vec<f64> = gradient.iter().map(|_| random.between(-1.0, 1.0)).collect();
        let beside = |step: f64| {
            let (mut layers, mut extra) = (net.layers.clone(), net.extra);
            let numbers = layers.as_flattened_mut().as_flattened_mut().iter_mut().chain(extra.as_flattened_mut());
            numbers.zip(&direction).for_each(|(number, part)| *number += step * part);
            plain::objective(&layers, &extra, &net.start, &net.sequence)
        };
        let slope: f64 = gradient.iter().zip(&direction).map(|(a, b)| a * b).sum();
        (slope, (beside(STEP) - beside(-STEP)) / (2.0 * STEP))
    });
    let slopes: Vec<(f64, f64)> = slopes.collect();
    let scale = slopes.iter().fold(f64::MIN_POSITIVE, |scale, (slope, _)| scale.max(slope.abs()));
    largest(slopes.iter().map(|(slope, expected)| (slope - expected).abs() / scale)).unwrap_or_default()
}

impl Found {
    fn new(name: String, net: &Net, setting: &Setting) -> Found {
        let Net { layers, extra, start, sequence } = net;
        let number = |y: &f64| vec![*y];
        let results = Race::new()
            .with("plain", 0.0, |y| *y = plain::objective(layers, extra, start, sequence), number)
            .with("call", 0.0, |y| *y = objective(layers, extra, start, sequence), number)
            .with("gradient", (Vec::new(), [[0.0; BITS]; 3]), |g| *g = gradient(net), flat)
            .with("gradient, forward mode", Vec::new(), |g| *g = gradient_forwards(net), Vec::clone)
            .run(setting.size.effort());
        Found {
            name,
            layers: layers.len(),
            characters: sequence.len(),
            standing: Standing::new(&results, [("plain", "call"), ("gradient, forward mode", "gradient")]),
            from_differences: difference_of_slopes(net, results.found("gradient")),
            peak: count_allocations(|| drop(gradient(net))).bytes_max,
            peak_unchecked: count_allocations(|| {
                drop(never_checked::lstm::objective::gradient(layers, extra, start, sequence));
            })
            .bytes_max,
        }
    }

    /// What is kept, in bytes: all states, as many copies of them, and their adjoints; all inputs; and the gradient by the layers.
    /// The adjoint of an input is needed only while its character is read.
    fn kept(&self, copies: usize) -> u64 {
        let (states, inputs) = (2 * self.layers * self.characters, self.characters - 1);
        (((2 + copies) * states + inputs + 8 * self.layers) * BITS * size_of::<f64>()) as u64
    }
}

/// The ratio that is furthest from one.
fn furthest(ratios: impl Iterator<Item = f64> + Clone) -> Figure {
    let (least, most) = (ratios.clone().fold(f64::INFINITY, f64::min), ratios.fold(0.0, f64::max));
    Figure::times(if most - 1.0 > 1.0 - least { most } else { least })
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let mut nets = read_files(setting.files, "lstm", |path| read_file(path, Net::parse))?;
    if nets.is_empty() {
        // Layers and characters of problems of the suite.
        let sizes: &[(usize, usize)] =
            setting.size.pick(&[(2, 6)], &[(2, 1024)], &[(2, 1024), (4, 1024), (2, 4096), (4, 4096)]);
        nets = sizes.iter().map(|&(l, c)| ("generated".to_string(), Net::new(l, c))).collect();
    }
    let mut all = Vec::new();
    for (name, net) in &nets {
        all.push(Found::new(name.clone(), net, setting));
        setting.progress.done(all.len(), nets.len())?;
    }
    Ok(Findings {
        claims: claims(&all),
        tables: vec![table(&all)],
        remarks: vec![
            "A net forgets, so all its states are stored. The peak memory is that of the states, of a copy that the restored \
             ones are compared with, and of their adjoints, of the inputs, and of the gradient with respect to the layers, and not a \
             byte more: for l layers and c characters, (6lc + c − 1 + 8l)·14 numbers. Without the comparison there is no copy: 4lc in the \
             place of 6lc. The adjoint of an input lives only while its character is read."
                .to_string(),
            "The formulas and sizes are those that the peers were measured with, but the machine is a different one: only \
             figures of the same machine are comparable. All are in one thread, without lanes."
                .to_string(),
        ], ..Findings::default() })
}

fn claims(all: &[Found]) -> Vec<Claim> {
    let worst = |one: &str, other: &str| {
        Standing::worst(all.iter().map(|found| &found.standing), one, other).expect("all took part")
    };
    let from_differences = largest(all.iter().map(|found| found.from_differences)).expect("there is a net");
    let mut claims = vec![
        Claim::at_most("difference of the objective from plain Rust", worst("plain", "call"), 1e-12),
        Claim::at_most(
            "difference of the gradient from dual numbers",
            worst("gradient, forward mode", "gradient"),
            1e-10,
        ),
        Claim::at_most(
            "difference of slopes from difference quotients of plain Rust",
            Figure::plain(from_differences),
            1e-6,
        ),
        Claim::exactly(
            "peak memory of a gradient that compares nothing, over stored states and adjoints",
            furthest(all.iter().map(|found| found.peak_unchecked as f64 / found.kept(0) as f64)),
            1.0,
        ),
    ];
    // Checked builds also keep what the states were in front of some iterations.
    if !cfg!(debug_assertions) {
        claims.push(Claim::exactly(
            "peak memory of a gradient over stored states, their copy and adjoints",
            furthest(all.iter().map(|found| found.peak as f64 / found.kept(1) as f64)),
            1.0,
        ));
    }
    for found in all.iter().filter(|found| (found.layers, found.characters) == (2, 1024)) {
        let text = "2 layers, 1024 characters: gradient";
        claims.extend(beside_peers(text, found.standing.seconds("gradient"), &PEERS));
        let ratio = found.standing.ratio("gradient", "plain");
        claims.push(Claim::at_most(format!("{text} over plain objective"), ratio, 4.0).timed());
    }
    claims
}

fn table(all: &[Found]) -> Table {
    let mut table = Table::new(
        "The fastest round, for one character, and the peak memory of a gradient. In forward mode, dual numbers run once for \
         each row of 14 parameters.",
        [
            "data",
            "layers",
            "characters",
            "parameters",
            "objective, plain",
            "objective",
            "gradient",
            "gradient, forward mode",
            "G / O",
            "peak",
        ],
    );
    for found in all {
        let sizes = [found.characters, (8 * found.layers + 3) * BITS].map(|size| Cell::from(Figure::count(size)));
        let times = ["plain", "call", "gradient", "gradient, forward mode"];
        let times = times.map(|name| found.standing.cell(name, found.characters));
        let last = [Cell::from(found.standing.ratio("gradient", "plain")), Figure::bytes(found.peak).into()];
        let first = [Cell::from(found.name.clone()), found.layers.to_string().into()];
        table.row(first.into_iter().chain(sizes).chain(times).chain(last));
    }
    table
}
