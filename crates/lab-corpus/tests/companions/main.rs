//! Every companion of every program, on random inputs: derivative runs undo each other, are each other's transposes, and
//! agree with dual numbers.

mod laws;
mod lift;

use std::collections::BTreeSet;

use lab_corpus::yardsticks::data::{Mixture, Parameters, Random, Scene, hand, sparse};
use num_complex::Complex;
use retrograd::{InformationBuffer, Procedure, Real, Slots, Stack, Step, Tropical, procedure};

use laws::Jacobian::{Square, Storing};
use lift::constant;

/// The laws of a procedure. Its text is read twice: for all runs on `f64`, and for a run on dual numbers.
macro_rules! laws {
    ($state:expr, $s:ident => $($call:tt)+) => {
        laws::procedure(&$state, Square, procedure!($s => $($call)+), |$s| $($call)+)
    };
}

/// A test for each program, which is given random numbers several times, and the names of these programs.
macro_rules! programs {
    ($($name:ident($random:ident) $body:block)+) => {
        pub(crate) const TESTED: &[&str] = &[$(stringify!($name)),+];

        $(#[test]
        fn $name() {
            use lab_corpus::programs::$name::*;
            for seed in 0..4 {
                let $random = &mut Random::new(seed);
                $body
            }
        })+
    };
}

/// The laws of a function of a vector, and of integers behind it, whose value is a number.
macro_rules! of_a_vector {
    ($function:ident($x:expr $(, $constant:expr)*)) => {
        let x = $x;
        laws::function(
            &x,
            |x| $function(x $(, $constant)*),
            |x| $function(x $(, $constant)*),
            |x, dx| $function::pushforward((x, dx) $(, $constant)*),
            |x, gx, seed| $function::pullback((x, gx) $(, $constant)*, seed),
        );
        laws::second(
            &x,
            |x| $function(x $(, $constant)*),
            |x| $function::gradient(x $(, $constant)*),
            |x| $function::gradient(x $(, $constant)*),
            |x, dx| $function::hvp((x, dx) $(, $constant)*),
            $function::hessian(&x $(, $constant)*),
        );
    };
}

mod algebra;
mod statistics;

#[test]
fn every_program_has_its_companions_tested() {
    let tested: BTreeSet<_> = [TESTED, algebra::TESTED, statistics::TESTED].concat().into_iter().collect();
    assert_eq!(tested, lab_corpus::programs::ALL.iter().map(|program| program.name).collect());
}

fn number(random: &mut Random) -> f64 {
    random.between(0.5, 2.0)
}

fn vector(random: &mut Random, n: usize) -> Vec<f64> {
    (0..n).map(|_| random.between(0.5, 2.0)).collect()
}

type Small = Mixture<2, 3, 3>;

/// A random mixture of a random size.
fn mixture(random: &mut Random) -> Small {
    let mut mixture = Small::new(2 + random.below(5));
    mixture.parameters = Parameters {
        alphas: random.array(-1.0, 1.0),
        means: std::array::from_fn(|_| random.array(0.0, 1.0)),
        icf: std::array::from_fn(|_| random.array(-1.0, 1.0)),
    };
    mixture
}

programs! {
    adder(random) {
        laws!((number(random), number(random)), s => adder(&mut s.0, s.1));
        let x: Vec<bool> = (0..5).map(|_| random.below(2) == 1).collect();
        let y: Vec<bool> = (0..5).map(|_| random.below(2) == 1).collect();
        laws::exact(&(y, x), procedure!(s => ripple_adder(&mut s.0, &s.1)));
    }

    multiplier(random) {
        laws!((number(random), number(random), number(random)), s => multiplier(&mut s.0, s.1, s.2));
    }

    complex_log(random) {
        let mut number = || Complex::new(number(random), number(random));
        laws!((number(), number()), s => complex_log(&mut s.0, s.1));
    }

    rfib(random) {
        laws::exact(&(random.below(100) as u64, random.below(12) as u64), procedure!(s => rfib(&mut s.0, s.1)));
    }

    rrfib(random) {
        laws::exact(&(random.below(100) as u64, random.below(12) as u64), procedure!(s => rrfib(&mut s.0, s.1)));
    }

    rfibn(random) {
        laws::exact(&(0, random.below(500) as u64), procedure!(s => rfibn(&mut s.0, s.1)));
    }

    factorial(random) {
        let state = (random.below(100) as u64, random.below(12) as u64);
        laws::exact(&state, procedure!(s => factorial(&mut s.0, s.1)));
        laws::exact(&state, procedure!(s => add_factorial(&mut s.0, s.1)));
    }

    affine(random) {
        let (x, lu, b) = (vector(random, 3), vector(random, 9), vector(random, 3));
        laws!((x, lu, b), s => affine(&mut s.0, &s.1, &s.2));
        let (y, w, x, b) = (vector(random, 3), vector(random, 6), vector(random, 2), vector(random, 3));
        laws!((y, w, x, b), s => affine_into(&mut s.0, &s.1, &s.2, &s.3));
    }

    umm(random) {
        laws!((vector(random, 4), vector(random, 6)), s => umm(&mut s.0, &s.1));
        let columns: Vec<[f64; 3]> = (0..2).map(|_| random.array(-1.0, 1.0)).collect();
        laws!((columns, vector(random, 3)), s => umm_of_columns(&mut s.0, &s.1));
    }

    quantum_circuit(random) {
        let state: Vec<_> = (0..8).map(|_| Complex::new(number(random), number(random))).collect();
        let angles = vector(random, 12);
        laws!((state.clone(), angles.clone()), s => quantum_circuit(&mut s.0, &s.1, 3));
        laws!((state.clone(), angles[0]), s => phase(&mut s.0, 1, s.1));
        laws!((state.clone(), angles[1]), s => turn(&mut s.0, 2, s.1));
        laws!(state, s => controlled_not(s, 0, 2));
        let point = (angles, number(random));
        laws::function(
            &point,
            |p| energy(&p.0, 3, p.1),
            |p| energy(&p.0, 3, p.1),
            |p, d| energy::pushforward((&p.0, &d.0), 3, (p.1, d.1)),
            |p, g, seed| energy::pullback((&p.0, &mut g.0), 3, (p.1, &mut g.1), seed),
        );
        laws::second(
            &point,
            |p| energy(&p.0, 3, p.1),
            |p| {
                let (value, angles, field) = energy::gradient(&p.0, 3, p.1);
                (value, (angles, field))
            },
            |p| {
                let (value, angles, field) = energy::gradient(&p.0, 3, p.1);
                (value, (angles, field))
            },
            |p, d| {
                let (value, slope, angles, field) = energy::hvp((&p.0, &d.0), 3, (p.1, &d.1));
                (value, slope, (angles, field))
            },
            energy::hessian(&point.0, 3, point.1),
        );
    }

    squared_distance(random) {
        let state = (number(random), vector(random, 3), vector(random, 3));
        laws!(state, s => squared_distance(&mut s.0, &mut s.1, &s.2));
    }

    leapfrog(random) {
        let (state, steps) = ((vector(random, 4), vector(random, 4), random.between(0.0, 0.2)), random.below(9));
        laws!(state, s => kick(&mut s.0, &s.1, s.2));
        laws!(state, s => drift(&mut s.0, &s.1, s.2));
        laws!(state, s => leapfrog(&mut s.0, &mut s.1, s.2, steps));
    }

    string(random) {
        let (state, steps) = ((vector(random, 5), vector(random, 5), vector(random, 5)), random.below(9));
        laws!(state, s => string(&mut s.0, &mut s.1, &s.2, steps));
    }

    run_length(random) {
        let runs: Vec<usize> = (0..4).flat_map(|_| [random.below(4), random.below(9)]).collect();
        laws::exact(&(vec![7; 12], runs), procedure!(s => run_length(&mut s.0, &s.1, 2)));
    }

    sparse_dot(random) {
        let state = (number(random), sparse(6, 0.5, random.below(99) as u64), sparse(6, 0.5, random.below(99) as u64));
        laws!(state, s => sparse_dot(&mut s.0, &s.1, &s.2));
        laws!(state, s => sparse_dot_of_matches(&mut s.0, &s.1, &s.2));
    }

    sort(random) {
        laws!((vector(random, 7), Stack::<usize>::new()), s => sort(&mut s.0, &mut s.1));
        let numbers: Vec<usize> = (0..7).map(|_| random.below(5)).collect();
        laws::exact(&(numbers, Stack::<usize>::new()), procedure!(s => sort(&mut s.0, &mut s.1)));
    }

    power(random) {
        let (start, x, n) = (Number::lit(number(random)), Number::lit(number(random)), 1 + random.below(5) as u32);
        laws::bit_for_bit((start, x), procedure!(s => power::<_, Logarithm>(&mut s.0, s.1, n)), [
            [1.0, f64::from(n) * x.to_f64().powi(n as i32 - 1)],
            [0.0, 1.0],
        ]);
    }

    spin_glass(random) {
        // Multiples of a power of two: sums are exact.
        let mut numbers = || (0..6).map(|_| Tropical::new(random.below(17) as f64 / 16.0 - 0.5)).collect::<Vec<_>>();
        let (fields, right, down) = (numbers(), numbers(), numbers());
        type State = (Tropical<f64>, Vec<Tropical<f64>>);
        let program = procedure!(s: State => spin_glass(&mut s.0, &s.1, &right, &down, 3));
        let before = (Tropical::new(0.25), fields);
        let mut after = before.clone();
        program.run(&mut after);

        let (mut state, mut spins) = (after.clone(), (1.0, vec![0.0; 6]));
        program.pullback(&mut state, &mut spins);
        assert_eq!(state, before);
        let (factor, spins) = spins;
        assert!(factor == 1.0 && spins.iter().all(|spin: &f64| spin.abs() == 1.0), "{spins:?}");
        let moved = vec![0.5, -1.0, 2.0, 0.25, 4.0, 1.0];
        let mut tangent = (0.5, moved.clone());
        program.pushforward(&mut state, &mut tangent);
        assert_eq!(state, after);
        let slope = spins.iter().zip(&moved).fold(0.5, |slope, (spin, moved)| slope + spin * moved);
        assert_eq!(tangent, (slope, moved.clone()));
        program.unpushforward(&mut state, &mut tangent);
        assert_eq!((&state, tangent), (&before, (0.5, moved)));
        let mut adjoint = (1.0, spins);
        program.unpullback(&mut state, &mut adjoint);
        assert_eq!((state, adjoint), (after, (1.0, vec![0.0; 6])));
    }

    learning(random) {
        let (w, v, steps) = (vector(random, 7), vector(random, 7), 1 + random.below(4));
        let (x, y) = (vector(random, 3), vector(random, 3));
        let rates = vector(random, steps);
        let momenta = (0..steps).map(|_| random.between(0.5, 1.0)).collect::<Vec<_>>();
        laws::procedure(
            &(v.clone(), w.clone()),
            Square,
            procedure!(s => kick(&mut s.0, &s.1, &x, &y)),
            |s| kick(&mut s.0, &s.1, &constant(&x), &constant(&y)),
        );
        // Floats lose nothing that would go into a buffer.
        laws::procedure(
            &(w.clone(), v, rates, momenta),
            Square,
            procedure!(s => learning(&mut s.0, &mut s.1, &s.2, &s.3, &mut InformationBuffer::new(), &x, &y)),
            |s| learning(&mut s.0, &mut s.1, &s.2, &s.3, &mut InformationBuffer::new(), &constant(&x), &constant(&y)),
        );
        laws::function(
            &w,
            |w| loss(w, &x, &y),
            |w| loss(w, &constant(&x), &constant(&y)),
            |w, dw| loss::pushforward((w, dw), &x, &y),
            |w, gw, seed| loss::pullback((w, gw), &x, &y, seed),
        );
        laws::function(
            &(w, number(random)),
            |p| predict(&p.0, p.1),
            |p| predict(&p.0, p.1),
            |p, d| predict::pushforward((&p.0, &d.0), (p.1, d.1)),
            |p, g, seed| predict::pullback((&p.0, &mut g.0), (p.1, &mut g.1), seed),
        );
    }

    recurrent(random) {
        let Lesson { weights, signal } = Lesson::new(3, 1 + random.below(12));
        let weights: Vec<f64> = weights.iter().map(|weight| weight * random.between(0.5, 1.5)).collect();
        laws::procedure(
            &(number(random), weights.clone()),
            Square,
            procedure!(s => recurrent(&mut s.0, &s.1, &signal, 3)),
            |s| recurrent(&mut s.0, &s.1, &signal, 3),
        );
        of_a_vector!(recorded(weights.clone(), &signal, 3));
        of_a_vector!(checkpointed(weights, &signal, 3, 2));
    }

    wave(random) {
        let shot = Shot::around(3, 2, 8).with_snapshots(3).heard_through(&[1.1; 9]);
        let speed: Vec<f64> = (0..9).map(|_| random.between(0.9, 1.1)).collect();
        laws::procedure(
            &(number(random), speed.clone()),
            Square,
            procedure!(s => wave(&mut s.0, &s.1, &shot)),
            |s| wave(&mut s.0, &s.1, &shot),
        );
        of_a_vector!(reversed(speed.clone(), &shot));
        of_a_vector!(recorded(speed.clone(), &shot));
        of_a_vector!(checkpointed(speed, &shot));
    }

    turing(random) {
        let bits = (0..6).map(|_| random.below(2) as u8);
        let tape: Vec<u8> = [BLANK].into_iter().chain(bits).chain([BLANK]).collect();
        laws::exact(&(tape, 0, START), procedure!(s => turing(&mut s.0, &mut s.1, &mut s.2, &INCREMENT)));
    }

    bennett(random) {
        laws!((number(random), number(random)), s => logistic(&mut s.0, s.1));
        let states = (Slots::from_iter([(7, random.between(0.1, 0.9))]),);
        // The host's counter has no part in a `procedure!`.
        laws::procedure(
            &states,
            Storing,
            |step: Step<'_, (Slots<usize, f64>,)>| match step {
                Step::Call(s) => bennett(&mut s.0, 2, 7, 4, &mut 0),
                Step::Uncall(s) => bennett::uncall(&mut s.0, 2, 7, 4, &mut 0),
                Step::Pullback(s, g) => bennett::pullback((&mut s.0, &mut g.0), 2, 7, 4, &mut 0),
                Step::Pushforward(s, d) => bennett::pushforward((&mut s.0, &mut d.0), 2, 7, 4, &mut 0),
                Step::Unpullback(s, g) => bennett::unpullback((&mut s.0, &mut g.0), 2, 7, 4, &mut 0),
                Step::Unpushforward(s, d) => bennett::unpushforward((&mut s.0, &mut d.0), 2, 7, 4, &mut 0),
                // Other crates must expect more runs.
                other => panic!("a run without its law: {other:?}"),
            },
            |s| bennett(&mut s.0, 2, 7, 4, &mut 0),
        );
    }

    solar_system(random) {
        let x: [[f64; 3]; 3] = [random.array(0.0, 1.0), random.array(2.0, 3.0), random.array(4.0, 5.0)];
        let v: [[f64; 3]; 3] = std::array::from_fn(|_| random.array(-0.1, 0.1));
        let (m, dt) = (random.array::<3>(0.5, 1.0), random.between(0.0, 0.2));
        laws!((v, x, m, dt), s => attract(&mut s.0, &s.1, &s.2, s.3));
        laws!((x, v, dt), s => drift(&mut s.0, &s.1, s.2));
        let steps = random.below(9);
        laws!((x, v, m, dt), s => solar_system(&mut s.0, &mut s.1, &s.2, s.3, steps));
    }

    bessel(random) {
        let nu = random.below(4) as u32;
        laws!((number(random), number(random)), s => bessel(&mut s.0, nu, s.1));
        laws::function(
            &number(random),
            |z| bessel_j(nu, *z),
            |z| bessel_j(nu, *z),
            |z, dz| bessel_j::pushforward(nu, (*z, *dz)),
            |z, gz, seed| bessel_j::pullback(nu, (*z, gz), seed),
        );
        laws::function(
            &number(random),
            |z| bessel_series(nu, *z, 5),
            |z| bessel_series(nu, *z, 5),
            |z, dz| bessel_series::pushforward(nu, (*z, *dz), 5),
            |z, gz, seed| bessel_series::pullback(nu, (*z, gz), 5, seed),
        );
        let z = number(random);
        laws::second(
            &z,
            |z| bessel_j(nu, *z),
            |z| bessel_j::gradient(nu, *z),
            |z| bessel_j::gradient(nu, *z),
            |z, dz| bessel_j::hvp(nu, (*z, dz)),
            bessel_j::hessian(nu, z),
        );
        laws::second(
            &z,
            |z| bessel_series(nu, *z, 5),
            |z| bessel_series::gradient(nu, *z, 5),
            |z| bessel_series::gradient(nu, *z, 5),
            |z, dz| bessel_series::hvp(nu, (*z, dz), 5),
            bessel_series::hessian(nu, z, 5),
        );
    }

    graph_embedding(random) {
        let x: [[f64; 2]; 10] = std::array::from_fn(|_| random.array(-1.0, 1.0));
        laws!((number(random), x), s => graph_embedding(&mut s.0, &s.1));
        laws::function(
            &x,
            embedding_loss,
            embedding_loss,
            |x, dx| embedding_loss::pushforward((x, dx)),
            |x, gx, seed| embedding_loss::pullback((x, gx), seed),
        );
        laws::second(
            &x,
            embedding_loss,
            embedding_loss::gradient,
            embedding_loss::gradient,
            |x, dx| embedding_loss::hvp((x, dx)),
            embedding_loss::hessian(&x),
        );
    }

    bundle_adjustment(random) {
        let Scene { mut cameras, points, weights, features, seen } = Scene::new(2, 3, 4);
        cameras.iter_mut().flatten().for_each(|x| *x *= random.between(0.9, 1.1));
        let (camera, point, weight, feature) = (cameras[0], points[0], weights[0], features[0]);
        let errors: Vec<[f64; 2]> = (0..4).map(|_| random.array(-1.0, 1.0)).collect();
        laws::procedure(
            &(errors, cameras, points, weights),
            Square,
            procedure!(s => bundle_adjustment(&mut s.0, &s.1, &s.2, &s.3, &features, &seen)),
            |s| bundle_adjustment(&mut s.0, &s.1, &s.2, &s.3, &constant(&features), &seen),
        );
        macro_rules! residuals {
            ($residual:ident) => {
                laws::function(
                    &(camera, point, weight),
                    |p| $residual(&p.0, &p.1, p.2, &feature),
                    |p| $residual(&p.0, &p.1, p.2, &constant(&feature)),
                    |p, d| $residual::pushforward((&p.0, &d.0), (&p.1, &d.1), (p.2, d.2), &feature),
                    |p, g, seed| {
                        $residual::pullback((&p.0, &mut g.0), (&p.1, &mut g.1), (p.2, &mut g.2), &feature, seed)
                    },
                );
                laws::jacobian(
                    &(camera, point, weight),
                    $residual(&camera, &point, weight, &feature),
                    |p| $residual(&p.0, &p.1, p.2, &constant(&feature)),
                    $residual::jacobian(&camera, &point, weight, &feature),
                );
            };
        }
        residuals!(residual);
        residuals!(residual_in_parts);
    }

    hand_tracking(random) {
        let mut hand = hand(6, 4, random.below(99) as u64);
        hand.mirrored = random.below(2) == 1;
        let (theta, us) = (random.array::<26>(-1.0, 1.0), vec![random.array::<2>(0.0, 0.5), random.array(0.0, 0.5)]);
        let (points, errors) = (vec![random.array::<3>(0.0, 4.0), random.array(0.0, 4.0)], vec![[0.5; 3], [0.25; 3]]);
        let (vertices, triangles) = ([random.below(6), random.below(6)], [random.below(4), random.below(4)]);
        laws::procedure(
            &(errors.clone(), theta),
            Square,
            procedure!(s => hand_tracking(&mut s.0, &s.1, &hand, &points, &vertices)),
            |s| hand_tracking(&mut s.0, &s.1, &hand, &constant(&points), &vertices),
        );
        laws::procedure(
            &(errors, theta, us),
            Square,
            procedure!(s => hand_tracking_of_triangles(&mut s.0, &s.1, &s.2, &hand, &points, &triangles)),
            |s| hand_tracking_of_triangles(&mut s.0, &s.1, &s.2, &hand, &constant(&points), &triangles),
        );
        laws::function(
            &theta,
            |theta| transforms(theta, &hand),
            |theta| transforms(theta, &hand),
            |theta, d| transforms::pushforward((theta, d), &hand),
            |theta, g, seed| transforms::pullback((theta, g), &hand, seed),
        );
    }

    gaussian_mixture(random) {
        let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture(random);
        let flat_x = x.as_flattened().to_vec();
        let flat = (alphas.to_vec(), means.as_flattened().to_vec(), icf.as_flattened().to_vec());
        laws::procedure(
            &(number(random), flat.0.clone(), flat.1.clone(), flat.2.clone()),
            Square,
            procedure!(s => gaussian_mixture(&mut s.0, &s.1, &s.2, &s.3, &flat_x, &prior)),
            |s| gaussian_mixture(&mut s.0, &s.1, &s.2, &s.3, &constant(&flat_x), &prior),
        );
        macro_rules! objectives {
            ($objective:ident, $point:expr, $x:expr) => {
                let (point, x) = ($point, $x);
                laws::function(
                    &point,
                    |p| $objective(&p.0, &p.1, &p.2, &x, &prior),
                    |p| $objective(&p.0, &p.1, &p.2, &constant(&x), &prior),
                    |p, d| $objective::pushforward((&p.0, &d.0), (&p.1, &d.1), (&p.2, &d.2), &x, &prior),
                    |p, g, seed| {
                        $objective::pullback((&p.0, &mut g.0), (&p.1, &mut g.1), (&p.2, &mut g.2), &x, &prior, seed)
                    },
                );
                laws::second(
                    &point,
                    |p| $objective(&p.0, &p.1, &p.2, &constant(&x), &prior),
                    |p| {
                        let (value, alphas, means, icf) = $objective::gradient(&p.0, &p.1, &p.2, &x, &prior);
                        (value, (alphas, means, icf))
                    },
                    |p| {
                        let (value, alphas, means, icf) = $objective::gradient(&p.0, &p.1, &p.2, &constant(&x), &prior);
                        (value, (alphas, means, icf))
                    },
                    |p, d| {
                        let (value, slope, alphas, means, icf) =
                            $objective::hvp((&p.0, &d.0), (&p.1, &d.1), (&p.2, &d.2), &x, &prior);
                        (value, slope, (alphas, means, icf))
                    },
                    $objective::hessian(&point.0, &point.1, &point.2, &x, &prior),
                );
            };
        }
        objectives!(objective, (alphas, means, icf), x.clone());
        objectives!(objective_plain, (alphas, means, icf), x.clone());
        objectives!(objective_of_slices, flat.clone(), flat_x.clone());
        objectives!(objective_of_slices_plain, flat.clone(), flat_x.clone());
    }
}
