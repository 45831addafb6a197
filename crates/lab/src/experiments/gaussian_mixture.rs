//! Gaussian mixtures of ADBench: gradients by many parameters.

use allocation_counter::measure as count_allocations;

use super::{Experiment, Failure, Setting, Size, Standing, beside_peers, read_file, read_files};
use lab_corpus::programs::gaussian_mixture::{
    gradient_in_lanes, gradient_of_slices_in_lanes, objective, objective_of_slices,
};
use lab_corpus::yardsticks::adbench::MixtureOfSlices;
use lab_corpus::yardsticks::data::{Mixture, Parameters};
use lab_corpus::yardsticks::gaussian_mixture as plain;
use lab_report::findings::{Cell, Claim, Figure, Findings, NOTHING, Table};
use lab_report::measure::{Effort, Race};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "gaussian_mixture",
    title: "Gaussian mixtures",
    about: "The likelihood of many points, and its gradient with respect to all weights, means and covariances: the problem of \
            ADBench, with generated data or its files.",
    run,
};

const PLACE: &str = "NiLang (preprint), Table 4, 10 000 points, Xeon E5-2680 v4";

/// What the paper has for 10 000 points: dimensions and components; objective in Julia, reversible objective, and gradient.
const PAPER: [(usize, usize, [f64; 3]); 8] = [
    (2, 5, [9.189e-3, 1.657e-2, 3.510e-2]),
    (10, 5, [1.193e-2, 5.009e-2, 1.136e-1]),
    (2, 200, [2.494e-1, 4.902e-1, 1.064]),
    (10, 50, [8.618e-2, 4.625e-1, 1.066]),
    (64, 5, [3.523e-2, 3.036e-1, 1.700]),
    (64, 10, [7.641e-2, 6.095e-1, 3.328]),
    (64, 25, [2.254e-1, 1.594, 8.643]),
    (64, 200, [3.404, 1.529e1, 7.354e1]),
];

/// What peers take for a gradient of 10 dimensions and 25 components: with 1000 points, and with 10 000.
const PEERS: [(&str, [f64; 2]); 7] = [
    ("Tapenade", [4.35e-3, 4.45e-2]),
    ("Tapenade for the machine", [3.62e-3, 3.75e-2]),
    ("C++ by hand", [3.26e-3, 3.02e-2]),
    ("Enzyme", [4.71e-3, 5.20e-2]),
    ("Enzyme point by point", [1.82e-3, 1.86e-2]),
    ("JAX in one thread", [1.02e-3, 9.14e-3]),
    ("CoDiPack", [1.51e-2, 1.57e-1]),
];

/// The same for what uses registers as lanes do.
const PEERS_IN_LANES: [(&str, [f64; 2]); 2] =
    [("JAX in one thread", [1.02e-3, 9.14e-3]), ("AVX-512 by hand", [2.67e-4, 2.52e-3])];

/// The sizes of the suite: dimensions, components, points.
const SUITE: ([usize; 6], [usize; 6], [usize; 2]) =
    ([2, 10, 20, 32, 64, 128], [5, 10, 25, 50, 100, 200], [1000, 10_000]);

/// What was found for one mixture.
struct Found {
    name: String,
    dimensions: usize,
    components: usize,
    points: usize,
    standing: Standing,
    /// The peak of what a gradient allocates.
    peak: u64,
    /// The same in lanes.
    peak_in_lanes: Option<u64>,
}

/// The pairs of contestants that should find the same.
const PAIRS: [(&str, &str); 2] = [("plain", "call"), ("gradient by hand", "gradient")];
const PAIR_IN_LANES: (&str, &str) = ("gradient by hand", "gradient in lanes");

/// A mixture whose sizes are known to the compiler.
fn of_arrays<const D: usize, const F: usize, const K: usize>(points: usize, setting: &Setting) -> Found {
    let mixture = &Mixture::<D, F, K>::new(points);
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture;
    let number = |y: &f64| vec![*y];
    let gradient = |g: &mut Parameters<D, F, K>| {
        (_, g.alphas, g.means, g.icf) = objective::gradient(alphas, means, icf, x, prior);
    };
    let in_lanes = |g: &mut Parameters<D, F, K>| {
        (_, g.alphas, g.means, g.icf) = gradient_in_lanes(alphas, means, icf, x, prior);
    };
    let results = Race::new()
        .with("plain", 0.0, |y| *y = plain::objective(mixture), number)
        .with("call", 0.0, |y| *y = objective(alphas, means, icf, x, prior), number)
        .with("gradient by hand", Parameters::ZERO, |g| *g = plain::gradient(mixture).1, Parameters::to_vec)
        .with("gradient", Parameters::ZERO, gradient, Parameters::to_vec)
        .with("gradient in lanes", Parameters::ZERO, in_lanes, Parameters::to_vec)
        .run(setting.size.effort());
    let mut g = Parameters::ZERO;
    Found {
        name: "generated, sizes known to the compiler".to_string(),
        dimensions: D,
        components: K,
        points,
        standing: Standing::new(&results, [PAIRS[0], PAIRS[1], PAIR_IN_LANES]),
        peak: count_allocations(|| gradient(&mut g)).bytes_max,
        peak_in_lanes: Some(count_allocations(|| in_lanes(&mut g)).bytes_max),
    }
}

/// The gradient by weights, means and covariances.
type Gradient = [Vec<f64>; 3];

fn gradient_of_slices(mixture: &MixtureOfSlices) -> Gradient {
    let MixtureOfSlices { alphas, means, icf, x, prior, .. } = mixture;
    let (_, g_alphas, g_means, g_icf) = objective_of_slices::gradient(alphas, means, icf, x, prior);
    [g_alphas, g_means, g_icf]
}

fn in_lanes<const D: usize, const F: usize>(mixture: &MixtureOfSlices) -> Gradient {
    let MixtureOfSlices { alphas, means, icf, x, prior, .. } = mixture;
    let (means, icf, x) = (means.as_chunks::<D>().0, icf.as_chunks::<F>().0, x.as_chunks::<D>().0);
    let (_, g_alphas, g_means, g_icf) = gradient_of_slices_in_lanes(alphas, means, icf, x, prior);
    [g_alphas, g_means.into_flattened(), g_icf.into_flattened()]
}

/// The gradient in lanes, for dimensions that are known to the compiler: those of the suite.
fn of_dimensions_in_lanes(dimensions: usize) -> Option<fn(&MixtureOfSlices) -> Gradient> {
    match dimensions {
        2 => Some(in_lanes::<2, 3>),
        10 => Some(in_lanes::<10, 55>),
        20 => Some(in_lanes::<20, 210>),
        32 => Some(in_lanes::<32, 528>),
        64 => Some(in_lanes::<64, 2080>),
        128 => Some(in_lanes::<128, 8256>),
        _ => None,
    }
}

/// A mixture of any sizes.
fn of_slices(name: String, mixture: &MixtureOfSlices, effort: Effort) -> Found {
    let MixtureOfSlices { dimensions, alphas, means, icf, x, prior } = mixture;
    let number = |y: &f64| vec![*y];
    let (nothing, numbers) = ([const { Vec::new() }; 3], |g: &Gradient| g.concat());
    let race = Race::new()
        .with("plain", 0.0, |y| *y = plain::objective_of_slices(alphas, means, icf, x, prior), number)
        .with("call", 0.0, |y| *y = objective_of_slices(alphas, means, icf, x, prior), number)
        .with(
            "gradient by hand",
            Vec::new(),
            |g| *g = plain::gradient_of_slices(alphas, means, icf, x, prior).1,
            Vec::clone,
        )
        .with("gradient", nothing.clone(), |g| *g = gradient_of_slices(mixture), numbers);
    let in_lanes = of_dimensions_in_lanes(*dimensions);
    let results = match in_lanes {
        Some(in_lanes) => race.with("gradient in lanes", nothing, move |g| *g = in_lanes(mixture), numbers),
        None => race,
    }
    .run(effort);
    let standing = Standing::new(&results, PAIRS);
    let (one, other) = PAIR_IN_LANES;
    Found {
        name,
        dimensions: *dimensions,
        components: alphas.len(),
        points: x.len() / dimensions,
        standing: match in_lanes {
            Some(_) => standing.compared(&results, one, other),
            None => standing,
        },
        peak: count_allocations(|| drop(gradient_of_slices(mixture))).bytes_max,
        peak_in_lanes: in_lanes.map(|in_lanes| count_allocations(|| drop(in_lanes(mixture))).bytes_max),
    }
}

/// Sizes of the suite whose gradients take seconds at most, and those that are left out.
fn suite() -> (Vec<[usize; 3]>, Vec<[usize; 3]>) {
    let (dimensions, components, points) = SUITE;
    let sizes = points.into_iter().flat_map(|n| dimensions.map(|d| components.map(|k| [d, k, n])));
    // The matrix of each component meets each point.
    sizes.flatten().partition(|[d, k, n]| d * d * k * n <= 2_500_000_000)
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let files = read_files(setting.files, "gmm", |path| read_file(path, MixtureOfSlices::parse))?;
    let (mut all, mut remarks) = (Vec::new(), Vec::new());
    if files.is_empty() {
        let points = setting.size.pick(20, 10_000, 10_000);
        let run: [&dyn Fn() -> Found; 6] = [
            &|| of_arrays::<2, 3, 5>(points, setting),
            &|| of_arrays::<10, 55, 5>(points, setting),
            &|| of_arrays::<2, 3, 200>(points, setting),
            &|| of_arrays::<10, 55, 25>(points / 10, setting),
            &|| of_arrays::<10, 55, 25>(points, setting),
            &|| of_arrays::<10, 55, 50>(points, setting),
        ];
        // Without optimisation, the larger ones need more of the stack than the thread of a test has.
        let run = &run[..setting.size.pick(2, 6, 6)];
        let (sizes, left_out) = match setting.size {
            Size::Small => (vec![[2, 3, points], [3, 2, points]], Vec::new()),
            Size::Quick => (vec![[2, 5, points], [10, 5, points]], Vec::new()),
            Size::Full => suite(),
        };
        let parts = run.len() + sizes.len();
        for run in run {
            all.push(run());
            setting.progress.done(all.len(), parts)?;
        }
        let effort = setting.size.effort_for_many();
        for [d, k, n] in sizes {
            all.push(of_slices("generated".to_string(), &MixtureOfSlices::new(d, k, n), effort));
            setting.progress.done(all.len(), parts)?;
        }
        if !left_out.is_empty() {
            let names: Vec<String> = left_out.iter().map(|[d, k, n]| format!("({d}, {k}, {n})")).collect();
            remarks.push(format!(
                "Sizes (d, K, N) of the suite that would take too long are left out: {}.",
                names.join(", ")
            ));
        }
    }
    for (number, (name, mixture)) in (1..).zip(&files) {
        all.push(of_slices(name.clone(), mixture, setting.size.effort()));
        setting.progress.done(number, files.len())?;
    }
    remarks.extend([
        "Where the sizes are known to the compiler, all scratch memory is on the stack, and nothing is allocated. Elsewhere, \
         lanes are compiled for the dimensions of the suite only. They sum the gradient with respect to each parameter in as \
         many places as there are lanes."
            .to_string(),
        "Formula (6) of the paper, with the factor 2 for gradients, is what the reversible program of NiLang needs in addition \
         to the data; formula (5) is for the objective of a program that is not reversible. Tapenade's stack for the way back \
         has (2d + 1)·N·K numbers."
            .to_string(),
    ]);
    Ok(Findings {
        claims: claims(&all),
        plots: vec![times(&all), memory(&all)],
        tables: vec![table(&all)],
        remarks,
        ..Findings::default()
    })
}

/// How many parameters a mixture has.
fn parameters(Found { dimensions: d, components: k, .. }: &Found) -> usize {
    k * (1 + d + d * (d + 1) / 2)
}

/// What the objective of the paper needs if it is not reversible, in bytes: its formula (5).
fn formula_5(found: &Found) -> f64 {
    let (d, k, p) = (found.dimensions as f64, found.components as f64, parameters(found) as f64);
    8.0 * ((2.0 + d * d) * k + 2.0 * d + p)
}

/// What the reversible program of the paper needs for a gradient, in bytes: twice its formula (6).
fn formula_6(found: &Found) -> f64 {
    let (d, k, p) = (found.dimensions as f64, found.components as f64, parameters(found) as f64);
    2.0 * 8.0 * ((3.0 + d * d + d) * k + 2.0 * k.log2() + p)
}

/// What Tapenade pushes to its stack, in bytes.
fn stack_of_tapenade(found: &Found) -> f64 {
    8.0 * ((2 * found.dimensions + 1) * found.points * found.components) as f64
}

fn claims(all: &[Found]) -> Vec<Claim> {
    let worst = |one: &str, other: &str| Standing::worst(all.iter().map(|found| &found.standing), one, other);
    let differences = [
        ("difference of the objective from plain Rust", PAIRS[0], 1e-12),
        ("difference of gradients from those by hand", PAIRS[1], 1e-9),
        ("difference of gradients in lanes from those by hand", PAIR_IN_LANES, 1e-9),
    ];
    let differences = differences
        .into_iter()
        .filter_map(|(text, (one, other), most)| Some(Claim::at_most(text, worst(one, other)?, most)));
    let mut claims: Vec<Claim> = differences.collect();
    // Where sizes are there twice, the compiler knows the first ones.
    let first = |d, k, n| all.iter().find(|found| (found.dimensions, found.components, found.points) == (d, k, n));
    for (d, k, paper) in PAPER {
        let Some(Found { standing, .. }) = first(d, k, 10_000) else { continue };
        for (text, name, seconds) in [
            ("objective in plain Rust; the paper: Julia", "plain", paper[0]),
            ("reversible objective", "call", paper[1]),
            ("gradient", "gradient", paper[2]),
            ("gradient in lanes", "gradient in lanes", paper[2]),
        ] {
            let time = standing.seconds(name);
            claims.push(Claim::beside(format!("d = {d}, K = {k}: {text}"), time).paper_figure(seconds, PLACE));
        }
    }
    for (i, n) in SUITE.2.into_iter().enumerate() {
        let Some(Found { standing, .. }) = first(10, 25, n) else { continue };
        let text = format!("d = 10, K = 25, {} points", Figure::count(n));
        let peers = |peers: &[(&'static str, [f64; 2])]| {
            peers.iter().map(|(peer, times)| (*peer, times[i])).collect::<Vec<_>>()
        };
        claims.extend(beside_peers(&format!("{text}: gradient"), standing.seconds("gradient"), &peers(&PEERS)));
        let time = standing.seconds("gradient in lanes");
        claims.extend(beside_peers(&format!("{text}: gradient in lanes"), time, &peers(&PEERS_IN_LANES)));
    }
    if let Some(found) = first(10, 25, 10_000).or(first(10, 25, 1000)) {
        let ratio = found.standing.ratio("gradient", "plain");
        claims.push(Claim::at_most("d = 10, K = 25: gradient over plain objective", ratio, 3.5).timed());
    }
    let most = all.iter().filter(|found| found.points >= 1000).map(|found| found.peak as f64 / formula_6(found));
    if let Some(most) = most.reduce(f64::max) {
        let text = "largest peak memory of a gradient over twice formula (6)";
        claims.push(Claim::at_most(text, Figure::times(most), 1.0).paper_figure(1.0, "NiLang (embedded), Figure 4"));
    }
    claims
}

fn table(all: &[Found]) -> Table {
    let mut table = Table::new(
        "The fastest round, for one point, and the peak memory of a gradient.",
        [
            "data",
            "d",
            "K",
            "points",
            "objective, plain",
            "objective",
            "gradient by hand",
            "gradient",
            "in lanes",
            "G / O",
            "peak",
            "peak in lanes",
            "twice formula (6)",
        ],
    );
    for found in all {
        let sizes = [found.dimensions.to_string().into(), found.components.to_string().into()];
        let times = ["plain", "call", "gradient by hand", "gradient", "gradient in lanes"];
        let times = times.map(|name| found.standing.cell(name, found.points));
        let ratio = found.standing.ratio("gradient", "plain");
        let in_lanes = found.peak_in_lanes.map_or(NOTHING.into(), |peak| Figure::bytes(peak).into());
        let peaks = [Figure::bytes(found.peak).into(), in_lanes, Figure::bytes(formula_6(found) as u64).into()];
        let row = [Cell::from(found.name.clone())].into_iter().chain(sizes).chain([Figure::count(found.points).into()]);
        table.row(row.chain(times).chain([ratio.into()]).chain(peaks));
    }
    table
}

/// Those with the most points.
fn of_most_points(all: &[Found]) -> impl Iterator<Item = &Found> {
    let most = all.iter().map(|found| found.points).max();
    all.iter().filter(move |found| Some(found.points) == most)
}

/// What a figure of the paper shows: something against the number of parameters.
fn against_parameters<'a>(
    label: &str,
    found: impl Iterator<Item = &'a Found>,
    of: impl Fn(&Found) -> Option<f64>,
) -> Series {
    Series::new(label, Style::Marks, found.filter_map(|found| Some((parameters(found) as f64, of(found)?))))
}

fn times(all: &[Found]) -> Plot {
    let ways = [
        ("plain", "objective, plain"),
        ("gradient by hand", "gradient by hand"),
        ("gradient", "gradient"),
        ("gradient in lanes", "gradient in lanes"),
    ];
    let mut series: Vec<Series> = ways
        .map(|(name, label)| {
            let time = |found: &Found| found.standing.timing(name).map(|timing| timing.minimum());
            against_parameters(label, of_most_points(all), time)
        })
        .to_vec();
    if of_most_points(all).any(|found| found.points == 10_000) {
        let parameters = |d: usize, k: usize| (k * (1 + d + d * (d + 1) / 2)) as f64;
        let paper = PAPER.map(|(d, k, [_, _, gradient])| (parameters(d, k), gradient));
        series.push(Series::new("NiLang's gradient, Xeon E5-2680 v4", Style::Line, paper));
        let tapenade = [(parameters(10, 25), PEERS[0].1[1])];
        series.push(Series::new("Tapenade's gradient, AMD EPYC", Style::Marks, tapenade));
    }
    let points = Figure::count(of_most_points(all).map(|found| found.points).next().unwrap_or_default());
    Plot::new(
        format!("Times for {points} points, against the number of parameters, as in Figure 3 of NiLang (embedded)."),
        Axis::logarithmic("parameters"),
        Axis::logarithmic("seconds"),
        series,
    )
}

fn memory(all: &[Found]) -> Plot {
    // Where sizes are known to the compiler, nothing is allocated, and a logarithm has no place for that.
    let of_slices = || of_most_points(all).filter(|found| found.peak > 0);
    let series = vec![
        against_parameters("gradient", of_slices(), |found| Some(found.peak as f64)),
        against_parameters("gradient in lanes", of_slices(), |found| found.peak_in_lanes.map(|peak| peak as f64)),
        against_parameters("formula (5), objective", of_most_points(all), |found| Some(formula_5(found))),
        against_parameters("twice formula (6), gradient", of_most_points(all), |found| Some(formula_6(found))),
        against_parameters("stack of Tapenade", of_most_points(all), |found| Some(stack_of_tapenade(found))),
    ];
    Plot::new(
        "Peak memory in addition to the data, against the number of parameters, as in Figure 4 of NiLang (embedded).",
        Axis::logarithmic("parameters"),
        Axis::logarithmic("bytes"),
        series,
    )
}
