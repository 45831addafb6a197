//! Programs that lose information: all forms have the same value and gradient, and a record that is used again allocates nothing.

use allocation_counter::measure;
use lab_corpus::lossy::logistic::logistic;
use lab_corpus::lossy::nest::NESTS;
use lab_corpus::lossy::pendulum::{self, recomputed};
use lab_corpus::lossy::{ALL, Input, Lossy, NATURAL, Tape};
use retrograd::{Dual, Record};

/// All programs, with natural forms and nests of every depth.
fn programs() -> impl Iterator<Item = &'static Lossy> {
    ALL.iter().chain(NATURAL).chain(NESTS)
}

/// Some elements of the gradient by dual numbers, with their places.
fn slopes(program: &Lossy, input: &Input) -> Vec<(usize, f64)> {
    let mut x: Vec<Dual<f64, 1>> = input.x.iter().map(|&x| Dual::constant(x)).collect();
    let mut slope = |i: usize| {
        x[i].eps = [1.0];
        let slope = (program.dual)(input, &x).eps[0];
        x[i].eps = [0.0];
        (i, slope)
    };
    (0..input.x.len()).step_by(input.x.len().div_ceil(50)).map(&mut slope).collect()
}

#[test]
fn all_forms_have_the_gradient_of_dual_numbers() {
    for program in programs() {
        for steps in [1, 2, 17] {
            let input = (program.input)(steps);
            let expected = slopes(program, &input);
            let scale = expected.iter().fold(1e-300, |scale: f64, (_, slope)| scale.max(slope.abs()));
            let value = (program.plain)(&input);
            let check = |form: &str, found: &mut dyn FnMut(&mut [f64]) -> f64| {
                let mut g = vec![0.0; input.x.len()];
                let found = found(&mut g);
                assert!((found - value).abs() <= 1e-13 * value.abs().max(1.0), "{}, {form}: {found}", program.name);
                for &(i, slope) in &expected {
                    assert!((g[i] - slope).abs() <= 1e-12 * scale, "{}, {form}: {} at {i}", program.name, g[i] - slope);
                }
            };
            check("by hand", &mut |g| (program.by_hand)(&mut Tape::new(), &input, g));
            check("recorded", &mut |g| (program.recorded)(&mut Record::new(), &input, g));
            check("reversible", &mut |g| (program.reversible)(&input, g));
        }
    }
}

#[test]
fn the_second_gradient_with_a_record_allocates_nothing() {
    for program in programs() {
        let input = (program.input)(30);
        let (mut record, mut g) = (Record::new(), vec![0.0; input.x.len()]);
        let mut gradient = || measure(|| assert!((program.recorded)(&mut record, &input, &mut g).is_finite()));
        assert!(gradient().count_total > 0, "{}", program.name);
        // Checked builds keep copies of what locals were on the way, too.
        assert!(gradient().count_total == 0 || cfg!(debug_assertions), "{}", program.name);
        assert_eq!(record.bytes(), 0, "{}", program.name);
    }
}

#[test]
fn a_gradient_uses_the_record_of_its_thread_again() {
    let gradient = || measure(|| assert!(logistic::gradient(3.2_f64, 0.3, 1000).0.is_finite())).count_total;
    assert!(gradient() > 0);
    assert_eq!(gradient(), 0);
}

#[test]
fn records_grow_with_the_steps_and_no_faster() {
    for program in programs() {
        // Multiples of eight: single bits are rounded up to bytes.
        let [few, more, many] = [16, 32, 48].map(|steps| {
            let input = (program.input)(steps);
            let mut record = Record::new();
            (program.recorded)(&mut record, &input, &mut vec![0.0; input.x.len()]);
            record.peak_bytes()
        });
        assert!(few < more && many - more == more - few, "{}: {few}, {more}, {many}", program.name);
    }
}

#[test]
fn states_that_are_computed_again_have_the_same_gradient() {
    let input = (pendulum::LOSSY.input)(16);
    let mut expected = vec![1.0; input.x.len()];
    let value = (pendulum::LOSSY.by_hand)(&mut Tape::new(), &input, &mut expected);
    for segments in [1, 4, 16] {
        let mut g = vec![1.0; input.x.len()];
        assert!((recomputed(&input, segments, &mut g) - value).abs() < 1e-13);
        assert!(
            g.iter().zip(&expected).all(|(g, expected)| (g - expected).abs() < 1e-12),
            "{segments} segments: {g:?}"
        );
    }
}

#[test]
fn records_are_hardly_larger_than_tapes() {
    for program in ALL.iter().chain(NESTS) {
        let input = (program.input)(program.steps);
        let (mut tape, mut record, mut g) = (Tape::new(), Record::new(), vec![0.0; input.x.len()]);
        (program.by_hand)(&mut tape, &input, &mut g);
        (program.recorded)(&mut record, &input, &mut g);
        let ratio = record.peak_bytes() as f64 / tape.peak_bytes() as f64;
        assert!(ratio <= 1.1, "{}: {ratio}", program.name);
    }
}
