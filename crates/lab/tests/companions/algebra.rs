//! The programs of linear algebra.

use lab::yardsticks::data::{Random, sparse};
use retrograd::procedure;

use super::laws::Jacobian::Square;
use super::{laws, number, vector};

programs! {
    matvec(random) {
        laws!((vector(random, 3), number(random), vector(random, 3)), s => axpy(&mut s.0, s.1, &s.2));
        laws!((vector(random, 3), vector(random, 6), vector(random, 2)), s => matvec(&mut s.0, &s.1, &s.2));
        laws!((vector(random, 3), vector(random, 6), vector(random, 2)), s => matvec_transposed(&mut s.0, &s.1, &s.2));
        let pair = (vector(random, 3), vector(random, 3));
        laws::function(
            &pair,
            |p| dot(&p.0, &p.1),
            |p| dot(&p.0, &p.1),
            |p, d| dot::pushforward((&p.0, &d.0), (&p.1, &d.1)),
            |p, g, seed| dot::pullback((&p.0, &mut g.0), (&p.1, &mut g.1), seed),
        );
        laws::second(
            &pair,
            |p| dot(&p.0, &p.1),
            |p| {
                let (value, x, y) = dot::gradient(&p.0, &p.1);
                (value, (x, y))
            },
            |p| {
                let (value, x, y) = dot::gradient(&p.0, &p.1);
                (value, (x, y))
            },
            |p, d| {
                let (value, slope, x, y) = dot::hvp((&p.0, &d.0), (&p.1, &d.1));
                (value, slope, (x, y))
            },
            dot::hessian(&pair.0, &pair.1),
        );
        of_a_vector!(norm(vector(random, 3)));
    }

    sparse_matvec(random) {
        let a = sparse(5, 0.5, random.below(99) as u64);
        let state = (vector(random, 5), a, vector(random, 5), number(random));
        laws!(state, s => sparse_matvec(&mut s.0, &s.1, &s.2, s.3));
        laws!(state, s => sparse_matvec_transposed(&mut s.0, &s.1, &s.2, s.3));
    }
}
