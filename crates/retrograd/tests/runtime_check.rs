//! Laws of tolerances, of comparison, and of catching errors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use proptest::prelude::*;
use retrograd::check::{Tolerance, check_inverse, mismatches, with_tolerance};
use retrograd::{ErrorKind, InvertibilityError, Stack, attempt};

const COARSE: Tolerance = Tolerance { relative: 0.1, absolute: 0.0 };

fn fail() {
    Stack::<i32>::new().pop(&mut 0);
}

fn same(expected: f64, actual: f64) -> bool {
    mismatches(&expected, &actual).is_empty()
}

#[test]
fn a_tolerance_holds_for_its_scope() {
    assert!(!same(1.0, 1.05));
    with_tolerance(COARSE, || {
        assert!(same(1.0, 1.05));
        with_tolerance(Tolerance::EXACT, || assert!(!same(1.0, 1.0 + 1e-15)));
        assert!(same(1.0, 1.05));
    });
    assert!(!same(1.0, 1.05));
}

#[test]
fn a_tolerance_ends_with_a_panic_too() {
    let panicked = catch_unwind(|| with_tolerance(COARSE, || panic!("as expected")));
    assert!(panicked.is_err());
    assert_eq!(Tolerance::current(), Tolerance::default());
    assert!(attempt(|| with_tolerance(COARSE, fail)).is_err());
    assert_eq!(Tolerance::current(), Tolerance::default());
}

#[test]
fn a_tolerance_is_that_of_its_thread() {
    with_tolerance(COARSE, || {
        let elsewhere = std::thread::spawn(Tolerance::current).join().unwrap();
        assert_eq!((Tolerance::current(), elsewhere), (COARSE, Tolerance::default()));
    });
}

#[test]
#[cfg(debug_assertions)]
fn checks_of_the_library_use_the_tolerance() {
    let mut x = 1e-3;
    let mut stack = Stack::from(vec![5.0]);
    assert_eq!(attempt(|| stack.pop(&mut x)).unwrap_err().kind, ErrorKind::StackTarget);
    with_tolerance(Tolerance { relative: 0.0, absolute: 1e-2 }, || stack.pop(&mut x));
    assert_eq!(x, 5.0);
}

#[test]
fn the_innermost_attempt_gets_the_error() {
    let outer = attempt(|| {
        let inner = attempt(fail);
        assert_eq!(inner.unwrap_err().kind, ErrorKind::EmptyStack);
        "went on"
    });
    assert_eq!(outer, Ok("went on"));
    let outer = attempt(|| {
        attempt(|| ()).unwrap();
        fail();
    });
    assert_eq!(outer.unwrap_err().kind, ErrorKind::EmptyStack);
}

#[test]
fn other_panics_pass_through_every_attempt() {
    let nested = || attempt(|| attempt(|| panic!("not mine")).is_ok()).is_ok();
    let payload = catch_unwind(nested).unwrap_err();
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"not mine"));
    assert!(attempt(fail).is_err());
}

#[test]
fn catch_unwind_sees_the_error_itself() {
    let payload = catch_unwind(AssertUnwindSafe(fail)).unwrap_err();
    let error = payload.downcast_ref::<InvertibilityError>().unwrap();
    assert_eq!((error.kind, error.file), (ErrorKind::EmptyStack, file!()));
}

/// Not a test by itself: the next one runs it in a process of its own and reads what it prints.
#[test]
fn prints_one_message_when_asked() {
    if std::env::var_os("RETROGRAD_PRINT_AN_ERROR").is_some() {
        assert!(attempt(fail).is_err());
        eprintln!("-- after the attempt --");
        fail();
    }
}

#[test]
fn an_error_prints_as_a_panic_does_but_not_in_an_attempt() {
    let run = |backtrace| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "prints_one_message_when_asked", "--nocapture"])
            .env("RETROGRAD_PRINT_AN_ERROR", "1")
            .env("RUST_BACKTRACE", backtrace)
            .output()
            .unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let printed = run("0");
    let (before, after) = printed.split_once("-- after the attempt --").unwrap();
    assert!(!before.contains("panicked"), "{printed}");
    assert!(after.contains("thread 'prints_one_message_when_asked' panicked at "), "{printed}");
    assert!(after.contains("runtime_check.rs:"), "{printed}");
    assert!(after.contains("a value is popped from an empty stack\n  in `Stack::pop`"), "{printed}");
    assert!(after.contains("note: run with `RUST_BACKTRACE=1`"), "{printed}");
    assert!(run("1").contains("stack backtrace:\n"));
}

#[test]
fn nan_is_never_restored() {
    let result = check_inverse(&[1.0, f64::NAN], |_| {}, |_| {});
    assert!(result.unwrap_err().to_string().ends_with("[1]: expected NaN, found NaN"));
}

proptest! {
    #[test]
    fn comparison_is_symmetric_and_reflexive(a: f64, b: f64) {
        prop_assert_eq!(same(a, b), same(b, a));
        prop_assert_eq!(same(a, a), !a.is_nan());
    }

    #[test]
    fn a_wider_tolerance_lets_more_pass(
        a in -9.0..9.0, b in -9.0..9.0, r in 0.0..0.5, t in 0.0..0.5, more in 1.0..4.0,
    ) {
        let narrow = Tolerance { relative: r, absolute: t };
        let wide = Tolerance { relative: r * more, absolute: t * more };
        prop_assert!(!narrow.allows(a, b) || wide.allows(a, b));
        prop_assert_eq!(Tolerance::EXACT.allows(a, b), a == b);
    }

    #[test]
    fn every_changed_place_is_found(v in prop::collection::vec(any::<(u8, bool)>(), 0..30)) {
        let before: Vec<u8> = v.iter().map(|(value, _)| *value).collect();
        let change = |state: &mut Vec<u8>| {
            for (value, (_, changed)) in state.iter_mut().zip(&v) {
                *value = value.wrapping_add(u8::from(*changed));
            }
        };
        let mut after = before.clone();
        change(&mut after);
        let found: Vec<String> = mismatches(&before, &after).into_iter().map(|m| m.path).collect();
        let changed = v.iter().enumerate().filter(|(_, (_, changed))| *changed);
        let expected: Vec<String> = changed.map(|(index, _)| format!("[{index}]")).collect();
        prop_assert_eq!(found, expected);
    }
}
