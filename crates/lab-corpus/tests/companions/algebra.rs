//! The programs of linear algebra.

use lab_corpus::yardsticks::complex_sparse::{complex_matrix, numbers};
use lab_corpus::yardsticks::data::{Random, sparse};
use retrograd::procedure;

use super::laws::Jacobian::Square;
use super::{laws, number, vector};

/// A matrix that is far from singular.
fn matrix<const M: usize, const N: usize>(random: &mut Random) -> [[f64; M]; N] {
    let mut a: [[f64; M]; N] = std::array::from_fn(|_| random.array(-0.5, 0.5));
    (0..M.min(N)).for_each(|i| a[i][i] += 2.0);
    a
}

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

    complex_sparse(random) {
        let (a, b) = (complex_matrix(5, 0.5, random.below(99) as u64), complex_matrix(5, 0.5, random.below(99) as u64));
        let state = (numbers(10, random), a.clone(), numbers(10, random), numbers(1, random)[0]);
        laws!(state, s => complex_sparse(&mut s.0, &s.1, &s.2, s.3, 2));
        laws!(state, s => complex_sparse_transposed(&mut s.0, &s.1, &s.2, s.3, 2));
        laws!(state, s => complex_sparse_adjoint(&mut s.0, &s.1, &s.2, s.3, 2));
        laws!((numbers(1, random)[0], a, b), s => complex_sparse_dot(&mut s.0, &s.1, &s.2));
    }

    qr(random) {
        let a: [[f64; 4]; 3] = matrix(random);
        laws!((a, [[0.0; 3]; 3]), s => gram_schmidt(&mut s.0, &mut s.1));
        laws!((a, matrix::<3, 3>(random)), s => gram_schmidt(&mut s.0, &mut s.1));
        laws!((matrix::<4, 3>(random), matrix::<3, 3>(random), a), s => qr(&mut s.0, &mut s.1, &s.2));
    }

    lu(random) {
        let a: [[f64; 3]; 3] = matrix(random);
        let order = pivots(&a);
        laws!((a,), s => lu(&mut s.0, &order));
        laws::function(
            &a,
            determinant,
            determinant,
            |a, da| determinant::pushforward((a, da)),
            |a, ga, seed| determinant::pullback((a, ga), seed),
        );
        laws::second(
            &a,
            determinant,
            determinant::gradient,
            determinant::gradient,
            |a, da| determinant::hvp((a, da)),
            determinant::hessian(&a),
        );
    }

    fft(random) {
        laws!((number(random), number(random)), s => butterfly(&mut s.0, &mut s.1));
        laws!((vector(random, 8), vector(random, 8)), s => fft(&mut s.0, &mut s.1));
    }

    lax_wendroff(random) {
        let ratio = random.between(0.05, 0.2);
        laws!((random.array::<4>(0.0, 1.0), random.array::<4>(0.0, 1.0), ratio), s => step(&mut s.0, &s.1, s.2));
        let states: Vec<[f64; 4]> = (0..3).map(|_| random.array(0.0, 1.0)).collect();
        laws!((states, ratio), s => lax_wendroff(&mut s.0, s.1));
    }
}
