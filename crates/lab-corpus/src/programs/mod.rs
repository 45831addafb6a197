//! One reversible program per file, and the list of all: for tests, for benches and for the `retrograd` command alike.

use retrograd::check::{Compare, mismatches};
use retrograd::{Direction, InvertibilityError, attempt};

pub mod adder;
pub mod affine;
pub mod bennett;
pub mod bessel;
pub mod box_muller;
pub mod bundle_adjustment;
pub mod complex_log;
pub mod complex_sparse;
pub mod consistency;
pub mod cross_entropy;
pub mod factorial;
pub mod fft;
pub mod gaussian_mixture;
pub mod graph_embedding;
pub mod hand_tracking;
pub mod lax_wendroff;
pub mod leapfrog;
pub mod learning;
pub mod log_sum_exp;
pub mod lstm;
pub mod lu;
pub mod matvec;
pub mod multiplier;
pub mod nice;
pub mod power;
pub mod qr;
pub mod quantum_circuit;
pub mod recurrent;
pub mod rfib;
pub mod rfibn;
pub mod rrfib;
pub mod run_length;
pub mod solar_system;
pub mod sort;
pub mod sparse_dot;
pub mod sparse_matvec;
pub mod spin_glass;
pub mod squared_distance;
pub mod string;
pub mod turing;
pub mod umm;
pub mod variance;
pub mod wave;

/// Every program, from the simplest on.
///
/// ```
/// for program in lab_corpus::programs::ALL {
///     assert!((program.demo)().restored, "{} did not come back", program.name);
/// }
/// ```
pub const ALL: [Entry; 43] = [
    adder::ENTRY,
    multiplier::ENTRY,
    complex_log::ENTRY,
    rfib::ENTRY,
    rrfib::ENTRY,
    rfibn::ENTRY,
    factorial::ENTRY,
    power::ENTRY,
    affine::ENTRY,
    matvec::ENTRY,
    lu::ENTRY,
    qr::ENTRY,
    umm::ENTRY,
    fft::ENTRY,
    quantum_circuit::ENTRY,
    squared_distance::ENTRY,
    consistency::ENTRY,
    box_muller::ENTRY,
    variance::ENTRY,
    log_sum_exp::ENTRY,
    cross_entropy::ENTRY,
    nice::ENTRY,
    leapfrog::ENTRY,
    string::ENTRY,
    lax_wendroff::ENTRY,
    run_length::ENTRY,
    sparse_dot::ENTRY,
    sparse_matvec::ENTRY,
    complex_sparse::ENTRY,
    sort::ENTRY,
    turing::ENTRY,
    bennett::ENTRY,
    solar_system::ENTRY,
    bessel::ENTRY,
    graph_embedding::ENTRY,
    bundle_adjustment::ENTRY,
    gaussian_mixture::ENTRY,
    lstm::ENTRY,
    hand_tracking::ENTRY,
    spin_glass::ENTRY,
    learning::ENTRY,
    recurrent::ENTRY,
    wave::ENTRY,
];

/// A program of the corpus, and how to show it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name of the program, which is also that of its file.
    pub name: &'static str,
    /// What it does and shows, in one line.
    pub about: &'static str,
    /// The program, its inverse or a derivative run of it, as text.
    pub source: fn(Direction) -> &'static str,
    /// Runs the program and its inverse on an example.
    pub demo: fn() -> Demo,
}

/// What a program did to an example, and its inverse to the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demo {
    /// The values before the run.
    pub before: String,
    /// The values after the run.
    pub after: String,
    /// The values after the way back.
    pub back: String,
    /// Whether the way back ended where the run began: exactly for integers, to rounding for floats.
    pub restored: bool,
}

impl Demo {
    /// Runs `call` on `state` and then `uncall` on what it left. A run that stops with an error is shown by that error.
    ///
    /// ```
    /// use lab_corpus::programs::Demo;
    ///
    /// let demo = Demo::new(1, |y: &mut i32| *y += 2, |y| *y -= 2, |y| format!("y = {y}"));
    /// assert_eq!([demo.before, demo.after, demo.back], ["y = 1", "y = 3", "y = 1"]);
    /// assert!(demo.restored);
    /// ```
    pub fn new<S: Clone + Compare>(
        state: S,
        call: impl FnOnce(&mut S),
        uncall: impl FnOnce(&mut S),
        show: impl Fn(&S) -> String,
    ) -> Demo {
        let mut now = state.clone();
        let there = attempt(|| call(&mut now));
        let after = told(&there, &now, &show);
        let and_back = there.and_then(|()| attempt(|| uncall(&mut now)));
        let back = told(&and_back, &now, &show);
        let restored = and_back.is_ok() && mismatches(&state, &now).is_empty();
        Demo { before: show(&state), after, back, restored }
    }
}

/// The values after a run, or why it stopped.
fn told<S>(run: &Result<(), InvertibilityError>, state: &S, show: impl Fn(&S) -> String) -> String {
    match run {
        Ok(()) => show(state),
        Err(error) => format!("stopped: {error}"),
    }
}

/// Numbers with four decimals, for showing.
fn rounded<const N: usize>(numbers: &[f64; N]) -> [f64; N] {
    // Adding zero makes a negative zero positive.
    numbers.map(|x| (x * 1e4).round() / 1e4 + 0.0)
}
