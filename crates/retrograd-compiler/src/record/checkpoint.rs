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
//! Where the loop may end before any iteration, the way there does not know which one is the last: it keeps states by the online schedule, and the
//! first few iterations fill the record, each until another one follows.
//!
//! States are forgotten in the reverse of the order in which they are saved, so that the record can hold them.

use super::recompute::{filling, registers, taken, without_record};
use crate::ir::{
    Binding, BindingKind, Block, Budget, Condition, Expr, If, Loop, Pattern, PatternKind, Planned, Recompute, Rule,
    Scheduled, Stmt,
};
use crate::span::Span;

/// The way there, of a loop with a plan.
pub(super) fn there(s: &Recompute) -> Option<Vec<Stmt>> {
    let planned = Steps::of(s)?;
    let body = planned.ahead();
    let run = planned.branch(Scheduled::Runs, without_record(&body).stmts, vec![Stmt::Block(body)]);
    let step = planned.branch(Scheduled::Saves, planned.save(), vec![run]);
    Some(match planned.planned.search {
        None => planned.carried_out(Scheduled::There, planned.lengths(), Scheduled::Next, step),
        Some(_) => planned.carried_out(Scheduled::Search, planned.limits(), Scheduled::Seeks, step),
    })
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
    let planned = Steps::of(s)?;
    let again = planned.branch(Scheduled::Repeats, filling(s).stmts, Vec::new());
    let undo = vec![again, Stmt::Block(undone.clone())];
    let mut alone = registers(&s.body);
    alone.extend(without_record(&filling(s)).stmts);
    let run = planned.branch(Scheduled::Runs, alone, undo);
    let save = planned.branch(Scheduled::Saves, planned.save(), vec![run]);
    let peek = planned.restore().into_iter().chain(planned.save()).collect();
    let restore = planned.branch(Scheduled::Restores, peek, vec![save]);
    let step = planned.branch(Scheduled::Frees, planned.restore(), vec![restore]);
    let way = if planned.planned.search.is_some() { Scheduled::Found } else { Scheduled::Back };
    Some(planned.carried_out(way, planned.lengths(), Scheduled::Next, step))
}

/// The steps in which a loop with a plan is run.
struct Steps<'a> {
    s: &'a Recompute,
    planned: &'a Planned,
    most: Option<&'a Expr>,
    snapshots: &'a Expr,
    span: Span,
}

impl Steps<'_> {
    fn of(s: &Recompute) -> Option<Steps<'_>> {
        let schedule = s.schedule.as_ref()?;
        let (Budget::Snapshots(snapshots), Some(planned)) = (&schedule.budget, &schedule.planned) else { return None };
        Some(Steps { s, planned, most: schedule.length.as_ref(), snapshots, span: s.span })
    }

    /// How many iterations there are, and how many snapshots.
    fn lengths(&self) -> Vec<Expr> {
        vec![self.planned.count.clone(), self.snapshots.clone()]
    }

    /// How many snapshots there are, and iterations at most.
    fn limits(&self) -> Vec<Expr> {
        std::iter::once(self.snapshots).chain(self.most).cloned().collect()
    }

    /// The loop as it is on the way there.
    fn ahead(&self) -> Block {
        let Some(head) = &self.planned.search else { return self.s.body.clone() };
        let stmts = self.s.body.stmts.iter().map(|stmt| match stmt {
            Stmt::For(s) if s.part == Some(self.planned.plan) => head.map_blocks(&mut |_| s.body.clone()),
            other => other.clone(),
        });
        Block { stmts: stmts.collect(), span: self.span }
    }

    /// What the plan says.
    fn says(&self, asked: Scheduled) -> Expr {
        Expr::rule(Rule::Schedule(asked), vec![Expr::var(self.planned.plan, self.span)], self.span)
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
    fn carried_out(&self, way: Scheduled, args: Vec<Expr>, next: Scheduled, step: Stmt) -> Vec<Stmt> {
        let span = self.span;
        let value = Expr::rule(Rule::Schedule(way), args, span);
        let (kind, pattern) = (BindingKind::Let, Pattern::bind(self.planned.plan, span));
        let begin = Stmt::Begin(Binding { kind, pattern, ty: None, value, constant: false, span });
        let all = Stmt::Loop(Loop {
            condition: Some(self.says(next)),
            body: Block { stmts: vec![step], span },
            number: 0,
            until: None,
            count: None,
            part: None,
            span,
        });
        vec![Stmt::Block(Block { stmts: vec![begin, all], span })]
    }
}
