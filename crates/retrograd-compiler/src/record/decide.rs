//! Decisions inside expressions: a cast to an integer, a comparison, `floor` and their kin are made again on the way back, and what is
//! called may make some by the numbers that it is given. They come out the same only if the floats that they read come back to the last
//! bit, so the record keeps what changes these.
//!
//! ```text
//! t += dt;                        keep t; t += dt;
//! s += x[(t * 10.0) as usize];    s += x[(t * 10.0) as usize];
//! ```
//!
//! The branches of statements, and integers that have a name of their own, are kept themselves.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::called::is_call;
use super::prepare::Prepare;
use crate::analysis::Context;
use crate::analysis::activity::active;
use crate::analysis::effects::head_reads;
use crate::analysis::types::of_place;
use crate::ir::{
    Activity, ArgKind, BinaryOp, Binding, Block, Elementary, Expr, ExprKind, For, If, Known, Place, Program, Source,
    Stmt, VarId, VarKind,
};
use crate::signature::numbers::is_inactive;

/// What decisions read.
#[derive(Default)]
struct Decided {
    /// Those of the program itself.
    own: BTreeSet<VarId>,
    /// Those of what it calls, as far as they are numbers.
    called: BTreeSet<VarId>,
}

/// Whether a program decides by floats, or calls something that may, so that its caller has to give it the same ones on the way back. Of a
/// program with a record what it calls says so itself, and what the record keeps is not decided again.
pub(crate) fn decides(program: &Program, recorded: bool) -> bool {
    let context = Context::new(program);
    let mut stage = Prepare::new(&context, program, false, 0);
    stage.keeps = recorded;
    let calls = |stmt: &Stmt| {
        let mut found = matches!(stmt, Stmt::Call(_));
        let called = RefCell::new(false);
        alone(stmt).rewritten(&|e| {
            e.walk(&mut |e| *called.borrow_mut() |= stage.calls(e) && active(&program.vars, e));
            Some(e.clone())
        });
        found |= called.into_inner();
        found
    };
    let in_result = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |e| found |= stage.calls(e) && active(&program.vars, e));
        found
    };
    !stage.decided(&program.body, program.result.as_ref()).own.is_empty()
        || !recorded && (program.body.any(&calls) || program.result.as_ref().is_some_and(in_result))
}

/// A statement without those inside.
fn alone(stmt: &Stmt) -> Stmt {
    stmt.map_blocks(&mut |block| Block { stmts: Vec::new(), span: block.span })
}

impl Prepare<'_, '_> {
    /// What the decisions in the expressions of a program read that may come back with other last bits.
    pub(super) fn read_to_decide(&self, block: &Block, result: Option<&Expr>) -> BTreeSet<VarId> {
        let Decided { own, called } = self.decided(block, result);
        let mut read = self.floating(own.into_iter());
        read.extend(called);
        read
    }

    fn decided(&self, block: &Block, result: Option<&Expr>) -> Decided {
        let mut read = Decided::default();
        block.walk(&mut |stmt| self.decided_by(stmt, &mut read));
        result.into_iter().for_each(|e| self.decisions(e, &mut read));
        read
    }

    /// Whether a local is a decision that hangs on floats, which could be another one if it were made again.
    pub(super) fn decides(&self, binding: &Binding, roots: &BTreeSet<VarId>) -> bool {
        !active(self.context.vars, &binding.value)
            && roots.iter().any(|var| self.vars[var.0].activity == Activity::Active && !self.is_given(*var))
    }

    fn decided_by(&self, stmt: &Stmt, read: &mut Decided) {
        let decisions = |e: &Expr, read: &mut Decided| self.decisions(e, read);
        match stmt {
            // It is kept.
            Stmt::Begin(b) if self.keeps && self.decides(b, &self.roots(&b.value)) => {}
            Stmt::If(If { condition, .. }) => {
                if !self.keeps || condition.post.is_some() || self.is_at_hand(&condition.pre) {
                    [Some(&condition.pre), condition.post.as_ref()]
                        .into_iter()
                        .flatten()
                        .for_each(|e| decisions(e, read));
                }
            }
            Stmt::Match(s) => {
                decisions(&s.scrutinee, read);
                let guards = s.arms.iter().filter_map(|arm| arm.guard.as_ref());
                guards.filter(|guard| !self.keeps || self.is_at_hand(guard)).for_each(|guard| decisions(guard, read));
            }
            // How often it ran is kept.
            Stmt::Loop(_) if self.keeps => {}
            Stmt::For(For { iter, .. }) => {
                let counts = matches!(iter.source, Source::Range { .. });
                head_reads(iter).into_iter().for_each(|e| self.decisions_in(e, counts, read));
            }
            // What is changed comes back from the call.
            Stmt::Call(s) => {
                for arg in &s.args {
                    match &arg.kind {
                        ArgKind::Value(e) => {
                            decisions(e, read);
                            read.called.extend(self.numbers_in(e));
                        }
                        ArgKind::Borrow(place) => read.called.extend(self.numbers_in(&place.to_expr())),
                        ArgKind::Change(place) => place.indices().for_each(|e| decisions(e, read)),
                        ArgKind::Host(_) => {}
                    }
                }
            }
            _ => {
                // Nothing is replaced: each expression of the statement is looked at.
                let found = RefCell::new(Decided::default());
                alone(stmt).rewritten(&|e| {
                    self.decisions(e, &mut found.borrow_mut());
                    Some(e.clone())
                });
                let Decided { own, called } = found.into_inner();
                read.own.extend(own);
                read.called.extend(called);
            }
        }
    }

    /// Adds what the decisions in an expression read. What has a name only inside of it may come from anything in it.
    fn decisions(&self, e: &Expr, read: &mut Decided) {
        let mut deciding = Decided::default();
        self.decisions_in(e, false, &mut deciding);
        if e.binds().iter().any(|var| deciding.own.contains(var) || deciding.called.contains(var)) {
            read.own.extend(self.roots(e));
        }
        read.own.extend(deciding.own);
        read.called.extend(deciding.called);
    }

    /// `integer`: the expression is seen to be one by where it stands.
    fn decisions_in(&self, e: &Expr, integer: bool, deciding: &mut Decided) {
        let arithmetic = matches!(&e.kind, ExprKind::Binary(op, ..) if !op.compares())
            || matches!(e.kind, ExprKind::Unary(..) | ExprKind::Range { .. });
        if !(integer && arithmetic) && self.is_decision(e) {
            deciding.own.extend(self.roots(e));
        }
        if self.calls(e) {
            deciding.called.extend(self.numbers_in(e));
        }
        match &e.kind {
            ExprKind::Index(base, index) => {
                self.decisions_in(base, false, deciding);
                self.decisions_in(index, true, deciding);
            }
            _ => e.children().into_iter().for_each(|part| self.decisions_in(part, integer && arithmetic, deciding)),
        }
    }

    /// Locals that begin as integers, as far as can be seen.
    pub(super) fn begun_as_integers(&self, block: &Block) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        block.walk(&mut |stmt| {
            if let Some(binding) = stmt.begun()
                && let Some(var) = binding.pattern.as_var()
                && self.is_integer(&binding.value)
            {
                found.insert(var);
            }
        });
        found
    }

    /// Whether an expression or its slope may jump where the floats in it change by a little.
    fn is_decision(&self, e: &Expr) -> bool {
        use Elementary::*;
        let floats = || e.children().into_iter().any(|part| !self.is_integer(part));
        match &e.kind {
            ExprKind::Cast(_, ty) => is_inactive(ty) && floats(),
            ExprKind::Binary(op, ..) => (op.compares() || *op == BinaryOp::Rem) && floats(),
            ExprKind::Method { receiver, method, .. } => match method.known {
                Some(Known::Elementary(
                    Floor | Ceil | Round | Trunc | Fract | Signum | RemEuclid | Atan2 | SelectLess | SelectEqual | Abs
                    | Max | Min | Clamp,
                )) => floats(),
                Some(Known::Stops) => floats(),
                Some(Known::Asks) => receiver.is_iterator(),
                Some(Known::Underived) => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression calls a program.
    fn calls(&self, e: &Expr) -> bool {
        is_call(e) && !matches!(&e.kind, ExprKind::Call { callee, .. } if self.belongs_to_numbers(callee))
    }

    fn belongs_to_numbers(&self, callee: &Expr) -> bool {
        matches!(&callee.kind, ExprKind::Path(path) if self.numbers.owns(path))
    }

    /// The numbers that a call is given, fields and elements among them: what is called may decide by them. Of whole arrays and structs a
    /// copy is kept where it does (`passed`); what is not seen to be one is taken for a number.
    fn numbers_in(&self, e: &Expr) -> BTreeSet<VarId> {
        let reads = self.context.expr_reads(e);
        let numbers = reads.into_iter().filter(|read| !read.shape && self.may_be_number(&read.place));
        self.floating(numbers.map(|read| read.place.root))
    }

    fn may_be_number(&self, place: &Place) -> bool {
        if let Some(ty) = of_place(&self.vars, place) {
            return self.numbers.is_plain_number(ty);
        }
        let var = &self.vars[place.root.0];
        let whole = place.is_all() && (var.vector || matches!(var.kind, VarKind::Param(_)));
        let is_inside = |part: &Rc<Place>| part.root == place.root && part.indices().count() > place.indices().count();
        !whole && !place.is_slice() && !self.parted.iter().any(is_inside)
    }

    /// The variables that an expression reads.
    fn roots(&self, e: &Expr) -> BTreeSet<VarId> {
        let reads = self.context.expr_reads(e);
        reads.into_iter().filter(|read| !read.shape).map(|read| read.place.root).collect()
    }

    /// Those of some variables that may come back with other last bits.
    fn floating(&self, vars: impl Iterator<Item = VarId>) -> BTreeSet<VarId> {
        vars.filter(|var| !self.is_given(*var) && self.vars[var.0].kind != VarKind::Register).collect()
    }
}
