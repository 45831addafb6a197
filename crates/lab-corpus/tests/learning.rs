//! Training that runs backwards bit for bit, and its hypergradient.

use lab_corpus::programs::learning::{Lesson, Number, figures, learning, loss};
use retrograd::{Dual, InformationBuffer, Real};

/// How many steps: as many as the report makes, or fewer where nothing is optimised.
const STEPS: usize = if cfg!(debug_assertions) { 60 } else { 300 };

/// So many derivatives at once.
const LANES: usize = 10;

/// The loss after training on floats, and its derivatives by rates and momenta, by dual numbers.
fn by_dual_numbers(lesson: &Lesson<Number>) -> (f64, Vec<f64>, Vec<f64>) {
    let steps = lesson.rates.len();
    let floats = lesson.map(|x| Dual::<f64, LANES>::constant(x.to_f64()));
    let (mut value, mut slopes) = (0.0, Vec::new());
    for first in (0..2 * steps).step_by(LANES) {
        let mut moved = floats.clone();
        for lane in 0..LANES {
            let parameter = first + lane;
            let numbers = if parameter < steps { &mut moved.rates } else { &mut moved.momenta };
            numbers[parameter % steps].eps[lane] = 1.0;
        }
        let Dual { re, eps } = moved.loss_after();
        value = re;
        slopes.extend(eps);
    }
    let by_momenta = slopes.split_off(steps);
    (value, slopes, by_momenta)
}

#[track_caller]
fn close(expected: &[f64], found: &[f64], tolerance: f64) {
    let size = expected.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    assert!(size > 1e-6 && expected.len() == found.len());
    for (expected, found) in expected.iter().zip(found) {
        assert!((expected - found).abs() <= tolerance * size, "expected {expected}, found {found}");
    }
}

#[test]
fn the_hypergradient_is_that_of_dual_numbers_and_training_comes_back_bit_for_bit() {
    let lesson = Lesson::new(STEPS);
    let figures = figures(&lesson);
    assert!(figures.restored);
    assert!(figures.loss < figures.loss_before / 2.0, "{} of {}", figures.loss, figures.loss_before);
    let (value, by_rates, by_momenta) = by_dual_numbers(&lesson);
    assert!((value - figures.loss).abs() < 1e-10, "{value} {}", figures.loss);
    close(&by_rates, &figures.by_rates, 1e-9);
    close(&by_momenta, &figures.by_momenta, 1e-9);
}

#[test]
fn the_hypergradient_is_the_slope_between_neighbours() {
    let lesson = Lesson::new(STEPS);
    let figures = figures(&lesson);
    let h = 2_f64.powi(-18);
    // All rates and momenta at once, each in a direction of its own.
    let along = |i: usize| (i as f64 * 2.399).sin();
    let moved = |h: f64| {
        let mut moved = lesson.map(Number::to_f64);
        let parameters = moved.rates.iter_mut().chain(&mut moved.momenta).enumerate();
        parameters.for_each(|(i, x)| *x += h * 0.1 * along(i));
        moved.loss_after()
    };
    let difference = (moved(h) - moved(-h)) / (2.0 * h);
    let gradient = figures.by_rates.iter().chain(&figures.by_momenta).enumerate();
    let slope: f64 = gradient.map(|(i, g)| g * 0.1 * along(i)).sum();
    assert!((slope - difference).abs() < 1e-6 * slope.abs().max(1e-2), "{slope} {difference}");
}

#[test]
fn a_step_against_the_hypergradient_learns_better() {
    let mut lesson = Lesson::new(STEPS);
    let first = figures(&lesson);
    let mut last = first.clone();
    for _ in 0..3 {
        let slope = |g: &[f64]| g.iter().fold(0.0, |size: f64, g| size.max(g.abs()));
        let (rate, momentum) = (0.01 / slope(&last.by_rates), 0.002 / slope(&last.by_momenta));
        lesson.rates.iter_mut().zip(&last.by_rates).for_each(|(x, g)| *x -= Number::lit(rate * g));
        lesson.momenta.iter_mut().zip(&last.by_momenta).for_each(|(x, g)| *x -= Number::lit(momentum * g));
        let next = figures(&lesson);
        assert!(next.restored && next.loss < last.loss, "{} after {}", next.loss, last.loss);
        last = next;
    }
}

#[test]
fn the_buffer_holds_what_momenta_lose_and_a_tape_hundreds_of_times_as_much() {
    let lesson = Lesson::new(STEPS);
    let figures = figures(&lesson);
    let lost: f64 = lesson.momenta.iter().map(|momentum| -momentum.to_f64().log2()).sum();
    let lost = lost * figures.weights as f64;
    assert!((figures.buffer_bits - lost).abs() < 1e-3, "{} for {lost}", figures.buffer_bits);
    assert!(figures.buffer_bytes as f64 <= lost / 8.0 + 32.0);
    assert_eq!(figures.tape_bytes, STEPS * 2 * 13 * 8);
    assert!(figures.ratio() > 250.0, "{}", figures.ratio());
}

#[test]
fn floats_come_back_to_rounding_only() {
    let Lesson { weights, velocities, rates, momenta, train: (x, y), .. } = Lesson::new(STEPS).map(Number::to_f64);
    let (mut w, mut v, mut lost) = (weights.clone(), velocities.clone(), InformationBuffer::new());
    learning(&mut w, &mut v, &rates, &momenta, &mut lost, &x, &y);
    assert!(loss(&w, &x, &y) < loss(&weights, &x, &y) && lost.is_empty());
    learning::uncall(&mut w, &mut v, &rates, &momenta, &mut lost, &x, &y);
    assert_ne!(w, weights);
}
