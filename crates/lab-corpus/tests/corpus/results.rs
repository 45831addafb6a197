//! Results that are known from elsewhere.

use std::f64::consts::{FRAC_PI_2, TAU};

use lab_corpus::programs::affine::{affine, affine_into};
use lab_corpus::programs::bennett::bennett;
use lab_corpus::programs::box_muller::box_muller;
use lab_corpus::programs::complex_log::complex_log;
use lab_corpus::programs::factorial::{add_factorial, factorial};
use lab_corpus::programs::fft::fft;
use lab_corpus::programs::hand_tracking::{Hand, hand_tracking, hand_tracking_of_triangles};
use lab_corpus::programs::lax_wendroff::lax_wendroff;
use lab_corpus::programs::leapfrog::leapfrog;
use lab_corpus::programs::lstm::objective;
use lab_corpus::programs::lu::{determinant, lu, pivots};
use lab_corpus::programs::power::{Logarithm, Number, power};
use lab_corpus::programs::qr::qr;
use lab_corpus::programs::quantum_circuit::{energy, quantum_circuit};
use lab_corpus::programs::rfib::rfib;
use lab_corpus::programs::rfibn::rfibn;
use lab_corpus::programs::rrfib::rrfib;
use lab_corpus::programs::sort::sort;
use lab_corpus::programs::turing::{BLANK, HALT, INCREMENT, START, turing};
use lab_corpus::programs::umm::umm;
use lab_corpus::programs::wave::Shot;
use lab_corpus::programs::{ALL, Demo};
use lab_corpus::yardsticks::data::Random;
use lab_corpus::yardsticks::wave::heard;
use num_complex::Complex;
use retrograd::check::check_gradient;
use retrograd::{Direction, Fixed, Real, Slots, Stack, procedure};

/// What a procedure adds to zero.
fn added(program: impl FnOnce(&mut u64)) -> u64 {
    let mut out = 0;
    program(&mut out);
    out
}

#[test]
fn every_example_comes_back_and_does_something() {
    for program in ALL {
        let Demo { before, after, back, restored } = (program.demo)();
        assert!(restored, "{}: {before} -> {after} -> {back}", program.name);
        assert_ne!(before, after, "{}", program.name);
    }
}

#[test]
fn every_entry_shows_its_own_program_and_the_inverse_of_it() {
    for program in ALL {
        assert!((program.source)(Direction::Forward).starts_with(&format!("fn {}", program.name)), "{}", program.name);
        assert!(
            (program.source)(Direction::Inverse).starts_with(&format!("fn uncall_{}", program.name)),
            "{}",
            program.name
        );
        assert!(!program.about.is_empty() && !program.about.contains('\n'), "{}", program.name);
    }
    let mut names = ALL.map(|program| program.name);
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "a name stands twice in {names:?}");
}

#[test]
fn fibonacci_numbers() {
    let numbers = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144];
    for (n, number) in (1..).zip(numbers) {
        assert_eq!(added(|out| rfib(out, n)), number);
        assert_eq!(added(|out| rrfib(out, n - 1)), number);
    }
    for (z, first) in [(1, 0), (2, 3), (55, 10), (56, 11), (100, 12), (144, 12), (145, 13)] {
        let mut n = 0;
        rfibn(&mut n, z);
        assert_eq!(n, first, "the first Fibonacci number that is at least {z}");
    }
}

#[test]
fn powers_and_their_derivatives() {
    let mut out = Number::zero();
    power::<_, Logarithm>(&mut out, Number::lit(-3.0), 13);
    assert_eq!(out, Number::lit(-1_594_323.0));
    let (mut by_out, mut by_x) = (1.0, 0.0);
    power::pullback::<_, Logarithm, _>((&mut out, &mut by_out), (Number::lit(-3.0), &mut by_x), 13);
    assert_eq!(out, Number::zero());
    assert!((by_x / (13.0 * 3_f64.powi(12)) - 1.0).abs() < 1e-12, "{by_x}");
}

#[test]
fn factorials() {
    let products = [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800];
    for (n, product) in (0..).zip(products) {
        assert_eq!(added(|out| factorial(out, n)), product);
        assert_eq!(added(|out| add_factorial(out, n)), product);
    }
    assert_eq!(added(|out| factorial(out, 20)), 2_432_902_008_176_640_000);
}

#[test]
fn complex_logarithms_are_those_of_num_complex() {
    for (re, im) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 2.0), (3.0, -4.0), (-1e-3, 1e3), (-2.5, -0.5)] {
        let (mut y, x) = (Complex::new(0.0, 0.0), Complex::new(re, im));
        complex_log(&mut y, x);
        assert!((y - x.ln()).norm() < 1e-15, "ln({x}) = {} and not {y}", x.ln());
    }
}

#[test]
fn bennett_takes_the_steps_and_the_states_that_theory_says() {
    for (k, n, steps, states) in [(4_usize, 4, 2401, 14), (10, 3, 6859, 29), (2, 1, 3, 3), (3, 0, 1, 2)] {
        let (mut store, mut counted, len) = (Slots::from_iter([(0, 0.3)]), 0, k.pow(n));
        bennett(&mut store, k, 0, len, &mut counted);
        assert_eq!((counted, store.peak()), (steps, states), "k = {k}, n = {n}");
        let plain = (0..len).fold(0.3, |now, _| 3.75 * now * (1.0 - now));
        assert_eq!(store, Slots::from_iter([(0, 0.3), (len, plain)]));
    }
}

#[test]
fn an_affine_map_run_backwards_solves_the_linear_system() {
    // [2, 1; 4, 5] = L·U with L = [1, 0; 2, 1] and U = [2, 1; 0, 3]
    let (lu, b, w) = ([2.0, 1.0, 2.0, 3.0], [1.0, -1.0], [2.0, 1.0, 4.0, 5.0]);
    let mut x = [7.0, 12.0];
    affine::uncall(&mut x, &lu, &b);
    let mut y = [0.0, 0.0];
    affine_into(&mut y, &w, &x, &b);
    assert!((y[0] - 7.0_f64).abs() < 1e-14 && (y[1] - 12.0_f64).abs() < 1e-14, "{y:?}");
}

#[test]
fn rotations_preserve_the_norm() {
    let (mut x, theta) = ([1.0, -2.0, 3.0, 0.5], [0.3, -1.2, 2.2, 0.7, 0.1, 3.0]);
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let before = norm(&x);
    umm(&mut x, &theta);
    assert!((norm(&x) - before).abs() < 1e-14);
}

#[test]
fn a_turned_qubit_and_a_flip_make_a_pair() {
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI};
    let mut state = [1.0, 0.0, 0.0, 0.0].map(|x| Complex::new(x, 0.0));
    quantum_circuit(&mut state, &[FRAC_PI_2, PI, 0.0, 0.0], 2);
    let expected = [FRAC_1_SQRT_2, 0.0, 0.0, -FRAC_1_SQRT_2].map(|x| Complex::new(x, 0.0));
    assert!(state.iter().zip(expected).all(|(a, b)| (a - b).norm() < 1e-15), "{state:?}");
}

#[test]
fn gradients_of_a_circuit_follow_the_rule_of_shifted_angles() {
    // Of a gate with a gap of one between its two phases, the derivative is a difference, and exact.
    const SHIFT: f64 = std::f64::consts::FRAC_PI_2;
    let angles = [0.3, -1.2, 2.2, 0.7, 0.1, 3.0, -0.4, 0.9, 1.7, 0.2, -2.1, 0.6];
    let (_, gradient, _) = energy::gradient(&angles, 3, 0.7);
    for i in 0..angles.len() {
        let at = |shift: f64| {
            let mut moved = angles;
            moved[i] += shift;
            energy(&moved, 3, 0.7)
        };
        let expected = (at(SHIFT) - at(-SHIFT)) / 2.0;
        assert!((gradient[i] - expected).abs() < 1e-13, "{i}: {} and not {expected}", gradient[i]);
    }
}

#[test]
fn two_spins_in_a_field_have_the_energy_that_their_matrix_says() {
    // −ZZ − field (X₁ + X₂) has the lowest eigenvalue −√(1 + 4 field²); a descent of gradients gets there.
    let (mut angles, field) = ([0.4; 8], 0.7);
    for _ in 0..4000 {
        let (_, gradient, _) = energy::gradient(&angles, 2, field);
        angles.iter_mut().zip(gradient).for_each(|(angle, slope)| *angle -= 0.1 * slope);
    }
    let expected = -(1.0 + 4.0 * field * field).sqrt();
    let found = energy(&angles, 2, field);
    assert!((found - expected).abs() < 1e-9, "{found} and not {expected}");
}

#[test]
fn a_chain_of_two_masses_swings_with_the_frequency_of_its_spring() {
    // The distance of two unit masses swings like cos(√2·t), and the middle stays. At a quarter period it is zero.
    let steps = 10_000;
    let dt = std::f64::consts::FRAC_PI_2 / 2.0_f64.sqrt() / f64::from(steps);
    let (mut x, mut v) = ([0.5, -0.5], [0.0, 0.0]);
    leapfrog(&mut x, &mut v, dt, 10_000);
    assert!((x[0] - x[1]).abs() < 1e-7 && (x[0] + x[1]).abs() < 1e-12, "{x:?}");
}

#[test]
fn a_single_precision_chain_comes_back_too() {
    let (mut x, mut v) = ([1.0_f32, 0.0, 0.25], [0.0_f32; 3]);
    leapfrog(&mut x, &mut v, 0.125, 64);
    leapfrog::uncall(&mut x, &mut v, 0.125, 64);
    assert!((x[0] - 1.0).abs() < 1e-5 && v[0].abs() < 1e-5);
}

#[test]
fn a_fixed_point_chain_comes_back_bit_for_bit() {
    let start = ([1.0, 0.0, 0.25].map(Fixed::<32>::lit), [Fixed::zero(); 3]);
    let (mut x, mut v) = start;
    leapfrog(&mut x, &mut v, Fixed::lit(0.1), 10_000);
    leapfrog::uncall(&mut x, &mut v, Fixed::lit(0.1), 10_000);
    assert_eq!((x, v), start);
}

#[test]
fn sorting_sorts_and_records_one_place_for_each_element_but_the_first() {
    let (mut words, mut places) = (["pear", "apple", "fig", "apple", "date"], Stack::new());
    sort(&mut words, &mut places);
    assert_eq!(words, ["apple", "apple", "date", "fig", "pear"]);
    assert_eq!(places.as_slice(), [0, 1, 1, 2]);
}

#[test]
fn the_machine_counts_through_all_numbers_and_starts_again() {
    let mut number = [BLANK, 0, 0, 0, 0, BLANK];
    for expected in (1..16).chain([0]) {
        let (mut head, mut state) = (0, START);
        turing(&mut number, &mut head, &mut state, &INCREMENT);
        assert_eq!((head, state), (0, HALT));
        let value: u32 = number[1..5].iter().rev().fold(0, |value, bit| 2 * value + u32::from(*bit));
        assert_eq!(value, expected);
    }
}

/// As the papers do it: everything that is computed from Q, R or a rotated vector has the right gradient.
#[test]
fn gradients_of_decompositions_are_those_of_differences() {
    let mut random = Random::new(1);
    let a: [[f64; 4]; 4] = std::array::from_fn(|_| random.array(-1.0, 1.0));
    let zero = [[0.0; 4]; 4];
    check_gradient(&(zero, zero, a), 1e-7, procedure!(s => qr(&mut s.0, &mut s.1, &s.2))).unwrap();
    let order = pivots(&a);
    check_gradient(&(a,), 1e-7, procedure!(s => lu(&mut s.0, &order))).unwrap();
    let vectors = (random.array::<4>(-1.0, 1.0), random.array::<6>(-1.0, 1.0));
    check_gradient(&vectors, 1e-7, procedure!(s => umm(&mut s.0, &s.1))).unwrap();
}

#[test]
fn the_gradient_of_a_determinant_are_its_cofactors() {
    // Numbers 1, 2, 3 and their powers: the determinant is the product of their differences.
    let (value, by_a) = determinant::gradient(&[[1.0_f64, 1.0, 1.0], [1.0, 2.0, 4.0], [1.0, 3.0, 9.0]]);
    assert!((value - 2.0).abs() < 1e-14);
    let cofactors = [[6.0, -5.0, 1.0], [-6.0, 8.0, -2.0], [2.0, -3.0, 1.0]];
    for (found, expected) in by_a.as_flattened().iter().zip(cofactors.as_flattened()) {
        assert!((found - expected).abs() < 1e-13, "{by_a:?}");
    }
}

#[test]
fn a_fourier_transform_is_the_sum_that_defines_it() {
    let mut random = Random::new(2);
    let (re, im): ([f64; 16], [f64; 16]) = (random.array(-1.0, 1.0), random.array(-1.0, 1.0));
    let (mut fast_re, mut fast_im) = (re, im);
    fft(&mut fast_re, &mut fast_im);
    for k in 0..16 {
        let turned = |j: usize| Complex::from_polar(1.0, -TAU * (j * k) as f64 / 16.0);
        let sum: Complex<f64> = (0..16).map(|j| Complex::new(re[j], im[j]) * turned(j)).sum();
        assert!((Complex::new(fast_re[k], fast_im[k]) - sum).norm() < 1e-13, "{k}");
    }
}

#[test]
fn numbers_by_box_and_muller_are_distributed_normally() {
    let mut random = Random::new(3);
    let mut moments = [0.0; 4];
    for _ in 0..20_000 {
        let [mut u, mut v] = random.array(0.0, 1.0);
        box_muller(&mut u, &mut v);
        for (power, moment) in (1..).zip(&mut moments) {
            *moment += (u.powi(power) + v.powi(power)) / 40_000.0;
        }
    }
    for (moment, expected) in moments.iter().zip([0.0, 1.0, 0.0, 3.0]) {
        assert!((moment - expected).abs() < 0.1, "{moments:?}");
    }
}

/// How far the wave that starts as 1 + sin(2πx)/10 is from its characteristics at the time 1/2, with `N` points.
fn error_of_lax_wendroff<const N: usize>() -> f64 {
    let wave = |x: f64| 1.0 + 0.1 * (TAU * x).sin();
    let mut states = vec![[0.0; N]; N + 1];
    states[0] = std::array::from_fn(|i| wave(i as f64 / N as f64));
    lax_wendroff(&mut states, 0.5);
    let exact = |x: f64| (0..100).fold(1.0, |u, _| wave(x - 0.5 * u));
    (0..N).map(|i| (states[N][i] - exact(i as f64 / N as f64)).abs()).fold(0.0, f64::max)
}

#[test]
fn twice_the_points_make_a_quarter_of_the_error() {
    let (coarse, fine) = (error_of_lax_wendroff::<32>(), error_of_lax_wendroff::<64>());
    assert!((3.5..4.5).contains(&(coarse / fine)), "{coarse} and {fine}");
}

/// What comes back from a layer that is `depth` cells wide, as a part of what is heard: compared with ground so large that nothing
/// comes back from its border in time.
fn echo(depth: usize) -> f64 {
    let (steps, shift) = (100, 30);
    let (near, large) = (Shot::around(20, depth, steps), Shot::around(20 + 2 * shift, depth, steps));
    let moved = |p: &usize| (p / 22 + shift) * (22 + 2 * shift) + p % 22 + shift;
    let far = Shot {
        sources: near.sources.iter().map(moved).collect(),
        signals: near.signals.clone(),
        receivers: near.receivers.iter().map(moved).collect(),
        ..large
    };
    let [with_layer, without] = [near, far].map(|shot| heard(&shot, &vec![1.0; shot.size * shot.size]));
    let loudest = without.iter().fold(0.0, |loudest: f64, u| loudest.max(u.abs()));
    with_layer.iter().zip(&without).fold(0.0, |echo: f64, (a, b)| echo.max((a - b).abs())) / loudest
}

#[test]
fn the_deeper_the_layer_the_less_comes_back() {
    let echoes = [3, 6, 12].map(echo);
    assert!(echoes.is_sorted_by(|shallow, deep| shallow > deep) && echoes[2] < 0.01, "{echoes:?}");
}

/// One bit, one layer and two predictions, step by step as the suite ADBench defines them.
#[test]
fn the_loss_of_a_recurrent_net_is_that_by_hand() {
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    // Weights and biases of forgetting, ingate, outgate and change.
    let layer = [0.5, -1.0, 2.0, 0.25, 0.1, 0.2, -0.3, 0.4].map(|parameter| [parameter]);
    let (extra, start, sequence) = ([[2.0], [3.0], [-0.5]], [[0.75], [-1.5]], [[1.0], [0.0], [1.0]]);

    // The first character, 1, comes in as 2.
    let cell = -1.5 * sigmoid(2.0 * 0.5 + 0.1) + sigmoid(-0.75 + 0.2) * (0.75 * 0.25 + 0.4_f64).tanh();
    let hidden = sigmoid(2.0 * 2.0 - 0.3) * cell.tanh();
    // The second one, 0, opens the gates by their biases alone. The likelihood of the first prediction is not asked for.
    let cell = cell * sigmoid(0.1) + sigmoid(-hidden + 0.2) * (hidden * 0.25 + 0.4).tanh();
    let hidden = sigmoid(-0.3) * cell.tanh();
    let score = 3.0 * hidden - 0.5;
    let expected = -(score - (score.exp() + 2.0).ln()) / 2.0;

    let value = objective(&[layer], &extra, &[start], &sequence);
    assert!((value - expected).abs() < 1e-15, "{value} and {expected}");
}

/// Where the tip of the second finger of a hand of needles is in a pose in which some numbers are not zero.
fn tip(hand: &Hand, pose: &[(usize, f64)]) -> [f64; 3] {
    let (mut theta, mut errors) = ([0.0; 26], [[0.0; 3]]);
    pose.iter().for_each(|&(i, value)| theta[i] = value);
    hand_tracking(&mut errors, &theta, hand, &[[0.0; 3]], &[1]);
    // Small differences would only be shown as such.
    errors[0].map(|x| (-x * 1e12).round() / 1e12)
}

/// The numbers 10 to 13 of a pose are the angles of the second finger.
#[test]
fn fingers_bend_as_they_do_by_hand() {
    let mut hand = Hand::of_needles();
    assert_eq!(tip(&hand, &[]), [1.0, 4.0, 0.0]);
    assert_eq!(tip(&hand, &[(10, FRAC_PI_2)]), [1.0, 1.0, 3.0]);
    assert_eq!(tip(&hand, &[(11, FRAC_PI_2)]), [-2.0, 1.0, 0.0]);
    assert_eq!(tip(&hand, &[(12, FRAC_PI_2)]), [1.0, 2.0, 2.0]);
    assert_eq!(tip(&hand, &[(13, FRAC_PI_2)]), [1.0, 3.0, 1.0]);
    assert_eq!(tip(&hand, &[(10, FRAC_PI_2), (12, FRAC_PI_2)]), [1.0, -1.0, 1.0]);
    // Bent first, and then spread.
    assert_eq!(tip(&hand, &[(10, FRAC_PI_2), (11, FRAC_PI_2)]), [1.0, 1.0, 3.0]);
    // The whole hand, about the third axis, and then moved.
    assert_eq!(tip(&hand, &[(2, FRAC_PI_2), (3, 10.0), (5, 20.0)]), [6.0, 1.0, 20.0]);
    assert_eq!(tip(&hand, &[(0, 1e-5)]), [1.0, 4.0, 0.0], "too little to be turned");
    assert_eq!(tip(&hand, &[(6, 1.0), (8, 2.0), (14, 1.0), (25, 2.0)]), [1.0, 4.0, 0.0], "other fingers");
    // Half with the tip, and half with the wrist.
    hand.weights[1] = vec![(8, 0.5), (0, 0.5)];
    assert_eq!(tip(&hand, &[(10, FRAC_PI_2)]), [1.0, 2.5, 1.5]);
    hand.mirrored = true;
    assert_eq!(tip(&hand, &[(10, FRAC_PI_2), (4, 1.0)]), [-1.0, 3.5, 1.5]);
}

#[test]
fn a_point_in_a_triangle_is_between_its_corners() {
    let (hand, mut errors) = (Hand::of_needles(), [[0.0; 3]]);
    hand_tracking_of_triangles(&mut errors, &[0.0; 26], &[[0.5, 0.25]], &hand, &[[3.0, 5.0, 1.0]], &[1]);
    // The tips are at 2, 3 and 4, with the weights 1/2, 1/4 and 1/4.
    assert_eq!(errors, [[0.25, 1.0, 1.0]]);
}

#[test]
fn the_gradient_of_a_hand_that_is_not_turned_is_finite() {
    let (hand, mut errors, mut g_errors, mut g_theta) = (Hand::of_needles(), [[0.0; 3]], [[1.0; 3]], [0.0; 26]);
    hand_tracking::pullback((&mut errors, &mut g_errors), (&[0.0; 26], &mut g_theta), &hand, &[[0.0; 3]], &[1]);
    let mut expected = [0.0; 26];
    // Moving the hand, bending the finger upwards, and spreading it to the left.
    (expected[3], expected[4], expected[5]) = (-1.0, -1.0, -1.0);
    (expected[10], expected[11], expected[12], expected[13]) = (-3.0, 3.0, -2.0, -1.0);
    assert_eq!(g_theta, expected);
}
