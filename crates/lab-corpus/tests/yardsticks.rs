//! The yardsticks measure the right thing: plain programs compute what reversible ones do, and derivatives by hand are
//! those of finite differences, of 60 digits, and of other crates.

use lab_corpus::programs::bessel::{bessel_j, bessel_series};
use lab_corpus::programs::bundle_adjustment::{bundle_adjustment, residual, residual_in_parts};
use lab_corpus::programs::graph_embedding::{EDGES, OTHERS, embedding_loss};
use lab_corpus::programs::solar_system::{Bodies, solar_system};
use lab_corpus::programs::sparse_dot::{Csc, CscShadow, sparse_dot, sparse_dot_of_matches};
use lab_corpus::programs::{bessel, gaussian_mixture, graph_embedding};
use lab_corpus::yardsticks as plain;
use lab_corpus::yardsticks::data::{Mixture, Parameters, Random, Scene, sparse};
use retrograd::check::check_inverse;

/// Fails unless all numbers are the same up to `tolerance`, as a part of the largest ones.
#[track_caller]
fn same(expected: &[f64], found: &[f64], tolerance: f64) {
    assert_eq!(expected.len(), found.len());
    let scale = expected.iter().fold(1e-300, |scale: f64, x| scale.max(x.abs()));
    for (i, (a, b)) in expected.iter().zip(found).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{a} and {b} at {i}, where numbers are as large as {scale}");
    }
}

/// The gradient by differences of the fourth order.
fn differences(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    let mut x = x.to_vec();
    (0..x.len())
        .map(|i| {
            let (here, step) = (x[i], 1e-3 * x[i].abs().max(0.1));
            let mut at = |steps: f64| {
                x[i] = here + steps * step;
                f(&x)
            };
            let slope = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * step);
            x[i] = here;
            slope
        })
        .collect()
}

type Small = Mixture<3, 6, 4>;

/// The objective at other parameters.
fn objective_at(mixture: &Small, parameters: &[f64]) -> f64 {
    plain::gaussian_mixture::objective(&Mixture { parameters: Parameters::from_slice(parameters), ..mixture.clone() })
}

/// Inputs for the embedding of the graph.
fn points<const K: usize>() -> [[f64; K]; 10] {
    let mut random = Random::new(7);
    std::array::from_fn(|_| random.array(-1.0, 1.0))
}

#[test]
fn plain_programs_compute_what_reversible_ones_do() {
    let scene = Scene::new(3, 5, 20);
    for (i, &(camera, point)) in scene.seen.iter().enumerate() {
        let (camera, point) = (&scene.cameras[camera], &scene.points[point]);
        let (weight, feature) = (scene.weights[i], &scene.features[i]);
        let expected = plain::bundle_adjustment::residual(camera, point, weight, feature);
        same(&expected, &residual(camera, point, weight, feature), 1e-15);
        same(&expected, &residual_in_parts(camera, point, weight, feature), 1e-13);
    }

    let mixture = Small::new(30);
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = &mixture;
    let (flat_means, flat_icf, flat_x) = (means.as_flattened(), icf.as_flattened(), x.as_flattened());
    let expected = plain::gaussian_mixture::objective(&mixture);
    for value in [
        plain::gaussian_mixture::objective_of_slices(alphas, flat_means, flat_icf, flat_x, prior),
        gaussian_mixture::objective(alphas, means, icf, x, prior),
        gaussian_mixture::objective_plain(alphas, means, icf, x, prior),
        gaussian_mixture::objective_of_slices(alphas, flat_means, flat_icf, flat_x, prior),
        gaussian_mixture::objective_of_slices_plain(alphas, flat_means, flat_icf, flat_x, prior),
    ] {
        same(&[expected], &[value], 1e-14);
    }

    same(&[plain::graph_embedding::loss(&points::<2>())], &[embedding_loss(&points::<2>())], 1e-15);
    same(&[plain::graph_embedding::loss(&points::<7>())], &[embedding_loss(&points::<7>())], 1e-15);
    for (nu, z) in [(0, 0.5), (2, 1.0), (3, 2.5)] {
        same(&[plain::bessel::bessel_j(nu, z)], &[bessel_j(nu, z)], 1e-15);
        same(&[bessel_j(nu, z)], &[bessel_series(nu, z, 20)], 1e-7);
    }

    let (a, b) = (sparse(40, 0.3, 1), sparse(40, 0.3, 2));
    let (mut recorded, mut matched) = (0.0, 0.0);
    sparse_dot(&mut recorded, &a, &b);
    sparse_dot_of_matches(&mut matched, &a, &b);
    same(&[plain::sparse_dot::sparse_dot(&a, &a.values, &b, &b.values)], &[recorded], 1e-15);
    assert_eq!(recorded, matched);

    let Bodies { mut x, mut v, m } = Bodies::solar_system();
    let (mut plain_x, mut plain_v) = (x, v);
    solar_system(&mut x, &mut v, &m, 1.0, 50);
    plain::solar_system::solar_system(&mut plain_x, &mut plain_v, &m, 1.0, 50);
    same(plain_x.as_flattened(), x.as_flattened(), 1e-14);
}

#[test]
fn what_functions_add_can_be_taken_away() {
    let scene = Scene::new(3, 5, 20);
    let Scene { cameras, points: places, weights, features, seen } = &scene;
    let errors = vec![[1.0, 2.0]; 20];
    check_inverse(
        &errors,
        |errors| bundle_adjustment(errors, cameras, places, weights, features, seen),
        |errors| bundle_adjustment::uncall(errors, cameras, places, weights, features, seen),
    )
    .unwrap();

    let Mixture { parameters, x, prior } = Small::new(10);
    let (alphas, means, icf) = (&parameters.alphas, parameters.means.as_flattened(), parameters.icf.as_flattened());
    let x = x.as_flattened();
    check_inverse(
        &0.5,
        |total| gaussian_mixture::gaussian_mixture(total, alphas, means, icf, x, &prior),
        |total| gaussian_mixture::gaussian_mixture::uncall(total, alphas, means, icf, x, &prior),
    )
    .unwrap();

    let x = points::<3>();
    check_inverse(
        &0.5,
        |loss| graph_embedding::graph_embedding(loss, &x),
        |loss| graph_embedding::graph_embedding::uncall(loss, &x),
    )
    .unwrap();
    check_inverse(&0.5, |out| bessel::bessel(out, 2, 1.5), |out| bessel::bessel::uncall(out, 2, 1.5)).unwrap();

    let (a, b) = (sparse(40, 0.3, 1), sparse(40, 0.3, 2));
    check_inverse(&0.5, |r| sparse_dot_of_matches(r, &a, &b), |r| sparse_dot_of_matches::uncall(r, &a, &b)).unwrap();

    let Bodies { x, v, m } = Bodies::solar_system();
    check_inverse(
        &(x, v),
        |(x, v)| solar_system(x, v, &m, 2.0, 200),
        |(x, v)| solar_system::uncall(x, v, &m, 2.0, 200),
    )
    .unwrap();
}

#[test]
fn derivatives_by_hand_are_those_of_finite_differences() {
    let scene = Scene::new(3, 5, 4);
    for (i, &(camera, point)) in scene.seen.iter().enumerate() {
        let (camera, point) = (&scene.cameras[camera], &scene.points[point]);
        let (weight, feature) = (scene.weights[i], &scene.features[i]);
        let rows = plain::bundle_adjustment::jacobian(camera, point, weight, feature);
        let inputs = [&camera[..], point, &[weight]].concat();
        for (row, found) in rows.iter().enumerate() {
            let error = |x: &[f64]| {
                let (camera, point) = (x[..11].try_into().unwrap(), x[11..14].try_into().unwrap());
                plain::bundle_adjustment::residual(camera, point, x[14], feature)[row]
            };
            same(&differences(error, &inputs), found, 1e-9);
        }
        assert_eq!(rows, plain::bundle_adjustment::jacobian_in_two_sweeps(camera, point, weight, feature));
    }

    let mixture = Small::new(30);
    let expected = differences(|x| objective_at(&mixture, x), &mixture.parameters.to_vec());
    let (value, g) = plain::gaussian_mixture::gradient(&mixture);
    same(&[plain::gaussian_mixture::objective(&mixture)], &[value], 1e-15);
    same(&expected, &g.to_vec(), 1e-9);
    let Parameters { alphas, means, icf } = &mixture.parameters;
    let (x, prior) = (mixture.x.as_flattened(), &mixture.prior);
    let (of_slices, g_of_slices) =
        plain::gaussian_mixture::gradient_of_slices(alphas, means.as_flattened(), icf.as_flattened(), x, prior);
    same(&[value], &[of_slices], 1e-14);
    same(&g.to_vec(), &g_of_slices, 1e-13);

    // Points that are close together are punished: edges should be shorter by a tenth.
    for scale in [1.0, 0.01] {
        let scaled = |x: &[f64]| -> [[f64; 3]; 10] {
            let x: Vec<f64> = x.iter().map(|x| scale * x).collect();
            x.as_chunks().0.try_into().unwrap()
        };
        let x = points::<3>();
        let (value, g) = plain::graph_embedding::gradient(&scaled(x.as_flattened()));
        let g: Vec<f64> = g.as_flattened().iter().map(|g| scale * g).collect();
        let loss = |x: &[f64]| plain::graph_embedding::loss(&scaled(x));
        same(&[loss(x.as_flattened())], &[value], 1e-14);
        same(&differences(loss, x.as_flattened()), &g, 1e-8);
    }

    for (nu, z) in [(0, 0.5), (2, 1.0), (3, 2.5)] {
        let (value, slope) = plain::bessel::gradient(nu, z);
        same(&[plain::bessel::bessel_j(nu, z)], &[value], 1e-15);
        same(&differences(|z| plain::bessel::bessel_j(nu, z[0]), &[z]), &[slope], 1e-7);
    }

    let (a, b) = (sparse(10, 0.3, 1), sparse(10, 0.3, 2));
    let values = [&a.values[..], &b.values].concat();
    let product = |values: &[f64]| {
        let (a_values, b_values) = values.split_at(a.values.len());
        plain::sparse_dot::sparse_dot(&a, a_values, &b, b_values)
    };
    let mut g = vec![0.0; values.len()];
    let (g_a, g_b) = g.split_at_mut(a.values.len());
    plain::sparse_dot::pullback(&a, g_a, &b, g_b, 1.0);
    same(&differences(product, &values), &g, 1e-10);
}

#[test]
fn the_adjoint_of_the_bodies_is_that_of_finite_differences_and_comes_back() {
    let Bodies { x, v, m } = Bodies::solar_system();
    let (dt, steps) = (5.0, 40);
    let inputs = [x.as_flattened(), v.as_flattened(), &m].concat();
    let where_the_earth_is = |inputs: &[f64]| {
        let (mut x, mut v) = ([[0.0; 3]; 8], [[0.0; 3]; 8]);
        x.as_flattened_mut().copy_from_slice(&inputs[..24]);
        v.as_flattened_mut().copy_from_slice(&inputs[24..48]);
        plain::solar_system::solar_system(&mut x, &mut v, inputs[48..].try_into().unwrap(), dt, steps);
        x[2][0]
    };
    // Velocities are small, and so must be the steps.
    let per_unit = |inputs: &[f64]| {
        let scaled: Vec<f64> =
            inputs.iter().enumerate().map(|(i, x)| if i / 24 == 1 { x / 100.0 } else { *x }).collect();
        where_the_earth_is(&scaled)
    };
    let units: Vec<f64> = inputs.iter().enumerate().map(|(i, x)| if i / 24 == 1 { 100.0 * x } else { *x }).collect();
    let expected = differences(per_unit, &units);

    let (mut now, mut speed) = (x, v);
    let (mut g_x, mut g_v, mut g_m) = ([[0.0; 3]; 8], [[0.0; 3]; 8], [0.0; 8]);
    g_x[2][0] = 1.0;
    plain::solar_system::solar_system(&mut now, &mut speed, &m, dt, steps);
    plain::solar_system::pullback((&mut now, &mut g_x), (&mut speed, &mut g_v), (&m, &mut g_m), dt, steps);
    let found = [g_x.as_flattened(), &g_v.as_flattened().iter().map(|g| g / 100.0).collect::<Vec<_>>(), &g_m].concat();
    same(&expected, &found, 1e-8);
    same(x.as_flattened(), now.as_flattened(), 1e-14);
    same(v.as_flattened(), speed.as_flattened(), 1e-14);
}

/// `tests/data/reference.py` made the references.
#[test]
fn derivatives_by_hand_are_those_of_sixty_digits() {
    let numbers = |text: &str| text.split_whitespace().map(|word| word.parse().unwrap()).collect::<Vec<f64>>();

    let mixture = Mixture::<2, 3, 3>::parse(include_str!("data/gmm_d2_K3.txt")).unwrap();
    let reference = numbers(include_str!("data/gmm_d2_K3.gradient.txt"));
    let (value, g) = plain::gaussian_mixture::gradient(&mixture);
    same(&reference[..1], &[value], 1e-14);
    same(&reference[1..], &g.to_vec(), 1e-14);

    for line in include_str!("data/ba.txt").lines() {
        let (inputs, reference) = line.match_indices(' ').nth(16).map(|(at, _)| line.split_at(at)).unwrap();
        let (inputs, reference) = (numbers(inputs), numbers(reference));
        let [camera @ .., x, y, z, weight, across, down] = &inputs[..] else { panic!("too few numbers") };
        let (camera, point, feature) = (camera.try_into().unwrap(), &[*x, *y, *z], &[*across, *down]);
        same(&reference[..2], &plain::bundle_adjustment::residual(camera, point, *weight, feature), 1e-13);
        let rows = plain::bundle_adjustment::jacobian(camera, point, *weight, feature);
        // A small angle costs digits: 1 - cos(angle) has only those that are left of 1.
        same(&reference[2..17], &rows[0], 1e-11);
        same(&reference[17..], &rows[1], 1e-11);
    }

    let (value, slope) = plain::bessel::gradient(2, 1.0);
    same(&[0.11490348493190047, 0.21024361588113258], &[value, slope], 1e-8);
}

#[test]
fn the_petersen_graph_has_three_edges_at_each_vertex_and_no_short_cycles() {
    let neighbours = |i: usize| -> Vec<usize> {
        EDGES
            .iter()
            .filter_map(|&(a, b)| {
                if a == i {
                    Some(b)
                } else if b == i {
                    Some(a)
                } else {
                    None
                }
            })
            .collect()
    };
    for i in 0..10 {
        let around = neighbours(i);
        assert_eq!(around.len(), 3);
        // Three neighbours with two further neighbours each, all different: every other vertex is reached once.
        let mut reached: Vec<usize> = around.iter().flat_map(|&j| neighbours(j)).filter(|&j| j != i).collect();
        reached.extend(&around);
        reached.sort_unstable();
        assert_eq!(reached, (0..10).filter(|&j| j != i).collect::<Vec<_>>());
    }
    assert!(OTHERS.iter().all(|pair| pair.0 < pair.1 && !EDGES.contains(pair)));
}

#[test]
fn a_sparse_matrix_is_as_dense_as_it_should_be() {
    let Csc { values, starts, .. } = sparse(200, 0.05, 9);
    assert_eq!(starts.len(), 201);
    assert!((1600..2400).contains(&values.len()), "{}", values.len());
}

#[test]
fn derivatives_that_retrograd_makes_are_those_by_hand() {
    let scene = Scene::new(3, 5, 20);
    for (i, &(camera, point)) in scene.seen.iter().enumerate() {
        let (camera, point) = (&scene.cameras[camera], &scene.points[point]);
        let (weight, feature) = (scene.weights[i], &scene.features[i]);
        let expected = plain::bundle_adjustment::jacobian(camera, point, weight, feature);
        let (_, rows) = residual::jacobian(camera, point, weight, feature);
        same(expected.as_flattened(), &rows.concat(), 1e-14);
        let (_, rows) = residual_in_parts::jacobian(camera, point, weight, feature);
        same(expected.as_flattened(), &rows.concat(), 1e-12);
    }

    let mixture = Small::new(30);
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = &mixture;
    let (flat_means, flat_icf, flat_x) = (means.as_flattened(), icf.as_flattened(), x.as_flattened());
    let expected = plain::gaussian_mixture::gradient(&mixture).1.to_vec();
    for gradient in [gaussian_mixture::objective::gradient, gaussian_mixture::objective_plain::gradient] {
        let (_, alphas, means, icf) = gradient(alphas, means, icf, x, prior);
        same(&expected, &Parameters { alphas, means, icf }.to_vec(), 1e-13);
    }
    for gradient in
        [gaussian_mixture::objective_of_slices::gradient, gaussian_mixture::objective_of_slices_plain::gradient]
    {
        let (_, alphas, means, icf) = gradient(alphas, flat_means, flat_icf, flat_x, prior);
        same(&expected, &[alphas, means, icf].concat(), 1e-13);
    }

    let x = points::<4>();
    let expected = plain::graph_embedding::gradient(&x).1;
    same(expected.as_flattened(), embedding_loss::gradient(&x).1.as_flattened(), 1e-13);
    let (_, g, h) = embedding_loss::hessian(&x);
    same(expected.as_flattened(), &g, 1e-13);
    let slope = |x: &[f64], i: usize| {
        let x: &[[f64; 4]; 10] = x.as_chunks().0.try_into().unwrap();
        plain::graph_embedding::gradient(x).1[i / 4][i % 4]
    };
    for (i, row) in h.chunks_exact(40).enumerate() {
        same(&differences(|x| slope(x, i), x.as_flattened()), row, 1e-7);
    }

    for (nu, z) in [(0, 0.5), (2, 1.0), (3, 2.5)] {
        let (value, slope) = plain::bessel::gradient(nu, z);
        let ours = bessel_j::gradient(nu, z);
        same(&[value, slope], &[ours.0, ours.1], 1e-14);
        let ours = bessel_j::pushforward(nu, (z, 1.0));
        same(&[value, slope], &[ours.0, ours.1], 1e-14);
    }

    let (a, b) = (sparse(40, 0.3, 1), sparse(40, 0.3, 2));
    let zero = |a: &Csc<f64>| CscShadow {
        starts: vec![(); a.starts.len()],
        rows: vec![(); a.rows.len()],
        values: vec![0.0; a.values.len()],
    };
    let mut expected = (zero(&a).values, zero(&b).values);
    plain::sparse_dot::pullback(&a, &mut expected.0, &b, &mut expected.1, 1.5);
    for pullback in [sparse_dot::pullback, sparse_dot_of_matches::pullback] {
        let (mut g_a, mut g_b, mut r, mut g_r) = (zero(&a), zero(&b), 7.0, 1.5);
        pullback((&mut r, &mut g_r), (&a, &mut g_a), (&b, &mut g_b));
        assert_eq!((&g_a.values, &g_b.values, g_r), (&expected.0, &expected.1, 1.5));
    }

    let Bodies { x, v, m } = Bodies::solar_system();
    let zero = [[0.0; 3]; 8];
    let (mut g_x, mut g_v, mut g_m, mut g_dt) = (zero, zero, [0.0; 8], 0.0);
    let (mut expected_x, mut expected_v, mut expected_m) = (zero, zero, [0.0; 8]);
    (g_x[2][0], expected_x[2][0]) = (1.0, 1.0);
    let (mut now, mut speed) = (x, v);
    solar_system(&mut now, &mut speed, &m, 5.0, 40);
    let (mut plain_x, mut plain_v) = (now, speed);
    solar_system::pullback((&mut now, &mut g_x), (&mut speed, &mut g_v), (&m, &mut g_m), (5.0, &mut g_dt), 40);
    let places = (&mut plain_x, &mut expected_x);
    plain::solar_system::pullback(places, (&mut plain_v, &mut expected_v), (&m, &mut expected_m), 5.0, 40);
    same(expected_x.as_flattened(), g_x.as_flattened(), 1e-13);
    same(expected_v.as_flattened(), g_v.as_flattened(), 1e-13);
    same(&expected_m, &g_m, 1e-13);
    same(x.as_flattened(), now.as_flattened(), 1e-14);
}

#[cfg(feature = "peers")]
#[test]
fn other_crates_find_the_same_derivatives() {
    use plain::peers::{easy_ml, echidna, num_dual};

    let scene = Scene::new(3, 5, 4);
    for (i, &(camera, point)) in scene.seen.iter().enumerate() {
        let (camera, point) = (&scene.cameras[camera], &scene.points[point]);
        let (weight, feature) = (scene.weights[i], &scene.features[i]);
        let expected = plain::bundle_adjustment::jacobian(camera, point, weight, feature);
        for jacobian in [num_dual::bundle_adjustment, echidna::bundle_adjustment, easy_ml::bundle_adjustment] {
            let rows = jacobian(camera, point, weight, feature);
            same(expected.as_flattened(), rows.as_flattened(), 1e-13);
        }
    }

    let mixture = Small::new(20);
    let expected = plain::gaussian_mixture::gradient(&mixture).1.to_vec();
    for gradient in [num_dual::gaussian_mixture, echidna::gaussian_mixture, easy_ml::gaussian_mixture] {
        same(&expected, &gradient(&mixture), 1e-13);
    }

    let x = points::<3>();
    let expected = plain::graph_embedding::gradient(&x).1;
    for gradient in [num_dual::graph_embedding, echidna::graph_embedding, easy_ml::graph_embedding] {
        same(expected.as_flattened(), &gradient(&x), 1e-12);
    }
    same(&num_dual::graph_embedding_hessian(&x), &echidna::graph_embedding_hessian(&x), 1e-12);

    for derivative in [num_dual::bessel, echidna::bessel, echidna::bessel_by_tape, easy_ml::bessel] {
        same(&[plain::bessel::gradient(2, 1.0).1], &[derivative(2, 1.0)], 1e-14);
    }

    let (a, b) = (sparse(20, 0.3, 1), sparse(20, 0.3, 2));
    let mut expected = vec![0.0; a.values.len() + b.values.len()];
    let (g_a, g_b) = expected.split_at_mut(a.values.len());
    plain::sparse_dot::pullback(&a, g_a, &b, g_b, 1.0);
    for gradient in [echidna::sparse_dot, easy_ml::sparse_dot] {
        same(&expected, &gradient(&a, &b), 1e-15);
    }

    let bodies = Bodies::solar_system();
    let expected = num_dual::solar_system(&bodies, 5.0, 10);
    for gradient in [echidna::solar_system, easy_ml::solar_system] {
        same(&expected, &gradient(&bodies, 5.0, 10), 1e-13);
    }

    let (x, theta) = ([0.5, -1.0, 2.0], [0.3, -0.7, 1.1]);
    same(&echidna::rotations(&x, &theta, 10), &easy_ml::rotations(&x, &theta, 10), 1e-13);
}
