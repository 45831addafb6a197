//! Calls that give the same value in every iteration of a loop are made once, in front of it.
//!
//! ```text
//! for i in 0..n {            if 0 < n {
//!     s += g(a) * x[i];          let called = g(a);
//! }                              for i in 0..n {
//!                                    s += called * x[i];
//!                                }
//!                            }
//! ```
//!
//! The record keeps such a value once, and the way back goes through the call once. A loop without iterations calls nothing.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::called::{is_call, program_called, with_parts};
use super::prepare::{begun, is_reference};
use crate::analysis::Context;
use crate::analysis::slice::declared_inside;
use crate::hygiene::fresh;
use crate::ir::{
    Activity, Adapter, Arg, ArgKind, Assign, BinaryOp, Binding, BindingKind, Block, Call, Condition, Expr, ExprKind,
    For, Give, If, Iter, Program, Recompute, Source, Stmt, Update, Var, VarId, VarKind,
};

/// The program with such calls in front of their loops.
pub(super) fn lift(program: &Program) -> Program {
    let mut stage = Lift { program, vars: program.vars.clone() };
    let body = stage.block(&program.body);
    program.with(stage.vars, body)
}

struct Lift<'p> {
    program: &'p Program,
    /// The variables of the program, and those that are added.
    vars: Vec<Var>,
}

/// What a loop changes, and what is put in front of it.
struct Around {
    changed: BTreeSet<VarId>,
    before: Vec<Stmt>,
}

impl Lift<'_> {
    fn block(&mut self, block: &Block) -> Block {
        Block { stmts: block.stmts.iter().map(|stmt| self.stmt(stmt)).collect(), span: block.span }
    }

    /// Inner loops come first: what is in front of them may go further.
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match stmt {
            // What runs in parts would have it in front of each of them.
            Stmt::Recompute(s) if s.schedule.is_some() => {
                let inside = |stmt: &Stmt| stmt.map_blocks(&mut |block| self.block(block));
                let stmts = s.body.stmts.iter().map(inside).collect();
                Stmt::Recompute(Recompute { body: Block { stmts, span: s.body.span }, ..s.clone() })
            }
            _ => match stmt.map_blocks(&mut |block| self.block(block)) {
                Stmt::For(s) => self.for_loop(s),
                stmt => stmt,
            },
        }
    }

    fn for_loop(&mut self, s: For) -> Stmt {
        let Some(iterates) = iterates(&s.iter) else { return Stmt::For(s) };
        let context = Context::new(self.program).with(&self.vars);
        let mut changed: BTreeSet<VarId> = context.block_effects(&s.body).changed().into_iter().collect();
        changed.extend(s.pattern.bindings());
        let stmt = Stmt::For(s.clone());
        changed.extend(declared_inside(&stmt));
        let mut around = Around { changed, before: Vec::new() };
        let body = self.inside(&s.body, &mut around);
        if around.before.is_empty() {
            return stmt;
        }
        let span = s.span;
        let stmts = around.before.into_iter().chain([Stmt::For(For { body, ..s })]).collect();
        let then = Block { stmts, span };
        match iterates {
            Iterates::Always => Stmt::Block(then),
            Iterates::If(pre) => Stmt::If(If { condition: Condition { pre, post: None }, then, otherwise: None, span }),
        }
    }

    /// Statements that every iteration runs.
    fn inside(&mut self, block: &Block, around: &mut Around) -> Block {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Begin(binding) if self.is_steady(binding, around) => {
                    for var in binding.pattern.bindings() {
                        around.changed.remove(&var);
                        // It lives beside locals of other blocks now.
                        let named = &mut self.vars[var.0];
                        named.name = fresh(&format!("{}_{}", named.written, var.0));
                    }
                    around.before.push(stmt.clone());
                }
                Stmt::Block(block) => stmts.push(Stmt::Block(self.inside(block, around))),
                Stmt::Begin(s) if !s.constant && s.kind != BindingKind::View => {
                    let value = self.parts(&s.value, around);
                    stmts.push(Stmt::Begin(Binding { value, ..s.clone() }));
                }
                Stmt::Assign(s) => {
                    let value = self.parts(&s.value, around);
                    stmts.push(Stmt::Assign(Assign { value, ..s.clone() }));
                }
                Stmt::Give(s) => stmts.push(Stmt::Give(Give { value: self.parts(&s.value, around), ..s.clone() })),
                Stmt::Update(s) => {
                    let operand = self.lifted(&s.operand, around);
                    stmts.push(Stmt::Update(Update { operand, ..s.clone() }));
                }
                Stmt::Call(s) => {
                    let args = s.args.iter().map(|arg| match &arg.kind {
                        ArgKind::Value(e) => Arg { kind: ArgKind::Value(self.lifted(e, around)), ..arg.clone() },
                        ArgKind::Change(_) | ArgKind::Borrow(_) | ArgKind::Host(_) => arg.clone(),
                    });
                    stmts.push(Stmt::Call(Call { args: args.collect(), ..s.clone() }));
                }
                _ => stmts.push(stmt.clone()),
            }
        }
        Block { stmts, span: block.span }
    }

    /// Whether a local is the same in every iteration, and would be kept in each because it is the value of a call.
    fn is_steady(&self, binding: &Binding, around: &Around) -> bool {
        let mut calls = false;
        binding.value.walk(&mut |e| calls |= is_call(e));
        calls
            && binding.kind == BindingKind::Let
            && !is_reference(&self.vars, binding)
            && self.stays(&binding.value, around)
    }

    fn stays(&self, e: &Expr, around: &Around) -> bool {
        let context = Context::new(self.program).with(&self.vars);
        let reads = context.expr_reads(e);
        reads.iter().flat_map(|read| [read.place.root, read.written.root]).all(|var| !around.changed.contains(&var))
    }

    /// The same value, with calls inside it in front of the loop. The value itself would be moved.
    fn parts(&mut self, e: &Expr, around: &mut Around) -> Expr {
        with_parts(e, &mut |part| self.lifted(part, around))
    }

    fn lifted(&mut self, e: &Expr, around: &mut Around) -> Expr {
        if program_called(&self.vars, &self.program.numbers, e).is_none() || !self.stays(e, around) {
            return self.parts(e, around);
        }
        let span = e.span;
        let var = VarId(self.vars.len());
        let added = Var::added(&format!("called_{}", var.0), VarKind::Let, span);
        self.vars.push(Var { activity: Activity::Active, ..added });
        around.before.push(Stmt::Begin(begun(var, BindingKind::Let, e.clone())));
        Expr::var(var, span)
    }
}

/// Whether a loop has an iteration.
enum Iterates {
    Always,
    If(Expr),
}

/// Whether a loop has an iteration, if that is seen at its head.
fn iterates(iter: &Iter) -> Option<Iterates> {
    let plain = |adapter: &Adapter| {
        matches!(adapter, Adapter::Rev | Adapter::StepBy(_) | Adapter::Enumerate | Adapter::Copied(_))
    };
    let (start, end, inclusive) = match &iter.source {
        Source::Range { start, end, inclusive } => (start.clone(), end.clone(), *inclusive),
        Source::Elements(e) => (Expr::integer(0, e.span), Expr::method(e.clone(), "len", Vec::new()), false),
        _ => return None,
    };
    let mut calls = false;
    [&start, &end].into_iter().for_each(|e| e.walk(&mut |e| calls |= is_call(e)));
    if calls || !iter.adapters.iter().all(plain) {
        return None;
    }
    let integer = |e: &Expr| match &e.kind {
        ExprKind::Lit(literal) => literal.as_integer(),
        _ => None,
    };
    if let (Some(first), Some(last)) = (integer(&start), integer(&end))
        && (first < last || inclusive && first == last)
    {
        return Some(Iterates::Always);
    }
    let op = if inclusive { BinaryOp::Le } else { BinaryOp::Lt };
    let kind = ExprKind::Binary(op, Rc::new(start), Rc::new(end));
    Some(Iterates::If(Expr::new(kind, iter.span)))
}
