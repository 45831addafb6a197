//! The laws of the language, one file each. A program that passes can be inverted without fail.

pub(crate) mod activity;
mod alias;
mod borrow;
mod control;
pub(crate) mod kernel;
mod lifetime;
mod literals;
mod untyped;

use crate::analysis::Context;
use crate::analysis::effects::Access;
use crate::analysis::relation::{Changed, Relation};
use crate::diagnostics::Diagnostics;
use crate::ir::{Block, Place, Program, Records, Stmt};
use crate::span::Span;

/// Reports everything that is wrong with a program.
pub fn check(program: &Program, diagnostics: &Diagnostics) {
    let context = Context::new(program);
    let checker = Checker { context: &context, diagnostics, marked: program.marked.as_deref().unwrap_or_default() };
    // What a record undoes has none of the rules by which it could be undone without. A local that ends is kept, wherever it is.
    if program.marked.is_some() {
        checker.block(&program.body);
    }
    if program.records == Records::Nothing {
        lifetime::check(&checker, &program.body, program.result.as_ref());
    }
    if !diagnostics.any() {
        control::views(&checker, &program.body);
    }
    activity::check(program, &context, diagnostics);
    literals::check(program, diagnostics);
    untyped::check(program, diagnostics);
    if !diagnostics.any() {
        borrow::check(&checker, &program.body, program.result.as_ref());
    }
}

/// Whether locals can be computed again when their life ends, and ancillas are given back as they were.
pub(crate) fn lifetimes_hold(program: &Program) -> bool {
    let (context, diagnostics) = (Context::new(program), Diagnostics::default());
    lifetime::check(&Checker { context: &context, diagnostics: &diagnostics, marked: &[] }, &program.body, None);
    diagnostics.finish().is_ok()
}

struct Checker<'c, 'p> {
    context: &'c Context<'p>,
    diagnostics: &'c Diagnostics,
    /// The statements that a record undoes.
    marked: &'c [Span],
}

impl Checker<'_, '_> {
    fn block(&self, block: &Block) {
        let is_marked = |stmt: &Stmt| self.marked.iter().any(|span| span.is_at(stmt.span()));
        for stmt in block.stmts.iter().filter(|stmt| !is_marked(stmt)) {
            self.stmt(stmt);
            stmt.blocks().into_iter().for_each(|block| self.block(block));
        }
    }

    fn stmt(&self, stmt: &Stmt) {
        if let Stmt::Unchecked(inner) | Stmt::Inverse(inner) = stmt {
            return self.stmt(inner);
        }
        // A target that reads itself has been reported; that its index does so too is no news.
        if !control::targets(self, stmt) {
            alias::check(self, stmt);
        }
        control::conditions(self, stmt);
    }

    /// The first write that may change what one of the reads sees at the same time.
    fn disturbance<'a>(&self, writes: &'a [Access], reads: &'a [Access]) -> Option<(&'a Access, &'a Access)> {
        self.disturbance_over(writes, reads, &Changed::default())
    }

    /// The first write that may change what one of the reads sees, where the variables in `changed` may have changed in
    /// between.
    fn disturbance_over<'a>(
        &self,
        writes: &'a [Access],
        reads: &'a [Access],
        changed: &Changed,
    ) -> Option<(&'a Access, &'a Access)> {
        reads.iter().find_map(|read| {
            let disturbs = |w: &&Access| self.context.disturbs_over(w, read, changed) != Relation::Disjoint;
            Some((writes.iter().find(disturbs)?, read))
        })
    }

    fn name(&self, place: &Place) -> String {
        self.context.name(place.root).to_string()
    }
}
