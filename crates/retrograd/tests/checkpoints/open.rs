//! Loops that may end before any iteration: `while`, `loop`, `break` and `return` under `#[checkpoint]`, by the online schedule.

use retrograd::schedule::{Revolve, Schedule};
use retrograd::{Dual, ErrorKind, Record, attempt, prelude::*};

use super::{logistic, runs_of};

/// The same function twice: with checkpoints, and with everything recorded.
macro_rules! twice {
    ($(fn $name:ident $arguments:tt -> $value:ty { { $($before:tt)* } [$($looped:tt)*] $after:expr })*) => {$(
        mod $name {
            use super::*;

            #[reversible(record)]
            pub(super) fn kept<T: Real> $arguments -> $value {
                $($before)*
                #[checkpoint(snapshots = 3)]
                $($looped)*
                $after
            }

            #[reversible(record = "all")]
            pub(super) fn recorded<T: Real> $arguments -> $value {
                $($before)*
                $($looped)*
                $after
            }
        }
    )*};
}

twice! {
    fn conditions(x: &[T], n: usize) -> T {
        {
            let (mut y, mut i) = (x[0], 0);
        }
        [while i < n {
            y = x[1] * y * (1.0 - y) + 0.01 * i as T;
            i += 1;
        }]
        y * y
    }

    fn loops(x: &[T], n: usize) -> T {
        {
            let (mut y, mut i) = (x[0], 0);
        }
        [loop {
            if i == n {
                break;
            }
            i += 1;
            if i % 3 == 1 {
                continue;
            }
            y = (x[1] * y).sin() + 0.1 * i as T;
        }]
        y * x[2]
    }

    fn breaks(x: &[T], n: usize) -> T {
        {
            let mut y = x[0];
        }
        [for i in (0..40).rev() {
            if i + n < 40 {
                break;
            }
            y = (x[1] * y + x[2] * i as T).cos();
        }]
        y
    }

    fn breaks_behind(x: &[T], n: usize) -> T {
        {
            let mut y = x[0];
        }
        [for i in 0..40 {
            y = (x[1] * y + x[2] * i as T).cos();
            if i >= n {
                break;
            }
        }]
        y
    }

    fn returns(x: &[T], n: usize) -> T {
        {
            let mut y = x[0];
            let mut seen = T::zero();
        }
        [for i in 0..12 {
            y = x[1] * y * (1.0 - y);
            if i == n {
                return y * x[2] + seen;
            }
            seen += y;
        }]
        y * seen
    }

    fn changes_elements(x: &[T], n: usize) -> T {
        {
            let mut u = [x[0]; 9];
            let mut carry = x[1];
        }
        [for (i, v) in u.iter_mut().enumerate() {
            carry = (carry + *v).sin();
            if i == n {
                break;
            }
            *v = carry * *v;
        }]
        u[0] * u[3] + u[8] + carry
    }

    fn leaves_the_outer_loop(x: &[T], n: usize) -> T {
        {
            let mut y = x[0];
            let mut count = 0;
        }
        ['outer: while y < 50.0 {
            let mut z = y;
            for k in 0..5 {
                z = z + (x[1] * z).sin();
                count += 1;
                if count > 3 * n {
                    y = z;
                    break 'outer;
                }
                if k == 3 && count % 2 == 0 {
                    y += 0.3 * z;
                    continue 'outer;
                }
            }
            y = y + 0.1 * z * x[2];
        }]
        y
    }

    fn grows(x: &[T], n: usize) -> T {
        {
            let mut stack = vec![x[0]];
        }
        [while stack.len() <= n {
            let last = stack[stack.len() - 1];
            stack.push((last * x[1]).cos());
            if stack.len() % 4 == 3 {
                stack[0] = stack[0] * x[2];
            }
        }]
        stack[n / 2] * stack[0] + stack[stack.len() - 1]
    }

    fn linear(x: &[T], n: usize) -> T {
        {
            let (mut y, mut k) = (x[0], 0);
        }
        [while k < n {
            y += 2.0 * x[1];
            k += 1;
        }]
        y
    }

    fn named(x: &[T], n: usize) -> T {
        {
            let mut y = x[0];
            let all = 1..n + 1;
        }
        [for i in all {
            y = (y * x[1]).sin() * i as T;
        }]
        y
    }

    fn until_it_converges(x: &[T], n: usize) -> T {
        {
            let mut y = x[0];
        }
        [loop {
            let next = 0.5 * (y + x[1] / y);
            let change = (next - y).abs();
            y = next;
            if 1.0 > change * 2_usize.pow(n as u32 + 1) as T {
                break;
            }
        }]
        y * x[2]
    }
}

/// A program with checkpoints has the derivatives of the recorded one to the last bit, and those of dual numbers, which keep nothing.
macro_rules! agrees {
    ($($name:ident)*) => {$(
        for n in 0..=24 {
            let x: [f64; 3] = [0.7, 1.3, 0.9];
            let name = stringify!($name);
            let (value, gradient) = $name::kept::gradient(&x, n);
            assert_eq!((value, gradient.clone()), $name::recorded::gradient(&x, n), "{name}: {n}");
            assert_eq!((value, value), ($name::kept(&x, n), $name::recorded(&x, n)), "{name}: {n}");
            for (i, found) in gradient.into_iter().enumerate() {
                let mut seeded = x.map(|re| Dual { re, eps: [0.0] });
                seeded[i].eps = [1.0];
                let Dual { re, eps: [expected] } = $name::kept(&seeded, n);
                assert_eq!(re, value, "{name}: {n}");
                assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()), "{name}: {n}, {i}: {found} {expected}");
            }
        }
    )*};
}

#[test]
fn derivatives_are_those_of_keeping_everything() {
    agrees! {
        conditions loops breaks breaks_behind returns changes_elements leaves_the_outer_loop grows linear named until_it_converges
    }
}

#[test]
fn second_derivatives() {
    let x = [0.7, 1.3, 0.9];
    for n in [0, 1, 4, 5, 11] {
        assert_eq!(conditions::kept::hessian(&x, n), conditions::recorded::hessian(&x, n));
        assert_eq!(returns::kept::hessian(&x, n), returns::recorded::hessian(&x, n));
    }
}

#[reversible]
fn counted(x: f64, r: f64, n: usize, snapshots: usize) -> f64 {
    let (mut y, mut i) = (x, 0);
    #[checkpoint(snapshots = snapshots)]
    while i < n {
        y = logistic(y, r);
        i += 1;
    }
    y
}

#[test]
fn at_most_half_as_many_iterations_more_than_the_fewest() {
    for snapshots in [1, 2, 3, 5, 8, 12, 30] {
        for n in (0..40).chain((40..=500).step_by(23)).chain([500]) {
            let mut record = Record::new();
            let ((value, by_x, _), runs) = runs_of(|| counted::gradient_in(&mut record, 0.3, 3.7, n, snapshots));
            let fewest = Revolve::new(n, snapshots).unwrap().predicted().steps();
            assert!(2 * runs <= 3 * fewest, "{n} iterations, {snapshots} snapshots: {runs}, {fewest}");
            // A state is two numbers, and one iteration keeps as many; three say how often and with how many.
            let most = 16 * snapshots.min(n) + 48;
            assert!(
                record.peak_bytes() <= most,
                "{n} iterations, {snapshots} snapshots: {} bytes",
                record.peak_bytes()
            );
            if n % 7 == 0 {
                assert_eq!((value, by_x), (counted(0.3, 3.7, n, 1), counted::gradient(0.3, 3.7, n, n + 1).1));
            }
        }
    }
}

#[reversible]
fn within(x: &[f64], n: usize, bytes: usize) -> f64 {
    let mut u = x.to_vec();
    #[checkpoint(bytes = bytes)]
    for i in 0..60 {
        if i == n {
            break;
        }
        for j in 0..u.len() {
            u[j] = (1.5 * u[j]).sin();
        }
    }
    u[0] * u[1]
}

#[test]
fn budgets_are_kept() {
    let x = [0.3; 100];
    let state = 8 * 101;
    for n in [0, 1, 30, 60] {
        let expected = within::gradient(&x, n, 1 << 20);
        for states in 1..=6 {
            let mut record = Record::new();
            assert_eq!(within::gradient_in(&mut record, &x, n, states * state + 7), expected);
            assert!(record.peak_bytes() <= (states + 2) * state, "{states} states: {} bytes", record.peak_bytes());
        }
    }
    let (error, runs) = runs_of(|| attempt(|| counted::gradient(0.3, 3.7, 10, 0)).unwrap_err());
    assert_eq!((error.kind, runs), (ErrorKind::Budget, 0));
    assert_eq!(attempt(|| within::gradient(&x, 10, 800)).unwrap_err().kind, ErrorKind::Budget);
}

#[reversible]
fn growth<T: Real>(a: T) -> T {
    1.0 + 0.3 * a.sin()
}

/// Loops in loops, with calls, of which one gives the same in each iteration.
#[reversible(record)]
fn nested<T: Real>(x: &[T], n: usize) -> T {
    let (mut y, mut z, mut i) = (x[0], x[1], 0);
    #[checkpoint(snapshots = 2)]
    while i < n {
        #[checkpoint(snapshots = 1 + i % 3)]
        loop {
            z = (z * growth(x[2])).sin() + 0.1 * y;
            y += 0.4 * z;
            if y > i as T {
                break;
            }
        }
        #[checkpoint(snapshots = 2)]
        for k in 0..i % 5 {
            z = growth(z * x[1]) - 0.3 * k as T;
        }
        i += 1;
    }
    y * z
}

#[reversible(record)]
fn calls_it<T: Real>(x: &[T], n: usize) -> T {
    let mut product = T::one();
    for i in 1..4 {
        product = product * nested(x, n + i);
    }
    product
}

#[reversible]
fn same_call<T: Real>(x: &[T], n: usize) -> T {
    let mut y = x[0];
    #[checkpoint(snapshots = 2)]
    for _ in 0..n {
        y = (y * growth(x[1])).sin();
    }
    y * x[2]
}

#[test]
fn loops_in_loops_and_in_programs_that_are_called() {
    agrees_with_dual_numbers! { nested calls_it same_call }
}
