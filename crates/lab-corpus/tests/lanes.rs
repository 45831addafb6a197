//! The programs that run in lanes, against the same programs without.

use lab_corpus::programs::bundle_adjustment::{alone, jacobians};
use lab_corpus::programs::gaussian_mixture::{gradient_in_lanes, objective};
use lab_corpus::yardsticks::data::{Mixture, Parameters, Scene};
use retrograd::lanes::{Instructions, with_instructions};

/// Runs something with all instructions that this machine has.
fn with_all(run: impl Fn()) {
    for instructions in Instructions::ALL.into_iter().filter(|instructions| instructions.are_available()) {
        with_instructions(instructions, &run).unwrap();
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-10 * (1.0 + a.abs())
}

#[test]
fn jacobians_are_those_of_single_observations() {
    // With and without observations that are left over.
    for observations in [0, 1, 7, 8, 9, 64, 100] {
        let Scene { cameras, points, weights, features, seen } = Scene::new(5, 40, observations);
        with_all(|| {
            let found = jacobians(&cameras, &points, &weights, &features, &seen);
            assert_eq!(found.len(), observations);
            for (i, rows) in found.iter().enumerate() {
                let expected = alone(&cameras[seen[i].0], &points[seen[i].1], weights[i], &features[i]);
                let pairs = rows.as_flattened().iter().zip(expected.as_flattened());
                assert!(pairs.into_iter().all(|(a, b)| near(*a, *b)), "observation {i} of {observations}");
            }
        });
    }
}

#[test]
fn the_gradient_of_the_mixture_is_the_same() {
    for points in [0, 1, 15, 16, 17, 50] {
        let mixture = Mixture::<4, 10, 3>::new(points);
        let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = &mixture;
        let (value, by_alphas, by_means, by_icf) = objective::gradient(alphas, means, icf, x, prior);
        with_all(|| {
            let found = gradient_in_lanes(alphas, means, icf, x, prior);
            assert!(near(value, found.0), "{points} points");
            let numbers = by_alphas.iter().zip(&found.1);
            let numbers = numbers.chain(by_means.as_flattened().iter().zip(found.2.as_flattened()));
            let mut numbers = numbers.chain(by_icf.as_flattened().iter().zip(found.3.as_flattened()));
            assert!(numbers.all(|(a, b)| near(*a, *b)), "{points} points");
        });
    }
}

#[test]
#[should_panic(expected = "weights and observations")]
fn every_observation_has_a_weight() {
    jacobians(&[[0.0; 11]], &[[0.0; 3]], &[], &[[0.0; 2]], &[(0, 0)]);
}
