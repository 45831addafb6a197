//! The primitives of `dense` beside the calls of faer that they are made of: how many times as long they take. Fails if a product takes
//! more than 1.15 times as long.
//!
//! `cargo run --release -p retrograd --features faer --example dense_speed`

use std::time::{Duration, Instant};

use faer::linalg::matmul::matmul as product;
use faer::linalg::solvers::{Llt, PartialPivLu, Solve};
use faer::{Accum, Mat, Par, Side};
use retrograd::dense::{cholesky, lu_solve, matmul};

/// The shortest times of both, taken in turns.
fn shortest(runs: usize, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (Duration, Duration) {
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..runs {
        best.0 = best.0.min(time(&mut ours));
        best.1 = best.1.min(time(&mut theirs));
    }
    best
}

fn matrix(n: usize, shift: f64) -> Mat<f64> {
    Mat::from_fn(n, n, |i, j| ((i * 7 + j * 13) as f64 * 0.01 + shift).sin() + if i == j { n as f64 } else { 0.0 })
}

fn zeros(n: usize) -> Mat<f64> {
    Mat::zeros(n, n)
}

fn main() {
    let mut slow = false;
    println!("{:>5}  {:<28} {:>12} {:>12} {:>6}", "n", "what", "ours", "faer", "ratio");
    let mut row = |n: usize, what: &str, is_product: bool, (ours, theirs): (Duration, Duration)| {
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        slow |= is_product && ratio > 1.15;
        println!("{n:>5}  {what:<28} {ours:>12.2?} {theirs:>12.2?} {ratio:>6.2}");
    };
    for n in [16, 64, 256, 768] {
        let runs = (1 << 26) / (n * n * n) + 5;
        let (a, b) = (matrix(n, 0.1), matrix(n, 0.7));
        let add = |c: &mut Mat<f64>, a: faer::MatRef<'_, f64>, b: faer::MatRef<'_, f64>, by: f64| {
            product(c.as_mut(), Accum::Add, a, b, by, Par::Seq);
        };

        let (mut ours, mut theirs) = (zeros(n), zeros(n));
        row(
            n,
            "matmul",
            true,
            shortest(runs, || matmul(&mut ours, &a, &b), || add(&mut theirs, a.as_ref(), b.as_ref(), 1.0)),
        );

        let (mut c, mut gc, mut ga, mut gb) = (zeros(n), matrix(n, 0.3), zeros(n), zeros(n));
        let (mut d, hc, mut ha, mut hb) = (zeros(n), matrix(n, 0.3), zeros(n), zeros(n));
        row(
            n,
            "matmul::pullback, 3 products",
            true,
            shortest(
                runs,
                || matmul::pullback((&mut c, &mut gc), (&a, &mut ga), (&b, &mut gb)),
                || {
                    add(&mut ha, hc.as_ref(), b.transpose(), 1.0);
                    add(&mut hb, a.transpose(), hc.as_ref(), 1.0);
                    add(&mut d, a.as_ref(), b.as_ref(), -1.0);
                },
            ),
        );

        let (mut x, mut y) = (matrix(n, 0.2), matrix(n, 0.2));
        row(
            n,
            "lu_solve",
            false,
            shortest(runs, || lu_solve(&mut x, &a), || PartialPivLu::new(a.as_ref()).solve_in_place(y.as_mut())),
        );

        let mut l = a.clone();
        let restored = a.clone();
        row(
            n,
            "cholesky",
            false,
            shortest(
                runs,
                || {
                    l.copy_from(&restored);
                    cholesky(&mut l);
                },
                || drop(Llt::new(a.as_ref(), Side::Lower)),
            ),
        );
    }
    assert!(!slow, "a product takes more than 1.15 times as long as by faer");
}
