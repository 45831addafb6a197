//! Derivatives against each other and against finite differences.

use std::borrow::{Borrow, BorrowMut};
use std::error::Error;
use std::fmt;

use super::{Compare, Mismatch, mismatches};
use crate::Active;
use crate::procedure::Procedure;
use crate::shadow::{Shadowed, Zero};

/// What is wrong with the derivatives of a program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WrongGradient {
    /// A derivative run did not restore the values: these places differ.
    NotRestored(Vec<Mismatch>),
    /// An entry of the Jacobian differs between two ways to compute it: the one that differs most.
    Entry {
        /// The number of the output, in flattened order.
        output: usize,
        /// The number of the input.
        input: usize,
        /// By finite differences of order six.
        difference: f64,
        /// By the pushforward.
        pushforward: f64,
        /// By the pullback.
        pullback: f64,
    },
}

impl fmt::Display for WrongGradient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongGradient::NotRestored(places) => {
                write!(f, "{} values did not come back from a run with derivatives", places.len())?;
                places.iter().take(20).try_for_each(|place| write!(f, "\n  {place}"))
            }
            WrongGradient::Entry { output, input, difference, pushforward, pullback } => write!(
                f,
                "the derivative of output {output} with respect to input {input} is {pushforward} by the pushforward, {pullback} by the pullback, \
                 and {difference} by differences"
            ),
        }
    }
}

impl Error for WrongGradient {}

/// Compares the pullback, the pushforward and finite differences of order six of a program at `state`, entry by entry of its
/// Jacobian, and reports the worst; `tolerance` is relative to one plus the size of the entry. Both runs must restore
/// the values.
///
/// ```
/// use retrograd::{check::check_gradient, ops::rotate, procedure};
///
/// let state = (1.0, 2.0, 0.3);
/// check_gradient(&state, 1e-8, procedure!(s => rotate(&mut s.0, &mut s.1, s.2)))?;
/// # Ok::<(), retrograd::check::WrongGradient>(())
/// ```
pub fn check_gradient<S, G>(state: &S, tolerance: f64, program: impl Procedure<S>) -> Result<(), WrongGradient>
where
    S: Active<Shadow = G, Number = f64> + Shadowed<f64, Shadow = G, Owned = G> + Clone + Compare,
    G: Borrow<G> + BorrowMut<G>,
{
    let count = state.count();
    let unit = |k: usize| {
        let (mut shadow, mut place) = (state.zero_shadow(Zero::Plain), 0);
        S::scalars_mut(&mut shadow, &mut |scalar| {
            *scalar = if place == k { 1.0 } else { 0.0 };
            place += 1;
        });
        shadow
    };
    let flat = |shadow: &G| {
        let mut numbers = Vec::with_capacity(count);
        S::scalars(shadow, &mut |scalar| numbers.push(*scalar));
        numbers
    };
    let mut end = state.clone();
    program.run(&mut end);
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for k in 0..count {
        let (mut there, mut tangent) = (state.clone(), unit(k));
        program.pushforward(&mut there, &mut tangent);
        restored(&end, &there)?;
        columns.push(flat(&tangent));
        let (mut back, mut adjoint) = (end.clone(), unit(k));
        program.pullback(&mut back, &mut adjoint);
        restored(state, &back)?;
        rows.push(flat(&adjoint));
    }
    let mut worst: Option<(f64, WrongGradient)> = None;
    for input in 0..count {
        let differences = differences(state, input, &program);
        for output in 0..count {
            let (pushforward, pullback, difference) =
                (columns[input][output], rows[output][input], differences[output]);
            let size = 1.0 + pushforward.abs().max(pullback.abs());
            let apart = (pushforward - pullback).abs().max((pushforward - difference).abs() * 1e-2) / size;
            // A NaN is as far apart as can be.
            let apart = if apart.is_nan() { f64::INFINITY } else { apart };
            if apart > tolerance && worst.as_ref().is_none_or(|(most, _)| apart > *most) {
                worst = Some((apart, WrongGradient::Entry { output, input, difference, pushforward, pullback }));
            }
        }
    }
    worst.map_or(Ok(()), |(_, wrong)| Err(wrong))
}

fn restored<S: Compare>(expected: &S, actual: &S) -> Result<(), WrongGradient> {
    let places = mismatches(expected, actual);
    if places.is_empty() { Ok(()) } else { Err(WrongGradient::NotRestored(places)) }
}

/// One column of the Jacobian by central differences of order six.
fn differences<S: Active<Number = f64> + Clone>(state: &S, input: usize, program: &impl Procedure<S>) -> Vec<f64> {
    const WEIGHTS: [(f64, f64); 3] = [(1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)];
    let numbers = state.flatten();
    let step = 1e-3 * (1.0 + numbers[input].abs());
    let at = |by: f64| {
        let (mut moved, mut numbers) = (state.clone(), numbers.clone());
        numbers[input] += by * step;
        moved.unflatten(&numbers);
        program.run(&mut moved);
        moved.flatten()
    };
    let mut column = vec![0.0; numbers.len()];
    for (by, weight) in WEIGHTS {
        let (right, left) = (at(by), at(-by));
        for ((slope, right), left) in column.iter_mut().zip(right).zip(left) {
            *slope += weight * (right - left) / step;
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedure::Step;

    /// y += x², with a derivative that is right or not.
    fn square(slope: f64) -> impl Fn(Step<'_, (f64, f64)>) {
        move |step| match step {
            Step::Call(s) | Step::Unpullback(s, _) => s.1 += s.0 * s.0,
            Step::Uncall(s) | Step::Unpushforward(s, _) => s.1 -= s.0 * s.0,
            Step::Pullback(s, g) => {
                s.1 -= s.0 * s.0;
                g.0 += slope * s.0 * g.1;
            }
            Step::Pushforward(s, d) => {
                d.1 += 2.0 * s.0 * d.0;
                s.1 += s.0 * s.0;
            }
        }
    }

    #[test]
    fn the_worst_entry_is_reported() {
        check_gradient(&(3.0, 1.0), 1e-9, square(2.0)).unwrap();
        let error = check_gradient(&(3.0, 1.0), 1e-9, square(2.5)).unwrap_err();
        let WrongGradient::Entry { output: 1, input: 0, pullback, pushforward, difference } = error else {
            panic!("{error}")
        };
        assert_eq!((pullback, pushforward), (7.5, 6.0));
        assert!((difference - 6.0).abs() < 1e-9);
    }

    #[test]
    fn values_that_do_not_come_back_are_reported() {
        let lost = |step: Step<'_, (f64, f64)>| {
            if let Step::Call(s) | Step::Pushforward(s, _) = step {
                s.1 += 1.0;
            }
        };
        let error = check_gradient(&(3.0, 1.0), 1e-9, lost).unwrap_err();
        assert!(error.to_string().contains(".1: expected 1.0, found 2.0"), "{error}");
    }
}
