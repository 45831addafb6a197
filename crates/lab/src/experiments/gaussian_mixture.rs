//! Gaussian mixtures of ADBench: gradients by many parameters.

use allocation_counter::measure as count_allocations;

use super::{Experiment, Failure, Setting, read_file, read_files};
use crate::measure::{Race, Results};
use crate::programs::gaussian_mixture::{Wishart, gradient_in_lanes, objective, objective_of_slices};
use crate::report::findings::{Cell, Claim, Figure, Findings, Table};
use crate::report::plot::{Axis, Plot, Series, Style};
use crate::yardsticks::adbench::MixtureOfSlices;
use crate::yardsticks::data::{Mixture, Parameters, Random};
use crate::yardsticks::gaussian_mixture as plain;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "gaussian_mixture",
    title: "Gaussian mixtures",
    about: "The likelihood of many points, and its gradient by all weights, means and covariances: the problem of ADBench, with \
            generated data or its files.",
    run,
};

const PLACE: &str = "NiLang (preprint), Table 4, 10 000 points, Xeon E5-2680 v4";

/// What the paper has for 10 000 points: dimensions and components; objective in Julia, reversible objective, and gradient.
const PAPER: [(usize, usize, [f64; 3]); 4] = [
    (2, 5, [9.189e-3, 1.657e-2, 3.510e-2]),
    (10, 5, [1.193e-2, 5.009e-2, 1.136e-1]),
    (2, 200, [2.494e-1, 4.902e-1, 1.064]),
    (10, 50, [8.618e-2, 4.625e-1, 1.066]),
];

/// What was found for one mixture.
struct Found {
    name: String,
    dimensions: usize,
    components: usize,
    points: usize,
    /// Whether the gradient in lanes took part.
    in_lanes: bool,
    results: Results,
    /// The peak of what a gradient allocates.
    peak: u64,
}

/// A mixture whose sizes are known to the compiler.
fn of_arrays<const D: usize, const F: usize, const K: usize>(points: usize, setting: &Setting) -> Found {
    let mixture = &Mixture::<D, F, K>::new(points);
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture;
    let number = |y: &f64| vec![*y];
    let gradient = |g: &mut Parameters<D, F, K>| {
        (_, g.alphas, g.means, g.icf) = objective::gradient(alphas, means, icf, x, prior);
    };
    let results = Race::new()
        .with("plain", 0.0, |y| *y = plain::objective(mixture), number)
        .with("call", 0.0, |y| *y = objective(alphas, means, icf, x, prior), number)
        .with("gradient by hand", Parameters::ZERO, |g| *g = plain::gradient(mixture).1, Parameters::to_vec)
        .with("gradient", Parameters::ZERO, gradient, Parameters::to_vec)
        .with(
            "gradient in lanes",
            Parameters::ZERO,
            |g: &mut Parameters<D, F, K>| {
                (_, g.alphas, g.means, g.icf) = gradient_in_lanes(alphas, means, icf, x, prior)
            },
            Parameters::to_vec,
        )
        .run(setting.size.effort());
    let mut g = Parameters::ZERO;
    let peak = count_allocations(|| gradient(&mut g)).bytes_max;
    Found { name: "generated".to_string(), dimensions: D, components: K, points, in_lanes: true, results, peak }
}

/// A mixture of any sizes.
fn of_slices(name: String, mixture: &MixtureOfSlices, setting: &Setting) -> Found {
    let MixtureOfSlices { dimensions, alphas, means, icf, x, prior } = mixture;
    let number = |y: &f64| vec![*y];
    let results = Race::new()
        .with("plain", 0.0, |y| *y = plain::objective_of_slices(alphas, means, icf, x, prior), number)
        .with("call", 0.0, |y| *y = objective_of_slices(alphas, means, icf, x, prior), number)
        .with(
            "gradient by hand",
            Vec::new(),
            |g| *g = plain::gradient_of_slices(alphas, means, icf, x, prior).1,
            Vec::clone,
        )
        .with(
            "gradient",
            [const { Vec::new() }; 3],
            |g: &mut [Vec<f64>; 3]| {
                let (_, g_alphas, g_means, g_icf) = objective_of_slices::gradient(alphas, means, icf, x, prior);
                *g = [g_alphas, g_means, g_icf];
            },
            |g| g.concat(),
        )
        .run(setting.size.effort());
    let peak = count_allocations(|| drop(objective_of_slices::gradient(alphas, means, icf, x, prior))).bytes_max;
    let (components, points) = (alphas.len(), x.len() / dimensions);
    Found { name, dimensions: *dimensions, components, points, in_lanes: false, results, peak }
}

/// A generated mixture, of any sizes.
fn generated(d: usize, k: usize, points: usize) -> MixtureOfSlices {
    let mut random = Random::new(5);
    let mut numbers = |count: usize, low, high| (0..count).map(|_| random.between(low, high)).collect::<Vec<f64>>();
    MixtureOfSlices {
        dimensions: d,
        alphas: numbers(k, -1.0, 1.0),
        means: numbers(k * d, 0.0, 1.0),
        icf: numbers(k * d * (d + 1) / 2, -1.0, 1.0),
        x: numbers(points * d, -1.0, 2.0),
        prior: Wishart { gamma: 1.0, m: 0 },
    }
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let files = read_files(setting.files, "gmm", |path| read_file(path, MixtureOfSlices::parse))?;
    let mut all = Vec::new();
    if files.is_empty() {
        let points = setting.size.pick(20, 10_000, 10_000);
        let wide: &[(usize, usize)] = setting.size.pick(&[(3, 2)], &[], &[(64, 5), (64, 10), (64, 25)]);
        let arrays = setting.size.pick(2, 5, 5);
        let parts = arrays + wide.len();
        let run: [&dyn Fn() -> Found; 5] = [
            &|| of_arrays::<2, 3, 5>(points, setting),
            &|| of_arrays::<10, 55, 5>(points, setting),
            &|| of_arrays::<2, 3, 200>(points, setting),
            &|| of_arrays::<10, 55, 25>(points, setting),
            &|| of_arrays::<10, 55, 50>(points, setting),
        ];
        // Without optimisation, the larger ones need more of the stack than the thread of a test has.
        for run in &run[..arrays] {
            all.push(run());
            setting.progress.done(all.len(), parts)?;
        }
        for &(d, k) in wide {
            all.push(of_slices("generated".to_string(), &generated(d, k, points), setting));
            setting.progress.done(all.len(), parts)?;
        }
    }
    for (number, (name, mixture)) in (1..).zip(&files) {
        all.push(of_slices(name.clone(), mixture, setting));
        setting.progress.done(number, files.len())?;
    }
    Ok(Findings {
        claims: claims(&all),
        plots: vec![plot(&all)],
        tables: vec![table(&all)],
        remarks: vec![
            "Where the sizes are known to the compiler, all scratch memory is on the stack, and nothing is allocated. Formula (6) of the \
             paper, with the factor 2 for gradients, is what the reversible program of NiLang needs beside the data."
                .to_string(),
        ],
    })
}

/// How many parameters a mixture has.
fn parameters(Found { dimensions: d, components: k, .. }: &Found) -> usize {
    k * (1 + d + d * (d + 1) / 2)
}

/// What the reversible program of the paper needs for a gradient, in bytes: twice its formula (6).
fn formula(found: &Found) -> f64 {
    let (d, k, p) = (found.dimensions as f64, found.components as f64, parameters(found) as f64);
    2.0 * 8.0 * ((3.0 + d * d + d) * k + 2.0 * k.log2() + p)
}

fn claims(all: &[Found]) -> Vec<Claim> {
    let worst_of = |found: &mut dyn Iterator<Item = &Found>, one: &str, other: &str| {
        Figure::plain(found.map(|found| found.results.difference(one, other)).fold(0.0, f64::max))
    };
    let worst = |one: &str, other: &str| worst_of(&mut all.iter(), one, other);
    let in_lanes = || all.iter().filter(|found| found.in_lanes);
    let mut claims = vec![
        Claim::at_most("difference of the objective from plain Rust", worst("plain", "call"), 1e-12),
        Claim::at_most("difference of gradients from those by hand", worst("gradient by hand", "gradient"), 1e-9),
    ];
    if in_lanes().count() > 0 {
        let difference = worst_of(&mut in_lanes(), "gradient by hand", "gradient in lanes");
        claims.push(Claim::at_most("difference of gradients in lanes from those by hand", difference, 1e-9));
    }
    for found in all {
        let Found { dimensions: d, components: k, points, results, .. } = found;
        let Some((_, _, paper)) = PAPER.iter().find(|(dd, kk, _)| (dd, kk) == (d, k) && *points == 10_000) else {
            continue;
        };
        let texts = ["objective in plain Rust; the paper: Julia", "reversible objective", "gradient"];
        for ((text, name), seconds) in texts.iter().zip(["plain", "call", "gradient"]).zip(paper) {
            let time = Figure::seconds(results.timing(name).minimum());
            claims.push(Claim::beside(format!("d = {d}, K = {k}: {text}"), time).paper_figure(*seconds, PLACE));
        }
        if found.in_lanes {
            let time = Figure::seconds(results.timing("gradient in lanes").minimum());
            claims.push(
                Claim::beside(format!("d = {d}, K = {k}: gradient in lanes"), time).paper_figure(paper[2], PLACE),
            );
        }
    }
    for found in all.iter().filter(|found| (found.dimensions, found.components) == (10, 25)) {
        let ratio = Figure::times(found.results.timing("gradient").ratio(found.results.timing("plain")));
        claims.push(Claim::at_most("d = 10, K = 25: gradient over plain objective", ratio, 3.5).timed());
    }
    let most = all.iter().filter(|found| found.points >= 1000).map(|found| found.peak as f64 / formula(found));
    if let Some(most) = most.reduce(f64::max) {
        let text = "the peak of memory of a gradient, over twice formula (6), at most";
        claims.push(Claim::at_most(text, Figure::times(most), 1.0).paper_figure(1.0, "NiLang (embedded), Figure 4"));
    }
    claims
}

fn table(all: &[Found]) -> Table {
    let mut table = Table::new(
        "The fastest round, and the peak of memory of a gradient.",
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
            "formula (6)",
        ],
    );
    for found in all {
        let time = |name: &str| Cell::from(Figure::seconds(found.results.timing(name).minimum()));
        let ratio = found.results.timing("gradient").ratio(found.results.timing("plain"));
        let in_lanes = if found.in_lanes { time("gradient in lanes") } else { "—".into() };
        table.row([
            found.name.clone().into(),
            found.dimensions.to_string().into(),
            found.components.to_string().into(),
            Figure::count(found.points).into(),
            time("plain"),
            time("call"),
            time("gradient by hand"),
            time("gradient"),
            in_lanes,
            Figure::times(ratio).into(),
            Figure::bytes(found.peak).into(),
            Figure::bytes(formula(found) as u64).into(),
        ]);
    }
    table
}

fn plot(all: &[Found]) -> Plot {
    let mut dimensions: Vec<usize> = all.iter().map(|found| found.dimensions).collect();
    dimensions.sort_unstable();
    dimensions.dedup();
    let ways = [("plain", "objective, plain", Style::Dashed), ("gradient", "gradient", Style::Line)];
    let series = dimensions.iter().enumerate().flat_map(|(group, &d)| {
        let mut of_d: Vec<&Found> = all.iter().filter(|found| found.dimensions == d).collect();
        of_d.sort_by_key(|found| found.components);
        ways.map(|(name, label, style)| {
            let time = |found: &&Found| found.results.timing(name).part(found.points).minimum() * 1e6;
            let points = of_d.iter().map(|found| (found.components as f64, time(found)));
            Series::new(format!("d = {d}, {label}"), style, points).of_group(group)
        })
    });
    Plot::new(
        "Times for one point, against the components.",
        Axis::logarithmic("components K"),
        Axis::logarithmic("microseconds"),
        series.collect(),
    )
}
