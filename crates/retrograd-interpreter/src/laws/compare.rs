//! How near results have to be.

use crate::interpreter::Outcome;
use crate::value::Value;

/// How far a derivative may be from what it should be, relative to the largest one and to 1.
const DERIVATIVES: f64 = 1e-7;

/// How far a value may be from what it should be, relative to its size and to 1.
const VALUES: f64 = 1e-9;

/// How large derivatives are at most.
const LARGEST: f64 = 1e4;

/// The sum of products.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Whether two numbers are further apart than that; what is no number is far from everything.
fn is_far(a: f64, b: f64, tolerance: f64) -> bool {
    let distance = (a - b).abs();
    distance.is_nan() || distance > tolerance
}

/// The first number that is not what it should be, in words.
pub(super) fn misfit(actual: &[f64], expected: &[f64], what: &str) -> Option<String> {
    if actual.len() != expected.len() {
        return Some(format!("there are {} numbers, and should be {}", actual.len(), expected.len()));
    }
    let size = expected.iter().fold(1.0, |size: f64, d| size.max(d.abs()));
    let wrong = (0..expected.len()).find(|i| is_far(actual[*i], expected[*i], DERIVATIVES * size))?;
    Some(format!("{what} {wrong} is {:?} and should be {:?}", actual[wrong], expected[wrong]))
}

/// Two ways to the same sum of products.
pub(super) fn unequal(behind: f64, before: f64, adjoint: &[f64], tangent: &[f64]) -> Option<String> {
    let size: f64 = adjoint.iter().zip(tangent).map(|(g, t)| (g * t).abs()).sum();
    let is_close = (behind - before).abs() <= DERIVATIVES * (1.0 + size);
    (!is_close).then(|| format!("⟨adjoint, tangent⟩ is {behind:?} behind the program and {before:?} in front of it"))
}

/// The first argument that is not what it was, exact ones bit by bit.
pub(super) fn near(expected: &[Value], actual: &[Value]) -> Option<String> {
    for (i, (a, b)) in expected.iter().zip(actual).enumerate() {
        if exact(a) != exact(b) {
            return Some(format!("argument {i} is {b} and should be {a}"));
        }
        let (a, b) = (a.numbers(), b.numbers());
        if let Some(k) = (0..a.len()).find(|k| is_far(a[*k], b[*k], VALUES * (1.0 + a[*k].abs()))) {
            return Some(format!("number {k} of argument {i} is {:?} and should be {:?}", b[k], a[k]));
        }
    }
    None
}

/// The same, for two ways to compute the same.
pub(super) fn values(expected: &[Value], actual: &[Value]) -> Option<String> {
    near(expected, actual)
}

/// The same with derivatives.
pub(super) fn differences(expected: &[Value], actual: &[Value]) -> Option<String> {
    let tangents = |all: &[Value]| all.iter().flat_map(Value::tangents).collect::<Vec<f64>>();
    near(expected, actual).or_else(|| misfit(&tangents(actual), &tangents(expected), "tangent"))
}

/// A value without its floats.
fn exact(value: &Value) -> Value {
    let mut value = value.clone();
    value.each_float_mut(&mut |float| *float = crate::number::Float::f64(0.0));
    value
}

/// Whether derivatives exist, are moderate, and nearly those of a neighbour.
pub(super) fn is_steady(there: &Outcome, near: &Outcome) -> bool {
    let all = |outcome: &Outcome| -> (Vec<Value>, Vec<f64>) {
        let values: Vec<&Value> = outcome.args.iter().chain([&outcome.value]).collect();
        let tangents = values.iter().flat_map(|value| value.tangents()).collect();
        (values.into_iter().map(exact).collect(), tangents)
    };
    let ((exact, tangents), (exact_near, tangents_near)) = (all(there), all(near));
    let largest = tangents.iter().fold(0.0, |most: f64, t| if t.is_nan() { f64::NAN } else { most.max(t.abs()) });
    exact == exact_near
        && largest <= LARGEST
        && tangents.iter().zip(tangents_near).all(|(a, b)| (a - b).abs() <= 1e-5 * (1.0 + largest))
}
