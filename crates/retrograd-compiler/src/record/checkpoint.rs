//! Loops of which a few states are kept, and whose iterations between these are run again, as Revolve says.
//!
//! ```text
//! #[checkpoint(snapshots = s)] for i in r { A }
//!
//! there:  while there is anything to do {        back:  while there is anything to do {
//!             save the state, or                            save, restore or forget a state, or
//!             run some iterations, or                       run some iterations, or
//!             run the last one, filling the record          run one, filling the record (the last one is there already), and undo it
//!         }                                             }
//! ```
//!
//! States are forgotten in the reverse of the order in which they are saved, so that the record can hold them.

use super::recompute::{filling, registers, taken, without_record};
use crate::ir::{
    Binding, BindingKind, Block, Budget, Condition, Expr, If, Loop, Pattern, PatternKind, Recompute, Rule, Scheduled,
    Stmt, VarId,
};
use crate::span::Span;

/// The way there, of a loop with a plan.
pub(super) fn there(s: &Recompute) -> Option<Vec<Stmt>> {
    let planned = Planned::of(s)?;
    let last = Stmt::Block(s.body.clone());
    let run = planned.branch(Scheduled::Runs, without_record(&s.body).stmts, vec![last]);
    let step = planned.branch(Scheduled::Saves, planned.save(), vec![run]);
    Some(planned.carried_out(Scheduled::There, step))
}

/// Without a plan nothing is kept. The budget is read all the same: rustc is to see what it reads.
pub(super) fn said(s: &Recompute) -> Option<Stmt> {
    let value = s.schedule.as_ref()?.budget.limit().clone();
    let (span, kind) = (value.span, BindingKind::Let);
    let pattern = Pattern { kind: PatternKind::Wild, span };
    Some(Stmt::Begin(Binding { kind, pattern, ty: None, value, constant: true, span }))
}

/// The way back, around the statements that undo one iteration.
pub(super) fn back(s: &Recompute, undone: &Block) -> Option<Vec<Stmt>> {
    let planned = Planned::of(s)?;
    let again = planned.branch(Scheduled::Repeats, filling(s).stmts, Vec::new());
    let undo = vec![again, Stmt::Block(undone.clone())];
    let mut alone = registers(&s.body);
    alone.extend(without_record(&filling(s)).stmts);
    let run = planned.branch(Scheduled::Runs, alone, undo);
    let save = planned.branch(Scheduled::Saves, planned.save(), vec![run]);
    let peek = planned.restore().into_iter().chain(planned.save()).collect();
    let restore = planned.branch(Scheduled::Restores, peek, vec![save]);
    let step = planned.branch(Scheduled::Frees, planned.restore(), vec![restore]);
    Some(planned.carried_out(Scheduled::Back, step))
}

/// A loop with its plan.
struct Planned<'a> {
    s: &'a Recompute,
    plan: VarId,
    count: &'a Expr,
    snapshots: &'a Expr,
    span: Span,
}

impl Planned<'_> {
    fn of(s: &Recompute) -> Option<Planned<'_>> {
        let schedule = s.schedule.as_ref()?;
        let (Budget::Snapshots(snapshots), Some(plan)) = (&schedule.budget, schedule.plan) else { return None };
        Some(Planned { s, plan, count: &schedule.count, snapshots, span: s.span })
    }

    /// What the plan says.
    fn says(&self, asked: Scheduled) -> Expr {
        Expr::rule(Rule::Schedule(asked), vec![Expr::var(self.plan, self.span)], self.span)
    }

    fn save(&self) -> Vec<Stmt> {
        self.s.kept.iter().map(|entry| Stmt::Keep(taken(entry, entry.slot))).collect()
    }

    fn restore(&self) -> Vec<Stmt> {
        self.s.kept.iter().rev().map(|entry| Stmt::Restore(taken(entry, entry.slot))).collect()
    }

    fn branch(&self, asked: Scheduled, then: Vec<Stmt>, otherwise: Vec<Stmt>) -> Stmt {
        let block = |stmts| Block { stmts, span: self.span };
        let condition = Condition { pre: self.says(asked), post: None };
        let otherwise = (!otherwise.is_empty()).then(|| block(otherwise));
        Stmt::If(If { condition, then: block(then), otherwise, span: self.span })
    }

    /// One step after the other, by a plan of its own.
    fn carried_out(&self, way: Scheduled, step: Stmt) -> Vec<Stmt> {
        let span = self.span;
        let args = vec![self.count.clone(), self.snapshots.clone()];
        let value = Expr::rule(Rule::Schedule(way), args, span);
        let (kind, pattern) = (BindingKind::Let, Pattern::bind(self.plan, span));
        let begin = Stmt::Begin(Binding { kind, pattern, ty: None, value, constant: false, span });
        let all = Stmt::Loop(Loop {
            condition: Some(self.says(Scheduled::Next)),
            body: Block { stmts: vec![step], span },
            number: 0,
            until: None,
            count: None,
            span,
        });
        vec![Stmt::Block(Block { stmts: vec![begin, all], span })]
    }
}
