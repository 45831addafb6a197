//! Loops of which a few states are kept: `#[checkpoint]` gives the derivatives that keeping everything gives, with as many iterations and
//! states as Revolve needs.

use std::cell::Cell;

use retrograd::schedule::{Revolve, Schedule};
use retrograd::{Dual, ErrorKind, Record, attempt, prelude::*};

thread_local! {
    static RUNS: Cell<u64> = const { Cell::new(0) };
}

/// How often something runs.
fn runs_of<R>(run: impl FnOnce() -> R) -> (R, u64) {
    RUNS.set(0);
    (run(), RUNS.get())
}

#[primitive(d_x = r * (1.0 - 2.0 * x), d_r = x * (1.0 - x))]
fn logistic(x: f64, r: f64) -> f64 {
    RUNS.set(RUNS.get() + 1);
    r * x * (1.0 - x)
}

/// The same function twice: with checkpoints, and recorded.
macro_rules! twice {
    ($(fn $name:ident $arguments:tt -> $value:ty { { $($before:tt)* } for ($($head:tt)*) $body:tt $after:expr })*) => {$(
        mod $name {
            use super::*;

            #[reversible]
            pub(super) fn kept<T: Real> $arguments -> $value {
                $($before)*
                #[checkpoint(snapshots = 3)]
                for $($head)* $body
                $after
            }

            #[reversible(record)]
            pub(super) fn recorded<T: Real> $arguments -> $value {
                $($before)*
                for $($head)* $body
                $after
            }
        }
    )*};
}

twice! {
    fn scalars(x: T, r: T, n: usize) -> T {
        {
            let mut y = x;
            let mut sum = T::zero();
        }
        for (i in 0..n) {
            y = r * y * (1.0 - y);
            if i % 3 == 1 {
                continue;
            }
            sum += y * i as T;
        }
        sum * y
    }

    fn backwards(x: T, r: T, n: usize) -> T {
        {
            let mut y = x;
        }
        for (i in (1..=n).rev().step_by(2)) {
            y = (r * y).sin() + i as T;
        }
        y
    }

    fn arrays(x: &[T], n: usize) -> T {
        {
            let mut u = x.to_vec();
            let mut next = vec![T::zero(); x.len()];
        }
        for (_ in 0..n) {
            for j in 1..u.len() - 1 {
                next[j] = u[j] + 0.3 * (u[j - 1] - 2.0 * u[j] + u[j + 1]) * u[j].cos();
            }
            u.copy_from_slice(&next);
        }
        u[1] * u[2] + u[4]
    }

    fn elements(x: &[T], start: T) -> T {
        {
            let mut y = start;
        }
        for ((i, v) in x.iter().enumerate()) {
            y = (y * *v + i as T).sin();
        }
        y
    }

    fn pairs(x: &[T], w: &[T], start: T) -> T {
        {
            let mut y = start;
        }
        for ((v, w) in x.iter().zip(w.iter())) {
            let step = (y * *v).sin();
            y = step + *w * y;
        }
        y
    }

    fn a_slice_itself(x: &[T], start: T) -> T {
        {
            let mut y = start;
        }
        for (v in x) {
            y = (y * *v).sin() + *v;
        }
        y
    }

    fn a_slice_beside_a_vector(x: &[T], w: &Vec<T>, start: T) -> T {
        {
            let mut y = start;
        }
        for ((v, (i, w)) in x.iter().zip(w.iter().enumerate()).rev()) {
            y = (y * *v).sin() + *w * i as T;
        }
        y
    }

    fn beside_a_slice(x: &[T], w: &[T], start: T) -> T {
        {
            let mut y = start;
        }
        for ((v, w) in x.iter().zip(w)) {
            y = (y * *v).sin() + *w;
        }
        y
    }

    fn neighbours(x: &[T], start: T, n: usize) -> T {
        {
            let mut y = start;
        }
        for (w in x.windows(n)) {
            y = (y * w[0]).sin() + w[n - 1];
        }
        y
    }

    fn indices(x: &[T], order: &[usize], start: T) -> T {
        {
            let mut y = start;
        }
        for (&i in order) {
            y = (y * x[i]).sin() + x[0];
        }
        y
    }

    fn branches(x: T, r: T, n: usize) -> T {
        {
            let mut y = x;
        }
        for (i in 0..n) {
            if y > 0.5 {
                y = r * y * (1.0 - y);
            } else {
                let mut k = 0;
                while k < i % 4 {
                    y = 0.9 * y + 0.05 * r;
                    k += 1;
                }
            }
        }
        y
    }
}

/// All derivatives of a program with checkpoints are those of the recorded one.
macro_rules! agrees {
    ($name:ident, $($argument:expr),*) => {
        assert_eq!($name::kept::gradient($($argument),*), $name::recorded::gradient($($argument),*));
        assert_eq!($name::kept::<f64>($($argument),*), $name::recorded::<f64>($($argument),*));
    };
}

#[test]
fn derivatives_are_those_of_keeping_everything() {
    let x: Vec<f64> = (0..9).map(|i| 0.3 + 0.07 * i as f64).collect();
    for n in 0..=23 {
        agrees!(scalars, 0.3, 3.7, n);
        agrees!(backwards, 0.3, 1.2, n);
        agrees!(arrays, &x, n);
        agrees!(branches, 0.3, 3.7, n);
    }
    for n in 0..=x.len() {
        agrees!(elements, &x[..n], 0.4);
        agrees!(pairs, &x[..n], &x[1.min(n)..n], 0.4);
        agrees!(a_slice_itself, &x[..n], 0.4);
        agrees!(a_slice_beside_a_vector, &x[..n], &x[..n].to_vec(), 0.4);
        agrees!(beside_a_slice, &x[..n], &x[1.min(n)..n], 0.4);
        agrees!(neighbours, &x[..n], 0.4, 3);
        agrees!(indices, &x, &[3, 0, 8, 1, 1, 5, 2, 7, 4][..n], 0.4);
    }
}

#[test]
fn second_derivatives_go_through_checkpoints() {
    assert_eq!(scalars::kept::hessian(0.3, 3.7, 11), scalars::recorded::hessian(0.3, 3.7, 11));
    let direction = 0.5;
    assert_eq!(
        backwards::kept::hvp((0.3, &direction), (1.2, &1.0), 12),
        backwards::recorded::hvp((0.3, &direction), (1.2, &1.0), 12)
    );
}

#[reversible]
fn counted(x: f64, r: f64, n: usize, snapshots: usize) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = snapshots)]
    for _ in 0..n {
        y = logistic(y, r);
    }
    y
}

#[test]
fn iterations_are_run_as_often_as_revolve_says() {
    for (n, snapshots) in (0..=60).flat_map(|n| (1..=12).map(move |s| (n, s))) {
        let mut record = Record::new();
        let ((value, by_x, _), runs) = runs_of(|| counted::gradient_in(&mut record, 0.3, 3.7, n, snapshots));
        let schedule = Revolve::new(n, snapshots).unwrap().predicted();
        assert_eq!(runs, schedule.steps(), "{n} iterations, {snapshots} snapshots");
        // A state is one number, and so is what one iteration keeps; two numbers say how often and with how many.
        let most = 8 * (schedule.peak + 4);
        assert!(record.peak_bytes() <= most, "{n} iterations, {snapshots} snapshots: {} bytes", record.peak_bytes());
        assert_eq!((value, by_x), (counted(0.3, 3.7, n, 1), counted::gradient(0.3, 3.7, n, n + 1).1));
    }
}

#[reversible]
fn within(x: &[f64], n: usize, bytes: usize) -> f64 {
    let mut u = x.to_vec();
    #[checkpoint(bytes = bytes)]
    for _ in 0..n {
        for j in 0..u.len() {
            u[j] = (1.5 * u[j]).sin();
        }
    }
    u[0] * u[1]
}

#[test]
fn a_budget_of_bytes_is_kept() {
    let x = [0.3; 100];
    let expected = within::gradient(&x, 60, 1 << 20);
    let state = 8 * 101;
    for states in 1..=10 {
        let mut record = Record::new();
        assert_eq!(within::gradient_in(&mut record, &x, 60, states * state + 7), expected);
        // Beside the states there is what one iteration keeps.
        assert!(record.peak_bytes() <= (states + 2) * state, "{states} states: {} bytes", record.peak_bytes());
    }
}

#[test]
fn a_budget_without_room_for_a_state_is_an_error_before_anything_is_run() {
    let (error, runs) = runs_of(|| attempt(|| counted::gradient(0.3, 3.7, 10, 0)).unwrap_err());
    assert_eq!((error.kind, runs), (ErrorKind::Budget, 0));
    assert!(error.to_string().contains("at least the first state has to be kept"));
    assert_eq!(attempt(|| within::gradient(&[0.3; 100], 10, 800)).unwrap_err().kind, ErrorKind::Budget);
    // The program itself keeps nothing.
    assert_eq!(counted(0.3, 3.7, 10, 0), counted(0.3, 3.7, 10, 1));
}

#[derive(Active, Clone)]
struct Body<T> {
    x: [T; 2],
    v: [T; 2],
}

#[reversible(record)]
fn kick<T: Real>(body: &mut Body<T>, drag: T) {
    for k in 0..2 {
        body.v[k] = (1.0 - drag) * body.v[k] - 0.1 * body.x[k].sin();
        body.x[k] += 0.1 * body.v[k];
    }
}

#[reversible(record)]
fn energy<T: Real>(body: &Body<T>) -> T {
    body.x[0] * body.x[0] + body.v[1] * body.v[1]
}

#[reversible(record)]
fn nested<T: Real>(start: &Body<T>, drag: T, outer: usize, inner: usize) -> T {
    let mut body = start.clone();
    let mut sum = T::zero();
    #[checkpoint(snapshots = 2)]
    for i in 0..outer {
        #[checkpoint(snapshots = 1 + i % 3)]
        for _ in 0..inner {
            kick(&mut body, drag);
        }
        sum += energy(&body);
    }
    sum
}

#[reversible(record)]
fn straight<T: Real>(start: &Body<T>, drag: T, outer: usize, inner: usize) -> T {
    let mut body = start.clone();
    let mut sum = T::zero();
    for _ in 0..outer {
        for _ in 0..inner {
            kick(&mut body, drag);
        }
        sum += energy(&body);
    }
    sum
}

/// What calls it keeps what it keeps, at any depth.
#[reversible(record)]
fn calls_it<T: Real>(start: &Body<T>, drag: T) -> T {
    let mut product = T::one();
    for i in 1..4 {
        product = product * nested(start, drag * i as T, i, 5);
    }
    product
}

#[reversible(record)]
fn calls_straight<T: Real>(start: &Body<T>, drag: T) -> T {
    let mut product = T::one();
    for i in 1..4 {
        product = product * straight(start, drag * i as T, i, 5);
    }
    product
}

#[test]
fn loops_in_loops_and_in_programs_that_are_called() {
    let start = Body { x: [0.3, -0.2], v: [1.0, 0.4] };
    // What is recorded undoes `+=` by subtraction, which rounds.
    let agree = |kept: (f64, Body<f64>, f64), recorded: (f64, Body<f64>, f64)| {
        assert_eq!(kept.0, recorded.0);
        let [kept, recorded] = [kept, recorded].map(|(_, body, drag)| [body.flatten(), vec![drag]].concat());
        for (a, b) in kept.into_iter().zip(recorded) {
            assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} {b}");
        }
    };
    for (outer, inner) in [(0, 3), (1, 1), (3, 0), (5, 7), (8, 4)] {
        agree(nested::gradient(&start, 0.05, outer, inner), straight::gradient(&start, 0.05, outer, inner));
    }
    agree(calls_it::gradient(&start, 0.05), calls_straight::gradient(&start, 0.05));
}

/// A body that could be reversed is not: what contracts is restored from the states that are kept.
#[reversible]
fn friction(x: f64, friction: f64, steps: usize) -> f64 {
    let (mut x, mut v) = (x, 0.5);
    #[checkpoint(snapshots = 20)]
    for i in 0..steps {
        v *= 1.0 - 0.01 * friction;
        v += 0.01 * ((0.007 * i as f64).cos() - x.sin());
        x += 0.01 * v;
    }
    x
}

#[test]
fn contracting_loops_do_not_drift() {
    let (h, steps) = (1e-6, 20_000);
    let (_, by_x, by_friction) = friction::gradient(0.3, 0.7, steps);
    let central = |a: f64, b: f64| (a - b) / (2.0 * h);
    let expected_x = central(friction(0.3 + h, 0.7, steps), friction(0.3 - h, 0.7, steps));
    let expected = central(friction(0.3, 0.7 + h, steps), friction(0.3, 0.7 - h, steps));
    assert!((by_x - expected_x).abs() < 1e-6, "{by_x} {expected_x}");
    assert!((by_friction - expected).abs() < 1e-6, "{by_friction} {expected}");
}

#[test]
fn the_text_shows_the_schedule() {
    let text = counted::source(Direction::Forward);
    assert!(text.contains("#[checkpoint(snapshots = "), "{text}");
    let text = counted::source(Direction::Pullback);
    assert!(text.contains("while next(plan") && text.contains("part(plan"), "{text}");
}

#[reversible]
fn changes_its_head<T: Real>(x: &[T], n: usize) -> T {
    let (mut y, mut n) = (x[0], n);
    #[checkpoint(snapshots = 1 + n / 3)]
    for i in 0..2 * n {
        y = (y * x[1]).sin();
        n += i;
    }
    y * n as T
}

/// The head is read once, although the loop runs in parts.
#[reversible]
fn shortens_its_head<T: Real>(x: &[T], n: usize) -> T {
    let (mut y, mut n) = (x[0], n);
    #[checkpoint(snapshots = 2)]
    for i in 0..n / 2 {
        y = (y * x[1]).sin() + i as T;
        n -= 1;
    }
    y + n as T
}

#[reversible]
fn grows_and_shrinks<T: Real>(x: &[T], n: usize) -> T {
    let mut stack = vec![x[0]];
    let mut sum = T::zero();
    #[checkpoint(snapshots = 2)]
    for i in 0..n {
        if i % 3 == 2 {
            let top = stack.pop().unwrap();
            sum += top * top;
        } else {
            let last = stack[stack.len() - 1];
            stack.push((last * x[1]).cos());
        }
    }
    for v in stack.iter() {
        sum += *v;
    }
    sum
}

#[reversible]
fn permutes<T: Real>(x: &[T], n: usize) -> T {
    let mut u = x.to_vec();
    #[checkpoint(snapshots = 2)]
    for k in 0..n {
        for v in u.iter_mut() {
            *v = (*v * 1.1).sin();
        }
        u.swap(0, k % 3);
        u[1] *= u[2];
    }
    u[0] + 2.0 * u[1] + 3.0 * u[2]
}

#[reversible]
fn changes_elements<T: Real>(x: &[T], snapshots: usize) -> T {
    let mut u = x.to_vec();
    let mut carry = x[0];
    #[checkpoint(snapshots = 1 + snapshots)]
    for v in u.iter_mut() {
        carry = (carry + *v).sin();
        *v = carry * *v;
    }
    u[0] * u[x.len() - 1] + carry
}

#[reversible]
fn over_chunks<T: Real>(x: &[T], snapshots: usize) -> T {
    let mut carry = x[0];
    #[checkpoint(snapshots = 1 + snapshots)]
    for (i, c) in x.chunks_exact(2).enumerate().rev() {
        carry = (carry * c[0] + c[1]).sin() + i as T;
    }
    carry
}

#[reversible(record)]
fn in_a_loop_that_ends_somewhere<T: Real>(x: &[T], n: usize) -> T {
    let (mut y, mut z) = (x[0], x[1]);
    while y < 3.0 {
        #[checkpoint(snapshots = 2)]
        for i in 0..n {
            let w = z * y;
            z = w.sin();
            if z > 0.3 {
                y += 0.1 * z;
                continue;
            }
            for j in 0..i {
                z = z + 0.01 * j as T * y;
            }
        }
        y += 0.5;
    }
    if y > 100.0 {
        return z;
    }
    y * z
}

/// Dual numbers go through a program forwards, and keep nothing.
macro_rules! agrees_with_dual_numbers {
    ($($name:ident)*) => {$(
        for n in 0..14 {
            let x: [f64; 4] = [0.7, 0.6, 0.9, 0.4];
            let (value, gradient) = $name::gradient(&x, n);
            for (i, found) in gradient.into_iter().enumerate() {
                let mut seeded = x.map(|re| Dual { re, eps: [0.0] });
                seeded[i].eps = [1.0];
                let Dual { re, eps: [expected] } = $name(&seeded, n);
                assert_eq!(re, value, "{}: {n}", stringify!($name));
                let tolerance = 1e-11 * (1.0 + expected.abs());
                assert!((found - expected).abs() <= tolerance, "{}: {n}, {i}: {found} {expected}", stringify!($name));
            }
        }
    )*};
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    agrees_with_dual_numbers! {
        changes_its_head shortens_its_head grows_and_shrinks permutes changes_elements over_chunks in_a_loop_that_ends_somewhere
    }
}

#[path = "checkpoints/open.rs"]
mod open;

/// Something is kept in front of a loop that may have no iterations.
#[reversible(record)]
fn behind_a_value(x: f64, y: f64, n: usize) -> f64 {
    let mut a = x * y;
    let mut b = x;
    b *= b * y;
    let mut k = 0;
    #[checkpoint(snapshots = 2)]
    while k < n {
        k += 1;
        a = a.cos() * y;
    }
    a * a * b
}

/// The same loop inside of another one, and in a program that records a statement only.
#[reversible(record)]
fn inside_of_a_loop(x: f64, y: f64, n: usize) -> f64 {
    let mut a = x * y;
    for i in 0..3 {
        let mut k = i;
        #[checkpoint(snapshots = 2)]
        while k < n {
            k += 1;
            a = a.sin() + y;
        }
        a = a * a;
    }
    a
}

#[reversible(record)]
fn left_at_once(x: f64, y: f64, n: usize) -> f64 {
    let mut a = x * y;
    a *= a * x;
    let mut k = 0;
    #[checkpoint(snapshots = 1)]
    loop {
        if k >= n {
            break;
        }
        k += 1;
        a = a.sin() * y;
    }
    a * a
}

#[test]
fn a_loop_without_iterations_keeps_no_state() {
    let (x, y) = (0.7, 1.3);
    for n in 0..8 {
        for (name, gradient, forwards) in [
            (
                "behind",
                behind_a_value::gradient as fn(f64, f64, usize) -> (f64, f64, f64),
                [
                    behind_a_value::pushforward((x, 1.0), (y, 0.0), n).1,
                    behind_a_value::pushforward((x, 0.0), (y, 1.0), n).1,
                ],
            ),
            (
                "inside",
                inside_of_a_loop::gradient,
                [
                    inside_of_a_loop::pushforward((x, 1.0), (y, 0.0), n).1,
                    inside_of_a_loop::pushforward((x, 0.0), (y, 1.0), n).1,
                ],
            ),
            (
                "left",
                left_at_once::gradient,
                [
                    left_at_once::pushforward((x, 1.0), (y, 0.0), n).1,
                    left_at_once::pushforward((x, 0.0), (y, 1.0), n).1,
                ],
            ),
        ] {
            let (_, by_x, by_y) = gradient(x, y, n);
            let apart = (by_x - forwards[0]).abs().max((by_y - forwards[1]).abs());
            assert!(apart <= 1e-12 * (1.0 + by_x.abs()), "{name}, {n} iterations: {by_x}, {by_y}, {forwards:?}");
        }
    }
}
