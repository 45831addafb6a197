//! What being reversible costs: the time of a reversible program over that of a plain one.

use std::hint::black_box;

use super::{Experiment, Failure, Setting};
use crate::measure::{Race, Results};
use crate::programs::bessel::bessel;
use crate::programs::bundle_adjustment::bundle_adjustment;
use crate::programs::gaussian_mixture::gaussian_mixture;
use crate::programs::graph_embedding::graph_embedding;
use crate::programs::solar_system::{Bodies, solar_system};
use crate::programs::sparse_dot::sparse_dot;
use crate::report::findings::{Cell, Claim, Figure, Findings, Table};
use crate::yardsticks as plain;
use crate::yardsticks::data::{Mixture, Parameters, Random, Scene, sparse};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "granularity",
    title: "What being reversible costs",
    about: "The time of a reversible program over that of a plain one, which the paper calls the granularity of the program: \
            forwards, what would be undone at its end is only dropped.",
    run,
};

/// A race of `plain`, `call` and `uncall` on numbers that begin as `state`.
fn race<S: Clone>(
    setting: &Setting,
    state: S,
    plain: impl FnMut(&mut S),
    mut call: impl FnMut(&mut S),
    mut uncall: impl FnMut(&mut S),
) -> Results {
    let beginning = state.clone();
    let nothing = |_: &S| Vec::new();
    let reset = |now: &mut S| now.clone_from(&beginning);
    Race::new()
        .with("plain", state.clone(), plain, nothing)
        .with(
            "call",
            state.clone(),
            |now| {
                reset(now);
                call(now);
            },
            nothing,
        )
        .with(
            "uncall",
            state,
            |now| {
                reset(now);
                uncall(now);
            },
            nothing,
        )
        .run(setting.size.effort())
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let mut all: Vec<(&str, Results)> = Vec::new();
    let mut add = |name, results| {
        all.push((name, results));
        setting.progress.done(all.len(), 6)
    };
    let (nu, z) = (2, 1.0);
    let results = race(
        setting,
        0.0,
        |y| *y = plain::bessel::bessel_j(black_box(nu), black_box(z)),
        |y| bessel(y, black_box(nu), black_box(z)),
        |y| bessel::uncall(y, black_box(nu), black_box(z)),
    );
    add("Bessel function", results)?;

    let size = setting.size.pick(60, 500, 1000);
    let (a, b) = (&sparse(size, 0.05, 1), &sparse(size, 0.05, 2));
    let results = race(
        setting,
        0.0,
        |y| *y = plain::sparse_dot::sparse_dot(a, &a.values, b, &b.values),
        |y| sparse_dot(y, a, b),
        |y| sparse_dot::uncall(y, a, b),
    );
    add("sparse dot, with a record", results)?;

    let mut random = Random::new(5);
    let x: &[[f64; 5]; 10] = &std::array::from_fn(|_| random.array(-1.0, 1.0));
    let results = race(
        setting,
        0.0,
        |y| *y = plain::graph_embedding::loss(black_box(x)),
        |y| graph_embedding(y, black_box(x)),
        |y| graph_embedding::uncall(y, black_box(x)),
    );
    add("graph embedding", results)?;

    let scene = Scene::new(10, 100, setting.size.pick(50, 1000, 1000));
    let Scene { cameras, points, weights, features, seen } = &scene;
    let results = race(
        setting,
        vec![[0.0; 2]; seen.len()],
        |errors| {
            for (i, error) in errors.iter_mut().enumerate() {
                let (camera, point) = (&cameras[seen[i].0], &points[seen[i].1]);
                *error = plain::bundle_adjustment::residual(camera, point, weights[i], &features[i]);
            }
        },
        |errors| bundle_adjustment(errors, cameras, points, weights, features, seen),
        |errors| bundle_adjustment::uncall(errors, cameras, points, weights, features, seen),
    );
    add("bundle adjustment", results)?;

    let mixture = Mixture::<10, 55, 5>::new(setting.size.pick(10, 1000, 1000));
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = &mixture;
    let (means, icf, x) = (means.as_flattened(), icf.as_flattened(), x.as_flattened());
    let results = race(
        setting,
        0.0,
        |y| *y = plain::gaussian_mixture::objective_of_slices(alphas, means, icf, x, prior),
        |y| gaussian_mixture(y, alphas, means, icf, x, prior),
        |y| gaussian_mixture::uncall(y, alphas, means, icf, x, prior),
    );
    add("Gaussian mixture of slices", results)?;

    let Bodies { x, v, m } = &Bodies::solar_system();
    let steps = setting.size.pick(10, 100, 100);
    let results = race(
        setting,
        (*x, *v),
        |(now, speed)| {
            (*now, *speed) = (*x, *v);
            plain::solar_system::solar_system(now, speed, m, 1.0, steps);
        },
        |(x, v)| solar_system(x, v, m, 1.0, steps),
        |(x, v)| solar_system::uncall(x, v, m, 1.0, steps),
    );
    add("solar system, 100 steps", results)?;
    Ok(Findings {
        claims: claims(&all),
        plots: Vec::new(),
        tables: vec![table(&all)],
        remarks: vec![
            "This is the granularity of the build that made the report, which is named on top; one with checks has a larger one."
                .to_string(),
        ],
    })
}

fn claims(all: &[(&str, Results)]) -> Vec<Claim> {
    let mut ratios: Vec<f64> =
        all.iter().map(|(_, results)| results.timing("call").ratio(results.timing("plain"))).collect();
    ratios.sort_by(f64::total_cmp);
    let place = "NiLang (embedded), Section 5";
    vec![
        Claim::at_most("the granularity in the middle", Figure::times(ratios[ratios.len() / 2]), 1.25)
            .timed()
            .paper_figure(2.0, place),
        Claim::at_most("the largest granularity", Figure::times(ratios[ratios.len() - 1]), 2.0).timed(),
    ]
}

fn table(all: &[(&str, Results)]) -> Table {
    let mut table = Table::new(
        "The fastest round forwards and backwards, and granularity.",
        ["program", "plain", "call", "uncall", "call / plain", "uncall / plain"],
    );
    for (name, results) in all {
        let time = |who: &str| Cell::from(Figure::seconds(results.timing(who).minimum()));
        let ratio = |who: &str| Cell::from(Figure::times(results.timing(who).ratio(results.timing("plain"))));
        table.row([Cell::from(*name), time("plain"), time("call"), time("uncall"), ratio("call"), ratio("uncall")]);
    }
    table
}
