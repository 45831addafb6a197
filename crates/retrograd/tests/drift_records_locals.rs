//! Recorded programs compare their locals with what they began with, whatever that is made of: what absorbs them is an error, and never
//! another derivative.

use retrograd::prelude::*;
use retrograd::{ErrorKind, Record, attempt};

#[derive(Clone, Active)]
struct Pair {
    a: f64,
    b: f64,
}

#[reversible(record)]
fn square(x: f64) -> f64 {
    x * x
}

#[reversible(record)]
fn in_an_array(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = [x[0], x[1]];
    let mut s = 0.0;
    s += t[0].sin();
    t[0] += large;
    s + t[0] * 1e-30
}

#[reversible(record)]
fn in_nested_arrays(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = [[x[0], 1.0], [x[1], 2.0]];
    let mut s = 0.0;
    s += t[0][0].sin();
    t[0][0] += large;
    s + t[0][0] * 1e-30
}

#[reversible(record)]
fn in_a_struct(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = Pair { a: x[0], b: x[1] };
    let mut s = 0.0;
    s += t.a.sin();
    t.a += large;
    s + t.a * 1e-30 + t.b
}

#[reversible(record)]
fn in_a_tuple(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = (x[0], x[1]);
    let mut s = 0.0;
    s += t.0.sin();
    t.0 += large;
    s + t.0 * 1e-30
}

#[reversible(record)]
fn in_a_vector(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = vec![x[0], x[1]];
    let mut s = 0.0;
    s += t[0].sin();
    t[0] += large;
    s + t[0] * 1e-30
}

#[reversible(record)]
fn in_equal_elements(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = vec![x[0]; 2];
    let mut s = 0.0;
    s += t[0].sin();
    t[0] += large;
    s + t[0] * 1e-30
}

#[reversible(record)]
fn of_a_product(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = x[0] * x[1];
    let mut s = 0.0;
    s += t.sin();
    t += large;
    s + t * 1e-30
}

#[reversible(record)]
fn of_a_function(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = x[0].exp();
    let mut s = 0.0;
    s += t.sin();
    t += large;
    s + t * 1e-30
}

#[reversible(record)]
fn of_a_call(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t = square(x[0]);
    let mut s = 0.0;
    s += t.sin();
    t += large;
    s + t * 1e-30
}

#[reversible(record)]
fn collected(x: &[f64], #[constant] large: f64) -> f64 {
    let mut t: Vec<f64> = x.iter().map(|v| v * v).collect();
    let mut s = 0.0;
    s += t[0].sin();
    t[0] += large;
    s + t[0] * 1e-30
}

#[reversible(record)]
fn of_what_changes(x: &[f64], #[constant] large: f64) -> f64 {
    let mut u = x[0];
    u = u * u;
    let mut t = u;
    let mut s = 0.0;
    s += t.sin();
    t += large;
    u = 0.0;
    s + t * 1e-30 + u
}

#[reversible(record)]
fn in_a_loop(x: &[f64], #[constant] large: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let mut t = x[0].exp() * i as f64;
        s += t.sin();
        t += large;
        s = s + t * 1e-30;
    }
    s
}

/// What has no value yet has nothing to come back to.
#[reversible(record)]
fn given_later(x: &[f64], #[constant] large: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let mut t;
        if i > 1 {
            t = x[0] * s;
        } else {
            t = x[1] * i as f64;
        }
        s += t.sin();
        t += large * 1e-20;
        s = s + t * t;
    }
    s
}

#[reversible]
fn beside_one_statement(x: &[f64], #[constant] large: f64) -> f64 {
    let mut s = 0.0;
    let mut t = x[0].exp();
    s += t.sin();
    t += large;
    #[record]
    {
        s = s + t * 1e-30;
    }
    s
}

#[reversible]
fn push(v: &mut [f64], by: f64) {
    v[0] *= 0.5;
    v[0] += by;
}

/// What contracts is called, and goes back by running backwards.
#[reversible(record)]
fn by_a_callee(x: &[f64], #[constant] large: f64) -> f64 {
    let mut v = [x[0], x[1]];
    let mut sum = 0.0;
    for _ in 0..if large > 1.0 { 60 } else { 3 } {
        push(&mut v, x[1]);
        sum += v[0] * v[0] * v[0];
    }
    sum
}

const X: [f64; 2] = [0.7, 1.0];

/// With a small addend the derivative is right; with a large one it is, or there is none.
macro_rules! right_or_drift {
    ($program:ident) => {
        for large in [0.5, 1e18] {
            let (value, slope) = super::$program::pushforward((&super::X, &[1.0, 0.0]), large);
            assert_eq!(value, super::$program(&super::X, large));
            match super::attempt(|| super::$program::gradient(&super::X, large)) {
                Ok((_, gradient)) => assert!((gradient[0] - slope).abs() < 1e-9, "{}, not {slope}", gradient[0]),
                Err(error) => assert!(large > 1.0 && error.kind == super::ErrorKind::Drift, "{error}"),
            }
        }
    };
}

use right_or_drift;

/// So it is where another program calls this one.
macro_rules! drift {
    ($($program:ident $caller:ident)*) => {
        $(
            #[reversible(record)]
            fn $caller(x: &[f64], #[constant] large: f64) -> f64 {
                let mut s = 0.0;
                for i in 0..3 {
                    s = 0.5 * s + $program(x, large) * i as f64;
                }
                s
            }
        )*

        mod laws {
            $(
                #[test]
                fn $program() {
                    super::right_or_drift!($program);
                }

                #[test]
                fn $caller() {
                    super::right_or_drift!($caller);
                }
            )*
        }
    };
}

drift! {
    in_an_array calls_in_an_array
    in_nested_arrays calls_in_nested_arrays
    in_a_struct calls_in_a_struct
    in_a_tuple calls_in_a_tuple
    in_a_vector calls_in_a_vector
    in_equal_elements calls_in_equal_elements
    of_a_product calls_of_a_product
    of_a_function calls_of_a_function
    of_a_call calls_of_a_call
    collected calls_collected
    of_what_changes calls_of_what_changes
    in_a_loop calls_in_a_loop
    given_later calls_given_later
    beside_one_statement calls_beside_one_statement
    by_a_callee calls_by_a_callee
}

#[reversible(record)]
fn add_sine(x: &mut f64, y: &[f64], large: f64) {
    let mut t = y[0].exp();
    *x += t.sin();
    t += large;
    *x += t * 1e-30;
    *x = *x * 2.0;
}

#[test]
fn uncalls_compare_too() {
    let mut record = Record::new();
    for (large, drifts) in [(0.5, false), (1e18, true)] {
        let mut x = 0.7;
        add_sine::recorded(&mut x, &X, large, &mut record);
        let back = attempt(|| add_sine::uncall(&mut x, &X, large, &mut record));
        assert_eq!(back.err().map(|error| error.kind), drifts.then_some(ErrorKind::Drift));
        assert!(drifts || (x - 0.7).abs() < 1e-12);
        record = Record::new();
    }
}

/// What a local copies stands behind a name for a part.
#[reversible(record)]
fn add_copied(x: &mut f64, y: &[f64], large: f64) {
    let part = &y[1..];
    let mut t = part.to_vec();
    *x += t[0].sin();
    t[0] += large;
    *x += t[0] * 1e-30;
    *x = *x * 2.0;
}

#[test]
fn copies_of_parts_are_compared() {
    let (mut x, mut record) = (0.7, Record::new());
    add_copied::recorded(&mut x, &X, 1e18, &mut record);
    let back = attempt(|| add_copied::uncall(&mut x, &X, 1e18, &mut record));
    assert_eq!(back.unwrap_err().kind, ErrorKind::Drift);
}

/// What is given back, and what no derivative flows through, has no copy.
#[reversible(record)]
fn through_stacks(v: &mut [f64], u: &mut [i64], y: f64) {
    let mut floats = Stack::<f64>::new();
    let mut integers = Stack::<i64>::new();
    floats.push(&mut v[1]);
    integers.push(&mut u[1]);
    v[0] = v[0] * y;
    floats.pop(&mut v[1]);
    integers.pop(&mut u[1]);
    release!(floats == Stack::<f64>::new());
    release!(integers == Stack::<i64>::new());
}

#[test]
fn stacks_are_given_back() {
    let (mut v, mut u, mut record) = ([0.3, 0.5], [1, 2], Record::new());
    through_stacks::recorded(&mut v, &mut u, 2.0, &mut record);
    assert_eq!((v, u), ([0.6, 0.5], [1, 2]));
    through_stacks::uncall(&mut v, &mut u, 2.0, &mut record);
    assert_eq!((v, u), ([0.3, 0.5], [1, 2]));
}

/// Chunks and elements of a local are changed, after it has been: no iteration can look at the whole beside them.
#[reversible(record)]
fn through_views(x: &[f64]) -> f64 {
    let mut a = [x[0], 2.0, 3.0];
    for (u, v) in a.iter_mut().zip(x) {
        *u = *u * *v;
    }
    for w in a.chunks_exact_mut(1) {
        w[0] = w[0] + x[1];
    }
    for u in a.iter_mut() {
        *u += x[2] * x[0];
    }
    for (w, u) in a.chunks_exact_mut(3).zip(x) {
        w[0] = w[1] * w[2];
        w[1] += w[0] * u;
    }
    a[0] * a[1]
}

#[test]
fn what_is_changed_through_views_is_not_looked_at_beside_them() {
    let x = [1.5, 0.5, -2.0];
    let exact = |x: [f64; 3]| {
        let a = [x[0] * x[0], 2.0 * x[1], 3.0 * x[2]].map(|a| a + x[1] + x[2] * x[0]);
        let product = a[1] * a[2];
        product * (a[1] + product * x[0])
    };
    let (value, gradient) = through_views::gradient(&x);
    assert_eq!(value, exact(x));
    for (i, found) in gradient.into_iter().enumerate() {
        let h = 1e-5;
        let moved = |h: f64| exact(std::array::from_fn(|k| x[k] + if k == i { h } else { 0.0 }));
        let quotient = (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h);
        assert!((found - quotient).abs() < 1e-7 * (1.0 + quotient.abs()), "{i}: {found} {quotient}");
    }
}
