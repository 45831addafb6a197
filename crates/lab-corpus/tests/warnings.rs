//! What `#[reversible]` generates is clean: the whole corpus compiles here once more, as code of this crate, with every
//! warning and every lint of clippy an error.

#![deny(warnings, missing_docs, clippy::all)]

#[path = "../src/programs/mod.rs"]
pub mod programs;

use num_complex::Complex;
use programs::turing::{BLANK, HALT, INCREMENT, START};
use programs::{adder, affine, bennett, complex_log, factorial, leapfrog, multiplier, rfib, rfibn, rrfib, run_length};
use programs::{sort, sparse_dot, squared_distance, turing, umm};
use retrograd::{Slots, Stack};

/// Calls something of every program, so that all generic ones are compiled to the end.
fn main() {
    assert!(programs::ALL.iter().all(|program| (program.demo)().restored));

    let (mut y, mut n, mut x, mut v) = (0.0, 0, [1.0, 2.0], [0.0, 0.0]);
    adder::adder(&mut y, 1.0);
    adder::ripple_adder(&mut [true], &[true]);
    multiplier::multiplier(&mut y, 2.0, 3.0);
    squared_distance::squared_distance(&mut y, &mut x, &[1.0, 2.0]);
    let a = sparse_dot::Csc::from_columns(&[[1.0, 0.0]]);
    sparse_dot::sparse_dot(&mut y, &a, &a);
    assert_eq!(y, 8.0);

    rfib::rfib(&mut n, 3);
    rrfib::rrfib(&mut n, 3);
    factorial::factorial(&mut n, 3);
    factorial::add_factorial(&mut n, 3);
    assert_eq!(n, 42);
    let mut index = 0;
    rfibn::rfibn(&mut index, 8);
    assert_eq!(index, 6);

    affine::affine(&mut x, &[1.0, 0.0, 0.0, 1.0], &[1.0, 1.0]);
    affine::affine_into(&mut x, &[1.0, 0.0], &[1.0], &[0.0, 1.0]);
    assert_eq!(x, [3.0, 4.0]);
    umm::umm(&mut x, &[0.0]);
    leapfrog::leapfrog(&mut x, &mut v, 0.0, 1);
    leapfrog::kick(&mut v, &x, 1.0);
    leapfrog::drift(&mut x, &v, 1.0);
    assert_eq!(x, [4.0, 3.0]);

    let mut logarithm = Complex::new(0.0, 0.0);
    complex_log::complex_log(&mut logarithm, Complex::new(1.0, 0.0));
    assert_eq!(logarithm, Complex::new(0.0, 0.0));

    let (mut cells, mut places) = ([0, 0], Stack::new());
    run_length::run_length(&mut cells, &[1, 5, 1, 3], 2);
    sort::sort(&mut cells, &mut places);
    assert_eq!(cells, [3, 5]);

    let (mut states, mut steps) = (Slots::from_iter([(0, 0.5)]), 0);
    bennett::bennett(&mut states, 2, 0, 4, &mut steps);
    bennett::logistic(&mut states[4], 0.0);
    assert_eq!((states.len(), steps), (2, 9));

    let (mut tape, mut head, mut state) = ([BLANK, 0, BLANK], 0, START);
    turing::turing(&mut tape, &mut head, &mut state, &INCREMENT);
    assert_eq!((tape[1], state), (1, HALT));
}
