//! Arrays that a loop writes as a whole, element by element: nobody needs what they were before it.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{Context, counter};
use crate::ir::{
    Adapter, Assign, Block, Expr, ExprKind, For, Keep, Known, Place, Projection, Source, Stmt, TypeKind, VarId, VarKind,
};

/// How long locals are, where they begin with as many equal elements.
pub(super) type Lengths = BTreeMap<VarId, Expr>;

/// The locals of which each iteration of a loop writes its own element before it touches any, and which are as long as the loop.
pub(super) fn covered(context: &Context<'_>, s: &For, lengths: &Lengths) -> BTreeSet<VarId> {
    let whole =
        s.early.is_none() && s.part.is_none() && s.iter.adapters.iter().all(|adapter| matches!(adapter, Adapter::Rev));
    let (Some(turn), Source::Range { start, end, inclusive: false }, true) = (counter(s), &s.iter.source, whole) else {
        return BTreeSet::new();
    };
    if !matches!(&start.kind, ExprKind::Lit(literal) if literal.is_integer(0)) {
        return BTreeSet::new();
    }
    let mut written = Written { context, turn, touched: BTreeSet::new(), first: BTreeSet::new() };
    written.block(&s.body);
    if written.first.is_empty() {
        return BTreeSet::new();
    }
    let effects = context.block_effects(&s.body);
    let read = effects.reads.iter().filter(|read| !read.shape);
    let elsewhere: BTreeSet<VarId> = read
        .chain(&effects.writes)
        .filter(|access| !begins_with(&access.place, turn))
        .map(|access| access.place.root)
        .collect();
    written.first.retain(|var| !elsewhere.contains(var) && is_as_long(context, *var, end, lengths));
    written.first
}

/// What is written first in an iteration.
struct Written<'c, 'p> {
    context: &'c Context<'p>,
    turn: VarId,
    touched: BTreeSet<VarId>,
    /// The variables whose own element is written before any is touched.
    first: BTreeSet<VarId>,
}

impl Written<'_, '_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Block(block) => self.block(block),
                _ => self.stmt(stmt),
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let effects = self.context.effects(stmt);
        if let Stmt::Restore(Keep { place, local: None, .. }) | Stmt::Assign(Assign { target: place, .. }) = stmt
            && place.path.len() == 1
            && begins_with(place, self.turn)
            && matches!(self.context.vars[place.root.0].kind, VarKind::Ancilla)
            && !self.touched.contains(&place.root)
            && !effects.reads.iter().any(|read| read.place.root == place.root)
        {
            self.first.insert(place.root);
        }
        self.touched.extend(effects.mentioned());
    }
}

/// Whether a place is in the element with the number of the iteration.
fn begins_with(place: &Place, turn: VarId) -> bool {
    matches!(place.path.first(), Some(Projection::Index(index)) if index.kind == ExprKind::Var(turn))
}

/// Whether a local has so many elements: what says so is the same constant, or its own length.
fn is_as_long(context: &Context<'_>, var: VarId, end: &Expr, lengths: &Lengths) -> bool {
    let text = match &end.kind {
        ExprKind::Lit(literal) => literal.written.text().to_string(),
        ExprKind::Path(path) if path.segments.len() == 1 && path.of.is_none() => path.last().to_string(),
        ExprKind::Method { receiver, method, .. } => {
            return method.known == Some(Known::Shape) && method.name == "len" && receiver.kind == ExprKind::Var(var);
        }
        _ => return false,
    };
    let written = context.vars[var.0].ty.as_ref().map(|ty| &ty.kind);
    let typed = matches!(written, Some(TypeKind::Array { len, .. }) if len.text() == text);
    typed || lengths.get(&var).is_some_and(|length| length.kind == end.kind)
}
