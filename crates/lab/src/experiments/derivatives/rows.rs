//! What is measured: one function for each program.

use std::hint::black_box;

use super::contest::{FUNCTION, HAND, Row};
use super::{ours, peers};
use lab_corpus::programs::solar_system::Bodies;
use lab_corpus::programs::sparse_dot::Csc;
use lab_corpus::yardsticks::data::{Mixture, Parameters, Scene};
use lab_corpus::yardsticks::{bessel as bessel_by_hand, bundle_adjustment as bundle_by_hand};
use lab_corpus::yardsticks::{gaussian_mixture as mixture_by_hand, graph_embedding as graph_by_hand};
use lab_corpus::yardsticks::{solar_system as bodies_by_hand, sparse_dot as sparse_by_hand};
use lab_report::measure::Contestant;

/// A Jacobian for each observation.
pub(crate) fn jacobians<'a>(
    scene: &'a Scene,
    jacobian: impl Fn(&[f64; 11], &[f64; 3], f64, &[f64; 2]) -> [[f64; 15]; 2] + 'a,
    name: &'static str,
) -> Contestant<'a> {
    let Scene { cameras, points, weights, features, seen } = scene;
    Contestant::new(
        name,
        vec![[[0.0; 15]; 2]; seen.len()],
        move |jacobians| {
            for (i, rows) in jacobians.iter_mut().enumerate() {
                *rows = jacobian(&cameras[seen[i].0], &points[seen[i].1], weights[i], &features[i]);
            }
        },
        |jacobians| jacobians.as_flattened().as_flattened().to_vec(),
    )
}

/// Bundle adjustment, for one observation.
pub(crate) fn bundle_adjustment(scene: &Scene) -> Vec<Row<'_>> {
    let Scene { cameras, points, weights, features, seen } = scene;
    let objective = || {
        Contestant::new(
            FUNCTION,
            vec![[0.0; 2]; seen.len()],
            |errors| {
                for (i, error) in errors.iter_mut().enumerate() {
                    let (camera, point) = (&cameras[seen[i].0], &points[seen[i].1]);
                    *error = bundle_by_hand::residual(camera, point, weights[i], &features[i]);
                }
            },
            |errors| errors.as_flattened().to_vec(),
        )
    };
    vec![
        Row::new("bundle adjustment", seen.len())
            .with([objective(), jacobians(scene, bundle_by_hand::jacobian, HAND), ours::bundle_adjustment(scene)])
            .against(peers::bundle_adjustment(scene))
            .at_most(1.10, HAND),
        Row::new("bundle adjustment, by hand in two sweeps", seen.len())
            .with([
                objective(),
                jacobians(scene, bundle_by_hand::jacobian_in_two_sweeps, HAND),
                ours::bundle_adjustment(scene),
            ])
            .at_most(1.0, HAND),
        Row::new("bundle adjustment, as new vectors", seen.len()).with([
            objective(),
            jacobians(scene, bundle_by_hand::jacobian, HAND),
            ours::bundle_adjustment_as_vectors(scene),
        ]),
        Row::new("bundle adjustment, with functions and loops", seen.len()).with([
            objective(),
            jacobians(scene, bundle_by_hand::jacobian, HAND),
            ours::bundle_adjustment_in_parts(scene),
        ]),
    ]
}

/// A Gaussian mixture.
pub(crate) fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
) -> Vec<Row<'_>> {
    let objective = || {
        let compute = |value: &mut f64| *value = mixture_by_hand::objective(mixture);
        Contestant::new(FUNCTION, 0.0, compute, |value| vec![*value])
    };
    let (alphas, x) = (&mixture.parameters.alphas[..], mixture.x.as_flattened());
    let (means, icf) = (mixture.parameters.means.as_flattened(), mixture.parameters.icf.as_flattened());
    let objective_of_slices = || {
        let compute =
            |value: &mut f64| *value = mixture_by_hand::objective_of_slices(alphas, means, icf, x, &mixture.prior);
        Contestant::new(FUNCTION, 0.0, compute, |value| vec![*value])
    };
    let hand = || {
        let compute = |g: &mut Parameters<D, F, K>| *g = mixture_by_hand::gradient(mixture).1;
        Contestant::new(HAND, Parameters::ZERO, compute, Parameters::to_vec)
    };
    let hand_of_slices = || {
        let compute =
            |g: &mut Vec<f64>| *g = mixture_by_hand::gradient_of_slices(alphas, means, icf, x, &mixture.prior).1;
        Contestant::new(HAND, Vec::new(), compute, Vec::clone)
    };
    let name = format!("Gaussian mixture, N = {}", mixture.x.len());
    vec![
        Row::new(name.clone(), 1)
            .with([objective(), hand(), ours::gaussian_mixture(mixture)])
            .against(peers::gaussian_mixture(mixture))
            .at_most(1.10, HAND)
            .at_most(3.5, FUNCTION),
        Row::new(format!("{name}, without care"), 1)
            .with([objective(), hand(), ours::gaussian_mixture_plain(mixture)])
            .at_most(1.25, HAND),
        Row::new(format!("{name}, of slices"), 1)
            .with([objective_of_slices(), hand_of_slices(), ours::gaussian_mixture_of_slices(mixture)])
            .at_most(1.10, HAND)
            .at_most(3.5, FUNCTION),
        Row::new(format!("{name}, of slices, without care"), 1)
            .with([objective_of_slices(), hand_of_slices(), ours::gaussian_mixture_of_slices_plain(mixture)])
            .at_most(1.25, HAND),
    ]
}

/// The embedding of the Petersen graph in `K` dimensions: gradient, and Hessian.
pub(crate) fn graph_embedding<const K: usize>(x: &[[f64; K]; 10]) -> Vec<Row<'_>> {
    let objective = || {
        let compute = |value: &mut f64| *value = graph_by_hand::loss(black_box(x));
        Contestant::new(FUNCTION, 0.0, compute, |value| vec![*value])
    };
    let hand = Contestant::new(
        HAND,
        [[0.0; K]; 10],
        |g| *g = graph_by_hand::gradient(black_box(x)).1,
        |g| g.as_flattened().to_vec(),
    );
    vec![
        Row::new(format!("graph embedding, k = {K}"), 1)
            .with([objective(), hand, ours::graph_embedding(x)])
            .against(peers::graph_embedding(x))
            .at_most(3.0, FUNCTION),
        Row::new(format!("graph embedding, k = {K}, Hessian"), 1)
            .with([objective(), ours::graph_embedding_hessian(x)])
            .against(peers::graph_embedding_hessian(x)),
    ]
}

/// The Bessel function.
pub(crate) fn bessel<'a>(label: &str, nu: u32, z: &'a f64) -> Vec<Row<'a>> {
    let objective = || {
        let compute = move |value: &mut f64| *value = bessel_by_hand::bessel_j(black_box(nu), *black_box(z));
        Contestant::new(FUNCTION, 0.0, compute, |value| vec![*value])
    };
    let hand = || {
        let compute = move |g: &mut f64| *g = bessel_by_hand::gradient(black_box(nu), *black_box(z)).1;
        Contestant::new(HAND, 0.0, compute, |g| vec![*g])
    };
    vec![
        Row::new(label, 1)
            .with([objective(), hand(), ours::bessel(nu, z)])
            .against(peers::bessel(nu, z))
            .at_most(3.5, FUNCTION),
        // By one number, a gradient is computed forwards, here as in other crates.
        Row::new(format!("{label}, backwards"), 1)
            .with([objective(), hand(), ours::bessel_backwards(nu, z)])
            .at_most(3.5, FUNCTION),
    ]
}

/// The dot product of two sparse matrices.
pub(crate) fn sparse_dot<'a>(a: &'a Csc<f64>, b: &'a Csc<f64>) -> Vec<Row<'a>> {
    let objective = || {
        let compute = |value: &mut f64| *value = sparse_by_hand::sparse_dot(a, &a.values, b, &b.values);
        Contestant::new(FUNCTION, 0.0, compute, |value| vec![*value])
    };
    let hand = || {
        Contestant::new(
            HAND,
            (vec![0.0; a.values.len()], vec![0.0; b.values.len()]),
            |(g_a, g_b)| {
                g_a.fill(0.0);
                g_b.fill(0.0);
                sparse_by_hand::pullback(a, g_a, b, g_b, 1.0);
            },
            |(g_a, g_b)| [&g_a[..], g_b].concat(),
        )
    };
    vec![
        Row::new("sparse dot, merge left to a function", 1)
            .with([objective(), hand(), ours::sparse_dot_of_matches(a, b)])
            .against(peers::sparse_dot(a, b))
            .at_most(1.5, FUNCTION),
        Row::new("sparse dot, with a record of the merge", 1).with([objective(), hand(), ours::sparse_dot(a, b)]),
    ]
}

/// Eight bodies through time, for one step.
pub(crate) fn solar_system<'a>(dt: f64, steps: usize) -> Vec<Row<'a>> {
    let Bodies { x, v, m } = Bodies::solar_system();
    let objective = Contestant::new(
        FUNCTION,
        (x, v),
        move |(now, speed)| {
            (*now, *speed) = (x, v);
            bodies_by_hand::solar_system(now, speed, &m, dt, steps);
        },
        |(x, v)| [x.as_flattened(), v.as_flattened()].concat(),
    );
    let hand = Contestant::new(
        HAND,
        (x, v, [0.0; 8]),
        move |(g_x, g_v, g_m)| {
            let (mut x, mut v) = (x, v);
            (*g_x, *g_v, *g_m) = ([[0.0; 3]; 8], [[0.0; 3]; 8], [0.0; 8]);
            g_x[2][0] = 1.0;
            bodies_by_hand::solar_system(&mut x, &mut v, &m, dt, steps);
            bodies_by_hand::pullback((&mut x, g_x), (&mut v, g_v), (&m, g_m), dt, steps);
        },
        |(g_x, g_v, g_m)| [g_x.as_flattened(), g_v.as_flattened(), g_m].concat(),
    );
    vec![
        Row::new(format!("solar system, each of {steps} steps"), steps)
            .with([objective, hand, ours::solar_system(dt, steps)])
            .against(peers::solar_system(dt, steps)),
    ]
}
