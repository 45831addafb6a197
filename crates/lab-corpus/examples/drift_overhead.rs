//! The adjoint run of every program of the lab, for counting what it executes.
//!
//! `drift_overhead PROGRAM` runs one of them once, inside [`measured`]; `drift_overhead` lists the programs.
//! `scripts/drift-overhead` runs all of them under callgrind, and compares them with the same programs compiled without the
//! comparison of what was restored with what it was.

use std::hint::black_box;
use std::process::ExitCode;

use lab_corpus::lossy::{self, Lossy};
use lab_corpus::programs;
use lab_corpus::yardsticks::adbench::net::Net;
use lab_corpus::yardsticks::complex_sparse::{complex_matrix, numbers};
use lab_corpus::yardsticks::data::{Mixture, Parameters, Random, Scene, hand, sparse};
use num_complex::Complex;
use retrograd::lanes::Instructions;
use retrograd::private::{Shadowed, Zero};
use retrograd::{Active, InformationBuffer, Procedure, Real, Record, Slots, Stack, Step, Tropical, procedure};

/// Callgrind counts between the entry of this function and its end.
#[inline(never)]
fn measured(run: impl FnOnce()) {
    run();
}

/// Runs a procedure, and then its pullback from adjoints that are all 1.
fn adjoint<X, G>(mut state: X, program: impl Procedure<X>)
where
    X: Active<Shadow = G> + Shadowed<f64, Shadow = G, Owned = G>,
{
    program.run(&mut state);
    let mut shadow = state.zero_shadow(Zero::Plain);
    X::scalars_mut(&mut shadow, &mut |scalar| *scalar = 1.0);
    measured(|| program.pullback(black_box(&mut state), black_box(&mut shadow)));
    black_box((state, shadow));
}

/// A table of programs, each with an adjoint run of it.
macro_rules! adjoints {
    ($($name:ident($random:ident) $body:block)+) => {
        const ADJOINTS: &[(&str, fn(&mut Random))] = &[$((stringify!($name), |$random| {
            use lab_corpus::programs::$name::*;
            $body
        })),+];
    };
}

/// Programs on integers: nothing in them has a derivative.
const OF_INTEGERS: [&str; 6] = ["rfib", "rrfib", "rfibn", "factorial", "run_length", "turing"];

fn number(random: &mut Random) -> f64 {
    random.between(0.5, 2.0)
}

fn vector(random: &mut Random, n: usize) -> Vec<f64> {
    (0..n).map(|_| random.between(0.5, 2.0)).collect()
}

/// A matrix that is far from singular.
fn matrix<const M: usize, const N: usize>(random: &mut Random) -> [[f64; M]; N] {
    let mut a: [[f64; M]; N] = std::array::from_fn(|_| random.array(-0.5, 0.5));
    (0..M.min(N)).for_each(|i| a[i][i] += 5.0);
    a
}

adjoints! {
    adder(random) {
        adjoint((number(random), number(random)), procedure!(s => adder(&mut s.0, s.1)));
    }

    multiplier(random) {
        adjoint((number(random), number(random), number(random)), procedure!(s => multiplier(&mut s.0, s.1, s.2)));
    }

    complex_log(random) {
        let mut number = || Complex::new(number(random), number(random));
        adjoint((number(), number()), procedure!(s => complex_log(&mut s.0, s.1)));
    }

    power(random) {
        let (start, x) = (Number::lit(number(random)), Number::lit(number(random)));
        adjoint((start, x), procedure!(s => power::<_, Logarithm>(&mut s.0, s.1, 10)));
    }

    affine(random) {
        let state = (vector(random, 40), vector(random, 1600), vector(random, 40));
        adjoint(state, procedure!(s => affine(&mut s.0, &s.1, &s.2)));
    }

    matvec(random) {
        let state = (vector(random, 40), vector(random, 1600), vector(random, 40));
        adjoint(state, procedure!(s => matvec(&mut s.0, &s.1, &s.2)));
    }

    lu(random) {
        let a: [[f64; 20]; 20] = matrix(random);
        let order = pivots(&a);
        adjoint((a,), procedure!(s => lu(&mut s.0, &order)));
    }

    qr(random) {
        let state = (matrix::<20, 10>(random), matrix::<10, 10>(random), matrix::<20, 10>(random));
        adjoint(state, procedure!(s => qr(&mut s.0, &mut s.1, &s.2)));
    }

    umm(random) {
        adjoint((vector(random, 40), vector(random, 780)), procedure!(s => umm(&mut s.0, &s.1)));
    }

    fft(random) {
        adjoint((vector(random, 256), vector(random, 256)), procedure!(s => fft(&mut s.0, &mut s.1)));
    }

    quantum_circuit(random) {
        let state: Vec<_> = (0..64).map(|_| Complex::new(number(random), number(random))).collect();
        adjoint((state, vector(random, 60)), procedure!(s => quantum_circuit(&mut s.0, &s.1, 6)));
    }

    squared_distance(random) {
        let state = (number(random), vector(random, 1000), vector(random, 1000));
        adjoint(state, procedure!(s => squared_distance(&mut s.0, &mut s.1, &s.2)));
    }

    consistency(random) {
        let state = (random.between(-1.0, 0.0), number(random), number(random));
        adjoint(state, procedure!(s => consistency(&mut s.0, &mut s.1, &mut s.2)));
    }

    box_muller(random) {
        let state = (random.between(0.1, 0.9), random.between(0.1, 0.9));
        adjoint(state, procedure!(s => box_muller(&mut s.0, &mut s.1)));
    }

    variance(random) {
        let state = (number(random), number(random), vector(random, 1000));
        adjoint(state, procedure!(s => variance(&mut s.0, &mut s.1, &s.2)));
    }

    log_sum_exp(random) {
        adjoint((number(random), vector(random, 1000)), procedure!(s => log_sum_exp(&mut s.0, &s.1)));
    }

    cross_entropy(random) {
        let labels: Vec<usize> = (0..100).map(|_| random.below(10)).collect();
        adjoint((number(random), vector(random, 1000)), procedure!(s => cross_entropy(&mut s.0, &s.1, &labels)));
    }

    nice(random) {
        let coupling = |_| Coupling::<f64, 4, 8> {
            inner: std::array::from_fn(|_| random.array(-1.0, 1.0)),
            inner_bias: random.array(-1.0, 1.0),
            outer: std::array::from_fn(|_| random.array(-1.0, 1.0)),
            outer_bias: random.array(-1.0, 1.0),
        };
        let layers: Vec<_> = (0..10).map(coupling).collect();
        let x: [[f64; 4]; 2] = std::array::from_fn(|_| random.array(-1.0, 1.0));
        let scales: [[f64; 4]; 2] = std::array::from_fn(|_| random.array(-1.0, 1.0));
        adjoint((x, layers, scales), procedure!(s => nice(&mut s.0, &s.1, &s.2)));
    }

    leapfrog(random) {
        let state = (vector(random, 40), vector(random, 40), 0.01);
        adjoint(state, procedure!(s => leapfrog(&mut s.0, &mut s.1, s.2, 100)));
    }

    string(random) {
        let state = (vector(random, 40), vector(random, 40), vec![0.2; 40]);
        adjoint(state, procedure!(s => string(&mut s.0, &mut s.1, &s.2, 100)));
    }

    lax_wendroff(random) {
        let states: Vec<[f64; 40]> = (0..50).map(|_| random.array(0.0, 1.0)).collect();
        adjoint((states, 0.1), procedure!(s => lax_wendroff(&mut s.0, s.1)));
    }

    sparse_dot(random) {
        let state = (number(random), sparse(60, 0.3, 1), sparse(60, 0.3, 2));
        adjoint(state, procedure!(s => sparse_dot(&mut s.0, &s.1, &s.2)));
    }

    sparse_matvec(random) {
        let state = (vector(random, 60), sparse(60, 0.3, 1), vector(random, 60), number(random));
        adjoint(state, procedure!(s => sparse_matvec(&mut s.0, &s.1, &s.2, s.3)));
    }

    complex_sparse(random) {
        let a = complex_matrix(40, 0.3, 1);
        let state = (numbers(80, random), a, numbers(80, random), numbers(1, random)[0]);
        adjoint(state, procedure!(s => complex_sparse(&mut s.0, &s.1, &s.2, s.3, 2)));
    }

    sort(random) {
        adjoint((vector(random, 100), Stack::<usize>::new()), procedure!(s => sort(&mut s.0, &mut s.1)));
    }

    bennett(random) {
        // The host's counter has no part in a `procedure!`.
        let program = |step: Step<'_, (Slots<usize, f64>,)>| match step {
            Step::Call(s) => bennett(&mut s.0, 2, 7, 16, &mut 0),
            Step::Pullback(s, g) => bennett::pullback((&mut s.0, &mut g.0), 2, 7, 16, &mut 0),
            other => panic!("it is not run like this: {other:?}"),
        };
        adjoint((Slots::from_iter([(7, random.between(0.1, 0.9))]),), program);
    }

    solar_system(random) {
        let x: [[f64; 3]; 3] = [random.array(0.0, 1.0), random.array(2.0, 3.0), random.array(4.0, 5.0)];
        let v: [[f64; 3]; 3] = std::array::from_fn(|_| random.array(-0.1, 0.1));
        let state = (x, v, random.array::<3>(0.5, 1.0), 0.01);
        adjoint(state, procedure!(s => solar_system(&mut s.0, &mut s.1, &s.2, s.3, 100)));
    }

    bessel(random) {
        // A comparison is a few instructions, and they are to be few beside those of the terms: here there are many terms.
        adjoint((number(random), random.between(10.0, 20.0)), procedure!(s => bessel(&mut s.0, 2, s.1)));
    }

    graph_embedding(random) {
        let x: [[f64; 5]; 10] = std::array::from_fn(|_| random.array(-1.0, 1.0));
        adjoint((number(random), x), procedure!(s => graph_embedding(&mut s.0, &s.1)));
    }

    bundle_adjustment(random) {
        let Scene { cameras, points, weights, features, seen } = Scene::new(5, 50, 100);
        let errors: Vec<[f64; 2]> = (0..100).map(|_| random.array(-1.0, 1.0)).collect();
        let state = (errors, cameras, points, weights);
        adjoint(state, procedure!(s => bundle_adjustment(&mut s.0, &s.1, &s.2, &s.3, &features, &seen)));
    }

    gaussian_mixture(random) {
        let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = Mixture::<10, 55, 5>::new(50);
        let state = (number(random), alphas.to_vec(), means.concat(), icf.concat());
        let x = x.concat();
        adjoint(state, procedure!(s => gaussian_mixture(&mut s.0, &s.1, &s.2, &s.3, &x, &prior)));
    }

    lstm(random) {
        let Net { layers, extra, start, sequence } = Net::<14>::new(2, 50);
        let state = (number(random), layers, extra);
        adjoint(state, procedure!(s => lstm(&mut s.0, &s.1, &s.2, &start, &sequence)));
    }

    hand_tracking(random) {
        let (hand, theta) = (hand(50, 40, 1), random.array::<26>(-1.0, 1.0));
        let points: Vec<[f64; 3]> = (0..50).map(|_| random.array(0.0, 4.0)).collect();
        let vertices: Vec<usize> = (0..50).collect();
        let state = (vec![[0.0; 3]; 50], theta);
        adjoint(state, procedure!(s => hand_tracking(&mut s.0, &s.1, &hand, &points, &vertices)));
    }

    spin_glass(random) {
        let mut numbers = || (0..36).map(|_| Tropical::new(random.between(-1.0, 1.0))).collect::<Vec<_>>();
        let (fields, right, down) = (numbers(), numbers(), numbers());
        type State = (Tropical<f64>, Vec<Tropical<f64>>);
        let program = procedure!(s: State => spin_glass(&mut s.0, &s.1, &right, &down, 6));
        adjoint((Tropical::new(0.25), fields), program);
    }

    recurrent(random) {
        let Lesson { weights, signal } = Lesson::new(4, 100);
        adjoint((number(random), weights), procedure!(s => recurrent(&mut s.0, &s.1, &signal, 4)));
    }

    wave(random) {
        let shot = Shot::around(12, 6, 60).heard_through(&[1.1; 144]);
        adjoint((number(random), vec![1.0; 144]), procedure!(s => wave(&mut s.0, &s.1, &shot)));
    }

    learning(random) {
        let (w, v) = (vector(random, 7), vector(random, 7));
        let (x, y) = (vector(random, 10), vector(random, 10));
        let (rates, momenta) = (vec![0.01; 50], vec![0.9; 50]);
        adjoint(
            (w, v, rates, momenta),
            procedure!(s => learning(&mut s.0, &mut s.1, &s.2, &s.3, &mut InformationBuffer::new(), &x, &y)),
        );
    }
}

/// Programs that lose information, in both forms.
fn lossy(form: &str, program: &Lossy) {
    let input = (program.input)(program.steps);
    let mut g = vec![0.0; input.x.len()];
    let mut record = Record::new();
    if form == "recorded" {
        (program.recorded)(&mut record, &input, &mut g);
    }
    let mut value = |g: &mut [f64]| match form {
        "recorded" => (program.recorded)(&mut record, black_box(&input), g),
        _ => (program.reversible)(black_box(&input), g),
    };
    measured(|| _ = black_box(value(black_box(&mut g))));
    black_box(g);
}

const FORMS: [&str; 2] = ["recorded", "reversible"];

fn main() -> ExitCode {
    // What the machine can do is found out once, and not in what is measured.
    Instructions::best();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(wanted) = arguments.first() else {
        let listed = ADJOINTS.iter().map(|(name, _)| *name).chain(OF_INTEGERS);
        let missing = programs::ALL.iter().find(|program| !listed.clone().any(|name| name == program.name));
        assert!(missing.is_none(), "it is not in the table: {missing:?}");
        ADJOINTS.iter().for_each(|(name, _)| println!("{name}"));
        lossy::ALL.iter().for_each(|program| FORMS.iter().for_each(|form| println!("{}, {form}", program.name)));
        return ExitCode::SUCCESS;
    };
    if let Some((_, run)) = ADJOINTS.iter().find(|(name, _)| name == wanted) {
        run(&mut Random::new(1));
        return ExitCode::SUCCESS;
    }
    for form in FORMS {
        if let Some(program) = lossy::ALL.iter().find(|program| format!("{}, {form}", program.name) == *wanted) {
            lossy(form, program);
            return ExitCode::SUCCESS;
        }
    }
    eprintln!("usage: drift_overhead [PROGRAM]");
    ExitCode::from(2)
}
