//! The laws of derivative runs, for one program at one point.
//!
//! [`laws!`] takes a call with its arguments, each with the value to begin with:
//!
//! ```text
//! laws!(kick_drift(&mut [x] = vec![1.0, 0.0], &mut v = [0.0, 1.0], dt = 0.1, #n = 3));   // a procedure
//! laws!(fn cross(&a = [1.0, 2.0, 3.0], &b = [0.0, 1.0, 0.5]));                            // a function
//! laws!(scalar norm(&[x] = vec![1.0, 2.0]));                                             // .. with a gradient
//! laws!(kernel step(#n = 3, &mut [x] = vec![1.0, 0.0, 2.0]));                             // a kernel, for all indices
//! ```
//!
//! `&mut x`, `&x` and `x` are arguments as the signature has them, `[x]` is passed as a slice, and `#` stands in
//! front of arguments without a derivative.

#![allow(dead_code, reason = "every file of tests uses its own part of this")]

mod arguments;

use std::fmt::Debug;

use retrograd::Active;
use retrograd::check::{Compare, Report, Tolerance, mismatches, with_tolerance};
use retrograd::private::{Among, Misfit, Shadowed, Zero};

#[allow(unused_imports)]
pub(crate) use arguments::laws;

/// What the laws ask of the values of arguments.
pub(crate) trait Values:
    Clone + Debug + Compare + Active<Number: Among<f64>> + Shadowed<f64, Shadow = Self::Own, Owned = Self::Own>
{
    /// Their shadow.
    type Own: Clone + Debug;
}

impl<X, G: Clone + Debug> Values for X
where
    X: Clone + Debug + Compare + Active<Number: Among<f64>> + Shadowed<f64, Shadow = G, Owned = G>,
{
    type Own = G;
}

/// An argument without a derivative.
#[derive(Clone, Debug)]
pub(crate) struct Plain<T>(pub(crate) T);

impl<T: Compare> Compare for Plain<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.0.compare(&actual.0, report);
    }
}

impl<T> Active for Plain<T> {
    type Shadow = ();
    type Number = ();
    fn visit(&self, _visit: &mut dyn FnMut(&())) {}
    fn visit_mut(&mut self, _visit: &mut dyn FnMut(&mut ())) {}
}

impl<T> Shadowed<f64> for Plain<T> {
    type Shadow = ();
    type Owned = ();
    fn zero_shadow(&self, _zero: Zero) {}
    fn misfit(&self, _shadow: &()) -> Option<Misfit> {
        None
    }
    fn scalars(_shadow: &(), _visit: &mut dyn FnMut(&f64)) {}
    fn scalars_mut(_shadow: &mut (), _visit: &mut dyn FnMut(&mut f64)) {}
}

/// The laws of a procedure: `x` is what it changes, `p` what it reads.
#[track_caller]
#[allow(clippy::too_many_arguments)]
pub(crate) fn procedure<X: Values, P: Values>(
    name: &str,
    x: X,
    p: P,
    call: impl Fn(&mut X, &P),
    uncall: impl Fn(&mut X, &P),
    pullback: impl Fn(&mut X, &mut X::Own, &P, &mut P::Own),
    unpullback: impl Fn(&mut X, &mut X::Own, &P, &mut P::Own),
    pushforward: impl Fn(&mut X, &mut X::Own, &P, &P::Own),
    unpushforward: impl Fn(&mut X, &mut X::Own, &P, &P::Own),
) {
    let after = |x: &X, p: &P| {
        let mut y = x.clone();
        call(&mut y, p);
        y
    };
    let y = after(&x, &p);
    let mut back = y.clone();
    uncall(&mut back, &p);
    same(&x, &back, &format!("{name}::uncall undoes {name}"));

    let by_x = slopes(&x, |x| numbers(&after(x, &p)));
    let by_p = slopes(&p, |p| numbers(&after(&x, p)));

    // x̄ = Aᵀȳ, p̄ += Bᵀȳ
    let (seed, begun) = (shadow(&y, 0.37), shadow(&p, 0.71));
    let (mut run, mut grad, mut grad_p) = (y.clone(), seed.clone(), begun.clone());
    pullback(&mut run, &mut grad, &p, &mut grad_p);
    same(&x, &run, &format!("{name}::pullback gives the values back"));
    close(&pulled(&by_x, &scalars::<X>(&seed)), &scalars::<X>(&grad), &format!("the adjoint of {name}"));
    let expected = sum(&scalars::<P>(&begun), &pulled(&by_p, &scalars::<X>(&seed)));
    close(&expected, &scalars::<P>(&grad_p), &format!("the adjoint of what {name} reads"));

    // and back
    let (pulled_back, gained) = (scalars::<X>(&grad), scalars::<P>(&grad_p));
    unpullback(&mut run, &mut grad, &p, &mut grad_p);
    same(&y, &run, &format!("{name}::unpullback runs forwards"));
    close(&scalars::<X>(&seed), &scalars::<X>(&grad), &format!("{name}::unpullback undoes the pullback"));
    close(&scalars::<P>(&begun), &scalars::<P>(&grad_p), &format!("{name}::unpullback undoes what was added"));
    pullback(&mut run, &mut grad, &p, &mut grad_p);
    close(&pulled_back, &scalars::<X>(&grad), &format!("{name}::pullback undoes the unpullback"));
    close(&gained, &scalars::<P>(&grad_p), &format!("{name}::pullback adds what unpullback took"));

    // ẏ = Aẋ + Bṗ
    let (moved, moved_p) = (shadow(&x, 1.13), shadow(&p, 1.91));
    let (mut run, mut tangent) = (x.clone(), moved.clone());
    pushforward(&mut run, &mut tangent, &p, &moved_p);
    same(&y, &run, &format!("{name}::pushforward runs forwards"));
    let rows = numbers(&y).len();
    let expected = sum(&pushed(&by_x, &scalars::<X>(&moved), rows), &pushed(&by_p, &scalars::<P>(&moved_p), rows));
    close(&expected, &scalars::<X>(&tangent), &format!("the tangent of {name}"));

    // ȳ·ẏ = x̄·ẋ + p̄·ṗ
    let there = dot(&scalars::<X>(&seed), &scalars::<X>(&tangent));
    let gained: Vec<f64> = gained.iter().zip(scalars::<P>(&begun)).map(|(a, b)| a - b).collect();
    let here = dot(&pulled_back, &scalars::<X>(&moved)) + dot(&gained, &scalars::<P>(&moved_p));
    close(&[there], &[here], &format!("{name}::pullback is the transpose of {name}::pushforward"));

    // and back
    unpushforward(&mut run, &mut tangent, &p, &moved_p);
    same(&x, &run, &format!("{name}::unpushforward gives the values back"));
    close(&scalars::<X>(&moved), &scalars::<X>(&tangent), &format!("{name}::unpushforward undoes the pushforward"));
}

/// The laws of a function: `p` is what it reads.
#[track_caller]
pub(crate) fn function<P: Values, R: Values>(
    name: &str,
    p: P,
    call: impl Fn(&P) -> R,
    pullback: impl Fn(&P, &mut P::Own, R::Own) -> R,
    pushforward: impl Fn(&P, &P::Own) -> (R, R::Own),
) {
    let value = call(&p);
    let by_p = slopes(&p, |p| numbers(&call(p)));
    let rows = numbers(&value).len();

    let (seed, begun) = (shadow(&value, 0.37), shadow(&p, 0.71));
    let mut grad = begun.clone();
    let given = pullback(&p, &mut grad, seed.clone());
    same(&value, &given, &format!("{name}::pullback gives the value"));
    let expected = pulled(&by_p, &scalars::<R>(&seed));
    close(&sum(&scalars::<P>(&begun), &expected), &scalars::<P>(&grad), &format!("the adjoint of {name}"));

    let moved = shadow(&p, 1.91);
    let (given, tangent) = pushforward(&p, &moved);
    same(&value, &given, &format!("{name}::pushforward gives the value"));
    let expected = pushed(&by_p, &scalars::<P>(&moved), rows);
    close(&expected, &scalars::<R>(&tangent), &format!("the tangent of {name}"));
}

/// The law of `gradient`: `gradient` gives the value, and one gradient after the other.
#[track_caller]
pub(crate) fn gradient<P: Values, G: Active<Number: Among<f64>>>(
    name: &str,
    p: P,
    call: impl Fn(&P) -> f64,
    gradient: impl Fn(&P) -> G,
) {
    let given = numbers(&gradient(&p));
    close(&[call(&p)], &given[..1], &format!("{name}::gradient gives the value"));
    let expected: Vec<f64> = slopes(&p, |p| vec![call(p)]).into_iter().map(|column| column[0]).collect();
    close(&expected, &given[1..], &format!("{name}::gradient"));
}

/// The numbers that a value is made of.
pub(crate) fn numbers<A: Active<Number: Among<f64>>>(value: &A) -> Vec<f64> {
    let mut all = Vec::new();
    value.visit(&mut |number| number.pass(&mut |x| all.push(*x)));
    all
}

fn with_number<A: Clone + Active<Number: Among<f64>>>(value: &A, i: usize, number: f64) -> A {
    let (mut value, mut seen) = (value.clone(), 0);
    value.visit_mut(&mut |place| {
        place.pass_mut(&mut |x| {
            if seen == i {
                *x = number;
            }
            seen += 1;
        });
    });
    value
}

/// The scalars of a shadow.
pub(crate) fn scalars<X: Values>(shadow: &X::Own) -> Vec<f64> {
    let mut all = Vec::new();
    X::scalars(shadow, &mut |s| all.push(*s));
    all
}

/// A shadow without a pattern: none of its scalars is zero, and no two are the same.
pub(crate) fn shadow<X: Values>(value: &X, phase: f64) -> X::Own {
    let (mut shadow, mut angle) = (value.zero_shadow(Zero::Plain), phase);
    X::scalars_mut(&mut shadow, &mut |s| {
        *s = angle.sin() + if angle.sin() < 0.0 { -0.4 } else { 0.4 };
        angle += 2.399;
    });
    shadow
}

/// How the results move with each number of `x`: one column for each. Differences over nine points, exact up to h⁸.
fn slopes<A: Clone + Active<Number: Among<f64>>>(x: &A, f: impl Fn(&A) -> Vec<f64>) -> Vec<Vec<f64>> {
    const WEIGHTS: [f64; 4] = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    const STEP: f64 = 1.0 / 256.0;
    let at = numbers(x);
    (0..at.len())
        .map(|i| {
            let mut column = Vec::new();
            for (k, weight) in (1..).zip(WEIGHTS) {
                let step = k as f64 * STEP;
                let (ahead, behind) = (f(&with_number(x, i, at[i] + step)), f(&with_number(x, i, at[i] - step)));
                column.resize(ahead.len(), 0.0);
                for (sum, (a, b)) in column.iter_mut().zip(ahead.iter().zip(behind)) {
                    *sum += weight * (a - b) / STEP;
                }
            }
            column
        })
        .collect()
}

fn pulled(columns: &[Vec<f64>], seed: &[f64]) -> Vec<f64> {
    columns.iter().map(|column| dot(column, seed)).collect()
}

fn pushed(columns: &[Vec<f64>], tangent: &[f64], rows: usize) -> Vec<f64> {
    (0..rows).map(|row| columns.iter().zip(tangent).map(|(column, t)| column[row] * t).sum()).collect()
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Two values are the same, up to rounding.
#[track_caller]
pub(crate) fn same<X: Compare + Debug>(expected: &X, actual: &X, law: &str) {
    let found = with_tolerance(Tolerance { relative: 1e-9, absolute: 1e-9 }, || mismatches(expected, actual));
    assert!(found.is_empty(), "{law}: {}\nexpected {expected:?}\n  actual {actual:?}", found[0]);
}

/// Two derivatives are the same, up to rounding and differences.
#[track_caller]
pub(crate) fn close(expected: &[f64], actual: &[f64], law: &str) {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-8 * (1.0 + a.abs().max(b.abs()));
    let all = expected.len() == actual.len() && expected.iter().zip(actual).all(near);
    assert!(all, "{law}:\nexpected {expected:?}\n  actual {actual:?}");
}
