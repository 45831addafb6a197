//! Bundle adjustment of ADBench: Jacobians of many small functions.

use std::cell::RefCell;

use allocation_counter::measure as count_allocations;
use retrograd::Dual;
use retrograd::lanes::Instructions;

use super::{Experiment, Failure, Setting, Standing, beside_peers, read_file, read_files};
use lab_corpus::programs::bundle_adjustment::{Rows, alone, bundle_adjustment, residual, write_jacobians};
use lab_corpus::yardsticks::bundle_adjustment as plain;
use lab_corpus::yardsticks::data::Scene;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::measure::Race;
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "bundle_adjustment",
    title: "Bundle adjustment",
    about: "How far projected points are from where cameras saw them, and both rows of the Jacobian for each observation: the \
            problem of ADBench, with generated data or its files.",
    run,
};

const PLACE: &str = "NiLang (preprint), Table 3, Xeon E5-2680 v4";
const PLACE_OF_ONE: &str = "NiLang (preprint), Table 3, for one observation, Xeon E5-2680 v4";

/// What the paper has for so many observations: Jacobians by ForwardDiff, and by NiLang.
const PAPER: [(usize, [f64; 2]); 7] = [
    (31_843, [6.579e-2, 1.651e-2]),
    (204_472, [5.342e-1, 1.182e-1]),
    (287_451, [7.369e-1, 1.668e-1]),
    (563_734, [1.469, 3.273e-1]),
    (1_091_386, [2.878, 6.375e-1]),
    (4_750_193, [1.294e1, 2.785]),
    (9_125_125, [2.648e1, 5.535]),
];

/// What peers take for one observation: objectives, Jacobians, and Jacobians in registers.
const OBJECTIVES: [(&str, f64); 2] = [("Tapenade", 3.1e-8), ("Tapenade for the machine", 2.4e-8)];
const JACOBIANS: [(&str, f64); 7] = [
    ("Tapenade", 3.22e-7),
    ("Tapenade for the machine", 2.62e-7),
    ("C++ by hand", 6.6e-8),
    ("Enzyme in two sweeps", 1.89e-7),
    ("Enzyme in one sweep", 1.11e-7),
    ("JAX in one thread", 4.80e-7),
    ("CoDiPack", 8.99e-7),
];
const IN_LANES: [(&str, f64); 1] = [("AVX-512 by hand", 1.82e-8)];

/// The problems of the suite with up to about a million observations: cameras, points, observations.
const SUITE: [(usize, usize, usize); 13] = [
    (49, 7776, 31_843),
    (21, 11_315, 36_455),
    (161, 48_126, 182_072),
    (372, 47_423, 204_472),
    (257, 65_132, 225_911),
    (539, 65_220, 277_273),
    (93, 61_203, 287_451),
    (88, 64_298, 383_937),
    (810, 88_814, 393_775),
    (1197, 126_327, 563_734),
    (1723, 156_502, 678_718),
    (253, 163_691, 899_155),
    (245, 198_739, 1_091_386),
];

/// How many observations are looked at, to compare what was found.
const LOOKED_AT: usize = 100_000;

/// Writes the Jacobian of each observation.
fn jacobians(scene: &Scene, all: &mut [Rows], jacobian: impl Fn(&[f64; 11], &[f64; 3], f64, &[f64; 2]) -> Rows) {
    let Scene { cameras, points, weights, features, seen } = scene;
    for (i, rows) in all.iter_mut().enumerate() {
        *rows = jacobian(&cameras[seen[i].0], &points[seen[i].1], weights[i], &features[i]);
    }
}

/// The Jacobian of one observation by dual numbers: forwards, with all columns at once.
fn of_duals(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> Rows {
    type Tangents = Dual<f64, 15>;
    let camera = std::array::from_fn(|i| Tangents::variable(camera[i], i));
    let point = std::array::from_fn(|i| Tangents::variable(point[i], 11 + i));
    residual(&camera, &point, Tangents::variable(weight, 14), &feature.map(Tangents::constant)).map(|error| error.eps)
}

/// What was found for one scene.
struct Found {
    name: String,
    cameras: usize,
    points: usize,
    observations: usize,
    standing: Standing,
    /// Bytes that a Jacobian allocates.
    allocated: u64,
}

/// The contestants.
const PLAIN: &str = "plain";
const CALL: &str = "call";
const BY_HAND: &str = "Jacobian by hand";
const JACOBIAN: &str = "Jacobian";
const LANES: &str = "Jacobian in lanes";
const DUALS: &str = "Jacobian of duals";

impl Found {
    fn new(name: String, scene: &Scene, setting: &Setting) -> Found {
        let Scene { cameras, points, weights, features, seen } = scene;
        let n = seen.len();
        // All write to the same place: for large scenes it is most of the memory.
        let (errors, rows) = (&RefCell::new(vec![[0.0; 2]; n]), &RefCell::new(vec![Rows::default(); n]));
        let step = n.div_ceil(LOOKED_AT).max(1);
        let look_at_errors = |_: &()| errors.borrow().iter().step_by(step).flatten().copied().collect();
        let look_at_rows = |_: &()| rows.borrow().iter().step_by(step).flatten().flatten().copied().collect();
        let results = Race::new()
            .with(
                PLAIN,
                (),
                |()| {
                    for (i, error) in errors.borrow_mut().iter_mut().enumerate() {
                        let (camera, point) = (&cameras[seen[i].0], &points[seen[i].1]);
                        *error = plain::residual(camera, point, weights[i], &features[i]);
                    }
                },
                look_at_errors,
            )
            .with(
                CALL,
                (),
                |()| {
                    let errors = &mut *errors.borrow_mut();
                    errors.fill([0.0; 2]);
                    bundle_adjustment(errors, cameras, points, weights, features, seen);
                },
                look_at_errors,
            )
            .with(BY_HAND, (), |()| jacobians(scene, &mut rows.borrow_mut(), plain::jacobian), look_at_rows)
            .with(JACOBIAN, (), |()| jacobians(scene, &mut rows.borrow_mut(), alone), look_at_rows)
            .with(
                LANES,
                (),
                |()| write_jacobians(&mut rows.borrow_mut(), cameras, points, weights, features, seen),
                look_at_rows,
            )
            .with(DUALS, (), |()| jacobians(scene, &mut rows.borrow_mut(), of_duals), look_at_rows)
            .run(setting.size.effort_for_many());
        let pairs = [(PLAIN, CALL), (BY_HAND, JACOBIAN), (BY_HAND, LANES), (DUALS, JACOBIAN)];
        let mut one = [Rows::default()];
        Found {
            name,
            cameras: cameras.len(),
            points: points.len(),
            observations: n,
            standing: Standing::new(&results, pairs),
            allocated: count_allocations(|| jacobians(scene, &mut one, alone)).bytes_total,
        }
    }

    /// The fastest time for one observation.
    fn each(&self, name: &str) -> Figure {
        let all = self.standing.seconds(name);
        Figure::seconds(all.value / self.observations as f64)
    }
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let files = read_files(setting.files, "ba", |path| read_file(path, Scene::parse))?;
    let mut all = Vec::new();
    for (name, scene) in &files {
        all.push(Found::new(name.clone(), scene, setting));
        setting.progress.done(all.len(), files.len())?;
    }
    if files.is_empty() {
        let sizes: &[(usize, usize, usize)] = setting.size.pick(&[(3, 20, 60)], &[SUITE[0], SUITE[3]], &SUITE);
        for &(n, m, p) in sizes {
            all.push(Found::new("generated".to_string(), &Scene::new(n, m, p), setting));
            setting.progress.done(all.len(), sizes.len())?;
        }
    }
    Ok(Findings {
        claims: claims(&all),
        plots: vec![plot(&all)],
        tables: vec![table(&all)],
        remarks: vec![
            format!(
                "Lanes run several observations at once, in one thread, with the best instructions that the machine has: {}.",
                Instructions::best()
            ),
            "Generated scenes have different cameras and points for each observation; the files of the suite repeat one. \
             Problems of the suite with more than 1 091 386 observations, seven of twenty, are left out: they take more \
             memory, but the same time for each."
                .to_string(),
            "The times of objectives in the paper's table do not grow with the observations: they are taken for those of one."
                .to_string(),
            "Jacobians are their values, 240 bytes for each observation. The suite has one more error for each, 1 − w² for the \
             weight w, whose derivative is −2w; it is left out."
                .to_string(),
        ], ..Findings::default() })
}

fn claims(all: &[Found]) -> Vec<Claim> {
    let worst = |one: &str, other: &str| {
        Standing::worst(all.iter().map(|found| &found.standing), one, other).expect("all took part")
    };
    let allocated: u64 = all.iter().map(|found| found.allocated).sum();
    let mut claims = vec![
        Claim::at_most("difference of residuals from plain Rust", worst(PLAIN, CALL), 1e-12),
        Claim::at_most("difference of Jacobians from those by hand", worst(BY_HAND, JACOBIAN), 1e-10),
        Claim::at_most("difference of Jacobians in lanes from those by hand", worst(BY_HAND, LANES), 1e-10),
        Claim::at_most("difference of Jacobians from dual numbers", worst(DUALS, JACOBIAN), 1e-10),
        Claim::exactly("bytes that a Jacobian allocates", Figure::bytes(allocated), 0.0)
            .paper("all allocations happen on registers", "NiLang (embedded), Section 5"),
    ];
    let first = &all[0];
    let of_one = PAPER[0].1.map(|seconds| seconds / PAPER[0].0 as f64);
    for (text, name, seconds) in [
        ("objective in plain Rust; the paper: Julia", PLAIN, 3.85e-8),
        ("reversible objective", CALL, 7.565e-8),
        ("Jacobian", JACOBIAN, of_one[1]),
        ("Jacobian in lanes", LANES, of_one[1]),
        ("Jacobian by dual numbers; the paper: ForwardDiff", DUALS, of_one[0]),
    ] {
        let claim = Claim::beside(format!("{text}, for one observation"), first.each(name));
        claims.push(claim.paper_figure(seconds, PLACE_OF_ONE));
    }
    claims.extend(beside_peers("objective, for one observation", first.each(CALL), &OBJECTIVES));
    claims.extend(beside_peers("Jacobian, for one observation", first.each(JACOBIAN), &JACOBIANS));
    claims.extend(beside_peers("Jacobian in lanes, for one observation", first.each(LANES), &IN_LANES));
    for found in all {
        let Some((_, paper)) = PAPER.iter().find(|(p, _)| *p == found.observations) else { continue };
        for (text, name) in [("Jacobian", JACOBIAN), ("Jacobian in lanes", LANES)] {
            let text = format!("{} observations: {text}", Figure::count(found.observations));
            claims.push(Claim::beside(text, found.standing.seconds(name)).paper_figure(paper[1], PLACE));
        }
    }
    let ratio = first.standing.ratio(JACOBIAN, BY_HAND);
    claims.push(Claim::at_most("Jacobian over the one by hand", ratio, 1.25).timed());
    claims
}

fn table(all: &[Found]) -> Table {
    let mut table = Table::new(
        "The fastest round, for one observation, and what a Jacobian allocates.",
        [
            "data",
            "cameras",
            "points",
            "observations",
            "objective, plain",
            "objective",
            "Jacobian by hand",
            "Jacobian",
            "in lanes",
            "by dual numbers",
            "J / O",
            "allocated",
        ],
    );
    for found in all {
        let sizes = [found.cameras, found.points, found.observations].map(|size| Cell::from(Figure::count(size)));
        let times = [PLAIN, CALL, BY_HAND, JACOBIAN, LANES, DUALS].map(|name| Cell::from(found.each(name)));
        let last = [Cell::from(found.standing.ratio(JACOBIAN, PLAIN)), Figure::bytes(found.allocated).into()];
        table.row([Cell::from(found.name.clone())].into_iter().chain(sizes).chain(times).chain(last));
    }
    table
}

fn plot(all: &[Found]) -> Plot {
    let mut sorted: Vec<&Found> = all.iter().collect();
    sorted.sort_by_key(|found| found.observations);
    let ours = [
        (PLAIN, "objective, plain", Style::Dashed),
        (DUALS, "Jacobian by dual numbers", Style::Dashed),
        (BY_HAND, "Jacobian by hand", Style::Dashed),
        (JACOBIAN, "Jacobian", Style::Line),
        (LANES, "Jacobian in lanes", Style::Line),
    ];
    let mut series: Vec<Series> = ours
        .map(|(name, label, style)| {
            let points = sorted.iter().map(|found| (found.observations as f64, found.standing.seconds(name).value));
            Series::new(label, style, points)
        })
        .to_vec();
    let paper = PAPER.map(|(observations, times)| (observations as f64, times[1]));
    series.push(Series::new("NiLang's Jacobian, Xeon E5-2680 v4", Style::Line, paper));
    let tapenade = PAPER.map(|(observations, _)| (observations as f64, JACOBIANS[0].1 * observations as f64));
    series.push(Series::new("Tapenade's Jacobian, AMD EPYC", Style::Dashed, tapenade));
    Plot::new(
        "Times against the number of observations, as in Figure 3 of NiLang (embedded).",
        Axis::logarithmic("observations"),
        Axis::logarithmic("seconds"),
        series,
    )
}
