//! Newton's method, derivatives of its solutions, and minima.

use super::{Random, assert_near, band};
use crate::dense::{inverted, times};
use retrograd::inverse::{Error, Newton, minimize, newton};
use retrograd::prelude::*;
use retrograd::{Traced, trace};

#[test]
fn newton_finds_where_a_program_has_its_target() {
    let solution = newton(band, &[0.0; 50], &[1.0; 50]).unwrap();
    assert!(solution.residual <= 1e-12 && solution.iterations <= 8);
    assert_near(&trace(&solution.x, band).values(), &[1.0; 50], 1e-12);

    // A branch on the way is recorded again.
    let bent = |x: &[Traced]| [if x[0] < Traced::lit(1.0) { x[0] * 3.0 } else { x[0].square() + 2.0 }];
    assert_near(&newton(bent, &[0.1], &[11.0]).unwrap().x, &[3.0], 1e-12);

    assert!(matches!(
        newton(|x| [x[0].square() + 1.0], &[0.7], &[0.0]),
        Err(Error::NotConverged { .. } | Error::Singular { .. })
    ));
    assert!(Newton::new().damping(0).iterations(5).solve(|x| [x[0].atan()], &[3.0], &[0.0]).is_err());
    for stopped in [
        newton(|x| [x[0]], &[1.0], &[f64::NAN]).map(drop),
        minimize(|x| x[0].square(), &[f64::NAN]).map(drop),
        minimize(|x| x[0].ln(), &[-1.0]).map(drop),
    ] {
        let error = stopped.unwrap_err();
        assert!(error.to_string().contains("infinite or NaN"), "{error}");
        assert!(matches!(error, Error::NotConverged { iterations: 0, residual: f64::INFINITY, .. }), "{error}");
    }
    let already = newton(|x| [x[0]], &[2.0], &[2.0]).unwrap();
    assert_eq!((already.iterations, already.residual), (0, 0.0));
}

/// A ring of values, each with its neighbours and a parameter of its own; two more are shared by all.
fn ring(x: &[Traced], p: &[Traced]) -> Vec<Traced> {
    let n = x.len();
    let (scale, shift) = (p[n], p[n + 1]);
    (0..n).map(|i| x[i] * scale + (x[(i + 1) % n] * p[i]).sin() + x[i].cube() * 0.1 + shift.square()).collect()
}

#[test]
fn derivatives_of_a_solution_are_those_of_solving_again() {
    let (n, mut random) = (5, Random(3));
    let parameters: Vec<f64> = random.numbers(n).into_iter().chain([3.0, 0.4]).collect();
    let target = random.numbers(n);
    let solve = |parameters: &[f64], target: &[f64]| {
        let found = Newton::new().tolerance(1e-14).implicit(ring, &[0.0; 5], parameters, target);
        found.unwrap_or_else(|error| panic!("{error}"))
    };
    let found = solve(&parameters, &target);
    assert!(found.solution().residual <= 1e-13);
    let adjoint = random.numbers(n);
    let (by_parameters, by_target) = found.pullback(&adjoint).unwrap();
    let loss = |parameters: &[f64], target: &[f64]| -> f64 {
        solve(parameters, target).solution().x.iter().zip(&adjoint).map(|(x, adjoint)| x * adjoint).sum()
    };
    let h = 1e-5;
    let moved = |v: &[f64], i: usize, by: f64| {
        Vec::from_iter(v.iter().enumerate().map(|(j, x)| x + if i == j { by } else { 0.0 }))
    };
    for (i, found) in by_parameters.iter().enumerate() {
        let slope = (loss(&moved(&parameters, i, h), &target) - loss(&moved(&parameters, i, -h), &target)) / (2.0 * h);
        assert!((found - slope).abs() < 1e-8, "{i}: {found} instead of {slope}");
    }
    for (i, found) in by_target.iter().enumerate() {
        let slope = (loss(&parameters, &moved(&target, i, h)) - loss(&parameters, &moved(&target, i, -h))) / (2.0 * h);
        assert!((found - slope).abs() < 1e-8, "{i}: {found} instead of {slope}");
    }
    // The pushforward is the transpose.
    let (dp, dy) = (random.numbers(n + 2), random.numbers(n));
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let along = dot(&found.pushforward(&dp, &dy).unwrap(), &adjoint);
    assert!((along - dot(&dp, &by_parameters) - dot(&dy, &by_target)).abs() < 1e-13);
}

#[test]
fn a_solution_where_the_jacobian_is_singular_has_no_derivatives() {
    // Two solutions meet at 0: x² = p.
    let root = Newton::new().implicit(|x, p| [x[0].square() - p[0]], &[0.0], &[0.0], &[0.0]).unwrap();
    assert!(matches!(root.pullback(&[1.0]), Err(Error::Singular { .. })));
    assert!(matches!(root.pushforward(&[1.0], &[0.0]), Err(Error::Singular { .. })));
}

/// Rosenbrock's valley along a chain.
#[reversible]
fn rosenbrock<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() - 1 {
        sum += 100.0 * (x[i + 1] - x[i].square()).square() + (1.0 - x[i]).square();
    }
    sum
}

/// The square of a sum: its Hessian is dense, and has rank one but for what is added to the diagonal.
fn bowl(x: &[Traced]) -> Traced {
    let sum: Traced = x.iter().enumerate().map(|(i, x)| *x * (1.0 + 0.01 * i as f64)).sum();
    (sum - 3.0).square() + x.iter().map(|x| x.square() * 0.5 + x.exp()).sum::<Traced>()
}

#[test]
fn products_with_inverse_hessians_are_those_of_dense_matrices() {
    let mut random = Random(11);
    for (n, program) in
        [(2, rosenbrock as fn(&[Traced]) -> Traced), (7, rosenbrock), (40, rosenbrock), (6, bowl), (50, bowl)]
    {
        let graph = trace(&random.numbers(n), program);
        let dense: Vec<Vec<f64>> = graph.hessian().chunks(n).map(<[f64]>::to_vec).collect();
        let (inverse, _, condition) = inverted(&dense).unwrap();
        let v = random.numbers(n);
        let found = graph.inverse_hessian().unwrap().solve(&v);
        assert_near(&found, &times(&inverse, &v), 1e-13 * condition);
    }
    // What the program does not depend on, or only linearly, has no inverse.
    for flat in [|x: &[Traced]| x[0].square(), |x: &[Traced]| x[0].square() + x[1]] {
        assert!(matches!(trace(&[1.0, 2.0], flat).inverse_hessian(), Err(Error::Singular { .. })));
    }
}

#[test]
fn a_connected_hessian_is_one_lump() {
    // The same by inverse accumulation over the gradient that the language derives. Only the last variable comes off: it enters linearly.
    let (n, mut random) = (8, Random(5));
    let x = random.numbers(n);
    let gradient = trace(&x, |x| rosenbrock::gradient(x).1).inverse().unwrap();
    assert_eq!(gradient.lumps().iter().map(|lump| lump.width()).max(), Some(n - 1));
    let v = random.numbers(n);
    let found = trace(&x, rosenbrock).inverse_hessian().unwrap().solve(&v);
    let scale = found.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
    assert_near(&gradient.solve(&v).unwrap(), &found, 1e-10 * scale);
}

#[test]
fn minima_are_found() {
    let found = minimize(rosenbrock, &[-1.2, 1.0, -1.2, 1.0]).unwrap();
    assert!(found.gradient <= 1e-12 && found.iterations < 50);
    assert!(trace(&found.x, rosenbrock).value() == found.value);

    let found = minimize(bowl, &[2.0; 30]).unwrap();
    assert!(found.gradient <= 1e-12 && found.iterations < 12, "{found:?}");

    // Where the curvature is negative, the way leads downhill all the same.
    let found = minimize(|x| x[0].cos(), &[0.3]).unwrap();
    assert!((found.value + 1.0).abs() < 1e-12);
    assert!(matches!(minimize(|x| -x[0].square(), &[1.0]), Err(Error::NotConverged { .. })));
    assert!(matches!(minimize(|x| x[0], &[1.0]), Err(Error::NotConverged { .. })));
}
