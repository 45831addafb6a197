//! The programs of statistics and of learning.

use lab_corpus::yardsticks::data::Random;
use retrograd::procedure;

use super::laws::Jacobian::Square;
use super::lift::constant;
use super::{laws, number, vector};

programs! {
    variance(random) {
        laws!((number(random), number(random), vector(random, 4)), s => variance(&mut s.0, &mut s.1, &s.2));
        let x = vector(random, 4);
        laws::function(
            &x,
            |x| mean_and_variance(x),
            |x| mean_and_variance(x),
            |x, dx| mean_and_variance::pushforward((x, dx)),
            |x, gx, seed| mean_and_variance::pullback((x, gx), seed),
        );
        laws::jacobian(
            &x,
            mean_and_variance(&x),
            |x| mean_and_variance(x),
            mean_and_variance::jacobian(&x),
        );
    }

    log_sum_exp(random) {
        laws!((number(random), vector(random, 4)), s => log_sum_exp(&mut s.0, &s.1));
        of_a_vector!(log_of_sum(vector(random, 4)));
    }

    cross_entropy(random) {
        let labels: Vec<usize> = (0..3).map(|_| random.below(4)).collect();
        laws!((number(random), vector(random, 12)), s => cross_entropy(&mut s.0, &s.1, &labels));
        of_a_vector!(surprise(vector(random, 4), labels[0]));
    }

    box_muller(random) {
        laws!((number(random), number(random)), s => from_polar(&mut s.0, &mut s.1));
        laws!((random.between(0.1, 0.9), random.between(0.1, 0.9)), s => box_muller(&mut s.0, &mut s.1));
    }

    consistency(random) {
        // With `y` below zero, there is a logarithm to subtract.
        let state = (random.between(-1.0, 0.0), number(random), number(random));
        laws!(state, s => consistency(&mut s.0, &mut s.1, &mut s.2));
        laws!(state, s => consistency_in_vain(&mut s.0, &mut s.1, &mut s.2));
    }

    nice(random) {
        let mut coupling = || Coupling::<f64, 2, 3> {
            inner: std::array::from_fn(|_| random.array(-1.0, 1.0)),
            inner_bias: random.array(-1.0, 1.0),
            outer: std::array::from_fn(|_| random.array(-1.0, 1.0)),
            outer_bias: random.array(-1.0, 1.0),
        };
        let layers = vec![coupling(), coupling(), coupling()];
        let x: [[f64; 2]; 2] = std::array::from_fn(|_| random.array(-1.0, 1.0));
        let scales: [[f64; 2]; 2] = std::array::from_fn(|_| random.array(-1.0, 1.0));
        laws!((x[0], x[1], layers[0]), s => couple(&mut s.0, &s.1, &s.2));
        laws!((x, layers.clone(), scales), s => nice(&mut s.0, &s.1, &s.2));
        laws::function(
            &(x, layers, scales),
            |p| log_likelihood(&p.0, &p.1, &p.2),
            |p| log_likelihood(&p.0, &p.1, &p.2),
            |p, d| log_likelihood::pushforward((&p.0, &d.0), (&p.1, &d.1), (&p.2, &d.2)),
            |p, g, seed| log_likelihood::pullback((&p.0, &mut g.0), (&p.1, &mut g.1), (&p.2, &mut g.2), seed),
        );
    }

    lstm(random) {
        let mut rows = |_| random.array::<2>(-1.0, 1.0);
        let layers: Vec<[[f64; 2]; 8]> = (0..2).map(|_| std::array::from_fn(&mut rows)).collect();
        let extra: [[f64; 2]; 3] = std::array::from_fn(&mut rows);
        let start: Vec<[[f64; 2]; 2]> = (0..2).map(|_| std::array::from_fn(&mut rows)).collect();
        let sequence: Vec<[f64; 2]> = (0..4).map(&mut rows).collect();
        let (input, states) = (rows(0), start.clone());
        laws!((states[0], states[1], input, layers[0]), s => advance(&mut s.0, &s.1, &s.2, &s.3));
        laws::procedure(
            &(number(random), layers.clone(), extra),
            Square,
            procedure!(s => lstm(&mut s.0, &s.1, &s.2, &start, &sequence)),
            |s| lstm(&mut s.0, &s.1, &s.2, &constant(&start), &constant(&sequence)),
        );
        laws::function(
            &(states[0][0], extra[1], extra[2]),
            |p| log_likelihood(&p.0, &p.1, &p.2, &input),
            |p| log_likelihood(&p.0, &p.1, &p.2, &constant(&input)),
            |p, d| log_likelihood::pushforward((&p.0, &d.0), (&p.1, &d.1), (&p.2, &d.2), &input),
            |p, g, seed| log_likelihood::pullback((&p.0, &mut g.0), (&p.1, &mut g.1), (&p.2, &mut g.2), &input, seed),
        );
        laws::function(
            &(layers.clone(), extra),
            |p| objective(&p.0, &p.1, &start, &sequence),
            |p| objective(&p.0, &p.1, &constant(&start), &constant(&sequence)),
            |p, d| objective::pushforward((&p.0, &d.0), (&p.1, &d.1), &start, &sequence),
            |p, g, seed| objective::pullback((&p.0, &mut g.0), (&p.1, &mut g.1), &start, &sequence, seed),
        );
        laws::second(
            &(layers.clone(), extra),
            |p| objective(&p.0, &p.1, &constant(&start), &constant(&sequence)),
            |p| {
                let (value, layers, extra) = objective::gradient(&p.0, &p.1, &start, &sequence);
                (value, (layers, extra))
            },
            |p| {
                let (value, layers, extra) = objective::gradient(&p.0, &p.1, &constant(&start), &constant(&sequence));
                (value, (layers, extra))
            },
            |p, d| {
                let (value, slope, layers, extra) = objective::hvp((&p.0, &d.0), (&p.1, &d.1), &start, &sequence);
                (value, slope, (layers, extra))
            },
            objective::hessian(&layers, &extra, &start, &sequence),
        );
    }
}
