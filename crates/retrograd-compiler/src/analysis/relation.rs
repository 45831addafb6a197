//! Whether two places are the same.

use super::Context;
use super::effects::Access;
use crate::ir::{Expr, Place, Projection};

/// How two places stand to each other.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// They have nothing in common, as can be seen.
    Disjoint,
    /// They are the same element just if all these pairs of indices are equal.
    Indices(Vec<(Expr, Expr)>),
    /// They have something in common, or it cannot be told even at run time.
    Overlap,
}

impl Context<'_> {
    /// How two resolved places stand to each other.
    pub fn relation(&self, a: &Place, b: &Place) -> Relation {
        if a.root != b.root {
            return Relation::Disjoint;
        }
        let steps = |place: &Place| {
            place.path.iter().filter(|step| !matches!(step, Projection::Deref)).cloned().collect::<Vec<_>>()
        };
        let mut pairs = Vec::new();
        let mut known = true;
        for (a, b) in steps(a).iter().zip(&steps(b)) {
            match (a, b) {
                (Projection::Field(a), Projection::Field(b)) if a != b => return Relation::Disjoint,
                (Projection::Field(_), Projection::Field(_)) => {}
                (Projection::Index(a), Projection::Index(b)) if a == b => {}
                (Projection::Index(a), Projection::Index(b)) if self.visibly_different(a, b) => {
                    return Relation::Disjoint;
                }
                (Projection::Index(a), Projection::Index(b)) => pairs.push((a.clone(), b.clone())),
                (Projection::Some, Projection::Some) => {}
                _ => known = false,
            }
        }
        if pairs.is_empty() || !known { Relation::Overlap } else { Relation::Indices(pairs) }
    }

    /// Whether two places may have something in common.
    pub fn touches(&self, a: &Place, b: &Place) -> bool {
        self.relation(a, b) != Relation::Disjoint
    }

    /// Whether a write may change what a read sees.
    pub fn disturbs(&self, write: &Access, read: &Access) -> Relation {
        if write.place.root != read.place.root {
            return Relation::Disjoint;
        }
        if read.shape {
            // How long `x` is changes with all of `x`, not with an element of it.
            let steps = |place: &Place| place.path.iter().filter(|s| !matches!(s, Projection::Deref)).count();
            if !write.shape || steps(&write.place) > steps(&read.place) {
                return Relation::Disjoint;
            }
        }
        self.relation(&write.place, &read.place)
    }
}
