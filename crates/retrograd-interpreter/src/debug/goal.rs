//! What a session is on its way to.

use super::condition::{Pinned, evaluated_at, holds};
use super::guide::Stop;
use super::trip::Trip;
use crate::machine::Way;
use crate::value::Value;

/// What a session is on its way to.
pub(super) enum Goal {
    /// So many steps further.
    Steps(Way, u64),
    /// A stop that nests no deeper.
    Over(Way, usize),
    /// A stop where fewer calls nest.
    Out(Way, usize),
    Run(Way),
    Line(Way, u32),
    /// A stop where a condition begins to hold. `trouble` is why it could not be evaluated, as long as it could not.
    Until {
        way: Way,
        condition: syn::Expr,
        held: bool,
        trouble: Option<String>,
    },
    /// The stop of that number.
    Position(u64),
    /// The statement that has given a place its value.
    Changed {
        e: syn::Expr,
        pinned: Pinned,
        value: Value,
        name: String,
    },
    /// The end, and back again.
    Trip(Box<Trip>),
}

impl std::fmt::Debug for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Goal::Steps(..) => "Steps",
            Goal::Over(..) => "Over",
            Goal::Out(..) => "Out",
            Goal::Run(_) => "Run",
            Goal::Line(..) => "Line",
            Goal::Until { .. } => "Until",
            Goal::Position(_) => "Position",
            Goal::Changed { .. } => "Changed",
            Goal::Trip(_) => "Trip",
        })
    }
}

impl Goal {
    /// Where it is from here; nowhere, if it is here.
    pub(super) fn way(&self, stop: &Stop<'_, '_>) -> Option<Way> {
        match self {
            Goal::Steps(way, _) | Goal::Over(way, _) | Goal::Out(way, _) | Goal::Run(way) | Goal::Line(way, _) => {
                Some(*way)
            }
            Goal::Until { way, .. } => Some(*way),
            Goal::Position(at) => match stop.position().cmp(at) {
                std::cmp::Ordering::Less => Some(Way::Forwards),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Way::Backwards),
            },
            Goal::Changed { .. } => Some(Way::Backwards),
            Goal::Trip(trip) => Some(trip.way()),
        }
    }

    /// Whether the session has come to it; says what there is to say about that.
    pub(super) fn arrived(&mut self, stop: &Stop<'_, '_>, said: &mut Vec<String>) -> bool {
        match self {
            Goal::Steps(_, left) => {
                *left = left.saturating_sub(1);
                *left == 0
            }
            Goal::Over(_, nesting) => stop.nesting() <= *nesting,
            Goal::Out(_, calls) => stop.calls() < *calls,
            Goal::Run(_) | Goal::Trip(_) => false,
            Goal::Line(_, line) => stop.place().is_some_and(|(at, _)| at == *line),
            Goal::Until { condition, held, trouble, .. } => {
                let holds = holds(stop, condition);
                *trouble = holds.as_ref().err().map(ToString::to_string).filter(|_| !*held);
                let holds = holds.unwrap_or(false);
                let begins = holds && !*held;
                *held = holds;
                begins
            }
            Goal::Position(at) => stop.position() == *at,
            Goal::Changed { e, pinned, value, name } => match evaluated_at(stop, e, pinned) {
                Ok(now) if now != *value => {
                    said.push(format!("`{name}` was {now} and became {value} here"));
                    true
                }
                _ => false,
            },
        }
    }

    /// What there is to say if it was never reached.
    pub(super) fn missed(&self) -> Option<String> {
        match self {
            Goal::Until { trouble, .. } => trouble.as_deref().map(|trouble| trouble.trim_end().to_string()),
            Goal::Changed { name, .. } => Some(format!("nothing has changed `{name}`")),
            _ => None,
        }
    }
}
