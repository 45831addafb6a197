//! Whether two places are the same.

use std::collections::BTreeSet;

use super::Context;
use super::effects::{Access, Effects, flattened};
use super::index::may_be_range;
use crate::ir::{Conjugate, Expr, ExprKind, Place, Projection, VarId};

/// How two places stand to each other.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// They have nothing in common, as can be seen.
    Disjoint,
    /// They are the same element exactly when all these pairs of indices are equal.
    Indices(Vec<(Expr, Expr)>),
    /// They have something in common, or it cannot be told even at run time.
    Overlap,
}

/// What may have changed between two times.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    vars: BTreeSet<VarId>,
    writes: Vec<Access>,
}

impl Changed {
    /// What statements with these effects may change.
    pub fn by<'e>(effects: impl IntoIterator<Item = &'e Effects>) -> Changed {
        let writes: Vec<Access> = effects.into_iter().flat_map(|e| e.writes.iter().cloned()).collect();
        Changed { vars: writes.iter().map(|w| w.place.root).collect(), writes }
    }

    /// Variables that mean something else by then, such as those of a loop in another turn.
    pub fn and(mut self, vars: impl IntoIterator<Item = VarId>) -> Changed {
        self.vars.extend(vars);
        self
    }
}

impl Context<'_> {
    /// How two resolved places stand to each other at the same time.
    pub fn relation(&self, a: &Place, b: &Place) -> Relation {
        self.relation_over(a, b, &Changed::default())
    }

    /// How two resolved places stand to each other at two times between which something may change:
    /// indices that depend on these say nothing about each other.
    pub fn relation_over(&self, a: &Place, b: &Place, changed: &Changed) -> Relation {
        if a.root != b.root {
            return Relation::Disjoint;
        }
        let steps = |place: &Place| {
            place.path.iter().filter(|step| !matches!(step, Projection::Deref)).cloned().collect::<Vec<_>>()
        };
        let (a, b) = (steps(a), steps(b));
        // The halves of a split are disjoint as slices; of elements in slices that overlap the indices have to be compared.
        match self.compare(&a, &b, changed) {
            Relation::Disjoint => Relation::Disjoint,
            Relation::Indices(_) | Relation::Overlap => {
                self.compare(&flattened(self.vars, &a), &flattened(self.vars, &b), changed)
            }
        }
    }

    fn compare(&self, a: &[Projection], b: &[Projection], changed: &Changed) -> Relation {
        let mut pairs = Vec::new();
        let mut known = true;
        let mut behind_slices = false;
        for (a, b) in a.iter().zip(b) {
            // Behind two different slices an index means two different elements, or the same: nothing can be told from it.
            if let (Projection::Index(a), Projection::Index(b)) = (a, b) {
                if behind_slices {
                    break;
                }
                let same = a == b && !self.depends_on(a, changed);
                behind_slices = !same && (may_be_range(self.vars, a) || may_be_range(self.vars, b));
            }
            match (a, b) {
                (Projection::Field(a), Projection::Field(b)) if a != b => return Relation::Disjoint,
                (Projection::Field(_), Projection::Field(_)) => {}
                (Projection::Index(a), Projection::Index(b))
                    if self.depends_on(a, changed) || self.depends_on(b, changed) =>
                {
                    known = false;
                }
                (Projection::Index(a), Projection::Index(b)) if a == b => {}
                (Projection::Index(a), Projection::Index(b)) if self.visibly_different(a, b) => {
                    return Relation::Disjoint;
                }
                (Projection::Index(a), Projection::Index(b)) if self.visibly_overlapping(a, b) => {}
                (Projection::Index(a), Projection::Index(b)) => pairs.push((a.clone(), b.clone())),
                (Projection::Some, Projection::Some) => {}
                _ => known = false,
            }
        }
        if pairs.is_empty() || !known { Relation::Overlap } else { Relation::Indices(pairs) }
    }

    /// What a `#[compute]` block works with, and the place where the rest of its block changes that: then what the block
    /// computed is not undone at the end. By that time other things may have changed as well.
    pub fn clash(&self, conjugate: &Conjugate) -> Option<(Access, Access)> {
        let compute = self.block_effects(&conjugate.compute);
        let rest = self.net_block_effects(&conjugate.rest);
        let changed = Changed::by([&compute, &self.block_effects(&conjugate.rest)]);
        let touched = |access: &Access| {
            let touches = |w: &&Access| self.relation_over(&w.place, &access.place, &changed) != Relation::Disjoint;
            rest.writes.iter().find(touches).cloned()
        };
        compute.reads.iter().chain(&compute.writes).find_map(|access| Some((access.clone(), touched(access)?)))
    }

    /// Whether a write may change what a read sees at the same time.
    pub fn disturbs(&self, write: &Access, read: &Access) -> Relation {
        self.disturbs_over(write, read, &Changed::default())
    }

    /// Whether a write may change what a read sees at another time, where the variables in `changed` may have changed
    /// in between.
    pub fn disturbs_over(&self, write: &Access, read: &Access, changed: &Changed) -> Relation {
        if write.place.root != read.place.root {
            return Relation::Disjoint;
        }
        if read.shape {
            let steps = |place: &Place| -> Vec<Projection> {
                place.path.iter().filter(|s| !matches!(s, Projection::Deref)).cloned().collect()
            };
            let (written, seen) = (steps(&write.place), steps(&read.place));
            // How long `x` is changes with all of `x` where that can get another shape, and with what holds `x`; an element
            // of `x` has nothing to do with it, but a field may.
            let keeps = match written.get(seen.len()) {
                Some(Projection::Index(_) | Projection::Some) => true,
                Some(Projection::Field(_) | Projection::Deref) => false,
                None => written.len() == seen.len() && !write.shape,
            };
            if keeps {
                return Relation::Disjoint;
            }
        }
        self.relation_over(&write.place, &read.place, changed)
    }

    /// Whether an index depends on what has changed, by itself or by the range of a loop.
    pub fn depends_on(&self, index: &Expr, changed: &Changed) -> bool {
        if changed.vars.is_empty() {
            return false;
        }
        let direct = self.expr_reads(index).iter().any(|read| match read.shape {
            true => changed.writes.iter().any(|write| self.disturbs(write, read) != Relation::Disjoint),
            false => changed.vars.contains(&read.place.root),
        });
        let mut found = direct;
        index.walk(&mut |e| {
            if let ExprKind::Var(var) = e.kind
                && let Some((start, end, _)) = self.bounds.get(&var)
            {
                found |= self.depends_on(start, changed) || self.depends_on(end, changed);
            }
        });
        found
    }
}
