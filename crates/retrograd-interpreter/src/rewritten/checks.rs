//! What a derived program relies on.

use retrograd::ErrorKind as Law;
use retrograd_compiler::ir::{Check, Distinct, Expected, Restored, Stmt, Witness};

use crate::error::Result;
use crate::machine::Machine;
use crate::number::{Float, Repr};
use crate::value::Value;

impl<'m> Machine<'m> {
    /// Looks at what the program relies on.
    pub(crate) fn relied_on(&mut self, check: &'m Check) -> Result<()> {
        if !self.checks() {
            return Ok(());
        }
        match check {
            Check::Restored(s) => self.restored(s),
            Check::Distinct(s) => self.distinct(s),
            // Copies that checked builds take on the way are no part of the meaning.
            Check::Witness(Witness::Begin { .. } | Witness::Keep { .. } | Witness::Recall { .. })
            | Check::Sample(_) => Ok(()),
        }
    }

    /// A restored local is what it was, as far as rounding lets it be.
    fn restored(&mut self, s: &'m Restored) -> Result<()> {
        let expected = match &s.expected {
            Expected::Value(e) | Expected::Each(e, _) => self.value(e)?,
            Expected::Kept(e) | Expected::KeptOne(e, _) => match self.value(e)? {
                Value::Option(Some(value)) => *value,
                _ => return Ok(()),
            },
        };
        let depth = match s.expected {
            Expected::Each(_, depth) | Expected::KeptOne(_, depth) => depth,
            Expected::Value(_) | Expected::Kept(_) => 0,
        };
        let scale = match self.memory.load(self.var(s.scale).clone())? {
            Value::Float(x) => x.value(),
            _ => 0.0,
        };
        let actual = self.memory.load(self.var(s.var).clone())?;
        let scale = largest(&actual).max(largest(&expected)).max(scale);
        if let Some((path, expected, actual)) = drifted(&expected, &actual, depth, scale) {
            let variable = format!("{}{path}", self.frame.program.var(s.var).written);
            // The message names the statement with which the local began.
            let at = s.binding.span;
            let statement = format!("let mut {} = ..;", self.frame.program.var(s.var).written);
            let broken = crate::error::Broken { law: Law::Drift, statement, variable, expected, actual };
            let error = crate::error::Error::new(crate::error::ErrorKind::Broken(Box::new(broken)));
            return Err(self.at(error, at));
        }
        Ok(())
    }

    /// Two elements are the same exactly when all pairs of indices are equal.
    fn distinct(&mut self, s: &'m Distinct) -> Result<()> {
        let mut equal = true;
        let mut index = String::new();
        for (a, b) in &s.pairs {
            let (a, b) = (self.value(a)?, self.value(b)?);
            index = a.to_string();
            equal &= match (&a, &b) {
                (Value::Range(_), _) | (_, Value::Range(_)) => return Ok(()),
                _ => a == b,
            };
        }
        if equal {
            let (name, stmt): (_, &'m Stmt) = (self.frame.program.var(s.var).written.clone(), &s.statement);
            return self.broken(Law::EqualIndices, stmt, name, "different indices".into(), format!("{index} twice"));
        }
        Ok(())
    }
}

/// The largest magnitude of a number in a value.
pub(crate) fn largest(value: &Value) -> f64 {
    value.numbers().into_iter().fold(0.0, |most, x| x.abs().max(most))
}

/// The first place where a local is too far from what it was.
pub(crate) fn drifted(expected: &Value, actual: &Value, depth: usize, scale: f64) -> Option<(String, String, String)> {
    let differ = || Some((String::new(), expected.to_string(), actual.to_string()));
    match (expected, actual) {
        (_, Value::List(all)) if depth > 0 => all.iter().enumerate().find_map(|(i, actual)| {
            let (path, expected, actual) = drifted(expected, actual, depth - 1, scale)?;
            Some((format!("[{i}]{path}"), expected, actual))
        }),
        (Value::Float(a), Value::Float(b)) => {
            if near(a, b, scale) {
                None
            } else {
                differ()
            }
        }
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) | (Value::Stack(a), Value::Stack(b)) => {
            if a.len() != b.len() {
                return differ();
            }
            a.iter().zip(b).enumerate().find_map(|(i, (a, b))| {
                let (path, expected, actual) = drifted(a, b, 0, scale)?;
                Some((format!("[{i}]{path}"), expected, actual))
            })
        }
        (Value::Struct(_, a), Value::Struct(_, b)) => a.iter().zip(b).find_map(|((name, a), (_, b))| {
            let (path, expected, actual) = drifted(a, b, 0, scale)?;
            Some((format!(".{name}{path}"), expected, actual))
        }),
        (Value::Slots(a), Value::Slots(b)) if a.all.iter().map(|(key, _)| key).eq(b.all.iter().map(|(key, _)| key)) => {
            a.all.iter().zip(&b.all).find_map(|((key, a), (_, b))| {
                let (path, expected, actual) = drifted(a, b, 0, scale)?;
                Some((format!("[{key}]{path}"), expected, actual))
            })
        }
        (a, b) => {
            if a == b {
                None
            } else {
                differ()
            }
        }
    }
}

fn near(a: &Float, b: &Float, scale: f64) -> bool {
    let (relative, absolute) = match b.repr {
        Repr::Fixed(..) | Repr::Log(_) => return a.like(b.repr).is_ok_and(|a| a == *b),
        Repr::F32(_) => (1e-3, 1e-4),
        Repr::Open(_) | Repr::F64(_) | Repr::Tropical(_) => (1e-6, 1e-10),
    };
    let (a, b) = (a.value(), b.value());
    (a - b).abs() <= relative * a.abs().max(b.abs()) || (a - b).abs() <= absolute * scale.max(1.0)
}
