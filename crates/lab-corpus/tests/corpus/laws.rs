//! The law of every program, on random inputs: the inverse undoes the program, and the program the inverse.

use lab_corpus::programs::adder::{adder, ripple_adder};
use lab_corpus::programs::affine::{affine, affine_into};
use lab_corpus::programs::bennett::bennett;
use lab_corpus::programs::complex_log::complex_log;
use lab_corpus::programs::factorial::{add_factorial, factorial};
use lab_corpus::programs::leapfrog::leapfrog;
use lab_corpus::programs::learning::{Number as Trained, learning};
use lab_corpus::programs::multiplier::multiplier;
use lab_corpus::programs::power::{Logarithm, Number, power};
use lab_corpus::programs::quantum_circuit::quantum_circuit;
use lab_corpus::programs::rfib::rfib;
use lab_corpus::programs::rfibn::rfibn;
use lab_corpus::programs::rrfib::rrfib;
use lab_corpus::programs::run_length::run_length;
use lab_corpus::programs::sort::sort;
use lab_corpus::programs::sparse_dot::{Csc, sparse_dot};
use lab_corpus::programs::squared_distance::squared_distance;
use lab_corpus::programs::turing::{BLANK, INCREMENT, START, turing};
use lab_corpus::programs::umm::umm;
use num_complex::Complex;
use proptest::collection::vec;
use proptest::prelude::*;
use retrograd::check::{Compare, NotRestored, check_inverse, mismatches};
use retrograd::{InformationBuffer, Real, Slots, Stack};

/// Checks `uncall(call(x)) == x` for the given x, and `call(uncall(y)) == y` for the y that the call leads to.
/// Returns that y.
pub(super) fn undone<S: Clone + Compare>(
    state: S,
    call: impl Fn(&mut S),
    uncall: impl Fn(&mut S),
) -> Result<S, TestCaseError> {
    let failed = |error: NotRestored| TestCaseError::fail(error.to_string());
    check_inverse(&state, &call, &uncall).map_err(failed)?;
    let mut after = state;
    call(&mut after);
    check_inverse(&after, &uncall, &call).map_err(failed)?;
    Ok(after)
}

/// Checks that two results are the same up to rounding.
pub(super) fn same<S: Compare + std::fmt::Debug>(expected: &S, actual: &S) -> Result<(), TestCaseError> {
    prop_assert!(mismatches(expected, actual).is_empty(), "expected {expected:?}, found {actual:?}");
    Ok(())
}

pub(super) fn number() -> impl Strategy<Value = f64> {
    -10.0..10.0
}

/// Vectors of n numbers, for n from 0 to 6, in as many as there are `ranks`; a rank of 2 is a matrix.
pub(super) fn vectors<const N: usize>(ranks: [u32; N]) -> impl Strategy<Value = [Vec<f64>; N]> {
    (0_usize..7).prop_flat_map(move |n| ranks.map(|rank| vec(-1.0..1.0, n.pow(rank))))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

proptest! {
    #[test]
    fn adders(y in number(), x in number()) {
        same(&(y + x), &undone(y, |y| adder(y, x), |y| adder::uncall(y, x))?)?;
    }

    #[test]
    fn adders_from_gates(x in any::<u16>(), y in any::<u16>(), bits in 0_u32..=16) {
        let to_bits = |n: u16| (0..bits).map(|i| n >> i & 1 == 1).collect::<Vec<_>>();
        let x_bits = to_bits(x);
        let sum = undone(to_bits(y), |y| ripple_adder(y, &x_bits), |y| ripple_adder::uncall(y, &x_bits))?;
        prop_assert_eq!(sum, to_bits(x.wrapping_add(y)));
    }

    #[test]
    fn multipliers(y in number(), a in number(), b in number()) {
        same(&(y + a * b), &undone(y, |y| multiplier(y, a, b), |y| multiplier::uncall(y, a, b))?)?;
    }

    #[test]
    fn complex_logarithms(y in (number(), number()), x in (number(), number())) {
        let x = Complex::new(x.0, x.1);
        prop_assume!(x.norm() > 1e-6);
        let run = |program: fn(&mut Complex<f64>, Complex<f64>)| move |y: &mut (f64, f64)| {
            let mut sum = Complex::new(y.0, y.1);
            program(&mut sum, x);
            *y = (sum.re, sum.im);
        };
        let sum = undone(y, run(complex_log), run(complex_log::uncall))?;
        same(&(y.0 + x.ln().re, y.1 + x.ln().im), &sum)?;
    }

    #[test]
    fn fibonacci_sums(out in 0_u64..1_000_000, n in 0_u64..16) {
        undone(out, |out| rfib(out, n), |out| rfib::uncall(out, n))?;
        undone(out, |out| rrfib(out, n), |out| rrfib::uncall(out, n))?;
    }

    #[test]
    fn fibonacci_searches(z in 0_u64..2000) {
        let n = undone(0, |n| rfibn(n, z), |n| rfibn::uncall(n, z))?;
        let number = |n| {
            let mut out = 0;
            rfib(&mut out, n);
            out
        };
        prop_assert!(number(n) >= z && (n == 0 || number(n - 1) < z));
    }

    #[test]
    fn powers(out in any::<i32>(), x in 1_i64..200_000, negative in any::<bool>(), n in 0_u32..12) {
        let (out, x) = (Number::from_bits(out.into()), Number::from_bits(if negative { -x } else { x }));
        let call = |out: &mut Number| power::<_, Logarithm>(out, x, n);
        let after = undone(out, call, |out| power::uncall::<_, Logarithm>(out, x, n))?;
        // Twelve logarithms, each good to 48 bits.
        let expected = x.to_f64().powi(n as i32);
        let error = ((after - out).to_f64() - expected).abs();
        prop_assert!(error <= 1e-5 + expected.abs() * 3e-14, "{x}^{n} = {expected}, not {}", after - out);
    }

    #[test]
    fn factorials(out in 0_u64..1000, n in 0_u64..=15) {
        let product: u64 = (1..=n).product();
        let after = undone(out, |out| factorial(out, n), |out| factorial::uncall(out, n))?;
        prop_assert_eq!(after, (out + 1) * product);
        let after = undone(out, |y| add_factorial(y, n), |y| add_factorial::uncall(y, n))?;
        prop_assert_eq!(after, out + product);
    }

    #[test]
    fn affine_maps_in_place([x, mut lu, b] in vectors([1, 2, 1])) {
        let n = x.len();
        for i in 0..n {
            lu[n * i + i] += 2.0_f64.copysign(lu[n * i + i]);
        }
        let lower = |i: usize, j: usize| if i == j { 1.0 } else if i > j { lu[n * i + j] } else { 0.0 };
        let upper = |i: usize, j: usize| if i <= j { lu[n * i + j] } else { 0.0 };
        let times = |m: &dyn Fn(usize, usize) -> f64, x: &[f64]| -> Vec<f64> {
            (0..n).map(|i| (0..n).map(|j| m(i, j) * x[j]).sum()).collect()
        };
        let product = times(&lower, &times(&upper, &x));
        let expected: Vec<f64> = product.iter().zip(&b).map(|(y, b)| y + b).collect();
        same(&expected, &undone(x, |x| affine(x, &lu, &b), |x| affine::uncall(x, &lu, &b))?)?;
    }

    #[test]
    fn affine_maps_into_another_vector([y, w, b] in vectors([1, 2, 1]), x in vec(number(), 6)) {
        let x = &x[..y.len()];
        let expected: Vec<f64> =
            (0..x.len()).map(|i| y[i] + dot(&w[x.len() * i..][..x.len()], x) + b[i]).collect();
        same(&expected, &undone(y, |y| affine_into(y, &w, x, &b), |y| affine_into::uncall(y, &w, x, &b))?)?;
    }

    #[test]
    fn rotations([x] in vectors([1]), theta in vec(number(), 15)) {
        let theta = &theta[..x.len() * x.len().saturating_sub(1) / 2];
        let turned = undone(x.clone(), |x| umm(x, theta), |x| umm::uncall(x, theta))?;
        same(&dot(&x, &x), &dot(&turned, &turned))?;
    }

    #[test]
    fn circuits(parts in vec((number(), number()), 8), angles in vec(number(), 12)) {
        let state: Vec<_> = parts.into_iter().map(|(re, im)| Complex::new(re, im)).collect();
        let turned = undone(
            state.clone(),
            |state| quantum_circuit(state, &angles, 3),
            |state| quantum_circuit::uncall(state, &angles, 3),
        )?;
        let length = |state: &[Complex<f64>]| state.iter().map(|z| z.norm_sqr()).sum::<f64>();
        same(&length(&state), &length(&turned))?;
    }

    #[test]
    fn squared_distances(d in number(), [a, b] in vectors([1, 1])) {
        let difference: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        let expected = (d + dot(&difference, &difference), a.clone());
        let after = undone(
            (d, a),
            |(d, a)| squared_distance(d, a, &b),
            |(d, a)| squared_distance::uncall(d, a, &b),
        )?;
        same(&expected, &after)?;
    }

    #[test]
    fn chains_of_springs([x, v] in vectors([1, 1]), dt in 0.0..0.2, steps in 0_usize..100) {
        let momentum: f64 = v.iter().sum();
        let (_, v) =
            undone((x, v), |(x, v)| leapfrog(x, v, dt, steps), |(x, v)| leapfrog::uncall(x, v, dt, steps))?;
        same(&momentum, &v.iter().sum())?;
    }

    #[test]
    fn run_lengths(records in vec((0_usize..4, 0_usize..100), 0..8), more in 0_usize..3, extra in 0_usize..3) {
        let stride = 2 + extra;
        let record = |&(length, value): &(usize, usize)| [vec![length, value], vec![99; extra]].concat();
        let runs: Vec<usize> = records.iter().flat_map(record).collect();
        let mut expected: Vec<usize> =
            records.iter().flat_map(|&(length, value)| vec![1000 + value; length]).collect();
        expected.extend(vec![1000; more]);
        let cells = vec![1000; expected.len()];
        let after = undone(cells, |c| run_length(c, &runs, stride), |c| run_length::uncall(c, &runs, stride))?;
        prop_assert_eq!(after, expected);
    }

    #[test]
    fn sparse_dot_products(columns in vec(vec((0.0..2.0, 0.0..2.0), 5), 0..5), r in number()) {
        // Half of the entries are zero.
        let thinned = |x: f64| (x - 1.0).max(0.0);
        let a: Vec<Vec<f64>> = columns.iter().map(|c| c.iter().map(|e| thinned(e.0)).collect()).collect();
        let b: Vec<Vec<f64>> = columns.iter().map(|c| c.iter().map(|e| thinned(e.1)).collect()).collect();
        let (sparse_a, sparse_b) = (Csc::from_columns(&a), Csc::from_columns(&b));
        let after = undone(
            r,
            |r| sparse_dot(r, &sparse_a, &sparse_b),
            |r| sparse_dot::uncall(r, &sparse_a, &sparse_b),
        )?;
        same(&(r + dot(&a.concat(), &b.concat())), &after)?;
    }

    #[test]
    fn sorting(a in vec(-9_i32..10, 0..12)) {
        let mut expected = a.clone();
        expected.sort_unstable();
        let (sorted, places) =
            undone((a, Stack::new()), |(a, p)| sort(a, p), |(a, p)| sort::uncall(a, p))?;
        prop_assert_eq!(places.len(), sorted.len().saturating_sub(1));
        prop_assert_eq!(sorted, expected);
    }

    #[test]
    fn every_list_of_places_is_the_record_of_one_order(places in vec(0_usize..12, 0..12)) {
        let places: Stack<usize> = places.into_iter().enumerate().map(|(i, place)| place % (i + 2)).collect();
        let sorted: Vec<usize> = (0..=places.len()).collect();
        check_inverse(&(sorted, places), |(a, p)| sort::uncall(a, p), |(a, p)| sort(a, p)).unwrap();
    }

    #[test]
    fn training(
        w in vec(-1.0..1.0, 7), v in vec(-1.0..1.0, 7), points in vec((-1.0..1.0, -1.0..1.0), 1..4),
        steps in vec((0.0..0.3, 0.01..1.0), 0..20)
    ) {
        let numbers = |x: &[f64]| x.iter().copied().map(Trained::lit).collect::<Vec<_>>();
        let ((x, y), (rates, momenta)): ((Vec<_>, Vec<_>), (Vec<_>, Vec<_>)) =
            (points.into_iter().unzip(), steps.into_iter().unzip());
        let (x, y, rates, momenta) = (numbers(&x), numbers(&y), numbers(&rates), numbers(&momenta));
        undone(
            (numbers(&w), numbers(&v), InformationBuffer::new()),
            |(w, v, lost)| learning(w, v, &rates, &momenta, lost, &x, &y),
            |(w, v, lost)| learning::uncall(w, v, &rates, &momenta, lost, &x, &y),
        )?;
    }

    #[test]
    fn turing_machines(bits in vec(0_u8..2, 0..12)) {
        let tape = [vec![BLANK], bits, vec![BLANK]].concat();
        undone(
            (tape, 0, START),
            |(tape, head, state)| turing(tape, head, state, &INCREMENT),
            |(tape, head, state)| turing::uncall(tape, head, state, &INCREMENT),
        )?;
    }

    #[test]
    fn bennett_states(x in 0.0..1.0, k in 2_usize..5, n in 0_u32..4) {
        let len = k.pow(n);
        let states = Slots::from_iter([(7, x)]);
        let run = |states: &mut Slots<usize, f64>| bennett(states, k, 7, len, &mut 0);
        let after = undone(states, run, |states| bennett::uncall(states, k, 7, len, &mut 0))?;
        prop_assert_eq!(after.keys().copied().collect::<Vec<_>>(), [7, 7 + len]);
        prop_assert_eq!(after.peak(), n as usize * (k - 1) + 2);
    }
}
