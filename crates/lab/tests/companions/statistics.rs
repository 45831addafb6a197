//! The programs of statistics and of learning.

use lab::yardsticks::data::Random;
use retrograd::procedure;

use super::laws::Jacobian::Square;
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
        laws!((number(random),), s => root(&mut s.0));
        laws!((number(random), number(random)), s => from_polar(&mut s.0, &mut s.1));
        laws!((random.between(0.1, 0.9), random.between(0.1, 0.9)), s => box_muller(&mut s.0, &mut s.1));
    }

    consistency(random) {
        // With `y` below zero, there is a logarithm to subtract.
        let state = (random.between(-1.0, 0.0), number(random), number(random));
        laws!(state, s => consistency(&mut s.0, &mut s.1, &mut s.2));
        laws!(state, s => consistency_in_vain(&mut s.0, &mut s.1, &mut s.2));
    }
}
