//! Witnesses of what a local was: its initialiser itself, where that is at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Context;
use crate::ir::{
    Block, DUPLICATE, Expected, Expr, ExprKind, Keep, Known, MacroArgs, Mode, Place, Rule, Stmt, UnaryOp, Var, VarId,
    VarKind,
};
use crate::signature::numbers::Numbers;

/// What is known about initialisers in a program.
pub(crate) struct AtHand<'a, 'p> {
    /// The program.
    pub context: &'a Context<'p>,
    /// Which names are numbers.
    pub numbers: &'a Numbers,
    /// What the program changes somewhere.
    pub changed: &'a BTreeSet<VarId>,
    /// Whether a variable is a reference; `None` if that is not known.
    pub is_reference: &'a dyn Fn(VarId) -> Option<bool>,
}

/// What sequences in sequences are made of that an initialiser makes, and how deep that is: zero, if it makes none.
fn repeated(value: &Expr) -> (&Expr, usize) {
    let (mut each, mut depth) = (value, 0);
    while let ExprKind::Repeat(one, _) | ExprKind::Macro { args: MacroArgs::Repeat(one, _), .. } = &each.kind {
        (each, depth) = (one, depth + 1);
    }
    (each, depth)
}

/// The register that a copy is kept in, and the copy, as a witness of what a local was: behind its initialiser, of which one value stands for
/// all of a sequence, or further on.
pub(crate) fn kept(var: &Expr, initial: Option<&Expr>, keep: impl FnOnce(Expr) -> Expr) -> Expected {
    match initial.map_or(0, |value| repeated(value).1) {
        0 => Expected::Kept(keep(Expr::rule(Rule::Keep, vec![var.clone()], var.span))),
        depth => Expected::KeptOne(keep(Expr::rule(Rule::KeepOne(depth), vec![var.clone()], var.span)), depth),
    }
}

/// Whether a variable of a program is a reference, as far as its kind tells.
pub(crate) fn is_reference(vars: &[Var], var: VarId) -> Option<bool> {
    match &vars[var.0].kind {
        VarKind::Param(mode) => Some(*mode != Mode::Value),
        VarKind::View(_) => Some(true),
        VarKind::Ancilla => Some(false),
        _ => None,
    }
}

/// The registers that hold what locals began with, for the way back of a record.
pub(crate) fn copies(vars: &[Var], block: &Block) -> BTreeMap<VarId, VarId> {
    let mut found = BTreeMap::new();
    block.walk(&mut |stmt| {
        let copy = match stmt {
            Stmt::Begin(copy) => Some(copy),
            Stmt::Restore(Keep { local, .. }) => local.as_deref(),
            _ => None,
        };
        if let Some(copy) = copy
            && let Some(register) = copy.pattern.as_var().filter(|var| vars[var.0].kind == VarKind::Register)
            && let ExprKind::Method { receiver, method, .. } = &copy.value.kind
            && let (true, ExprKind::Var(local)) = (method.name == DUPLICATE, &receiver.kind)
        {
            found.insert(*local, register);
        }
    });
    found
}

impl AtHand<'_, '_> {
    /// The initialiser as a witness: a literal, a place that the program never changes, or copies of such.
    pub(crate) fn witness(&self, value: &Expr) -> Option<Expected> {
        match &value.kind {
            ExprKind::Repeat(..) | ExprKind::Macro { args: MacroArgs::Repeat(..), .. } => {
                let (each, depth) = repeated(value);
                self.is_at_hand(each).then(|| Expected::Each(each.clone(), depth))
            }
            ExprKind::Method { receiver, method, .. } if method.known == Some(Known::Form) => {
                receiver.as_place().filter(|place| self.is_unchanged(place))?;
                self.behind(receiver).map(Expected::Value)
            }
            _ => self.is_at_hand(value).then(|| Expected::Value(value.clone())),
        }
    }

    /// The same in a program with a record, whose way back has no copy from the way there: also what is made of such, which is made again.
    pub(crate) fn witness_made_again(&self, value: &Expr) -> Option<Expected> {
        self.witness(value).or_else(|| self.is_made_again(value).then(|| Expected::Value(value.clone())))
    }

    fn is_made_again(&self, e: &Expr) -> bool {
        let again = match &e.kind {
            ExprKind::Array(_) | ExprKind::Tuple(_) | ExprKind::Struct { .. } | ExprKind::Binary(..) => true,
            ExprKind::Unary(op, _) => *op == UnaryOp::Neg,
            ExprKind::Macro { path, args: MacroArgs::List(_) } => path.last() == "vec",
            ExprKind::Call { callee, args } => {
                !args.is_empty()
                    && matches!(&callee.kind, ExprKind::Path(path) if path.is_constructor() || path.last() == "Some")
            }
            ExprKind::Repeat(..) | ExprKind::Macro { args: MacroArgs::Repeat(..), .. } => true,
            _ => false,
        };
        self.is_at_hand(e)
            || again
                && e.children().into_iter().all(|part| match (&e.kind, &part.kind) {
                    // What is called is a constructor.
                    (ExprKind::Call { .. }, ExprKind::Path(_)) => true,
                    _ => self.is_made_again(part),
                })
    }

    /// What a name means that is copied: behind a reference, what it refers to.
    fn behind(&self, e: &Expr) -> Option<Expr> {
        let ExprKind::Var(var) = e.kind else { return Some(e.clone()) };
        Some(match (self.is_reference)(var)? {
            true => Expr::new(ExprKind::Unary(UnaryOp::Deref, Rc::new(e.clone())), e.span),
            false => e.clone(),
        })
    }

    fn is_at_hand(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) => true,
            ExprKind::Unary(UnaryOp::Neg, a) => self.is_at_hand(a),
            ExprKind::Call { .. } => {
                self.numbers.is_constant(e, 0.0, "zero") || self.numbers.is_constant(e, 1.0, "one")
            }
            _ => e.as_place().is_some_and(|place| self.is_unchanged(&place)),
        }
    }

    fn is_unchanged(&self, place: &Place) -> bool {
        let indices = place.indices().flat_map(|index| self.context.expr_reads(index)).map(|access| access.place.root);
        let mut roots = indices.chain([self.context.root(place)]);
        roots.all(|root| !self.changed.contains(&root))
    }
}
