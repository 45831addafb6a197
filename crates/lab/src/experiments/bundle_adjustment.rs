//! Bundle adjustment of ADBench: Jacobians of many small functions.

use allocation_counter::measure as count_allocations;
use retrograd::lanes::Instructions;

use super::{Experiment, Failure, Setting, read_file, read_files};
use crate::measure::{Race, Results};
use crate::programs::bundle_adjustment::{Rows, alone, bundle_adjustment, write_jacobians};
use crate::report::findings::{Cell, Claim, Figure, Findings, Table};
use crate::yardsticks::bundle_adjustment as plain;
use crate::yardsticks::data::Scene;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "bundle_adjustment",
    title: "Bundle adjustment",
    about: "How far cameras see points from where they were seen, and both rows of the Jacobian for each observation: the problem \
            of ADBench, with generated data or its files.",
    run,
};

const PLACE: &str = "NiLang (preprint), Table 3, for one observation, Xeon E5-2680 v4";

/// Writes the Jacobian of each observation.
fn jacobians(scene: &Scene, all: &mut [Rows], jacobian: impl Fn(&[f64; 11], &[f64; 3], f64, &[f64; 2]) -> Rows) {
    let Scene { cameras, points, weights, features, seen } = scene;
    for (i, rows) in all.iter_mut().enumerate() {
        *rows = jacobian(&cameras[seen[i].0], &points[seen[i].1], weights[i], &features[i]);
    }
}

/// What was found for one scene.
struct Found {
    name: String,
    observations: usize,
    results: Results,
    /// Bytes that a Jacobian allocates.
    allocated: u64,
}

impl Found {
    fn new(name: String, scene: &Scene, setting: &Setting) -> Found {
        let Scene { cameras, points, weights, features, seen } = scene;
        let n = seen.len();
        let errors = |errors: &Vec<[f64; 2]>| errors.as_flattened().to_vec();
        let rows = |rows: &Vec<Rows>| rows.as_flattened().as_flattened().to_vec();
        let results = Race::new()
            .with(
                "plain",
                vec![[0.0; 2]; n],
                |errors| {
                    for (i, error) in errors.iter_mut().enumerate() {
                        let (camera, point) = (&cameras[seen[i].0], &points[seen[i].1]);
                        *error = plain::residual(camera, point, weights[i], &features[i]);
                    }
                },
                errors,
            )
            .with(
                "call",
                vec![[0.0; 2]; n],
                |errors| {
                    errors.fill([0.0; 2]);
                    bundle_adjustment(errors, cameras, points, weights, features, seen);
                },
                errors,
            )
            .with("Jacobian by hand", vec![Rows::default(); n], |all| jacobians(scene, all, plain::jacobian), rows)
            .with("Jacobian", vec![Rows::default(); n], |all| jacobians(scene, all, alone), rows)
            .with(
                "Jacobian in lanes",
                vec![Rows::default(); n],
                |all| write_jacobians(all, cameras, points, weights, features, seen),
                rows,
            )
            .run(setting.size.effort());
        let mut one = [Rows::default()];
        let allocated = count_allocations(|| jacobians(scene, &mut one, alone)).bytes_total;
        Found { name, observations: n, results, allocated }
    }

    /// The fastest time for one observation.
    fn each(&self, name: &str) -> Figure {
        Figure::seconds(self.results.timing(name).part(self.observations).minimum())
    }
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let files = read_files(setting.files, "ba", |path| read_file(path, Scene::parse))?;
    let mut scenes = files;
    if scenes.is_empty() {
        // Cameras, points and observations of problems of the suite.
        let sizes: &[(usize, usize, usize)] = setting.size.pick(
            &[(3, 20, 60)],
            &[(49, 7776, 31_843), (372, 47_423, 204_472)],
            &[(49, 7776, 31_843), (372, 47_423, 204_472), (93, 61_203, 287_451), (1197, 126_327, 563_734)],
        );
        scenes = sizes.iter().map(|&(n, m, p)| (format!("{n} cameras, {m} points"), Scene::new(n, m, p))).collect();
    }
    let mut all = Vec::new();
    for (name, scene) in &scenes {
        all.push(Found::new(name.clone(), scene, setting));
        setting.progress.done(all.len(), scenes.len())?;
    }
    Ok(Findings {
        claims: claims(&all),
        plots: Vec::new(),
        tables: vec![table(&all)],
        remarks: vec![
            format!(
                "Lanes run several observations at once, in one thread, with the best instructions that the machine has: {}.",
                Instructions::best()
            ),
            "Generated scenes have other cameras and points for each observation; the files of the suite repeat one."
                .to_string(),
            "The times of objectives in the paper's table do not grow with the observations: they are taken for those of one."
                .to_string(),
        ],
    })
}

fn claims(all: &[Found]) -> Vec<Claim> {
    let worst = |one: &str, other: &str| {
        let difference = all.iter().map(|found| found.results.difference(one, other)).fold(0.0, f64::max);
        Figure::plain(difference)
    };
    let allocated: u64 = all.iter().map(|found| found.allocated).sum();
    let mut claims = vec![
        Claim::at_most("difference of residuals from plain Rust", worst("plain", "call"), 1e-12),
        Claim::at_most("difference of Jacobians from those by hand", worst("Jacobian by hand", "Jacobian"), 1e-10),
        Claim::at_most(
            "difference of Jacobians in lanes from those by hand",
            worst("Jacobian by hand", "Jacobian in lanes"),
            1e-10,
        ),
        Claim::exactly("bytes that a Jacobian allocates", Figure::bytes(allocated), 0.0)
            .paper("all allocations happen on registers", "NiLang (embedded), Section 5"),
    ];
    let first = &all[0];
    for (text, name, seconds) in [
        ("objective in plain Rust; the paper: Julia", "plain", 3.85e-8),
        ("reversible objective", "call", 7.565e-8),
        ("Jacobian", "Jacobian", 1.651e-2 / 31_843.0),
        ("Jacobian in lanes", "Jacobian in lanes", 1.651e-2 / 31_843.0),
    ] {
        claims
            .push(Claim::beside(format!("{text}, for one observation"), first.each(name)).paper_figure(seconds, PLACE));
    }
    let ratio = first.results.timing("Jacobian").ratio(first.results.timing("Jacobian by hand"));
    claims.push(Claim::at_most("Jacobian over the one by hand", Figure::times(ratio), 1.25).timed());
    claims
}

fn table(all: &[Found]) -> Table {
    let names = ["plain", "call", "Jacobian by hand", "Jacobian", "Jacobian in lanes"];
    let mut table = Table::new(
        "The fastest round, for one observation.",
        [
            "scene",
            "observations",
            "objective, plain",
            "objective",
            "Jacobian by hand",
            "Jacobian",
            "in lanes",
            "Jacobian / objective",
        ],
    );
    for found in all {
        let ratio = found.results.timing("Jacobian").ratio(found.results.timing("plain"));
        let times = names.map(|name| Cell::from(found.each(name)));
        let first = [Cell::from(found.name.clone()), Figure::count(found.observations).into()];
        table.row(first.into_iter().chain(times).chain([Figure::times(ratio).into()]));
    }
    table
}
