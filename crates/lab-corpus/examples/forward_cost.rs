//! Programs of the corpus beside twins written in plain Rust, for counting what each executes.
//!
//! `forward_cost PROGRAM FORM` runs one of them once, inside [`measured`]; `forward_cost` lists the programs.
//! `scripts/forward-cost` runs all of them under callgrind and compares.

use std::hint::black_box;
use std::process::ExitCode;

use lab_corpus::programs::{affine, leapfrog, squared_distance, umm};

/// The same functions, without `#[reversible]`.
#[expect(clippy::needless_range_loop, reason = "the same loops as in the reversible programs")]
mod native {
    use retrograd::Real;
    use retrograd::ops::rotate;

    pub(super) fn affine<T: Real>(x: &mut [T], lu: &[T], b: &[T]) {
        let n = x.len();
        for i in 0..n {
            x[i] *= lu[n * i + i];
            for j in i + 1..n {
                x[i] += lu[n * i + j] * x[j];
            }
        }
        for i in (0..n).rev() {
            for j in 0..i {
                x[i] += lu[n * i + j] * x[j];
            }
            x[i] += b[i];
        }
    }

    pub(super) fn kick<T: Real>(v: &mut [T], x: &[T], dt: T) {
        for i in 1..x.len() {
            let pull = dt * (x[i] - x[i - 1]);
            v[i - 1] += pull;
            v[i] -= pull;
        }
    }

    pub(super) fn drift<T: Real>(x: &mut [T], v: &[T], dt: T) {
        for i in 0..x.len() {
            x[i] += dt * v[i];
        }
    }

    pub(super) fn leapfrog<T: Real>(x: &mut [T], v: &mut [T], dt: T, steps: usize) {
        for _ in 0..steps {
            kick(v, x, T::lit(0.5) * dt);
            drift(x, v, dt);
            kick(v, x, T::lit(0.5) * dt);
        }
    }

    /// Without the attribute, two elements of one slice have to be taken apart by hand.
    pub(super) fn umm<T: Real>(x: &mut [T], theta: &[T]) {
        let mut k = 0;
        for j in 0..x.len() {
            for i in (j..x.len() - 1).rev() {
                let (low, high) = x.split_at_mut(i + 1);
                rotate(&mut low[i], &mut high[0], theta[k]);
                k += 1;
            }
        }
    }

    pub(super) fn squared_distance<T: Real>(d: &mut T, a: &mut [T], b: &[T]) {
        for i in 0..b.len() {
            a[i] -= b[i];
        }
        for i in 0..b.len() {
            *d += a[i] * a[i];
        }
        for i in (0..b.len()).rev() {
            a[i] += b[i];
        }
    }
}

/// Callgrind counts between the entry of this function and its end.
#[inline(never)]
fn measured(run: impl FnOnce()) {
    run();
}

/// Numbers without a pattern, between 0.5 and 1.5.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|i| 1.0 + 0.5 * (i as f64).sin()).collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (mut x, mut v, w) = (black_box(numbers(100)), black_box(numbers(100)), black_box(numbers(10_000)));
    let (mut d, dt, steps) = black_box((0.0, 1e-3, 100));
    match arguments[..] {
        [] => println!("leapfrog\naffine\numm\nsquared_distance"),
        ["leapfrog", "reversible"] => measured(|| leapfrog::leapfrog(&mut x, &mut v, dt, steps)),
        ["leapfrog", "native"] => measured(|| native::leapfrog(&mut x, &mut v, dt, steps)),
        ["affine", "reversible"] => measured(|| affine::affine(&mut x, &w, &v)),
        ["affine", "native"] => measured(|| native::affine(&mut x, &w, &v)),
        ["umm", "reversible"] => measured(|| umm::umm(&mut x, &w[..4950])),
        ["umm", "native"] => measured(|| native::umm(&mut x, &w[..4950])),
        ["squared_distance", "reversible"] => measured(|| squared_distance::squared_distance(&mut d, &mut x, &v)),
        ["squared_distance", "native"] => measured(|| native::squared_distance(&mut d, &mut x, &v)),
        _ => {
            eprintln!("usage: forward_cost [PROGRAM reversible|native]");
            return ExitCode::from(2);
        }
    }
    black_box((x, v, w, d));
    ExitCode::SUCCESS
}
