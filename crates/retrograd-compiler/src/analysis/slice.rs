//! The slice of a compound statement: what in it changes certain ancillas, and nothing else.

use std::collections::BTreeSet;

use super::Context;
use super::effects::{Access, Effects};
use super::relation::{Changed, Relation};
use crate::ir::{Arm, Block, Conjugate, Stmt, VarId};
use crate::span::Span;

/// Why a statement has no slice that could be undone by itself.
#[derive(Clone, Debug)]
pub enum NoSlice {
    /// This statement changes ancillas and other things in one go.
    Together(Span),
    /// The slice reads here what the rest of the statement changes there.
    Reads(Span, Span),
}

/// Variables that are kept in the slice, and what the statements left out of it change.
struct Cut<'c, 'p> {
    context: &'c Context<'p>,
    kept: BTreeSet<VarId>,
    inner: BTreeSet<VarId>,
    dropped: Vec<Access>,
}

impl Context<'_> {
    /// The atomic statements in `stmt` that change `targets`, with their loops, conditions and inner locals.
    pub fn slice(&self, stmt: &Stmt, targets: &BTreeSet<VarId>) -> Result<Stmt, NoSlice> {
        let inner = declared_inside(stmt);
        let mut cut = Cut { context: self, kept: targets.clone(), inner, dropped: Vec::new() };
        let sliced = loop {
            let before = cut.kept.len();
            cut.dropped.clear();
            let sliced = cut.stmt(stmt);
            if cut.kept.len() == before {
                break sliced;
            }
        };
        let Some(sliced) = sliced else { return Err(NoSlice::Together(stmt.span())) };
        let foreign = |w: &&Access| !targets.contains(&w.place.root) && !cut.inner.contains(&w.place.root);
        if let Some(write) = self.net_effects(&sliced).writes.iter().find(foreign) {
            return Err(NoSlice::Together(write.span));
        }
        // What is read in one turn of a loop may be changed in another: its variables are not the same then.
        let changed = Changed::by([&self.effects(stmt)]).and(begun_inside(stmt));
        for read in self.effects(&sliced).reads {
            let disturbs = |w: &&Access| self.disturbs_over(w, &read, &changed) != Relation::Disjoint;
            if let Some(write) = cut.dropped.iter().find(disturbs) {
                return Err(NoSlice::Reads(read.span, write.span));
            }
        }
        Ok(sliced)
    }
}

impl Cut<'_, '_> {
    /// Keeps what the kept statements work with, as far as it lives inside the compound statement.
    fn keep(&mut self, effects: &Effects) {
        for access in effects.reads.iter().chain(&effects.writes) {
            if self.inner.contains(&access.place.root) {
                self.kept.insert(access.place.root);
            }
        }
    }

    fn block(&mut self, block: &Block) -> Block {
        // Backwards, so that what a later statement needs is known when its local comes along.
        let mut stmts: Vec<Stmt> = block.stmts.iter().rev().filter_map(|stmt| self.stmt(stmt)).collect();
        stmts.reverse();
        Block { stmts, span: block.span }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<Stmt> {
        match stmt {
            Stmt::Update(_)
            | Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::Assign(_)
            // A record undoes it as a whole.
            | Stmt::Compute(_) => {
                let effects = self.context.effects(stmt);
                if effects.changed().iter().any(|var| self.kept.contains(var)) {
                    self.keep(&effects);
                    Some(stmt.clone())
                } else {
                    self.dropped.extend(effects.writes);
                    None
                }
            }
            Stmt::Begin(binding) | Stmt::End(binding) => {
                let needed = binding.pattern.bindings().iter().any(|var| self.kept.contains(var));
                needed.then(|| {
                    self.keep(&self.context.own_effects(stmt));
                    stmt.clone()
                })
            }
            Stmt::If(s) => {
                let (then, otherwise) = (self.block(&s.then), s.otherwise.as_ref().map(|b| self.block(b)));
                let empty = then.stmts.is_empty() && otherwise.as_ref().is_none_or(|b| b.stmts.is_empty());
                let sliced = Stmt::If(s.with_branches(then, otherwise));
                self.compound(empty, stmt, sliced)
            }
            Stmt::Match(s) => {
                let arms: Vec<Arm> = s.arms.iter().map(|arm| arm.with_body(self.block(&arm.body))).collect();
                let empty = arms.iter().all(|arm| arm.body.stmts.is_empty());
                self.compound(empty, stmt, Stmt::Match(s.with_arms(arms)))
            }
            Stmt::While(s) => {
                let body = self.block(&s.body);
                self.compound(body.stmts.is_empty(), stmt, Stmt::While(s.with_body(body)))
            }
            Stmt::For(s) => {
                let body = self.block(&s.body);
                self.compound(body.stmts.is_empty(), stmt, Stmt::For(s.with_body(body)))
            }
            Stmt::Block(s) => {
                let block = self.block(s);
                self.compound(block.stmts.is_empty(), stmt, Stmt::Block(block))
            }
            Stmt::Conjugate(s) => {
                let rest = self.block(&s.rest);
                let compute = self.context.block_effects(&s.compute);
                if rest.stmts.is_empty() {
                    self.dropped.extend(compute.writes);
                    return None;
                }
                self.keep(&compute);
                Some(Stmt::Conjugate(Conjugate { rest, ..s.clone() }))
            }
            Stmt::Unchecked(s) => self.stmt(s).map(|s| Stmt::Unchecked(Box::new(s))),
            Stmt::Inverse(s) => self.stmt(s).map(|s| Stmt::Inverse(Box::new(s))),
            Stmt::Host(_) => None,
            Stmt::Recompute(_) | Stmt::Loop(_) | Stmt::Exit(_) | Stmt::Keep(_) | Stmt::Restore(_) | Stmt::Give(_) => {
                Some(stmt.clone())
            }
            Stmt::Check(_) | Stmt::Uncompute(_) => Some(stmt.clone()),
        }
    }

    fn compound(&mut self, empty: bool, stmt: &Stmt, sliced: Stmt) -> Option<Stmt> {
        if empty {
            return None;
        }
        self.keep(&self.context.own_effects(stmt));
        Some(sliced)
    }
}

/// The variables that begin inside a statement, those of loops and patterns included.
pub fn begun_inside(stmt: &Stmt) -> BTreeSet<VarId> {
    let mut vars = declared_inside(stmt);
    stmt.walk(&mut |stmt| {
        if let Stmt::For(s) = stmt {
            vars.extend(s.pattern.bindings());
        }
        if let Stmt::Match(s) = stmt {
            vars.extend(s.arms.iter().flat_map(|arm| arm.pattern.bindings()));
        }
    });
    vars
}

/// The locals that begin inside a statement.
pub fn declared_inside(stmt: &Stmt) -> BTreeSet<VarId> {
    let mut vars = BTreeSet::new();
    for block in stmt.blocks() {
        block.walk(&mut |stmt| vars.extend(stmt.begun().into_iter().flat_map(|begun| begun.pattern.bindings())));
    }
    vars
}
