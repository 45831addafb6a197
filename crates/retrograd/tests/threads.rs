//! Gradients on several threads: the same bits for every number of them, and the same errors.

#![cfg(feature = "rayon")]

use retrograd::check::{DriftTolerance, with_drift};
use retrograd::lanes::{Instructions, with_instructions};
use retrograd::prelude::*;
use retrograd::{ErrorKind, Shared, attempt};

/// Half of the square of an error, for a model with parameters that all data points share, and one more for each of them.
#[reversible]
#[inline(always)]
fn loss<T: Real>(w: &[Shared<T>], slack: T, #[constant] x: &[T; 2], scale: i32) -> T {
    let guess = w[0].spread() * x[0] + w[1].spread() * (x[1] * slack).exp();
    0.5 * guess.powi(scale) + (w[2].spread() * slack).sin()
}

/// What does not come back, for rates near one.
#[reversible]
#[inline(always)]
fn forget<T: Real>(scale: &Shared<T>, rate: T) -> T {
    let mut x = scale.spread();
    for _ in 0..300 {
        x *= rate;
        x += 0.5;
    }
    x * x
}

fn with_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let w = [0.3, -0.7, 1.9];
    for count in [0, 1, 511, 512, 513, 1024, 5003, 40_000] {
        let slack: Vec<f64> = (0..count).map(|i| (i as f64 * 0.37).sin()).collect();
        let x: Vec<[f64; 2]> = (0..count).map(|i| [(i as f64 * 0.11).cos(), (i as f64 * 0.23).sin()]).collect();
        for instructions in Instructions::ALL.into_iter().filter(|instructions| instructions.are_available()) {
            let run = || with_instructions(instructions, || loss::gradient_over(&w, &slack, &x, 2)).unwrap();
            let (value, by_w, by_slack) = with_threads(1, run);
            for threads in [2, 7] {
                let (same, same_by_w, same_by_slack) = with_threads(threads, run);
                assert_eq!(value.to_bits(), same.to_bits(), "{threads} threads, {count} points, {instructions}");
                assert_eq!(bits(&by_w), bits(&same_by_w), "{threads} threads, {count} points, {instructions}");
                assert_eq!(bits(&by_slack), bits(&same_by_slack), "{threads} threads, {count} points, {instructions}");
            }
        }
        let shared = w.map(Shared::<f64>);
        let (mut total, mut by_all) = (0.0, [0.0; 3]);
        for i in 0..count {
            let mut by_slack = 0.0;
            total += loss::pullback((&shared, &mut by_all), (slack[i], &mut by_slack), &x[i], 2, 1.0);
        }
        let (value, by_w, _) = loss::gradient_over(&w, &slack, &x, 2);
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-10 * (1.0 + a.abs());
        assert!(near(value, total) && (0..3).all(|k| near(by_w[k], by_all[k])), "{count} points");
    }
}

#[test]
fn errors_and_tolerances_are_those_of_the_caller() {
    let mut rates = vec![0.999; 3000];
    assert!(attempt(|| forget::gradient_over(&1.0, &rates)).is_ok());
    // Values that shrink this much cannot be restored.
    rates[1700] = 0.3;
    rates[2900] = 0.1;
    let blind = DriftTolerance { relative: f64::INFINITY, absolute: f64::INFINITY };
    for threads in [1, 2, 7] {
        let error = with_threads(threads, || attempt(|| forget::gradient_over(&1.0, &rates)).unwrap_err());
        let alone = attempt(|| forget::gradient_over(&1.0, &rates[1696..1712])).unwrap_err();
        assert_eq!((error.kind, &error.actual), (ErrorKind::Drift, &alone.actual), "{threads} threads");
        let forgiven = with_threads(threads, || with_drift(blind, || attempt(|| forget::gradient_over(&1.0, &rates))));
        assert!(forgiven.is_ok());
    }
}
