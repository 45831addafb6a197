//! Many steps in a row, and differential equations.

use super::{Random, assert_near, jacobian};
use crate::dense::{inverted, times, transposed};
use retrograd::inverse::{Error, Method, Ode, Steps};
use retrograd::{Real, Traced, trace};

/// Overwrites all it has, with squares, and cannot be undone.
fn lossy(x: &[Traced]) -> [Traced; 3] {
    [x[0].square() * 0.5 + x[1] * 0.3, x[1].square() - x[2] * 0.4, (x[2] * x[0]).tanh() + x[1] * 0.2]
}

/// The product of the Jacobians of all steps, and the end.
fn product_of_steps<R: retrograd::Active<Number = Traced>>(
    program: impl Fn(&[Traced]) -> R,
    start: &[f64],
    count: usize,
) -> Vec<Vec<f64>> {
    let n = start.len();
    let mut columns: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    let mut x = start.to_vec();
    for _ in 0..count {
        let graph = trace(&x, &program);
        let matrix = jacobian(&graph);
        columns.iter_mut().for_each(|column| *column = times(&matrix, column));
        x = graph.values();
    }
    transposed(&columns)
}

#[test]
fn steps_that_lose_their_arguments_have_inverse_products() {
    let (start, count) = ([0.9, 0.7, -0.8], 6);
    let matrix = product_of_steps(lossy, &start, count);
    let (inverse, _, condition) = inverted(&matrix).unwrap();
    let v = [0.3, -0.2, 0.5];
    let tolerance = 1e-14 * condition;
    for steps in [Steps::new(count, lossy), Steps::new(count, lossy).snapshots(2)] {
        assert_near(&steps.jvp(&start, &v).unwrap(), &times(&matrix, &v), tolerance);
        assert_near(&steps.vjp(&start, &v).unwrap(), &times(&transposed(&matrix), &v), tolerance);
        assert_near(&steps.solve(&start, &v).unwrap(), &times(&inverse, &v), tolerance);
        assert_near(&steps.solve_transposed(&start, &v).unwrap(), &times(&transposed(&inverse), &v), tolerance);
    }
    // A branch that is taken at some steps only is recorded again.
    let bent = |x: &[Traced]| [if x[0] > Traced::lit(1.0) { x[0].sqrt() } else { x[0] * 3.0 }];
    let slope = product_of_steps(bent, &[0.2], 9)[0][0];
    assert_near(&Steps::new(9, bent).solve(&[0.2], &[1.0]).unwrap(), &[1.0 / slope], 1e-13);
}

#[test]
fn a_step_that_is_singular_on_the_way_is_an_error() {
    // The second step squares zero.
    let squares = Steps::new(3, |x| [(x[0] - 1.0).square()]);
    assert!(matches!(squares.solve(&[2.0], &[1.0]), Err(Error::Singular { operation: "square", .. })));
    assert!(matches!(squares.solve_transposed(&[2.0], &[1.0]), Err(Error::Singular { operation: "square", .. })));
    assert_eq!(squares.jvp(&[2.0], &[1.0]), Ok(vec![0.0]));
    let narrow = Steps::new(3, |x| [x[0] + x[1]]);
    assert_eq!(narrow.jvp(&[1.0, 2.0], &[1.0, 1.0]), Err(Error::NotSquare { inputs: 2, outputs: 1 }));
}

/// The oscillator of Van der Pol, which is drawn towards its cycle.
fn van_der_pol(x: &[Traced]) -> [Traced; 2] {
    [x[1], (Traced::lit(1.0) - x[0].square()) * x[1] * 1.5 - x[0]]
}

#[test]
fn the_four_modes_of_a_differential_equation_are_those_of_dense_matrices() {
    let (start, dt, count) = ([1.5, -0.5], 0.02, 120);
    let mut random = Random(9);
    for method in [Method::Euler, Method::Midpoint, Method::RungeKutta] {
        let ode = Ode::new(van_der_pol, dt, count).method(method);
        // One column after the other, each by a run of its own.
        let step = |x: &[Traced]| {
            let one = |slope: &[Traced], by: f64| [x[0] + slope[0] * by, x[1] + slope[1] * by];
            let first = van_der_pol(x);
            match method {
                Method::Euler => one(&first, dt),
                Method::Midpoint => one(&van_der_pol(&one(&first, dt / 2.0)), dt),
                _ => {
                    let second = van_der_pol(&one(&first, dt / 2.0));
                    let third = van_der_pol(&one(&second, dt / 2.0));
                    let fourth = van_der_pol(&one(&third, dt));
                    let mean = |i: usize| (first[i] + second[i] * 2.0 + third[i] * 2.0 + fourth[i]) / 6.0;
                    one(&[mean(0), mean(1)], dt)
                }
            }
        };
        let matrix = product_of_steps(step, &start, count);
        let (inverse, _, condition) = inverted(&matrix).unwrap();
        let (v, tolerance) = (random.numbers(2), 1e-14 * condition);
        for ode in [ode, ode.snapshots(5)] {
            assert_near(&ode.jvp(&start, &v).unwrap(), &times(&matrix, &v), tolerance);
            assert_near(&ode.vjp(&start, &v).unwrap(), &times(&transposed(&matrix), &v), tolerance);
            assert_near(&ode.solve(&start, &v).unwrap().vector, &times(&inverse, &v), tolerance);
            let found = ode.solve_transposed(&start, &v).unwrap().vector;
            assert_near(&found, &times(&transposed(&inverse), &v), tolerance);
        }
    }
}

#[test]
fn the_continuous_form_converges_with_first_order() {
    let (start, v, time) = ([1.5, -0.5], [0.6, -0.8], 0.5);
    let far = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |far: f64, (a, b)| far.max((a - b).abs()));
    let errors = |count: usize| {
        let ode = Ode::new(van_der_pol, time / count as f64, count);
        let (steps, flow) = (ode.method(Method::RungeKutta), ode.continuous());
        let inverse = [
            far(&flow.solve(&start, &v).unwrap().vector, &ode.solve(&start, &v).unwrap().vector),
            far(&flow.solve_transposed(&start, &v).unwrap().vector, &ode.solve_transposed(&start, &v).unwrap().vector),
        ];
        // For Euler's steps the other two are the same sums; a better method shows what they leave out.
        assert_near(&flow.jvp(&start, &v).unwrap(), &ode.jvp(&start, &v).unwrap(), 1e-13);
        assert_near(&flow.vjp(&start, &v).unwrap(), &ode.vjp(&start, &v).unwrap(), 1e-13);
        let exact = [steps.jvp(&start, &v).unwrap(), steps.vjp(&start, &v).unwrap()];
        let found = [flow.jvp(&start, &v).unwrap(), flow.vjp(&start, &v).unwrap()];
        [inverse[0], inverse[1], far(&found[0], &exact[0]), far(&found[1], &exact[1])]
    };
    let all: Vec<[f64; 4]> = [50, 100, 200, 400].map(errors).to_vec();
    for pair in all.windows(2) {
        for (coarse, fine) in pair[0].iter().zip(pair[1]) {
            let ratio = coarse / fine;
            assert!((1.8..2.2).contains(&ratio), "twice the steps change the error by {ratio}: {all:?}");
        }
    }
}

#[test]
fn an_unstable_direction_is_said_to_be() {
    // For a long time, the cycle draws everything towards it.
    let long = Ode::new(van_der_pol, 0.02, 500);
    let found = long.solve(&[1.5, -0.5], &[1.0, 0.0]).unwrap();
    let warning = found.warning.unwrap();
    assert!(warning.growth > 1e3 && warning.rate > 0.5, "{warning:?}");
    assert!(long.solve_transposed(&[1.5, -0.5], &[1.0, 0.0]).unwrap().warning.is_some());
    assert!(long.continuous().solve(&[1.5, -0.5], &[1.0, 0.0]).unwrap().warning.is_some());
    assert!(warning.to_string().contains("in the inverse direction"));
    // An oscillator draws nothing, and one that runs away is stable backwards.
    let oscillator = Ode::new(|x| [x[1], -x[0]], 0.001, 10_000);
    assert_eq!(oscillator.solve(&[1.0, 0.0], &[1.0, 0.0]).unwrap().warning, None);
    let growing = Ode::new(|x| [x[0] * 2.0], 0.01, 1000);
    assert_eq!(growing.solve(&[1.0], &[1.0]).unwrap().warning, None);

    let narrow = Ode::new(|x| [x[0]], 0.1, 10);
    assert_eq!(narrow.end(&[1.0]).len(), 1);
    assert_eq!(narrow.jvp(&[1.0, 2.0], &[1.0, 1.0]), Err(Error::NotSquare { inputs: 2, outputs: 1 }));
}
