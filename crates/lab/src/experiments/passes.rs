//! What each pass of the compiler buys: gradients with all passes, and without one of them.

use std::hint::black_box;

use super::granularity::numbers;
use super::{Experiment, Failure, Setting};
use lab_corpus::yardsticks::data::{Mixture, Parameters, Random};
use lab_corpus::{programs, variants};
use lab_report::findings::{Cell, Claim, Figure, Findings, NOTHING, Table};
use lab_report::measure::{Race, Results, worse};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "passes",
    title: "What each compiler pass buys",
    about: "Gradients of the same programs, compiled with all passes and without one of them: `#[reversible(without = \
            \"..\")]`. Without `demand`, everything is computed and restored, whether needed or not. Without `contract`, each \
            iteration of a loop has its adjoints in an array. Without `once`, what an ancilla holds is computed again. Without \
            `sums`, a sum is computed before the adjoints. Without `unroll`, short loops stay loops. Without `upwards`, loops of \
            adjoints count down. Without `fuse`, a sum and its adjoint have a loop each. Without `delay`, each iteration of a stencil adds to several elements. \
            Without `carry`, each iteration of a loop reads and writes the element that all of them change. Without `rows`, each \
            iteration compares its indices with lengths.",
    run,
};

/// The passes, in the order of the table.
const PASSES: [&str; 10] =
    ["demand", "contract", "once", "sums", "unroll", "upwards", "fuse", "delay", "carry", "rows"];

/// How many programs there are.
const PROGRAMS: usize = if cfg!(debug_assertions) { 6 } else { 11 };

/// The races of all programs.
struct Races<'a> {
    setting: &'a Setting<'a>,
    all: Vec<(&'static str, Results)>,
}

impl Races<'_> {
    fn run(&mut self, name: &'static str, race: Race<'_>) -> Result<(), Failure> {
        self.all.push((name, race.run(self.setting.size.effort())));
        self.setting.progress.done(self.all.len(), PROGRAMS)
    }
}

/// `race!(races, name, file, [pass = variant, ..], gradient)`, where the gradient is that of the module `program`: the file itself,
/// and the copies without each of the passes.
macro_rules! race {
    ($races:ident, $name:literal, $file:ident, [$($pass:literal = $variant:ident),*], $gradient:expr) => {{
        let race = Race::new();
        let race = {
            use programs::$file as program;
            race.with("all", $gradient, |found| *found = $gradient, numbers)
        };
        $(let race = {
            use variants::$variant::$file as program;
            race.with($pass, $gradient, |found| *found = $gradient, numbers)
        };)*
        $races.run($name, race)?;
    }};
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let mut races = Races { setting, all: Vec::new() };
    small(&mut races)?;
    #[cfg(not(debug_assertions))]
    measured(&mut races)?;
    Ok(Findings {
        claims: claims(&races.all),
        tables: vec![table(&races.all)],
        remarks: vec![
            "Where there is no figure, a pass changes nothing in a program, or was not tried. Builds with debug assertions \
             have fewer programs."
                .to_string(),
        ], ..Findings::default() })
}

/// Programs that are in every build.
fn small(races: &mut Races) -> Result<(), Failure> {
    let size = races.setting.size;
    let random = &mut Random::new(5);
    let x: &[[f64; 5]; 10] = &std::array::from_fn(|_| random.array(-1.0, 1.0));
    race!(
        races,
        "graph embedding",
        graph_embedding,
        ["demand" = without_demand, "contract" = without_contract, "once" = without_once],
        program::embedding_loss::gradient(black_box(x))
    );

    let x: &[f64] = &(0..size.pick(10, 1000, 1000)).map(|_| random.between(-1.0, 1.0)).collect::<Vec<_>>();
    race!(
        races,
        "length of a vector",
        matvec,
        ["demand" = without_demand, "sums" = without_sums, "rows" = without_rows],
        program::norm::gradient(x)
    );

    let columns = size.pick(6, 300, 300);
    let a: &[f64] = &(0..columns * columns).map(|_| random.between(-1.0, 1.0)).collect::<Vec<_>>();
    let v: &[f64] = &(0..columns).map(|_| random.between(-1.0, 1.0)).collect::<Vec<_>>();
    race!(races, "matrix times a vector", matvec, ["fuse" = without_fuse], {
        let (mut y, mut g_y, mut g_a, mut g_v) = (v.to_vec(), v.to_vec(), vec![0.0; a.len()], vec![0.0; columns]);
        program::matvec::pullback((&mut y, &mut g_y), (a, &mut g_a), (v, &mut g_v));
        (y[0], g_a, g_v)
    });

    let (points, steps) = size.pick((6, 5), (1000, 100), (1000, 100));
    let start: &[f64] = &(0..points).map(|_| random.between(-1.0, 1.0)).collect::<Vec<_>>();
    let courant: &[f64] = &(0..points).map(|_| random.between(0.1, 0.3)).collect::<Vec<_>>();
    race!(
        races,
        "string through time",
        string,
        ["demand" = without_demand, "upwards" = without_upwards, "delay" = without_delay, "rows" = without_rows],
        program::swing::gradient(courant, start, steps)
    );

    let matrix: &[[f64; 32]; 32] = &std::array::from_fn(|i| {
        let mut row = random.array(-1.0, 1.0);
        row[i] += 8.0;
        row
    });
    race!(races, "determinant", lu, ["carry" = without_carry], program::determinant::gradient(black_box(matrix)));

    #[cfg(debug_assertions)]
    mixture_of_arrays(races)?;
    Ok(())
}

/// The mixture of arrays as far as it is in debug builds.
#[cfg(debug_assertions)]
fn mixture_of_arrays(races: &mut Races) -> Result<(), Failure> {
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = &Mixture::<10, 55, 5>::new(3);
    race!(
        races,
        "Gaussian mixture of arrays",
        gaussian_mixture,
        ["unroll" = without_unroll],
        program::objective::gradient(alphas, means, icf, x, prior)
    );
    Ok(())
}

/// Programs that are only in builds that are measured.
#[cfg(not(debug_assertions))]
fn measured(races: &mut Races) -> Result<(), Failure> {
    use lab_corpus::programs::nice::Coupling;
    use lab_corpus::yardsticks::data::Scene;

    let size = races.setting.size;
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } =
        &Mixture::<10, 55, 5>::new(size.pick(3, 1000, 1000));
    race!(
        races,
        "Gaussian mixture of arrays",
        gaussian_mixture,
        [
            "demand" = without_demand,
            "contract" = without_contract,
            "once" = without_once,
            "sums" = without_sums,
            "unroll" = without_unroll
        ],
        program::objective::gradient(alphas, means, icf, x, prior)
    );
    race!(
        races,
        "Gaussian mixture of arrays, without care",
        gaussian_mixture,
        ["demand" = without_demand, "contract" = without_contract, "once" = without_once, "sums" = without_sums],
        program::objective_plain::gradient(alphas, means, icf, x, prior)
    );
    let (means, icf, x) = (means.as_flattened(), icf.as_flattened(), x.as_flattened());
    race!(
        races,
        "Gaussian mixture of slices",
        gaussian_mixture,
        ["demand" = without_demand, "contract" = without_contract, "once" = without_once, "sums" = without_sums],
        program::objective_of_slices::gradient(alphas, means, icf, x, prior)
    );

    let Scene { cameras, points, weights, features, seen } = &Scene::new(10, 100, size.pick(10, 1000, 1000));
    let seen = || seen.iter().zip(weights).zip(features);
    race!(
        races,
        "bundle adjustment in parts",
        bundle_adjustment,
        ["demand" = without_demand, "once" = without_once, "sums" = without_sums],
        seen()
            .map(|((&(camera, point), &weight), feature)| {
                program::residual_in_parts::jacobian(&cameras[camera], &points[point], weight, feature)
            })
            .collect::<Vec<_>>()
    );

    let random = &mut Random::new(17);
    let layers: &[[[f64; 14]; 8]] = &[(); 2].map(|()| std::array::from_fn(|_| random.array(-1.0, 1.0)));
    let start: &[[[f64; 14]; 2]] = &[(); 2].map(|()| std::array::from_fn(|_| random.array(-1.0, 1.0)));
    let extra = &std::array::from_fn(|_| random.array(-1.0, 1.0));
    let sequence: &[[f64; 14]] = &(0..size.pick(4, 100, 100)).map(|_| random.array(0.0, 1.0)).collect::<Vec<_>>();
    race!(
        races,
        "recurrent net",
        lstm,
        ["demand" = without_demand, "sums" = without_sums],
        program::objective::gradient(layers, extra, start, sequence)
    );

    let layers: &[Coupling<f64, 4, 8>] = &[(); 6].map(|()| Coupling {
        inner: std::array::from_fn(|_| random.array(-1.0, 1.0)),
        inner_bias: random.array(-1.0, 1.0),
        outer: std::array::from_fn(|_| random.array(-1.0, 1.0)),
        outer_bias: random.array(-1.0, 1.0),
    });
    let halves: &[[f64; 4]; 2] = &std::array::from_fn(|_| random.array(-1.0, 1.0));
    let scales = &std::array::from_fn(|_| random.array(-0.5, 0.5));
    race!(
        races,
        "coupling layers",
        nice,
        ["demand" = without_demand, "once" = without_once, "sums" = without_sums],
        program::log_likelihood::gradient(black_box(halves), layers, scales)
    );
    Ok(())
}

/// How many times as long a gradient takes without a pass, if that changes anything.
fn ratio(results: &Results, pass: &str) -> Option<f64> {
    let (_, timing) = results.timings().find(|(name, _)| *name == pass)?;
    Some(timing.ratio(results.timing("all")))
}

fn claims(all: &[(&str, Results)]) -> Vec<Claim> {
    let mut apart = 0.0;
    for (_, results) in all {
        for (pass, _) in results.timings() {
            apart = worse(apart, results.difference("all", pass));
        }
    }
    let mut claims = vec![Claim::at_most(
        "largest difference of a gradient without a pass from that with all",
        Figure::plain(apart),
        1e-12,
    )];
    claims.extend(PASSES.map(|pass| {
        let most = all.iter().filter_map(|(_, results)| ratio(results, pass)).fold(0.0, f64::max);
        let text = format!("time without `{pass}` over time with all passes, where it matters most");
        Claim::at_least(text, Figure::times(most), 1.05).timed()
    }));
    claims
}

fn table(all: &[(&str, Results)]) -> Table {
    let mut table = Table::new(
        "The fastest round of a gradient with all passes, and how many times as long it takes without one.",
        [
            "program",
            "all passes",
            "demand",
            "contract",
            "once",
            "sums",
            "unroll",
            "upwards",
            "fuse",
            "delay",
            "carry",
            "rows",
        ],
    );
    for (name, results) in all {
        let time = Cell::from(Figure::seconds(results.timing("all").minimum()));
        let cell = |pass| ratio(results, pass).map_or(Cell::from(NOTHING), |ratio| Cell::from(Figure::times(ratio)));
        table.row([Cell::from(*name), time].into_iter().chain(PASSES.map(cell)));
    }
    table
}
