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
    /// The same in a program with a record, which has samples of what the local was.
    Sample(Sample),
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

/// Samples of what locals were on the way: a record has them, from some iterations of each loop. On the way back they are taken in reverse.
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    /// A record for samples alone.
    Lease(VarId, Span),
    /// A loop begins, which stands there.
    Open(Span),
    /// One of its iterations begins.
    Turn(Span),
    /// A local is this now.
    Keep {
        /// The number of the place in the program where it is kept.
        point: usize,
        /// The local.
        var: VarId,
        /// Where that is.
        span: Span,
    },
    /// The loop has ended.
    Shut(Span),
    /// The loop is about to be undone.
    Reopen(Span),
    /// A local is restored as far as that, and compared.
    Recall(Recall),
    /// An iteration has been undone.
    Unturn(Span),
    /// The loop has been undone.
    Unopen(Span),
    /// A register begins that says how large a local is.
    Scale(VarId, Span),
    /// A local is restored from here on: how large it is, or has been since.
    Measure {
        /// The register.
        scale: VarId,
        /// The local.
        var: VarId,
        /// Whether the record has just given it back: what it was before is forgotten.
        anew: bool,
        /// Where that is.
        span: Span,
    },
}

/// A comparison of a local with a sample of what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Recall {
    /// The number of the place in the program where it was kept.
    pub point: usize,
    /// The local.
    pub var: VarId,
    /// The register that says how large it was before it was restored.
    pub scale: VarId,
    /// The statement that made it what it was: its `let`, of which an iteration is said, or an assignment.
    pub made: Box<Stmt>,
}

impl Sample {
    /// Where it belongs to.
    pub fn span(&self) -> Span {
        match self {
            Sample::Lease(_, span)
            | Sample::Open(span)
            | Sample::Turn(span)
            | Sample::Keep { span, .. }
            | Sample::Shut(span)
            | Sample::Reopen(span)
            | Sample::Unturn(span)
            | Sample::Unopen(span)
            | Sample::Scale(_, span)
            | Sample::Measure { span, .. } => *span,
            Sample::Recall(s) => s.made.span(),
        }
    }

    /// The variables that it reads.
    pub fn reads(&self) -> Vec<VarId> {
        match self {
            Sample::Keep { var, .. } | Sample::Measure { var, .. } => vec![*var],
            Sample::Recall(s) => vec![s.var, s.scale],
            Sample::Lease(..)
            | Sample::Open(_)
            | Sample::Turn(_)
            | Sample::Shut(_)
            | Sample::Reopen(_)
            | Sample::Unturn(_)
            | Sample::Unopen(_)
            | Sample::Scale(..) => Vec::new(),
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
