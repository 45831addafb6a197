//! The weather of Lorenz, by steps of Runge and Kutta that cannot be undone: the gradient of where it ends, with respect to where it starts and
//! to its three parameters, through 10,000 steps. Once with a record of all of them, and then with fewer and fewer states kept.
//!
//! cargo run --release -p retrograd --example lorenz

use std::time::{Duration, Instant};

use retrograd::Record;
use retrograd::prelude::*;

const STEPS: usize = 10_000;

/// How fast the state `s` changes, with the parameters σ, ρ and β.
#[reversible]
fn slope(p: &[f64; 3], s: &[f64; 3]) -> [f64; 3] {
    [p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1], s[0] * s[1] - p[2] * s[2]]
}

/// The point at `h` times the slope `k` from `s`.
#[reversible]
fn ahead(s: &[f64; 3], #[constant] h: f64, k: &[f64; 3]) -> [f64; 3] {
    [s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2]]
}

/// One step.
#[reversible(record)]
fn step(p: &[f64; 3], s: &mut [f64; 3], #[constant] h: f64) {
    let k1 = slope(p, s);
    let k2 = slope(p, &ahead(s, 0.5 * h, &k1));
    let k3 = slope(p, &ahead(s, 0.5 * h, &k2));
    let k4 = slope(p, &ahead(s, h, &k3));
    for i in 0..3 {
        s[i] = s[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
}

/// Where it ends, with everything kept that is lost.
#[reversible(record)]
fn recorded(p: &[f64; 3], start: &[f64; 3], steps: usize) -> f64 {
    let mut s = *start;
    for _ in 0..steps {
        step(p, &mut s, 0.002);
    }
    s[0]
}

/// The same, with so many states kept.
#[reversible]
fn checkpointed(p: &[f64; 3], start: &[f64; 3], steps: usize, snapshots: usize) -> f64 {
    let mut s = *start;
    #[checkpoint(snapshots = snapshots)]
    for _ in 0..steps {
        step(p, &mut s, 0.002);
    }
    s[0]
}

type Gradient = (f64, [f64; 3], [f64; 3]);

/// The gradient, what the record held of it, and the shortest of some times that it took.
fn measured(gradient: impl Fn(&mut Record) -> Gradient) -> (Gradient, usize, Duration) {
    let mut record = Record::new();
    let mut found = gradient(&mut record);
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        let begin = Instant::now();
        found = gradient(&mut record);
        shortest = shortest.min(begin.elapsed());
    }
    (found, record.peak_bytes(), shortest)
}

fn main() {
    let (p, start) = ([10.0, 28.0, 8.0 / 3.0], [1.0, 2.0, 20.0]);
    let (expected, bytes, time) = measured(|record| recorded::gradient_in(record, &p, &start, STEPS));
    let (end, by_p, by_start) = expected;
    println!(
        "x after {STEPS} steps: {end}\nwith respect to σ, ρ, β: {by_p:?}\nwith respect to the start: {by_start:?}\n"
    );
    println!("all recorded:   {bytes:>9} bytes, {time:?}");
    for snapshots in [1000, 100, 20, 5] {
        let (found, bytes, time) = measured(|record| checkpointed::gradient_in(record, &p, &start, STEPS, snapshots));
        println!("{snapshots:>4} snapshots: {bytes:>9} bytes, {time:?}");
        assert_eq!(found.0, end);
        let [found, expected] = [found, expected].map(|(_, by_p, by_start)| [by_p, by_start].concat());
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-7 * expected.abs(), "{found}, {expected}");
        }
    }
}
