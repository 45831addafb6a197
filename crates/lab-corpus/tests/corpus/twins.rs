//! Programs and their twins in plain Rust, on random inputs: both compute the same, and the program comes back.

use lab_corpus::programs::box_muller::box_muller;
use lab_corpus::programs::complex_sparse::{
    Product, complex_sparse, complex_sparse_adjoint, complex_sparse_dot, complex_sparse_transposed,
};
use lab_corpus::programs::consistency::{consistency, consistency_in_vain};
use lab_corpus::programs::cross_entropy::cross_entropy;
use lab_corpus::programs::fft::fft;
use lab_corpus::programs::hand_tracking::{hand_tracking, hand_tracking_of_triangles};
use lab_corpus::programs::lax_wendroff::lax_wendroff;
use lab_corpus::programs::log_sum_exp::log_sum_exp;
use lab_corpus::programs::lstm::lstm;
use lab_corpus::programs::lu::{determinant, lu, pivots};
use lab_corpus::programs::matvec::{axpy, dot, matvec, matvec_transposed, norm};
use lab_corpus::programs::nice::{Coupling, log_likelihood, nice};
use lab_corpus::programs::qr::{gram_schmidt, qr};
use lab_corpus::programs::recurrent;
use lab_corpus::programs::sparse_dot::CscShadow;
use lab_corpus::programs::sparse_matvec::{sparse_matvec, sparse_matvec_transposed};
use lab_corpus::programs::umm::umm_of_columns;
use lab_corpus::programs::variance::{mean_and_variance, variance};
use lab_corpus::programs::wave;
use lab_corpus::yardsticks as plain;
use lab_corpus::yardsticks::complex_sparse::{complex_matrix, numbers};
use lab_corpus::yardsticks::data::{Random, hand, sparse};
use num_complex::Complex;
use proptest::array::uniform4;
use proptest::collection::vec;
use proptest::prelude::*;
use retrograd::Active;

use super::laws::{number, same, undone, vectors};

/// What a plain program makes of a state.
fn changed<S>(mut state: S, program: impl Fn(&mut S)) -> S {
    program(&mut state);
    state
}

/// No adjoints yet of the entries of a sparse matrix, whatever numbers they are.
macro_rules! no_adjoints {
    ($a:expr) => {
        CscShadow {
            starts: vec![(); $a.starts.len()],
            rows: vec![(); $a.rows.len()],
            values: vec![Default::default(); $a.values.len()],
        }
    };
}

proptest! {
    #[test]
    fn waves_are_heard_the_same_on_one_grid_and_on_two(seed in 0..9_u64, size in 3..8_usize, depth in 2..4_usize) {
        let mut random = Random::new(seed);
        let speed: Vec<f64> = (0..size * size).map(|_| random.between(0.8, 1.2)).collect();
        let shot = wave::Shot::around(size, depth, 20);
        let misfit = plain::wave::misfit(&shot, &speed);
        prop_assert!(misfit > 0.0);
        same(&misfit, &wave::reversed(&speed, &shot))?;
        same(&misfit, &wave::recorded(&speed, &shot))?;
        same(&misfit, &wave::checkpointed(&speed, &shot))?;
        same(&misfit, &wave::unsaved(&speed, &shot))?;
    }

    #[test]
    fn nets_that_rotate_their_memory(units in 2..6_usize, steps in 1..40_usize) {
        let recurrent::Lesson { weights, signal } = recurrent::Lesson::new(units, steps);
        let loss = plain::recurrent::loss(&weights, &signal, units);
        same(&loss, &recurrent::recorded(&weights, &signal, units))?;
        same(&loss, &recurrent::checkpointed(&weights, &signal, units, 3))?;
    }

    #[test]
    fn dense_products([y, x, a] in vectors([1, 1, 2]), c in number()) {
        let after = undone(y.clone(), |y| axpy(y, c, &x), |y| axpy::uncall(y, c, &x))?;
        same(&changed(y.clone(), |y| plain::matvec::axpy(y, c, &x)), &after)?;
        let after = undone(y.clone(), |y| matvec(y, &a, &x), |y| matvec::uncall(y, &a, &x))?;
        same(&changed(y.clone(), |y| plain::matvec::matvec(y, &a, &x)), &after)?;
        let after = undone(y.clone(), |y| matvec_transposed(y, &a, &x), |y| matvec_transposed::uncall(y, &a, &x))?;
        same(&changed(y.clone(), |y| plain::matvec::matvec_transposed(y, &a, &x)), &after)?;
        same(&plain::matvec::dot(&x, &y), &dot(&x, &y))?;
        same(&plain::matvec::norm(&x), &norm(&x))?;
    }

    #[test]
    fn sparse_products([y, x] in vectors([1, 1]), seed in any::<u64>(), alpha in number()) {
        let a = sparse(x.len(), 0.5, seed);
        let after =
            undone(y.clone(), |y| sparse_matvec(y, &a, &x, alpha), |y| sparse_matvec::uncall(y, &a, &x, alpha))?;
        same(&changed(y.clone(), |y| plain::sparse_matvec::sparse_matvec(y, &a, &x, alpha)), &after)?;
        let after = undone(
            y.clone(),
            |y| sparse_matvec_transposed(y, &a, &x, alpha),
            |y| sparse_matvec_transposed::uncall(y, &a, &x, alpha),
        )?;
        same(&changed(y.clone(), |y| plain::sparse_matvec::sparse_matvec_transposed(y, &a, &x, alpha)), &after)?;
    }

    #[test]
    fn the_adjoint_of_a_sparse_product_is_that_by_hand([y, g_y, x] in vectors([1, 1, 1]), seed in any::<u64>()) {
        let a = sparse(x.len(), 0.5, seed);
        let (mut expected_a, mut expected_x) = (vec![0.0; a.values.len()], vec![0.0; x.len()]);
        plain::sparse_matvec::pullback(&g_y, (&a, &mut expected_a), (&x, &mut expected_x));
        let mut g_a = no_adjoints!(a);
        let (mut y, mut g_y, mut g_x, mut g_alpha) = (y, g_y, vec![0.0; x.len()], 0.0);
        sparse_matvec::pullback((&mut y, &mut g_y), (&a, &mut g_a), (&x, &mut g_x), (1.0, &mut g_alpha));
        same(&(expected_a, expected_x), &(g_a.values, g_x))?;
    }

    #[test]
    fn complex_sparse_products(seed in any::<u64>(), size in 0_usize..7, columns in 1_usize..4) {
        let random = &mut Random::new(seed);
        let (a, b) = (complex_matrix(size, 0.5, seed), complex_matrix(size, 0.5, !seed));
        let [x, y] = [(); 2].map(|()| numbers(size * columns, random));
        let alpha = numbers(1, random)[0];
        let products: [(Product<f64>, Product<f64>, Product<f64>); 3] = [
            (complex_sparse, complex_sparse::uncall, plain::complex_sparse::complex_sparse),
            (
                complex_sparse_transposed,
                complex_sparse_transposed::uncall,
                plain::complex_sparse::complex_sparse_transposed,
            ),
            (complex_sparse_adjoint, complex_sparse_adjoint::uncall, plain::complex_sparse::complex_sparse_adjoint),
        ];
        for (call, uncall, plain) in products {
            let after =
                undone(y.clone(), |y| call(y, &a, &x, alpha, columns), |y| uncall(y, &a, &x, alpha, columns))?;
            same(&changed(y.clone(), |y| plain(y, &a, &x, alpha, columns)), &after)?;
        }
        let after =
            undone(alpha, |r| complex_sparse_dot(r, &a, &b), |r| complex_sparse_dot::uncall(r, &a, &b))?;
        same(&(alpha + plain::complex_sparse::complex_sparse_dot(&a, &b)), &after)?;

        // ⟨y, Ax⟩ = ⟨A*y, x⟩; and the transpose is the conjugate of all that.
        let inner = |x: &[Complex<f64>], y: &[Complex<f64>]| x.iter().zip(y).map(|(x, y)| x.conj() * y).sum::<Complex<f64>>();
        let conjugate = |x: &[Complex<f64>]| x.iter().map(|x| x.conj()).collect::<Vec<_>>();
        let product = |product: Product<f64>, x: &[Complex<f64>]| {
            changed(vec![Complex::ZERO; y.len()], |y| product(y, &a, x, Complex::ONE, columns))
        };
        let adjoint = product(complex_sparse_adjoint, &y);
        same(&inner(&y, &product(complex_sparse, &x)), &inner(&adjoint, &x))?;
        same(&conjugate(&adjoint), &product(complex_sparse_transposed, &conjugate(&y)))?;
    }

    #[test]
    fn adjoints_of_complex_sparse_products_are_those_by_hand(
        seed in any::<u64>(), size in 0_usize..7, columns in 1_usize..4,
    ) {
        let random = &mut Random::new(seed);
        let (a, b) = (complex_matrix(size, 0.5, seed), complex_matrix(size, 0.5, !seed));
        let [x, mut y, g_y] = [(); 3].map(|()| numbers(size * columns, random));
        let alpha = numbers(1, random)[0];
        let zero = Complex::ZERO;
        let (mut expected_a, mut expected_x, mut expected_alpha) = (vec![zero; a.values.len()], vec![zero; x.len()], zero);
        let of_alpha = (alpha, &mut expected_alpha);
        plain::complex_sparse::pullback(&g_y, (&a, &mut expected_a), (&x, &mut expected_x), of_alpha, columns);
        let (mut g_a, mut g_x, mut g_alpha, mut shadow) = (no_adjoints!(a), vec![zero; x.len()], zero, g_y.clone());
        let of_alpha = (alpha, &mut g_alpha);
        complex_sparse::pullback((&mut y, &mut shadow), (&a, &mut g_a), (&x, &mut g_x), of_alpha, columns);
        same(&(g_y, expected_a, expected_x, expected_alpha), &(shadow, g_a.values, g_x, g_alpha))?;

        let (mut expected_a, mut expected_b) = (vec![zero; a.values.len()], vec![zero; b.values.len()]);
        plain::complex_sparse::pullback_of_dot(&a, &mut expected_a, &b, &mut expected_b, alpha);
        let (mut r, mut seed, mut g_a, mut g_b) = (zero, alpha, no_adjoints!(a), no_adjoints!(b));
        complex_sparse_dot::pullback((&mut r, &mut seed), (&a, &mut g_a), (&b, &mut g_b));
        same(&(expected_a, expected_b), &(g_a.values, g_b.values))?;
    }

    #[test]
    fn means_and_variances(x in vec(0.0..10.0, 2..8), start in (number(), number())) {
        let expected = plain::variance::mean_and_variance(&x);
        same(&expected, &mean_and_variance(&x))?;
        let squares: Vec<f64> = x.iter().map(|x: &f64| x * x).collect();
        let call = |(v, m): &mut (f64, f64)| variance(v, m, &squares);
        let uncall = |(v, m): &mut (f64, f64)| variance::uncall(v, m, &squares);
        undone(start, call, uncall)?;
        let (spread, mean) = undone((0.0, 0.0), call, uncall)?;
        same(&expected, &(mean, spread))?;
    }

    #[test]
    fn losses_of_classifiers(
        scores in vec(-100.0..100.0, 12),
        labels in vec(0_usize..4, 3),
        loss in number(),
    ) {
        let call = |loss: &mut f64| cross_entropy(loss, &scores, &labels);
        let after = undone(loss, call, |loss| cross_entropy::uncall(loss, &scores, &labels))?;
        same(&(loss + plain::log_sum_exp::cross_entropy(&scores, &labels)), &after)?;
        let after = undone(loss, |t| log_sum_exp(t, &scores), |t| log_sum_exp::uncall(t, &scores))?;
        same(&(loss + plain::log_sum_exp::log_of_sum(&scores)), &after)?;
    }

    #[test]
    fn orthonormal_columns(a in uniform4(uniform4(number()))) {
        prop_assume!(determinant(&a).abs() > 0.1);
        let start = ([[0.0; 4]; 4], [[0.0; 4]; 4]);
        let (q, r) = undone(start, |(q, r)| qr(q, r, &a), |(q, r)| qr::uncall(q, r, &a))?;
        same(&plain::qr::qr(&a), &(q, r))?;
        let products = q.map(|x| q.map(|y| dot(&x, &y)));
        same(&std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j)))), &products)?;
        undone((a, [[0.0; 4]; 4]), |(a, r)| gram_schmidt(a, r), |(a, r)| gram_schmidt::uncall(a, r))?;
    }

    #[test]
    fn triangular_factors(a in uniform4(uniform4(number()))) {
        prop_assume!(determinant(&a).abs() > 0.1);
        let mut expected = a;
        let order = plain::lu::lu(&mut expected);
        prop_assert_eq!(order, pivots(&a));
        same(&expected, &undone(a, |a| lu(a, &order), |a| lu::uncall(a, &order))?)?;
        same(&plain::lu::determinant(&a), &determinant(&a))?;
    }

    #[test]
    fn rotations(x in uniform4(number()), theta in vec(number(), 6)) {
        let expected = changed(x, |x| plain::umm::umm(x, &theta));
        let call = |x: &mut [[f64; 4]; 1]| umm_of_columns(x, &theta);
        same(&[expected], &undone([x], call, |x| umm_of_columns::uncall(x, &theta))?)?;
    }

    #[test]
    fn fourier_transforms(numbers in vec((number(), number()), 16), log in 0_u32..5) {
        let state: (Vec<f64>, Vec<f64>) = numbers[..1 << log].iter().copied().unzip();
        let expected = changed(state.clone(), |(re, im)| plain::fft::fft(re, im));
        same(&expected, &undone(state, |(re, im)| fft(re, im), |(re, im)| fft::uncall(re, im))?)?;
    }

    #[test]
    fn waves(start in uniform4(0.0..1.0), ratio in 0.0..0.5, steps in 0_usize..10) {
        let mut states = vec![[0.0; 4]; steps + 1];
        states[0] = start;
        let after = undone(states, |s| lax_wendroff(s, ratio), |s| lax_wendroff::uncall(s, ratio))?;
        same(&plain::lax_wendroff::lax_wendroff(&start, ratio, steps), &after[steps])?;
    }

    #[test]
    fn normal_random_numbers(u in 1e-6..1.0, v in 1e-6..1.0) {
        let after = undone((u, v), |(u, v)| box_muller(u, v), |(u, v)| box_muller::uncall(u, v))?;
        same(&plain::box_muller::box_muller(u, v), &after)?;
    }

    #[test]
    fn differences_of_exponentials(x in -2.0..2.0, p in -2.0..2.0) {
        let expected = plain::consistency::difference(x, p);
        let start = (0.0, x, p);
        let after = undone(start, |(y, x, p)| consistency(y, x, p), |(y, x, p)| consistency::uncall(y, x, p))?;
        same(&(expected, 0.0, x + p), &after)?;
        let after = undone(
            start,
            |(y, x, p)| consistency_in_vain(y, x, p),
            |(y, x, p)| consistency_in_vain::uncall(y, x, p),
        )?;
        same(&(expected, x, x + p), &after)?;
    }

    #[test]
    fn coupling_layers(seed in any::<u64>(), depth in 0_usize..6) {
        let random = &mut Random::new(seed);
        let mut rows = |_| random.array::<2>(-2.0, 2.0);
        let layers: Vec<Coupling<f64, 2, 2>> = (0..depth)
            .map(|_| Coupling {
                inner: std::array::from_fn(&mut rows),
                inner_bias: rows(0),
                outer: std::array::from_fn(&mut rows),
                outer_bias: rows(0),
            })
            .collect();
        let (x, scales) = (std::array::from_fn(&mut rows), std::array::from_fn(&mut rows));
        let after = undone(x, |x| nice(x, &layers, &scales), |x| nice::uncall(x, &layers, &scales))?;
        same(&plain::nice::nice(&x, &layers, &scales), &after)?;
        same(&plain::nice::log_likelihood(&x, &layers, &scales), &log_likelihood(&x, &layers, &scales))?;

        let none = Coupling { inner: [[0.0; 2]; 2], inner_bias: [0.0; 2], outer: [[0.0; 2]; 2], outer_bias: [0.0; 2] };
        let (mut g_layers, mut g_scales) = (vec![none; depth], [[0.0; 2]; 2]);
        let (value, g_x) = plain::nice::gradient(&x, (&layers, &mut g_layers), (&scales, &mut g_scales));
        let (expected, expected_x, expected_layers, expected_scales) = log_likelihood::gradient(&x, &layers, &scales);
        same(&(expected, expected_x, expected_scales), &(value, g_x, g_scales))?;
        let numbers = |layers: &[Coupling<f64, 2, 2>]| layers.iter().flat_map(|layer| layer.flatten()).collect::<Vec<_>>();
        same(&numbers(&expected_layers), &numbers(&g_layers))?;
    }

    #[test]
    fn recurrent_nets(seed in any::<u64>(), depth in 1_usize..4, length in 2_usize..8, loss in number()) {
        let random = &mut Random::new(seed);
        let mut rows = |_| random.array::<3>(-2.0, 2.0);
        let layers: Vec<[[f64; 3]; 8]> = (0..depth).map(|_| std::array::from_fn(&mut rows)).collect();
        let start: Vec<[[f64; 3]; 2]> = (0..depth).map(|_| std::array::from_fn(&mut rows)).collect();
        let (extra, sequence) = (std::array::from_fn(&mut rows), (0..length).map(&mut rows).collect::<Vec<_>>());
        let after = undone(
            loss,
            |loss| lstm(loss, &layers, &extra, &start, &sequence),
            |loss| lstm::uncall(loss, &layers, &extra, &start, &sequence),
        )?;
        same(&(loss + plain::lstm::objective(&layers, &extra, &start, &sequence)), &after)?;
    }

    #[test]
    fn poses_of_hands(seed in any::<u64>(), scale in 0.0_f64..1.0, mirrored in any::<bool>()) {
        let random = &mut Random::new(seed);
        let mut hand = hand(20, 10, seed);
        hand.mirrored = mirrored;
        let theta = random.array(-scale, scale);
        let points: [[f64; 3]; 5] = std::array::from_fn(|_| random.array(0.0, 4.0));
        let us: [[f64; 2]; 5] = std::array::from_fn(|_| random.array(0.0, 0.5));
        let (vertices, triangles): (Vec<_>, Vec<_>) = (0..5).map(|_| (random.below(20), random.below(10))).unzip();
        let after = undone(
            vec![[0.0; 3]; 5],
            |errors| hand_tracking(errors, &theta, &hand, &points, &vertices),
            |errors| hand_tracking::uncall(errors, &theta, &hand, &points, &vertices),
        )?;
        same(&plain::hand_tracking::errors(&theta, &hand, &points, &vertices), &after)?;
        let after = undone(
            vec![[0.0; 3]; 5],
            |errors| hand_tracking_of_triangles(errors, &theta, &us, &hand, &points, &triangles),
            |errors| hand_tracking_of_triangles::uncall(errors, &theta, &us, &hand, &points, &triangles),
        )?;
        same(&plain::hand_tracking::errors_of_triangles(&theta, &us, &hand, &points, &triangles), &after)?;
    }
}
