//! What a program relies on, as statements: only derivative programs and the core have them.

use super::{Binding, Expr, Stmt, VarId};
use crate::span::Span;

/// What a program relies on.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// A local that a derivative run has restored is what it was.
    Restored(Restored),
    /// It is what it was behind some iterations of the loop that restores it, in checked builds.
    Witness(Witness),
    /// Two elements of an array are different ones.
    Distinct(Distinct),
}

/// A store of what a local was in front of some iterations of a loop.
#[derive(Clone, Debug, PartialEq)]
pub enum Witness {
    /// The store begins, in front of the loop.
    Begin {
        /// The register that holds it.
        store: VarId,
        /// Where the local began.
        span: Span,
    },
    /// An iteration is about to change the local.
    Keep {
        /// The register that holds the store.
        store: VarId,
        /// The local.
        var: VarId,
        /// Where it began.
        span: Span,
    },
    /// An iteration has been undone.
    Recall {
        /// The register that holds the store.
        store: VarId,
        /// The comparison with what the local began with.
        of: Restored,
    },
}

impl Witness {
    /// Where the local began.
    pub fn span(&self) -> Span {
        match self {
            Witness::Begin { span, .. } | Witness::Keep { span, .. } => *span,
            Witness::Recall { of, .. } => of.binding.span,
        }
    }
}

/// Two elements are the same exactly when all pairs of indices are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Distinct {
    /// The array.
    pub var: VarId,
    /// The indices.
    pub pairs: Vec<(Expr, Expr)>,
    /// The statement that relies on it.
    pub statement: Box<Stmt>,
}

/// A comparison of a local with what it was when its life began, or further on.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored {
    /// The local.
    pub var: VarId,
    /// What it was.
    pub expected: Expected,
    /// How large it was before it was restored.
    pub scale: VarId,
    /// Where it began.
    pub binding: Box<Binding>,
}

/// What a local was.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// This value.
    Value(Expr),
    /// A sequence of this value, or sequences in a sequence, as deep as that.
    Each(Expr, usize),
    /// What a register holds, if it could be copied.
    Kept(Expr),
    /// A sequence of what a register holds, or sequences in a sequence, as deep as that.
    KeptOne(Expr, usize),
}

impl Expected {
    /// What says so.
    pub fn expr(&self) -> &Expr {
        let (Expected::Value(e) | Expected::Each(e, _) | Expected::Kept(e) | Expected::KeptOne(e, _)) = self;
        e
    }
}
