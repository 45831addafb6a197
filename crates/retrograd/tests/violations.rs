//! A run that violates a condition says which, where and by how much, and leaves the state as it was there.
#![cfg(debug_assertions)]

use retrograd::check::{Tolerance, check_inverse, with_tolerance};
use retrograd::prelude::*;
use retrograd::{ErrorKind, InvertibilityError, attempt};

#[reversible]
fn wrong_postcondition(x: &mut i64, y: &mut i64) {
    *y += 1;
    if (*x > 0, *x > 10) {
        *x += 1;
    }
    *y += 1;
}

#[test]
fn an_error_says_function_place_statement_and_values() {
    let (mut x, mut y) = (5, 0);
    let error = attempt(|| wrong_postcondition(&mut x, &mut y)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Postcondition);
    assert_eq!(error.function, "wrong_postcondition");
    assert!(error.file.ends_with("violations.rs"), "{}", error.file);
    assert_eq!((error.line, error.column), (line!() - 13, 5));
    assert_eq!(error.statement, "if (*x > 0, *x > 10)");
    assert_eq!((&*error.variable, &*error.expected, &*error.actual), ("*x > 10", "true", "false"));
    // The state is the one at the failing statement.
    assert_eq!((x, y), (6, 1));
    let text = error.to_string();
    assert!(text.contains("wrong_postcondition") && text.contains("if (*x > 0, *x > 10)"), "{text}");
}

#[reversible]
fn wrong_turn(k: &mut i64) {
    while (*k < 3, *k > 1) {
        *k += 1;
    }
}

#[reversible]
fn wrong_release(x: &mut f64) {
    let mut t = 0.0;
    t += *x;
    release!(t == 1.0);
}

#[reversible]
fn scale(x: &mut f64, c: f64) {
    *x *= c;
}

#[reversible]
fn divide(k: &mut i32, d: i32) {
    *k /= d;
}

#[reversible]
fn multiply(k: &mut i32, d: i32) {
    *k *= d;
}

#[reversible]
fn logarithm(x: &mut f64) {
    *x = x.ln();
}

#[reversible]
fn neighbours(x: &mut [f64], i: usize, j: usize) {
    x[i] += x[j];
}

#[reversible]
fn turned(x: &mut [f64], i: usize, j: usize) {
    rotate(&mut x[i], &mut x[j], 0.5);
}

#[reversible]
fn read_elsewhere(x: &mut [f64], i: usize, j: usize, y: &mut f64) {
    let a = x[i];
    x[j] += 1.0;
    *y += a;
}

#[reversible]
fn from_slice(y: &mut f64, x: &mut [f64], i: usize, j: usize) {
    scale(&mut x[i], x[j]);
    *y += x[i];
}

fn kind(run: impl FnOnce()) -> ErrorKind {
    attempt(run).unwrap_err().kind
}

#[test]
fn every_check_catches_its_violation() {
    assert_eq!(kind(|| wrong_turn(&mut 0)), ErrorKind::LoopTurn);
    assert_eq!(kind(|| wrong_turn(&mut 2)), ErrorKind::LoopEntry);
    assert_eq!(kind(|| wrong_release(&mut 2.0)), ErrorKind::Released);
    assert_eq!(kind(|| wrong_release::uncall(&mut 2.0)), ErrorKind::Released);
    assert_eq!(kind(|| scale(&mut 1.0, 0.0)), ErrorKind::ZeroFactor);
    assert_eq!(kind(|| scale::uncall(&mut 1.0, f64::NAN)), ErrorKind::ZeroFactor);
    assert_eq!(kind(|| divide(&mut 7, 2)), ErrorKind::LossyInteger);
    assert_eq!(kind(|| divide(&mut 7, 0)), ErrorKind::LossyInteger);
    assert_eq!(kind(|| multiply(&mut { i32::MAX }, 2)), ErrorKind::LossyInteger);
    assert_eq!(kind(|| logarithm(&mut -1.0)), ErrorKind::RoundTrip);
    assert_eq!(kind(|| logarithm::uncall(&mut 1e9)), ErrorKind::RoundTrip);
    assert_eq!(kind(|| neighbours(&mut [1.0, 2.0], 1, 1)), ErrorKind::EqualIndices);
    assert_eq!(kind(|| turned(&mut [1.0, 2.0], 1, 1)), ErrorKind::EqualIndices);
    assert_eq!(kind(|| read_elsewhere(&mut [1.0, 2.0], 1, 1, &mut 0.0)), ErrorKind::EqualIndices);
    assert_eq!(kind(|| from_slice(&mut 0.0, &mut [1.0, 2.0], 1, 1)), ErrorKind::EqualIndices);
    read_elsewhere(&mut [1.0, 2.0], 0, 1, &mut 0.0);
    wrong_release(&mut 1.0);
}

#[test]
fn other_panics_stay_panics() {
    let out_of_bounds = std::panic::catch_unwind(|| attempt(|| neighbours(&mut [1.0], 5, 0)));
    assert!(out_of_bounds.is_err());
}

#[test]
fn nan_never_passes_and_tolerances_can_be_set() {
    assert_eq!(kind(|| wrong_release(&mut { f64::NAN })), ErrorKind::Released);
    let mut nearly = 1.001;
    assert!(attempt(|| wrong_release(&mut nearly)).is_err());
    with_tolerance(Tolerance { relative: 1e-2, absolute: 0.0 }, || wrong_release(&mut nearly));
}

#[reversible]
fn loses(x: &mut f64) {
    *x += 1e20;
}

#[test]
fn check_inverse_reports_what_did_not_return() {
    let failed = check_inverse(&vec![1.0], |x: &mut Vec<f64>| loses(&mut x[0]), |x| loses::uncall(&mut x[0]));
    let text = failed.unwrap_err().to_string();
    assert!(text.contains("[0]"), "{text}");
}

#[test]
fn the_payload_of_the_panic_is_the_error() {
    let payload = std::panic::catch_unwind(|| attempt(|| ()).and_then(|()| attempt(|| wrong_turn(&mut 0)))).unwrap();
    assert!(payload.is_err());
    let payload = std::panic::catch_unwind(|| scale(&mut 1.0, 0.0)).unwrap_err();
    assert!(payload.downcast_ref::<InvertibilityError>().is_some());
}

#[test]
fn empty_things_are_defined() {
    neighbours_of_nothing(&mut []);
    neighbours_of_nothing::uncall(&mut []);
    let mut stack = Stack::<i32>::new();
    assert_eq!(kind(|| stack.pop(&mut 0)), ErrorKind::EmptyStack);
    let mut slots = Slots::<u8, f64>::new();
    assert_eq!(kind(|| slots.free(1)), ErrorKind::MissingKey);
    slots.allocate(1);
    assert_eq!(kind(|| slots.allocate(1)), ErrorKind::OccupiedKey);
    let mut a = [1, 2, 3];
    swapped(&mut a, 1, 1);
    assert_eq!(a, [1, 2, 3]);
}

#[reversible]
fn neighbours_of_nothing(x: &mut [f64]) {
    for i in 1..x.len() {
        x[i] += x[i - 1];
    }
    for i in (5..x.len()).step_by(3) {
        x[i] = -x[i];
    }
    x.reverse();
}

#[reversible]
fn swapped(a: &mut [i32], i: usize, j: usize) {
    a.swap(i, j);
}
