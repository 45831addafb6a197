//! A view that is used again, after something else has used what it is a view of, is taken anew; one that is not used is not
//! taken.
//!
//! A program takes `let w = &mut v[1..];`, changes `w`, and goes on with `v`. A run backwards uses them in the other order: it needs
//! the view once more. Where nothing has to be undone, an adjoint run uses only the view of its adjoints.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::Context;
use crate::ir::{Binding, BindingKind, Block, ExprKind, Program, Run, Stmt, VarId, VarKind};

/// Takes views where they are used: anew where that is again, and not at all where it is never. The value of the program is read
/// behind its body.
pub(super) fn views(program: &Program, body: Block, run: Run) -> Block {
    if !body.any(&|stmt| stmt.begun().is_some_and(|b| b.kind == BindingKind::View)) {
        return body;
    }
    let context = Context::new(program);
    let read = program.result.as_ref().map(|e| context.expr_reads(e)).unwrap_or_default();
    let read: BTreeSet<VarId> = read.iter().map(|access| access.written.root).collect();
    let mut pass = Pass { context: &context, views: BTreeMap::new(), stale: BTreeSet::new() };
    // A run on values alone has the views that are written.
    let used = if run == Run::Values { body } else { pass.without_unused(&body, read.clone()) };
    let mut body = pass.block(&used);
    pass.take_again(&read, &mut body.stmts);
    body
}

struct Pass<'c, 'p> {
    context: &'c Context<'p>,
    /// The views that have been taken: how, and of which variable.
    views: BTreeMap<VarId, (Stmt, VarId)>,
    /// Those that have to be taken anew before they are used.
    stale: BTreeSet<VarId>,
}

impl Pass<'_, '_> {
    /// The block without views that nothing behind them uses; some are `used` behind the block.
    fn without_unused(&self, block: &Block, mut used: BTreeSet<VarId>) -> Block {
        let mut stmts = Vec::new();
        for stmt in block.stmts.iter().rev() {
            let viewed = stmt.begun().filter(|b| b.kind == BindingKind::View).map(|b| b.pattern.bindings());
            if viewed.is_some_and(|names| names.iter().all(|var| !used.contains(var))) {
                continue;
            }
            let stmt = stmt.map_blocks(&mut |block| self.without_unused(block, BTreeSet::new()));
            used.extend(self.used(&stmt));
            stmts.push(stmt);
        }
        stmts.reverse();
        Block { stmts, span: block.span }
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            let used = self.used(stmt);
            let own = !stmt.blocks().is_empty() && !self.disturbed(&used).is_disjoint(&used);
            if own {
                // Inside the statement both are used, in an order that only the inside knows.
                self.stale.extend(self.disturbed(&used));
                stmts.push(self.inside(stmt));
                self.stale.extend(self.disturbed(&used));
                continue;
            }
            self.take_again(&used, &mut stmts);
            self.note(stmt);
            stmts.push(self.inside(stmt));
        }
        Block { stmts, span: block.span }
    }

    /// The statement with its blocks gone through. What is taken inside is gone afterwards.
    fn inside(&mut self, stmt: &Stmt) -> Stmt {
        stmt.map_blocks(&mut |block| {
            let (views, stale) = (self.views.clone(), self.stale.clone());
            let block = self.block(block);
            (self.views, self.stale) = (views, stale);
            block
        })
    }

    /// Takes the views among `used` again that are stale, and first those that they are views of.
    fn take_again(&mut self, used: &BTreeSet<VarId>, stmts: &mut Vec<Stmt>) {
        for var in used {
            if self.stale.contains(var)
                && let Some((begin, of)) = self.views.get(var).cloned()
            {
                self.take_again(&BTreeSet::from([of]), stmts);
                self.note(&begin);
                stmts.push(begin);
            }
        }
    }

    /// What a statement does to views: it may take some, and make others stale.
    fn note(&mut self, stmt: &Stmt) {
        let used = self.used(stmt);
        self.stale.extend(self.disturbed(&used));
        if let Some(binding) = stmt.begun().filter(|b| b.kind == BindingKind::View) {
            for var in binding.pattern.bindings() {
                self.stale.remove(&var);
                if let Some(viewed) = viewed(binding) {
                    self.views.insert(var, (stmt.clone(), viewed));
                }
            }
        }
    }

    /// The variables that a statement uses by their own names.
    fn used(&self, stmt: &Stmt) -> BTreeSet<VarId> {
        let effects = self.context.effects(stmt);
        // That the name of a view is alive is no use of it.
        let by_name = |place: VarId| matches!(self.context.vars[place.0].kind, VarKind::View(_) | VarKind::Part(_));
        let accesses = effects.reads.iter().chain(&effects.writes).filter(|access| !by_name(access.place.root));
        accesses.map(|access| access.written.root).chain(viewed_inside(stmt)).collect()
    }

    /// The views of variables that are used.
    fn disturbed(&self, used: &BTreeSet<VarId>) -> BTreeSet<VarId> {
        let of = |var: &VarId| self.views.get(var).map(|(_, of)| *of);
        let is_disturbed = |var: &&VarId| std::iter::successors(of(var), of).any(|base| used.contains(&base));
        self.views.keys().filter(is_disturbed).copied().collect()
    }
}

/// The variable that a view is one of.
fn viewed(binding: &Binding) -> Option<VarId> {
    let place = match &binding.value.kind {
        ExprKind::Method { receiver, .. } => receiver.as_place(),
        _ => binding.value.as_place(),
    };
    place.map(|place| place.root)
}

/// The variables of which a statement takes views: a field of one is taken without a look at the rest.
fn viewed_inside(stmt: &Stmt) -> Vec<VarId> {
    let own = stmt.begun().filter(|b| b.kind == BindingKind::View).and_then(viewed);
    let inner = stmt.blocks().into_iter().flat_map(|block| &block.stmts).flat_map(viewed_inside);
    own.into_iter().chain(inner).collect()
}
