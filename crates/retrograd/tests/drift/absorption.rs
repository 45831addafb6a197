//! A number that had digits is to have them again, however large its variable became; `#[unchecked] let` says that this does not matter.

use retrograd::attempt;
use retrograd::prelude::*;

use super::is_drift;

/// The first terms lie far below the last.
#[reversible]
fn sum_of_sines<T: Real>(x: T, step: T, n: usize) -> T {
    let mut sum = x;
    let mut y = 0.0;
    for _ in 0..n {
        y += sum.sin();
        sum += step;
    }
    y
}

#[test]
fn a_number_that_is_absorbed_is_an_error() {
    assert!(!is_drift(|| sum_of_sines::gradient(0.3, 1e6, 3)));
    for step in [1e12, 1e18, 1e40] {
        let error = attempt(|| sum_of_sines::gradient(0.3, step, 3)).unwrap_err();
        assert_eq!((&*error.variable, &*error.expected), ("sum", "0.3"), "{error}");
        assert!(is_drift(|| sum_of_sines::hessian(0.3, step, 3)));
    }
    assert!(is_drift(|| sum_of_sines::gradient(0.3_f32, 1e9, 3)));
}

#[reversible]
fn grow(v: &mut [f64; 2], size: f64) {
    for i in 0..2 {
        v[i] += size * (1.0 + i as f64);
    }
}

/// One element has digits, the other has none.
#[reversible]
fn grown_in_a_call(x: f64, size: f64) -> f64 {
    let mut v = [x, 0.0];
    let mut y = 0.0;
    for _ in 0..2 {
        y += v[0] * v[0] + v[1].cos();
        grow(&mut v, size);
    }
    y
}

#[test]
fn a_call_that_absorbs_is_an_error() {
    assert!(!is_drift(|| grown_in_a_call::gradient(1.5, 100.0)));
    let error = attempt(|| grown_in_a_call::gradient(1.5, 1e40)).unwrap_err();
    assert_eq!(&*error.variable, "v[0]", "{error}");
}

/// Large numbers, but of one size: the last digits come and go.
#[test]
fn what_keeps_its_digits_passes_at_any_size() {
    for size in [1e-30, 1.0, 1e30] {
        assert!(!is_drift(|| sum_of_sines::gradient(0.3 * size, 0.1 * size, 1000)), "{size}");
        assert!(!is_drift(|| sum_of_sines::gradient(0.0, 0.1 * size, 1000)), "{size}");
    }
}

#[reversible]
fn tolerant(x: f64, step: f64, n: usize) -> f64 {
    #[unchecked]
    let mut sum = x;
    let mut y = 0.0;
    for _ in 0..n {
        y += sum.sin();
        sum += step;
    }
    y
}

/// The sum is put back by hand, to something that it was not.
#[reversible]
fn careless(y: &mut f64, x: f64) {
    #[unchecked]
    let mut t = x;
    t += 1.0;
    *y += t * t;
    release!(t == x);
}

#[test]
fn an_unchecked_let_is_not_compared() {
    let (_, slope, _) = tolerant::gradient(0.3, 1e18, 3);
    assert!(slope.is_finite());
    assert!(tolerant::source(retrograd::Direction::Forward).contains("#[unchecked]"));
    let mut y = 0.0;
    careless(&mut y, 1.0);
    assert_eq!(y, 4.0);
    careless::uncall(&mut y, 1.0);
    assert_eq!(y, 3.0);
}
