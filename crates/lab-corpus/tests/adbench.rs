//! The problems of ADBench: values that were computed by hand, and files that are written and read again.

use std::f64::consts::FRAC_PI_2;

use lab_corpus::programs::bundle_adjustment::{alone, residual, residual_in_parts};
use lab_corpus::programs::gaussian_mixture::{
    Wishart, gradient_in_lanes, gradient_of_slices_in_lanes, objective, objective_of_slices, objective_of_slices_plain,
    objective_plain,
};
use lab_corpus::programs::hand_tracking::{Hand, hand_tracking, hand_tracking_of_triangles};
use lab_corpus::programs::lstm;
use lab_corpus::yardsticks as plain;
use lab_corpus::yardsticks::adbench::MixtureOfSlices;
use lab_corpus::yardsticks::adbench::hand::Pose;
use lab_corpus::yardsticks::adbench::net::Net;
use lab_corpus::yardsticks::data::{Mixture, Parameters, Scene};
use proptest::collection::vec;
use proptest::prelude::*;
use retrograd::lanes::{Instructions, with_instructions};

/// Fails unless two numbers are the same up to rounding.
#[track_caller]
fn same(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 4e-15 * (1.0 + expected.abs()), "{found} instead of {expected}");
}

/// Fails unless every way to write the objective finds this value for the mixture in a file.
#[track_caller]
fn objective_is<const D: usize, const F: usize, const K: usize>(file: &str, expected: f64) {
    let mixture = Mixture::<D, F, K>::parse(file).unwrap();
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = &mixture;
    same(plain::gaussian_mixture::objective(&mixture), expected);
    same(objective(alphas, means, icf, x, prior), expected);
    same(objective_plain(alphas, means, icf, x, prior), expected);
    same(gradient_in_lanes(alphas, means, icf, x, prior).0, expected);
    same(gradient_of_slices_in_lanes(alphas, means, icf, x, prior).0, expected);
    let MixtureOfSlices { alphas, means, icf, x, prior, .. } = &MixtureOfSlices::parse(file).unwrap();
    same(plain::gaussian_mixture::objective_of_slices(alphas, means, icf, x, prior), expected);
    same(objective_of_slices(alphas, means, icf, x, prior), expected);
    same(objective_of_slices_plain(alphas, means, icf, x, prior), expected);
}

/// The formula of the suite is
///
/// Σₙ ln Σₖ exp(αₖ + ln|Qₖ| − ½·|Qₖ(xₙ − μₖ)|²) − N·ln Σₖ exp αₖ − ½·N·d·ln 2π
/// + ½·γ²·Σₖ|Qₖ|² − m·Σₖ ln|Qₖ| − K·(n·d·(ln γ − ½·ln 2) − ln Γ_d(½·n)), where n = d + m + 1.
///
/// All digits come from these closed forms, with 40 digits.
#[test]
fn mixtures_that_were_computed_by_hand() {
    // One component, so that its weight does not matter: Q = 2, μ = ½, at 1 and 2. The whitened points are 1 and 3, and Γ(1) = 1:
    // 2·ln 2 − ½ − 4½ − ln 2π + ½·4 + ln 2 = 3·ln 2 − ln 2π − 3.
    let ln_2 = "0.69314718055994530942";
    objective_is::<1, 1, 1>(&format!("1 1 2\n7\n0.5\n{ln_2}\n1\n2\n1 0\n"), -2.758_435_524_729_509_6);

    // Two components of the same weight in the plane, with Q = 1 at the origin and Q = (1 0; 1 1) at (2, 0), seen from (1, 0): the
    // squares are 1 and 2. With γ = 2 and m = 1 there is n = 4, and Γ₂(2) = √π·Γ(2)·Γ(3/2) = π/2:
    // ln(e^-½ + e^-1) − ln 2 − ln 2π + ½·4·5 − 2·(8·½·ln 2 − ln(π/2)) = ln(e^-½ + e^-1) + 10 + ln π − 12·ln 2.
    let file = "2 2 1\n0\n0\n0 0\n2 0\n0 0 0\n0 0 1\n1 0\n2 1\n";
    objective_is::<2, 3, 2>(file, 2.801_040_703_310_163);

    // Weights of ¼ and ¾ at −1 and 1, with Q = 1 and Q = 3, seen from the origin; γ = 1 and m = 2, so that Γ(2) = 1:
    // ln(¼·e^-½ + ¾·3·e^-4½) − ½·ln 2π + ½·(1 + 9) − 2·ln 3 − 2·(4·(−½)·ln 2).
    let ln_3 = "1.0986122886681098";
    let file = format!("1 2 1\n0\n{ln_3}\n-1\n1\n0\n{ln_3}\n0\n1 2\n");
    objective_is::<1, 1, 2>(&file, 2.922_715_632_972_846);
}

#[test]
fn an_observation_that_was_computed_by_hand() {
    // A quarter turn about the third axis takes (3, 4, 2) − (1, 0, 0) to (−4, 2, 2), whose image is (−2, 1). It is bent by
    // 1 + 0.1·5 + 0.01·25 = 1.75, and is (−7, 3.5) at the focal length 2; the principal point is (1, −1).
    let camera = [0.0, 0.0, FRAC_PI_2, 1.0, 0.0, 0.0, 2.0, 1.0, -1.0, 0.1, 0.01];
    let (point, weight, feature) = ([3.0, 4.0, 2.0], 3.0, [1.0, 0.5]);
    for found in [
        residual(&camera, &point, weight, &feature),
        residual_in_parts(&camera, &point, weight, &feature),
        plain::bundle_adjustment::residual(&camera, &point, weight, &feature),
    ] {
        same(found[0], -21.0);
        same(found[1], 6.0);
    }
    // By the focal length, the principal point and the weight.
    let rows = alone(&camera, &point, weight, &feature);
    for (row, expected) in rows.iter().zip([[-10.5, 3.0, 0.0, -7.0], [5.25, 0.0, 3.0, 2.0]]) {
        [row[6], row[7], row[8], row[14]].into_iter().zip(expected).for_each(|(found, expected)| same(found, expected));
    }
}

#[test]
fn a_net_that_was_computed_by_hand() {
    // For the input 1 the gates are ¾ (forget, from ln 3), ¼ (in, from −ln 3) and ¾ (out, from ln 3), and the change is ½. So the
    // cell goes from 2 to 2·¾ + ¼·½ = 13/8, the score is s = 2·¾·tanh(13/8) + ½, and the loss ln(2 + eˢ) − s.
    let ln_3 = 3.0_f64.ln();
    let net = Net::<1> {
        layers: vec![[[ln_3], [0.0], [0.0], [0.0], [0.0], [-ln_3], [ln_3], [0.5 * ln_3]]],
        extra: [[1.0], [2.0], [0.5]],
        start: vec![[[0.0], [2.0]]],
        sequence: vec![[1.0], [1.0]],
    };
    let expected = 0.264_471_776_805_583_38;
    same(lstm::objective(&net.layers, &net.extra, &net.start, &net.sequence), expected);
    same(plain::lstm::objective(&net.layers, &net.extra, &net.start, &net.sequence), expected);
}

#[test]
fn a_hand_that_was_posed_by_hand() {
    // The thumb, a needle from the origin to (0, 4, 0), is bent at its first joint, (0, 1, 0): its tip is at (0, 1, 3). A quarter turn
    // of the hand takes it to (−1, 0, 3), and then it moves by 10.
    let (hand, mut theta) = (Hand::of_needles(), [0.0; 26]);
    (theta[2], theta[3], theta[6]) = (FRAC_PI_2, 10.0, FRAC_PI_2);
    let mut errors = [[0.0; 3]];
    hand_tracking(&mut errors, &theta, &hand, &[[9.5, 1.0, 5.0]], &[0]);
    let by_plain = plain::hand_tracking::errors(&theta, &hand, &[[9.5, 1.0, 5.0]], &[0]);
    // The tips of the two fingers beside it go from (1, 4, 0) and (2, 4, 0) to (6, 1, 0) and (6, 2, 0). With a quarter of the first corner,
    // a half of the second and what is left of the third, that is (6¾, 1, ¾).
    let (us, points) = ([[0.25, 0.5]], [[7.0, 1.0, 1.0]]);
    let mut in_triangle = [[0.0; 3]];
    hand_tracking_of_triangles(&mut in_triangle, &theta, &us, &hand, &points, &[0]);
    let in_triangle_by_plain = plain::hand_tracking::errors_of_triangles(&theta, &us, &hand, &points, &[0]);
    for (found, expected) in [
        (errors[0], [0.5, 1.0, 2.0]),
        (by_plain[0], [0.5, 1.0, 2.0]),
        (in_triangle[0], [0.25, 0.0, 0.25]),
        (in_triangle_by_plain[0], [0.25, 0.0, 0.25]),
    ] {
        found.into_iter().zip(expected).for_each(|(found, expected)| same(found, expected));
    }
}

#[test]
fn the_gradient_in_lanes_is_that_of_slices() {
    for points in [0, 1, 15, 16, 17, 50] {
        let mixture = MixtureOfSlices::new(4, 3, points);
        let MixtureOfSlices { alphas, means, icf, x, prior, .. } = &mixture;
        let (value, by_alphas, by_means, by_icf) = objective_of_slices::gradient(alphas, means, icf, x, prior);
        let (means, icf, x) = (means.as_chunks::<4>().0, icf.as_chunks::<10>().0, x.as_chunks::<4>().0);
        for instructions in Instructions::ALL.into_iter().filter(|instructions| instructions.are_available()) {
            with_instructions(instructions, || {
                let found = gradient_of_slices_in_lanes(alphas, means, icf, x, prior);
                let found = [&[found.0], &found.1[..], found.2.as_flattened(), found.3.as_flattened()].concat();
                let expected = [&[value], &by_alphas[..], &by_means, &by_icf].concat();
                assert_eq!(found.len(), expected.len());
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((found - expected).abs() <= 1e-10 * (1.0 + expected.abs()), "{points} points");
                }
            })
            .unwrap();
        }
    }
}

/// A finite number.
fn number() -> impl Strategy<Value = f64> + Clone {
    prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO
}

fn row<const N: usize>() -> impl Strategy<Value = [f64; N]> + Clone {
    vec(number(), N).prop_map(|numbers| numbers.try_into().unwrap())
}

fn rows<const N: usize, const M: usize>() -> impl Strategy<Value = [[f64; N]; M]> + Clone {
    vec(row(), M).prop_map(|rows| rows.try_into().unwrap())
}

fn mixture() -> impl Strategy<Value = MixtureOfSlices> {
    (1..4_usize, 1..4_usize, 1..4_usize).prop_flat_map(|(d, k, n)| {
        let numbers = [k, k * d, k * d * (d + 1) / 2, n * d].map(|count| vec(number(), count));
        (numbers, prop::num::f64::POSITIVE | prop::num::f64::NORMAL, any::<u32>()).prop_map(
            move |([alphas, means, icf, x], gamma, m)| MixtureOfSlices {
                dimensions: d,
                alphas,
                means,
                icf,
                x,
                prior: Wishart { gamma, m },
            },
        )
    })
}

/// A net whose text can be had.
fn net() -> impl Strategy<Value = Net<3>> {
    (1..3_usize).prop_flat_map(|layers| {
        (vec(rows(), layers), rows(), vec(rows(), layers), vec(row(), 2..5))
            .prop_map(|(layers, extra, start, sequence)| Net { layers, extra, start, sequence })
    })
}

fn pose() -> impl Strategy<Value = Pose> {
    (1..4_usize, any::<bool>()).prop_flat_map(|(n, in_triangles)| {
        (row(), vec(row(), n), vec(0..7_usize, n), vec(row(), n)).prop_map(move |(theta, points, seen, us)| Pose {
            theta,
            points,
            seen,
            us: in_triangles.then_some(us),
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_again(mixture in mixture(), net in net(), pose in pose()) {
        prop_assert_eq!(MixtureOfSlices::parse(&mixture.to_text()), Ok(mixture));
        prop_assert_eq!(Net::parse(&net.to_text()), Ok(net));
        prop_assert_eq!(Pose::parse(&pose.to_text(), 7, 7), Ok(pose));
    }

    #[test]
    fn a_scene_of_copies_is_read_again(
        sizes in (1..4_usize, 1..4_usize, 1..4_usize), camera in row::<11>(), point in row::<3>(), last in row::<3>(),
    ) {
        let (n, m, p) = sizes;
        let [weight, feature @ ..] = last;
        let mut scene = Scene {
            cameras: vec![camera; n],
            points: vec![point; m],
            weights: vec![weight; p],
            features: vec![feature; p],
            seen: (0..p).map(|i| (i % n, i % m)).collect(),
        };
        let text = scene.to_text().expect("all are copies");
        prop_assert_eq!(&Scene::parse(&text), &Ok(scene.clone()));
        scene.weights.push(weight + 1.0);
        prop_assert_eq!(scene.to_text(), None);
    }
}

#[test]
fn lines_may_end_as_elsewhere() {
    let mixture = MixtureOfSlices::new(2, 3, 4);
    assert_eq!(MixtureOfSlices::parse(&mixture.to_text().replace('\n', " \t\r\n\r\n")), Ok(mixture));
    let net = Net::<2>::new(1, 3);
    assert_eq!(Net::parse(&net.to_text().replace('\n', " \r\n")), Ok(net));
}
