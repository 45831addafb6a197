//! How much faster derivatives are on several threads than on one: the gradient of the Gaussian mixture with d = 10 and K = 25, and the
//! Jacobians of bundle adjustment.
//!
//! `cargo run --release -p lab-corpus --features rayon --example threads`

use std::time::{Duration, Instant};

use lab_corpus::programs::bundle_adjustment::write_jacobians;
use lab_corpus::programs::gaussian_mixture::{Wishart, gradient_in_lanes};

const D: usize = 10;
const F: usize = D * (D + 1) / 2;
const K: usize = 25;

fn wave<const N: usize>(k: usize) -> [f64; N] {
    std::array::from_fn(|i| ((i * 7 + k * 13) as f64 * 0.1).sin())
}

/// The shortest time on 1, 2 and 4 threads. What comes out has the same bits.
fn compare<R: PartialEq + Send + std::fmt::Debug>(what: &str, count: usize, run: impl Fn() -> R + Sync) {
    let (mut alone, mut first) = (Duration::ZERO, None);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("there are threads");
        let mut best = Duration::MAX;
        for _ in 0..2_000_000 / count + 5 {
            let start = Instant::now();
            let found = pool.install(&run);
            best = best.min(start.elapsed());
            assert!(*first.get_or_insert_with(&run) == found, "the same bits for every number of threads");
        }
        if threads == 1 {
            alone = best;
        }
        let faster = alone.as_secs_f64() / best.as_secs_f64();
        println!("{what:<20} {count:>8} {threads:>8} {best:>12.2?} {faster:>8.2}");
    }
}

fn main() {
    println!("{:<20} {:>8} {:>8} {:>12} {:>8}", "what", "count", "threads", "time", "faster");
    let prior = Wishart { gamma: 1.0, m: 0 };
    let alphas = wave::<K>(1);
    let (means, icf) = (std::array::from_fn::<_, K, _>(wave::<D>), std::array::from_fn::<_, K, _>(wave::<F>));
    for count in [1_000, 10_000, 100_000] {
        let x: Vec<[f64; D]> = (0..count).map(|k| wave(k + 3)).collect();
        compare("mixture", count, || gradient_in_lanes(&alphas, &means, &icf, &x, &prior));
    }
    let (cameras, points) =
        ((0..100).map(wave::<11>).collect::<Vec<_>>(), (0..5000).map(wave::<3>).collect::<Vec<_>>());
    for count in [10_000, 100_000] {
        let seen: Vec<(usize, usize)> = (0..count).map(|i| (i % 100, i * 7 % 5000)).collect();
        let features: Vec<[f64; 2]> = (0..count).map(wave).collect();
        let weights = vec![1.0; count];
        let rows = std::sync::Mutex::new(vec![[[0.0; 15]; 2]; count]);
        compare("bundle adjustment", count, || {
            let mut rows = rows.lock().expect("nobody panics");
            write_jacobians(&mut rows, &cameras, &points, &weights, &features, &seen);
            rows.iter()
                .step_by(97)
                .flatten()
                .flatten()
                .map(|x| x.to_bits())
                .fold(0_u64, |all, bits| all.rotate_left(1) ^ bits)
        });
    }
}
