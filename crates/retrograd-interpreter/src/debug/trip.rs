//! Trips to the end and back: how long the run is, and what derivatives of its end are here.
//!
//! A trip leaves nothing behind: when the session is back, the variables are put back as they were, bit for bit.

use std::fmt;

use super::condition::evaluated;
use super::guide::{Kept, Leaf, Stop};
use crate::error::Error;
use crate::machine::Way;
use crate::value::Value;

/// A trip to the end and back.
#[derive(Debug)]
pub(super) struct Trip {
    /// The stop where it began, and where it ends.
    home: u64,
    kept: Kept,
    pub(super) errand: Errand,
    returns: bool,
    /// How many stops it may pass on the way there.
    limit: u64,
    passed: u64,
    /// Why it did not get to the end, and whether a statement in front of it failed.
    pub(super) trouble: Option<String>,
    failed: bool,
}

/// What a trip is for.
pub(super) enum Errand {
    /// To see how long the run is.
    Length { length: Length, says: bool },
    /// For each number, a trip with its tangent: what the objective gains is the adjoint.
    Adjoints { objective: Box<syn::Expr>, all: Vec<(String, Value, Vec<Leaf>)>, found: Vec<f64>, says: bool },
}

/// How long a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many stops are in front of its end.
    Known(u64),
    /// So many are in front of a statement that fails.
    Fails(u64),
    /// More than anyone has waited for.
    Unknown,
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::Known(length) => write!(f, "{length}"),
            Length::Fails(length) => write!(f, "{length}, where a statement fails"),
            Length::Unknown => write!(f, "nobody knows how many"),
        }
    }
}

/// Derivatives of what an objective is at the end of the run, with respect to what variables are at a stop.
#[derive(Clone, Debug)]
pub struct Adjoints {
    /// The stop.
    pub position: u64,
    /// The variables, each with its value and its adjoint. What has no derivative has the adjoint `()`.
    pub all: Vec<(String, Value, Value)>,
}

impl Adjoints {
    pub(super) fn new(position: u64, all: Vec<(String, Value, Vec<Leaf>)>, found: &[f64]) -> Adjoints {
        let mut found = found.iter().copied();
        let all = all.into_iter().map(|(name, value, leaves)| {
            let shadow = match leaves.is_empty() {
                true => Value::Unit,
                false => value.shadow(&mut found),
            };
            (name, value, shadow)
        });
        Adjoints { position, all: all.collect() }
    }
}

impl fmt::Display for Adjoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value, adjoint)) in self.all.iter().enumerate() {
            write!(f, "{}{name} = {value}", if i > 0 { "\n" } else { "" })?;
            if *adjoint != Value::Unit {
                write!(f, ", adjoint {adjoint}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Errand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Errand::Length { .. } => "Length",
            Errand::Adjoints { .. } => "Adjoints",
        })
    }
}

impl Errand {
    /// For the derivatives of an expression with respect to all numbers here.
    pub(super) fn adjoints(stop: &Stop<'_, '_>, objective: syn::Expr, says: bool) -> Errand {
        Errand::Adjoints { objective: Box::new(objective), all: stop.leaves(), found: Vec::new(), says }
    }

    /// How many trips it takes.
    pub(super) fn trips(&self) -> u64 {
        match self {
            Errand::Length { .. } => 1,
            Errand::Adjoints { all, .. } => all.iter().map(|(_, _, leaves)| leaves.len() as u64).sum(),
        }
    }

    /// The number whose turn it is.
    fn leaf(&self) -> Option<&Leaf> {
        match self {
            Errand::Length { .. } => None,
            Errand::Adjoints { all, found, .. } => all.iter().flat_map(|(_, _, leaves)| leaves).nth(found.len()),
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Errand::Length { length, .. } => *length != Length::Unknown,
            Errand::Adjoints { .. } => self.leaf().is_none(),
        }
    }

    /// Does at the end what the trip is for.
    fn at_the_end(&mut self, stop: &Stop<'_, '_>) -> Result<(), String> {
        match self {
            Errand::Length { length, .. } => *length = Length::Known(stop.position()),
            Errand::Adjoints { objective, found, .. } => match evaluated(stop, objective) {
                Ok(Value::Float(float)) => found.push(float.tangent),
                Ok(other) => return Err(format!("{} is no number; name one: `adjoints x[0]`", other.kind())),
                Err(error) => {
                    let text = error.to_string();
                    return Err(format!("{} at the end; name a number: `adjoints x[0]`", text.trim_end()));
                }
            },
        }
        Ok(())
    }
}

impl Trip {
    pub(super) fn new(stop: &Stop<'_, '_>, errand: Errand, limit: u64) -> Trip {
        let (home, kept) = (stop.position(), stop.keep());
        Trip { home, kept, errand, returns: false, limit, passed: 0, trouble: None, failed: false }
    }

    /// The variables at the beginning of the next trip.
    pub(super) fn departure(&self) -> Kept {
        self.errand.leaf().map_or_else(|| self.kept.clone(), |leaf| self.kept.along(leaf))
    }

    pub(super) fn way(&self) -> Way {
        if self.returns { Way::Backwards } else { Way::Forwards }
    }

    /// Goes back home without having been at the end.
    pub(super) fn give_up(&mut self, why: &str) {
        self.trouble.get_or_insert_with(|| why.to_string());
        self.returns = true;
    }

    /// Turns around in front of what fails. The way back of a trip cannot turn around.
    pub(super) fn turns(&mut self, error: &Error) -> bool {
        if self.returns {
            // What has drifted on the way back is put back at home.
            return error.is_drift();
        }
        let text = error.to_string();
        self.give_up(text.lines().next().unwrap_or_default());
        self.failed = true;
        true
    }

    /// The session has come to a stop; says whether all is done and the session at home.
    pub(super) fn arrive(&mut self, stop: &Stop<'_, '_>, put_back: &mut Option<Kept>) -> bool {
        self.passed += 1;
        if !self.returns {
            if stop.is_last(Way::Forwards) {
                if let Err(trouble) = self.errand.at_the_end(stop) {
                    self.give_up(&trouble);
                }
                self.returns = true;
            } else if self.passed > self.limit {
                self.give_up("the end is too far away");
            }
        } else if let (true, Errand::Length { length: length @ Length::Unknown, .. }) = (self.failed, &mut self.errand)
        {
            *length = Length::Fails(stop.position());
        }
        if !self.returns || stop.position() != self.home {
            return false;
        }
        let is_done = self.trouble.is_some() || self.errand.is_done();
        self.returns = is_done;
        *put_back = Some(if is_done { self.kept.clone() } else { self.departure() });
        is_done
    }
}
