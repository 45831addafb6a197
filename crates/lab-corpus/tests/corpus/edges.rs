//! Nothing to do, too much to do, and what is refused.

use lab_corpus::programs::adder::ripple_adder;
use lab_corpus::programs::affine::{affine, affine_into};
use lab_corpus::programs::complex_sparse::complex_sparse;
use lab_corpus::programs::factorial::{add_factorial, factorial};
use lab_corpus::programs::fft::fft;
use lab_corpus::programs::leapfrog::leapfrog;
use lab_corpus::programs::lu::determinant;
use lab_corpus::programs::power::{Logarithm, Number, power};
use lab_corpus::programs::quantum_circuit::quantum_circuit;
use lab_corpus::programs::rfib::rfib;
use lab_corpus::programs::rfibn::rfibn;
use lab_corpus::programs::rrfib::rrfib;
use lab_corpus::programs::run_length::run_length;
use lab_corpus::programs::sort::sort;
use lab_corpus::programs::sparse_dot::{Csc, sparse_dot};
use lab_corpus::programs::squared_distance::squared_distance;
use lab_corpus::programs::turing::{BLANK, HALT, INCREMENT, START, turing};
use lab_corpus::programs::umm::umm;
use num_complex::Complex;
use retrograd::check::check_inverse;
use retrograd::{ErrorKind, Real, Slots, Stack, attempt};

#[test]
fn empty_slices_are_left_alone() {
    let none: &mut [f64] = &mut [];
    affine(none, &[], &[]);
    affine::uncall(none, &[], &[]);
    affine_into(none, &[], &[1.0], &[]);
    affine_into::uncall(none, &[], &[1.0], &[]);
    umm(none, &[]);
    umm::uncall(none, &[]);
    leapfrog(none, &mut [], 0.1, 10);
    leapfrog::uncall(none, &mut [], 0.1, 10);
    quantum_circuit::<f64>(&mut [], &[], 1);
    quantum_circuit::uncall::<f64>(&mut [], &[], 1);
    ripple_adder(&mut [], &[]);
    ripple_adder::uncall(&mut [], &[]);

    let mut d = 1.5;
    squared_distance(&mut d, none, &[]);
    squared_distance::uncall(&mut d, none, &[]);
    let nothing = Csc::<f64>::from_columns::<[f64; 0]>(&[]);
    sparse_dot(&mut d, &nothing, &nothing);
    sparse_dot::uncall(&mut d, &nothing, &nothing);
    let rowless = Csc::<f64>::from_columns(&[[], []]);
    sparse_dot(&mut d, &rowless, &rowless);
    sparse_dot::uncall(&mut d, &rowless, &rowless);
    assert_eq!(d, 1.5);
    let none = &mut [Complex::ZERO; 0];
    for nothing in [Csc::from_columns::<[Complex<f64>; 0]>(&[]), Csc::from_columns(&[[], []])] {
        for columns in [0, 1, 2] {
            let x = vec![Complex::ONE; columns * (nothing.starts.len() - 1)];
            complex_sparse(none, &nothing, &x, Complex::ONE, columns);
            complex_sparse::uncall(none, &nothing, &x, Complex::ONE, columns);
        }
    }

    let mut places = Stack::new();
    sort::<i32>(&mut [], &mut places);
    sort(&mut [1], &mut places);
    sort::uncall(&mut [1], &mut places);
    sort::uncall::<i32>(&mut [], &mut places);
    assert!(places.is_empty());
}

#[test]
fn a_matrix_without_columns_still_adds_its_constant() {
    let mut y = [1.0, 2.0];
    affine_into(&mut y, &[], &[], &[10.0, 20.0]);
    assert_eq!(y, [11.0, 22.0]);
    affine_into::uncall(&mut y, &[], &[], &[10.0, 20.0]);
    assert_eq!(y, [1.0, 2.0]);
}

#[test]
fn loops_without_turns_do_nothing() {
    let (mut x, mut v) = ([1.0, 2.0], [3.0, 4.0]);
    leapfrog(&mut x, &mut v, 0.1, 0);
    leapfrog::uncall(&mut x, &mut v, 0.1, 0);
    assert_eq!((x, v), ([1.0, 2.0], [3.0, 4.0]));

    let mut one = [5.0];
    umm(&mut one, &[]);
    umm::uncall(&mut one, &[]);
    assert_eq!(one, [5.0]);
}

#[test]
fn zero_is_a_number_like_others() {
    for program in [rfib, rrfib, factorial, add_factorial] {
        let mut out = 0;
        program(&mut out, 0);
        assert_eq!(out, 1);
    }
    for program in [rfib::uncall, rrfib::uncall, factorial::uncall, add_factorial::uncall] {
        let mut out = 1;
        program(&mut out, 0);
        assert_eq!(out, 0);
    }
    for z in [0, 1] {
        let mut n = 0;
        rfibn(&mut n, z);
        assert_eq!(n, 0, "the number before the first is large enough");
        rfibn::uncall(&mut n, z);
        assert_eq!(n, 0);
    }
}

#[test]
fn a_stride_beyond_the_end_reaches_the_first_record_only() {
    for stride in [4, 5, 100, usize::MAX] {
        let mut cells = [0; 3];
        run_length(&mut cells, &[2, 7, 1, 9], stride);
        assert_eq!(cells, [7, 7, 0], "stride {stride}");
        run_length::uncall(&mut cells, &[2, 7, 1, 9], stride);
        assert_eq!(cells, [0; 3], "stride {stride}");
    }
}

#[test]
fn no_runs_and_empty_runs_leave_the_cells_alone() {
    for runs in [&[][..], &[0, 7], &[0, 7, 0, 8]] {
        let mut cells = [1, 2, 3];
        run_length(&mut cells, runs, 2);
        run_length::uncall(&mut cells, runs, 2);
        assert_eq!(cells, [1, 2, 3]);
    }
}

#[test]
fn equal_elements_do_not_pass_each_other() {
    #[derive(Clone, Debug, PartialEq)]
    struct Card(u8, &'static str);

    impl PartialOrd for Card {
        fn partial_cmp(&self, other: &Card) -> Option<std::cmp::Ordering> {
            self.0.partial_cmp(&other.0)
        }
    }

    let (mut cards, mut places) = ([Card(7, "hearts"), Card(2, "clubs"), Card(7, "spades")], Stack::new());
    sort(&mut cards, &mut places);
    assert_eq!(cards, [Card(2, "clubs"), Card(7, "hearts"), Card(7, "spades")]);
    sort::uncall(&mut cards, &mut places);
    assert_eq!(cards, [Card(7, "hearts"), Card(2, "clubs"), Card(7, "spades")]);
}

#[test]
fn a_number_without_bits_is_still_a_tape() {
    let (mut tape, mut head, mut state) = ([BLANK, BLANK], 0, START);
    turing(&mut tape, &mut head, &mut state, &INCREMENT);
    assert_eq!((tape, head, state), ([BLANK, BLANK], 0, HALT));
    turing::uncall(&mut tape, &mut head, &mut state, &INCREMENT);
    assert_eq!((tape, head, state), ([BLANK, BLANK], 0, START));
}

#[test]
fn integers_that_would_lose_something_are_refused_in_every_build() {
    let kind = |program: fn(&mut u64, u64), mut out: u64, n| attempt(|| program(&mut out, n)).unwrap_err().kind;
    assert_eq!(kind(factorial, 0, 21), ErrorKind::LossyInteger); // 21! does not fit
    assert_eq!(kind(factorial::uncall, 7, 2), ErrorKind::LossyInteger); // 7 is odd
    assert_eq!(kind(add_factorial, 0, 21), ErrorKind::LossyInteger);
}

#[test]
fn a_record_that_is_too_short_is_refused_in_every_build() {
    let error = attempt(|| sort::uncall(&mut [1, 2, 3], &mut Stack::from(vec![0]))).unwrap_err();
    assert_eq!(error.kind, ErrorKind::EmptyStack);
}

#[test]
fn a_state_that_is_there_already_is_refused_in_every_build() {
    let mut states = Slots::from_iter([(0, 0.5), (1, 0.5)]);
    let error = attempt(|| lab_corpus::programs::bennett::bennett(&mut states, 2, 0, 1, &mut 0)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::OccupiedKey);
}

#[test]
#[cfg(debug_assertions)]
fn checked_builds_refuse_what_could_not_be_undone() {
    let kind = |program: &mut dyn FnMut()| attempt(program).unwrap_err().kind;
    assert_eq!(kind(&mut || rfibn(&mut 3, 100)), ErrorKind::LoopEntry);
    assert_eq!(kind(&mut || umm(&mut [1.0, 2.0], &[0.1, 0.2])), ErrorKind::Released);
    assert_eq!(kind(&mut || affine(&mut [1.0], &[0.0], &[0.0])), ErrorKind::ZeroFactor);
    let (mut states, mut steps) = (Slots::from_iter([(0, 0.5), (1, 0.125)]), 0);
    let wrong_end = || lab_corpus::programs::bennett::bennett::uncall(&mut states, 2, 0, 1, &mut steps);
    assert_eq!(attempt(wrong_end).unwrap_err().kind, ErrorKind::NonzeroFree);
}

#[test]
fn a_long_run_of_time_comes_back() {
    let state = (vec![1.0, 0.0, -1.0, 0.5], vec![0.0; 4]);
    let run = |(x, v): &mut (Vec<f64>, Vec<f64>)| leapfrog(x, v, 0.05, 100_000);
    check_inverse(&state, run, |(x, v)| leapfrog::uncall(x, v, 0.05, 100_000)).unwrap();
}

#[test]
fn a_power_of_zero_is_refused_and_the_power_zero_is_one() {
    let mut out = Number::lit(0.25);
    let error = attempt(|| power::<_, Logarithm>(&mut out, Number::zero(), 2)).unwrap_err();
    assert_eq!((error.kind, out), (ErrorKind::ZeroFactor, Number::lit(0.25)));
    power::<_, Logarithm>(&mut out, Number::zero(), 0);
    assert_eq!(out, Number::lit(1.25));
}

#[test]
fn one_number_is_its_own_fourier_transform_and_three_are_refused() {
    let (mut re, mut im) = ([3.0], [4.0]);
    fft(&mut re, &mut im);
    fft::uncall(&mut re, &mut im);
    assert_eq!((re, im), ([3.0], [4.0]));
    for (re, im) in [(3, 3), (0, 0), (4, 2)] {
        let transform = || fft(&mut vec![1.0; re], &mut vec![1.0; im]);
        assert!(std::panic::catch_unwind(transform).is_err(), "{re} and {im}");
    }
}

#[test]
fn a_matrix_of_no_rows_has_the_determinant_one() {
    assert_eq!(determinant::<f64, 0>(&[]), 1.0);
    assert_eq!(determinant(&[[-7.0]]), -7.0);
}
