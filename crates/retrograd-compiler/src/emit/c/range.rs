//! How large an index can be, as far as loops and the number of the run say: what cannot be out of bounds is not checked.
//!
//! A launch knows how many runs there are, and how long each slice is. If the largest index of each slice fits, it compiles the text without
//! checks of these indices.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Emitter;
use crate::ir::{BinaryOp, Expr, ExprKind, For, LiteralKind, Source, VarId};

/// The least and the largest value of an integer that is none below zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: i128,
    pub(super) largest: Largest,
}

/// So many times the number of the last run, and so much more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Largest {
    /// How often the number of the run counts.
    pub(super) per_run: i128,
    /// What is added.
    pub(super) more: i128,
}

/// An index as a sum: counters, each with how often it counts, and a number.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Linear {
    counters: BTreeMap<VarId, i128>,
    more: i128,
}

impl Linear {
    /// The sum of the counters of loops that are not written out. Nothing else is sure to be the same wherever it stands.
    pub(super) fn of(e: &Expr, ranges: &Ranges, rolled: &HashSet<VarId>) -> Option<Linear> {
        if let Some(more) = single(e, ranges) {
            return Some(Linear { counters: BTreeMap::new(), more });
        }
        let of = |e: &Expr| Linear::of(e, ranges, rolled);
        match &e.kind {
            ExprKind::Var(var) if rolled.contains(var) => Some(Linear { counters: [(*var, 1)].into(), more: 0 }),
            ExprKind::Binary(BinaryOp::Add, a, b) => Some(of(a)?.plus(&of(b)?, 1)),
            ExprKind::Binary(BinaryOp::Sub, a, b) => Some(of(a)?.plus(&of(b)?, -1)),
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, factor) = match single(b, ranges) {
                    Some(factor) => (a, factor),
                    None => (b, single(a, ranges)?),
                };
                Some(Linear { counters: BTreeMap::new(), more: 0 }.plus(&of(a)?, factor))
            }
            _ => None,
        }
    }

    fn plus(mut self, other: &Linear, factor: i128) -> Linear {
        for (var, times) in &other.counters {
            *self.counters.entry(*var).or_default() += times * factor;
        }
        self.counters.retain(|_, times| *times != 0);
        Linear { more: self.more + other.more * factor, ..self }
    }

    /// Whether the two are different, whatever the counters are.
    pub(super) fn differs(&self, other: &Linear) -> bool {
        self.counters == other.counters && self.more != other.more
    }
}

/// The value of an integer that is the same wherever it is evaluated.
pub(super) fn single(e: &Expr, ranges: &Ranges) -> Option<i128> {
    let range = range(e, ranges)?;
    range.fixed().filter(|value| *value == range.least)
}

/// What is known of counters and of the number of the run.
pub(super) type Ranges = HashMap<VarId, Range>;

/// Larger numbers are not followed.
const FAR: i128 = 1 << 40;

impl Range {
    /// That of the number of the run.
    pub(super) const RUN: Range = Range { least: 0, largest: Largest { per_run: 1, more: 0 } };

    pub(super) fn of(least: i128, more: i128) -> Range {
        Range { least, largest: Largest { per_run: 0, more } }
    }

    /// If it is the same in all runs, its largest value.
    fn fixed(self) -> Option<i128> {
        (self.largest.per_run == 0).then_some(self.largest.more)
    }
}

/// The range of an index, if it is known.
pub(super) fn range(e: &Expr, ranges: &Ranges) -> Option<Range> {
    let found = match &e.kind {
        ExprKind::Lit(literal) => match literal.kind {
            LiteralKind::Integer(Some(value)) => {
                let value = i128::try_from(value).ok()?;
                Range::of(value, value)
            }
            _ => return None,
        },
        ExprKind::Var(var) => *ranges.get(var)?,
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (range(a, ranges)?, range(b, ranges)?);
            match op {
                BinaryOp::Add => {
                    let (x, y) = (a.largest, b.largest);
                    let largest = Largest { per_run: x.per_run + y.per_run, more: x.more + y.more };
                    Range { least: a.least + b.least, largest }
                }
                BinaryOp::Sub => {
                    let largest = Largest { more: a.largest.more - b.least, ..a.largest };
                    Range { least: a.least - b.fixed()?, largest }
                }
                BinaryOp::Mul => {
                    // One of the factors is the same in all runs.
                    let (a, factor) = if b.fixed().is_some() { (a, b) } else { (b, a) };
                    let (x, by) = (a.largest, factor.fixed()?);
                    Range {
                        least: a.least * factor.least,
                        largest: Largest { per_run: x.per_run * by, more: x.more * by },
                    }
                }
                BinaryOp::Div => {
                    let divisor = b.fixed().filter(|divisor| *divisor == b.least && *divisor > 0)?;
                    Range::of(a.least / divisor, a.fixed()? / divisor)
                }
                BinaryOp::Rem => Range::of(0, b.fixed().filter(|_| b.least > 0)? - 1),
                _ => return None,
            }
        }
        _ => return None,
    };
    // Below zero an integer without a sign wraps.
    let near = found.least >= 0 && found.largest.more.abs() < FAR && found.largest.per_run < FAR;
    near.then_some(found)
}

impl Emitter<'_> {
    /// What is known inside of a loop: of its counter, and of what its end says of another one.
    pub(super) fn ranges_inside(&self, s: &For) -> Ranges {
        let mut ranges = self.ranges.clone();
        let Source::Range { start, end, inclusive } = &s.iter.source else { return ranges };
        let (Some(first), Some(behind)) = (range(start, &ranges), range(end, &ranges)) else { return ranges };
        let last = Largest { more: behind.largest.more - i128::from(!*inclusive), ..behind.largest };
        ranges.extend(s.pattern.as_var().map(|var| (var, Range { least: first.least, largest: last })));
        // The loop has an iteration, so its end lies behind its start.
        if let (ExprKind::Var(end), false) = (&end.kind, *inclusive)
            && let Some(known) = ranges.get_mut(end)
        {
            known.least = known.least.max(first.least + 1);
        }
        ranges
    }

    /// An element of an argument whose index cannot be too large, if the launch says so.
    pub(super) fn within(&self, slice: VarId, index: &Expr) -> bool {
        let Some(argument) = self.arguments.get(&slice) else { return false };
        let Some(Range { largest, .. }) = range(index, &self.ranges) else { return false };
        self.reached.borrow_mut().insert((*argument, largest.per_run, largest.more));
        true
    }
}
