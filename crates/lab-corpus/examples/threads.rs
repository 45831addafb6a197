//! How much faster a gradient over many data points is on two threads than on one: the Gaussian mixture with d = 10 and K = 25.
//!
//! `cargo run --release -p lab-corpus --features rayon --example threads`

use std::time::{Duration, Instant};

use lab_corpus::programs::gaussian_mixture::{Wishart, gradient_in_lanes};

const D: usize = 10;
const F: usize = D * (D + 1) / 2;
const K: usize = 25;

fn wave<const N: usize>(k: usize) -> [f64; N] {
    std::array::from_fn(|i| ((i * 7 + k * 13) as f64 * 0.1).sin())
}

fn main() {
    let prior = Wishart { gamma: 1.0, m: 0 };
    let (alphas, means, icf) =
        (wave::<K>(1), std::array::from_fn::<_, K, _>(wave::<D>), std::array::from_fn::<_, K, _>(wave::<F>));
    println!("{:>8} {:>8} {:>12} {:>8}", "points", "threads", "time", "faster");
    for count in [1_000, 10_000, 100_000] {
        let x: Vec<[f64; D]> = (0..count).map(|k| wave(k + 3)).collect();
        let mut alone = Duration::ZERO;
        let mut value = None;
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("there are threads");
            let mut best = Duration::MAX;
            for _ in 0..2_000_000 / count + 5 {
                let start = Instant::now();
                let found = pool.install(|| gradient_in_lanes(&alphas, &means, &icf, &x, &prior));
                best = best.min(start.elapsed());
                // The same bits for every number of threads.
                assert_eq!(*value.get_or_insert(found), found);
            }
            if threads == 1 {
                alone = best;
            }
            let faster = alone.as_secs_f64() / best.as_secs_f64();
            println!("{count:>8} {threads:>8} {best:>12.2?} {faster:>8.2}");
        }
    }
}
