//! Checks that indices differ where it cannot be seen: they stand in front of the statements that ask for them.

use crate::analysis::Context;
use crate::analysis::effects::Access;
use crate::analysis::relation::Relation;
use crate::ir::{Binding, BindingKind, Block, Check, Checks, Distinct, Expr, Program, Records, Run, Stmt, VarKind};

/// The statements with their checks.
pub(super) fn guards(program: &Program, body: Block, run: Run) -> Block {
    // What a record undoes may read what it changes.
    if program.checks == Checks::Never || program.records != Records::Nothing {
        return body;
    }
    Guards { context: &Context::new(program), run, alive: Vec::new() }.block(&body)
}

struct Guards<'c, 'p> {
    context: &'c Context<'p>,
    run: Run,
    /// The lets that are alive, and what they have read.
    alive: Vec<(Binding, Vec<Access>)>,
}

impl Guards<'_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        let alive = self.alive.len();
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            self.check(stmt, &mut stmts);
            stmts.push(stmt.map_blocks(&mut |block| self.block(block)));
            if let Stmt::Begin(s) = stmt
                && self.run == Run::Values
                && matches!(s.kind, BindingKind::Let | BindingKind::View)
            {
                self.alive.push((s.clone(), self.context.binding_reads(s)));
            }
            if let Stmt::End(s) = stmt {
                self.alive.retain(|(alive, _)| alive.pattern != s.pattern);
            }
        }
        self.alive.truncate(alive);
        Block { stmts, span: block.span }
    }

    /// The checks of an atomic statement. One that is `#[unchecked]` has none.
    fn check(&self, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        // Rule 1: another element of the target's array may be read, if it is another one.
        if let Stmt::Update(s) = stmt {
            if matches!(self.context.vars[s.target.root.0].kind, VarKind::Shadow { .. }) {
                return;
            }
            let write = self.context.access(&s.target, false);
            let reads = self.context.expr_reads(s.written.as_deref().unwrap_or(&s.operand));
            self.distinct(&write, &reads, stmt, stmts);
        }
        // What a living `let` has read may not be changed; another element of the same array may, if it is another one.
        if self.alive.is_empty() || !stmt.acts() {
            return;
        }
        for write in &self.context.own_effects(stmt).writes {
            self.alive.iter().for_each(|(_, reads)| self.distinct(write, reads, stmt, stmts));
        }
    }

    fn distinct(&self, write: &Access, reads: &[Access], stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        for pairs in self.context.doubtful(write, reads) {
            let distinct = Distinct { var: write.place.root, pairs, statement: Box::new(stmt.clone()) };
            stmts.push(Stmt::Check(Check::Distinct(distinct)));
        }
    }
}

impl Context<'_> {
    /// The pairs of indices of which it cannot be seen that they differ.
    pub(crate) fn doubtful(&self, write: &Access, reads: &[Access]) -> Vec<Vec<(Expr, Expr)>> {
        let mut all: Vec<Vec<(Expr, Expr)>> = Vec::new();
        for read in reads {
            if let Relation::Indices(pairs) = self.disturbs(write, read)
                && !all.contains(&pairs)
            {
                all.push(pairs);
            }
        }
        all
    }
}
