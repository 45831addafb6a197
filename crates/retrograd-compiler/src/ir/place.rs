//! Places that can be changed.

use proc_macro2::Ident;

use super::{Expr, ExprKind, VarId};
use crate::span::Span;

/// A place that can be changed: a variable and the way from it to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The variable.
    pub root: VarId,
    /// The way.
    pub path: Vec<Projection>,
    /// Where it stands.
    pub span: Span,
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Projection {
    /// `*p`
    Deref,
    /// `p.x`
    Field(Member),
    /// `p[i]`
    Index(Expr),
    /// Some part, not known which: an element that a loop visits, a binding of a pattern.
    Some,
}

impl Place {
    /// A whole variable.
    pub fn var(root: VarId, span: Span) -> Place {
        Place { root, path: Vec::new(), span }
    }

    /// The same place with one more step.
    pub fn then(mut self, step: Projection) -> Place {
        self.path.push(step);
        self
    }

    /// Whether it is all of the variable, or of what that refers to.
    pub fn is_all(&self) -> bool {
        self.path.iter().all(|step| *step == Projection::Deref)
    }

    /// Whether it is another place or a part of it.
    pub fn is_within(&self, whole: &Place) -> bool {
        let goes_on = |step: &&Projection| **step != Projection::Deref;
        let mut own = self.path.iter().filter(goes_on);
        self.root == whole.root && whole.path.iter().filter(goes_on).all(|step| own.next() == Some(step))
    }

    /// The place as an expression that reads it. Places of a program have no [`Projection::Some`] in them.
    pub fn to_expr(&self) -> Expr {
        self.path.iter().fold(Expr::var(self.root, self.span), |base, step| base.part(step.clone(), self.span))
    }

    /// The steps that two places share, and where they part.
    pub fn parting<'a>(&'a self, other: &'a Place) -> (Place, Option<&'a Projection>, Option<&'a Projection>) {
        let shared = self.path.iter().zip(&other.path).take_while(|(a, b)| a == b).count();
        let shared_place = Place { root: self.root, path: self.path[..shared].to_vec(), span: self.span };
        (shared_place, self.path.get(shared), other.path.get(shared))
    }

    /// Whether two places part at an index, so that rustc takes them for the same borrow.
    pub fn differs_by_index(&self, other: &Place) -> bool {
        let parting = self.parting(other);
        self.root == other.root && matches!(parting, (_, Some(Projection::Index(_)), Some(Projection::Index(_))))
    }

    /// Whether two places are elements of the same container, with no further index behind: equal indices are equal
    /// elements then, and the container can hand out both at once.
    pub fn taken_together(&self, other: &Place) -> bool {
        let depth = self.parting(other).0.path.len();
        self.differs_by_index(other) && self.is_whole_element(depth) && other.is_whole_element(depth)
    }

    /// Whether the step at that depth is an index, by which a container lends, and no other follows.
    pub fn is_whole_element(&self, depth: usize) -> bool {
        let mut steps = self.path.iter().skip(depth);
        let lends = |step: &Projection| match step {
            Projection::Index(index) => !matches!(index.kind, ExprKind::Tuple(_)),
            Projection::Deref | Projection::Field(_) | Projection::Some => false,
        };
        steps.next().is_some_and(lends) && steps.all(|step| matches!(step, Projection::Field(_) | Projection::Deref))
    }

    /// Whether the place is a part of a slice, and not one element.
    pub fn is_slice(&self) -> bool {
        matches!(self.path.last(), Some(Projection::Index(Expr { kind: ExprKind::Range { .. }, .. })))
    }

    /// The indices on the way.
    pub fn indices(&self) -> impl Iterator<Item = &Expr> {
        self.path.iter().filter_map(|step| match step {
            Projection::Index(index) => Some(index),
            Projection::Deref | Projection::Field(_) | Projection::Some => None,
        })
    }
}

/// The name of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// `s.x`
    Named(Ident),
    /// `s.0`
    Index(usize),
}
