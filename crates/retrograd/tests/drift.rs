//! Backward runs compare what they restore with what it was, in every build.

#[path = "drift/absorption.rs"]
mod absorption;
#[path = "drift/elements.rs"]
mod elements;
#[path = "drift/witnesses.rs"]
mod witnesses;

use retrograd::lanes::{Instructions, with_instructions};
use retrograd::numbers::Fixed;
use retrograd::prelude::*;
use retrograd::{ErrorKind, Shared, attempt};

/// A pendulum with friction that is driven: after so many steps reversal has lost where it began.
#[reversible]
fn pendulum<T: Real>(friction: T, drive: T, steps: usize) -> T {
    let dt = 0.01;
    let mut x = 0.3;
    let mut v = 0.0;
    for i in 0..steps {
        v *= 1.0 - friction * dt;
        v += dt * (drive * (0.7 * dt * i as T).cos() - x.sin());
        x += dt * v;
    }
    x
}

fn is_drift<R>(run: impl FnOnce() -> R) -> bool {
    match attempt(run) {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::Drift, "{error}");
            true
        }
    }
}

#[test]
fn friction_is_undone_as_long_as_it_can_be() {
    let (_, friction, _): (f64, f64, f64) = pendulum::gradient(0.5, 1.2, 1000);
    let step = 1e-6;
    let difference: f64 = (pendulum(0.5 + step, 1.2, 1000) - pendulum(0.5 - step, 1.2, 1000)) / (2.0 * step);
    assert!((friction - difference).abs() < 1e-6, "{friction} {difference}");
    for steps in [11_000, 100_000] {
        assert!(is_drift(|| pendulum::gradient(0.5, 1.2, steps)));
        assert!(is_drift(|| pendulum::pullback((0.5, &mut 0.0), (1.2, &mut 0.0), steps, 1.0)));
        assert!(is_drift(|| pendulum::hessian(0.5, 1.2, steps)));
        assert!(is_drift(|| pendulum::hvp((0.5, &1.0), (1.2, &0.0), steps)));
    }
}

#[test]
fn the_error_says_where_and_how_far() {
    let error = attempt(|| pendulum::gradient(0.5, 1.2, 11_000)).unwrap_err();
    assert_eq!((error.function, error.file), ("pendulum", file!()));
    assert!(["let mut x = 0.3;", "let mut v = 0.0;"].contains(&error.statement), "{error}");
    assert!([19, 20].contains(&error.line), "{error}");
    let text = error.to_string();
    for part in ["a backward run did not restore", "off by ", " is allowed", "`#[record]`"] {
        assert!(text.contains(part), "{text}");
    }
}

/// A moving average: each step forgets nine tenths.
#[reversible]
fn average(x: &[f64]) -> f64 {
    let mut m = 0.0;
    let mut s = 0.0;
    for i in 0..x.len() {
        m *= 0.1;
        m += x[i] * s.cos();
        s += m * m;
    }
    s
}

#[test]
fn an_average_that_forgets_is_not_undone() {
    assert!(is_drift(|| average::gradient(&[0.5; 400])));
    assert!(!is_drift(|| average::gradient(&[0.5; 3])));
}

#[reversible]
fn product(x: &[f64]) -> f64 {
    let mut p = 1.0;
    for i in 0..x.len() {
        p *= x[i];
    }
    p
}

#[test]
fn a_product_with_a_zero_is_an_error_and_not_nan() {
    let error = attempt(|| product::gradient(&[2.0, 0.0, 3.0])).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Drift | ErrorKind::ZeroFactor), "{error}");
    assert_eq!(product::gradient(&[2.0, 4.0, 3.0]), (24.0, vec![12.0, 6.0, 8.0]));
}

/// A string that starts at rest, is plucked in the middle and swings: its field begins at zero, bit for bit.
#[reversible]
fn string(force: f64, n: usize, steps: usize) -> f64 {
    let mut u = vec![0.0; n];
    let mut v = vec![0.0; n];
    for t in 0..steps {
        if t < 10 {
            v[n / 2] += force * (0.1 * t as f64).sin();
        }
        for i in 1..n - 1 {
            v[i] += 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 0.01 * u[i] * u[i] * u[i];
        }
        for i in 0..n {
            u[i] += v[i];
        }
    }
    u[n / 3]
}

#[test]
fn fields_that_begin_at_zero_pass() {
    for steps in [10, 100, 2000] {
        assert!(!is_drift(|| string::gradient(0.3, 40, steps)), "{steps}");
    }
}

/// Sums that begin and end near zero, though what is added is large.
#[reversible]
fn balanced(x: &[f64], size: f64) -> f64 {
    let mut s = 0.0;
    let mut w = 0.0;
    for i in 0..x.len() {
        s += size * x[i];
        w += s.sin();
    }
    for i in 0..x.len() {
        s -= size * x[i];
        w -= s.sin();
    }
    s * s + w
}

#[test]
fn sums_that_return_to_zero_pass() {
    let x: Vec<f64> = (0..1000).map(|i| (i as f64 * 0.37).sin()).collect();
    for size in [1.0, 1e3] {
        let value = balanced(&x, size);
        assert!(value.is_finite());
        assert!(!is_drift(|| balanced::gradient(&x, size)), "{size}");
    }
}

/// The first statement that computes `v` need not be undone: the witness is what it left.
#[reversible]
fn started(x: f64, y: f64, steps: usize) -> f64 {
    let mut u = x;
    let mut v = x * y;
    v += y;
    for _ in 0..steps {
        v *= 0.5;
        v += y * u.cos();
        u += v * v;
    }
    v
}

#[test]
fn what_is_not_restored_is_not_compared() {
    assert!(!is_drift(|| started::gradient(1.0, 2.0, 10)));
    assert!(is_drift(|| started::gradient(1.0, 2.0, 400)));
}

#[reversible(checks = "never")]
fn unguarded(y: f64, steps: usize) -> f64 {
    let mut u = 1.0;
    let mut v = 1.0;
    for _ in 0..steps {
        v *= 0.5;
        v += y * u.cos();
        u += v * v;
    }
    v
}

#[test]
fn checks_can_be_switched_off() {
    assert!(!is_drift(|| unguarded::gradient(2.0, 400)));
}

/// The ancillas of a procedure are restored by its adjoint runs.
#[reversible]
fn relax<T: Real>(y: &mut T, rate: T, steps: usize) {
    let mut u = 1.0;
    let mut v = 1.0;
    for _ in 0..steps {
        v *= 1.0 - rate;
        v += rate * u.cos();
        u += v * v;
    }
    *y += v * v;
}

#[test]
fn procedures_check_their_locals() {
    let run = |steps| relax::pullback((&mut 0.0, &mut 1.0), (0.5, &mut 0.0), steps);
    assert!(!is_drift(|| run(5)));
    assert!(is_drift(|| run(400)));
    let back = |steps| relax::unpullback((&mut 0.0, &mut 1.0), (0.5, &mut 0.0), steps);
    assert!(!is_drift(|| back(5)));
    assert!(is_drift(|| back(400)));
}

/// Forgets what it was, the faster the smaller the rate is.
#[reversible]
#[inline(always)]
fn forget<T: Real>(push: &Shared<T>, rate: T) -> T {
    let mut u = [1.0, 0.5];
    let mut s = 0.0;
    for _ in 0..20 {
        u[1] *= rate;
        u[1] += u[0].cos();
        u[0] += push.spread() * s.sin();
        s += u[1] * u[1];
    }
    s
}

/// Any lane fails all, and the error says which.
#[test]
fn lanes_are_compared_one_by_one() {
    let mut rates = [0.9; 64];
    assert!(!is_drift(|| forget::gradient_over(&1.0, &rates)));
    rates[37] = 0.1;
    for instructions in Instructions::ALL.into_iter().filter(|instructions| instructions.are_available()) {
        let run = || attempt(|| forget::gradient_over(&1.0, &rates)).unwrap_err();
        let error = with_instructions(instructions, run).unwrap();
        assert_eq!(error.kind, ErrorKind::Drift);
        // That of the point, in two lanes or four, or in more; without registers points run one by one.
        let lanes = ["u[0][1]", "u[1][1]", "u[0][5]", "u[1][5]", "u[0]", "u[1]"];
        let lanes = if instructions == Instructions::Baseline { &lanes[..] } else { &lanes[..4] };
        assert!(lanes.contains(&&*error.variable), "{error}");
    }
}

#[derive(Active, Clone, Debug)]
struct Body<T> {
    x: T,
    v: T,
}

#[reversible]
fn body<T: Real>(start: &Body<T>, friction: T, steps: usize) -> T {
    let mut body = start.clone();
    for _ in 0..steps {
        body.v *= 1.0 - friction;
        body.v += 0.05 - 0.1 * body.x.sin();
        body.x += 0.1 * body.v;
    }
    body.x
}

#[test]
fn structs_are_compared_number_by_number() {
    let start = Body { x: 1.0, v: 0.0 };
    assert!(!is_drift(|| body::gradient(&start, 0.1, 50)));
    let error = attempt(|| body::gradient(&start, 0.1, 2000)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Drift);
    assert!(error.variable.starts_with("body["), "{error}");
}

/// Integers are exact, and so are fixed-point numbers.
#[reversible]
fn counted(x: f64, steps: usize) -> f64 {
    let mut k = 0;
    let mut y = x;
    let mut z = x;
    while (k < steps, k > 0) {
        y += 0.1 * z.sin();
        z -= 0.1 * y;
        k += 1;
    }
    y
}

#[test]
fn exact_types_come_back() {
    assert!(!is_drift(|| counted::gradient(1.0, 100)));
    let fixed = <Fixed<32> as Real>::lit;
    assert!(!is_drift(|| balance::gradient(&[fixed(0.3), fixed(1.7)])));
}

#[reversible]
fn balance<T: Real>(x: &[T]) -> T {
    let mut s = 0.0;
    let mut c = 1.0;
    for i in 0..x.len() {
        s += x[i] * c.cos() + x[i];
        c += s * x[i];
    }
    s
}
