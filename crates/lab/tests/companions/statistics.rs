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
}
