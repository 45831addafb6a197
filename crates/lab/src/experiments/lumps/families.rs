//! Seven kinds of programs with as many results as arguments.

use retrograd::{Real, Traced};

/// A program of one kind on n numbers, in so many rounds.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) run: fn(&[Traced], usize) -> Vec<Traced>,
    /// Whether the widest lump has one value, or as many as the program.
    pub(super) is_in_place: bool,
    /// Whether it is run in many rounds: of a gradient, they soon are no numbers any more, and of a product, one matrix.
    pub(super) is_repeated: bool,
}

/// All of them: first those that compute in place.
pub(super) const ALL: [Family; 7] = [
    Family { name: "leapfrog", run: leapfrog, is_in_place: true, is_repeated: true },
    Family { name: "coupling layers", run: coupling, is_in_place: true, is_repeated: true },
    Family { name: "Gauss–Seidel", run: gauss_seidel, is_in_place: true, is_repeated: true },
    Family { name: "Jacobi", run: jacobi, is_in_place: false, is_repeated: true },
    Family { name: "planar flow", run: planar, is_in_place: false, is_repeated: true },
    Family { name: "Rosenbrock gradient", run: rosenbrock, is_in_place: false, is_repeated: false },
    Family { name: "dense product", run: dense, is_in_place: false, is_repeated: false },
];

/// Kicks and drifts of a ring of masses: positions and velocities in turns.
fn leapfrog(x: &[Traced], rounds: usize) -> Vec<Traced> {
    let (x, v) = x.split_at(x.len() / 2);
    let (mut x, mut v, n) = (x.to_vec(), v.to_vec(), x.len());
    for _ in 0..rounds {
        for i in 0..n {
            v[i] += (x[(i + 1) % n] - x[i] * 2.0 + x[(i + n - 1) % n]).sin() * 0.05;
        }
        for i in 0..n {
            x[i] += v[i] * 0.05;
        }
    }
    x.into_iter().chain(v).collect()
}

/// Each half is scaled and shifted by amounts that depend on the other.
fn coupling(x: &[Traced], rounds: usize) -> Vec<Traced> {
    let (a, b) = x.split_at(x.len() / 2);
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    for _ in 0..rounds {
        for i in 0..a.len() {
            let j = (i + 1) % b.len();
            a[i] = a[i] * (b[i].sin() * 0.1).exp() + b[j].sin() * 0.2;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.into_iter().chain(b).collect()
}

/// Relaxation in place.
fn gauss_seidel(x: &[Traced], rounds: usize) -> Vec<Traced> {
    let mut x = x.to_vec();
    for _ in 0..rounds {
        for i in 1..x.len() - 1 {
            x[i] = x[i] * 0.5 + (x[i - 1] + x[i + 1]) * 0.25;
        }
    }
    x
}

/// Relaxation from old values only.
fn jacobi(x: &[Traced], rounds: usize) -> Vec<Traced> {
    let (mut x, n) = (x.to_vec(), x.len());
    for _ in 0..rounds {
        x = (0..n).map(|i| x[i] * 0.8 + (x[(i + 1) % n] + x[(i + n - 1) % n]) * 0.1).collect();
    }
    x
}

/// What all have in common is added to each.
fn planar(x: &[Traced], rounds: usize) -> Vec<Traced> {
    let (mut x, n) = (x.to_vec(), x.len() as f64);
    for _ in 0..rounds {
        let sum: Traced = x.iter().enumerate().map(|(i, x)| *x * (0.1 + 0.5 * i as f64 / n)).sum();
        let common = (sum / n).tanh();
        x.iter_mut().enumerate().for_each(|(i, x)| *x += common * (0.5 - 0.2 * i as f64 / n));
    }
    x
}

/// The gradient of Rosenbrock's function along a chain.
fn rosenbrock(x: &[Traced], rounds: usize) -> Vec<Traced> {
    let (mut x, n) = (x.to_vec(), x.len());
    for _ in 0..rounds {
        let slope = |i: usize| {
            let before = if i > 0 { (x[i] - x[i - 1].square()) * 2.0 } else { Traced::zero() };
            let after = if i + 1 < n { x[i] * (x[i + 1] - x[i].square()) * -4.0 } else { Traced::zero() };
            before + after + x[i] * 0.02
        };
        x = (0..n).map(slope).collect();
    }
    x
}

/// A matrix times a vector.
fn dense(x: &[Traced], rounds: usize) -> Vec<Traced> {
    let (mut x, n) = (x.to_vec(), x.len());
    let entry = |i: usize, j: usize| if i == j { 1.0 } else { 0.3 * ((i * 7 + j * 3) as f64).sin() / n as f64 };
    for _ in 0..rounds {
        x = (0..n).map(|i| x.iter().enumerate().map(|(j, x)| *x * entry(i, j)).sum()).collect();
    }
    x
}
