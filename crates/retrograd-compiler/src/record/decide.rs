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

use super::prepare::{Prepare, is_call};
use crate::analysis::activity::active;
use crate::analysis::effects::head_reads;
use crate::analysis::types::of_place;
use crate::ir::{
    Activity, ArgKind, BinaryOp, Binding, Block, Elementary, Expr, ExprKind, For, If, Known, Place, Source, Stmt,
    VarId, VarKind,
};
use crate::signature::numbers::is_inactive;

impl Prepare<'_, '_> {
    /// What the decisions in the expressions of a program read.
    pub(super) fn read_to_decide(&self, block: &Block, result: Option<&Expr>) -> BTreeSet<VarId> {
        let mut read = BTreeSet::new();
        block.walk(&mut |stmt| self.decided_by(stmt, &mut read));
        result.into_iter().for_each(|e| self.decisions(e, &mut read));
        read
    }

    /// Whether a local is a decision that hangs on floats, which could be another one if it were made again.
    pub(super) fn decides(&self, binding: &Binding, roots: &BTreeSet<VarId>) -> bool {
        !active(self.context.vars, &binding.value)
            && roots.iter().any(|var| self.vars[var.0].activity == Activity::Active && !self.is_given(*var))
    }

    fn decided_by(&self, stmt: &Stmt, read: &mut BTreeSet<VarId>) {
        let decisions = |e: &Expr, read: &mut BTreeSet<VarId>| self.decisions(e, read);
        match stmt {
            // It is kept.
            Stmt::Begin(b) if self.decides(b, &self.roots(&b.value)) => {}
            Stmt::If(If { condition, .. }) => {
                if condition.post.is_some() || self.is_at_hand(&condition.pre) {
                    [Some(&condition.pre), condition.post.as_ref()]
                        .into_iter()
                        .flatten()
                        .for_each(|e| decisions(e, read));
                }
            }
            Stmt::Match(s) => {
                decisions(&s.scrutinee, read);
                let guards = s.arms.iter().filter_map(|arm| arm.guard.as_ref());
                guards.filter(|guard| self.is_at_hand(guard)).for_each(|guard| decisions(guard, read));
            }
            // How often it ran is kept.
            Stmt::Loop(_) => {}
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
                            read.extend(self.numbers_in(e));
                        }
                        ArgKind::Borrow(place) => read.extend(self.numbers_in(&place.to_expr())),
                        ArgKind::Change(place) => place.indices().for_each(|e| decisions(e, read)),
                        ArgKind::Host(_) => {}
                    }
                }
            }
            _ => {
                let alone = stmt.map_blocks(&mut |block| Block { stmts: Vec::new(), span: block.span });
                // Nothing is replaced: each expression of the statement is looked at.
                let found = RefCell::new(BTreeSet::new());
                alone.rewritten(&|e| {
                    self.decisions(e, &mut found.borrow_mut());
                    Some(e.clone())
                });
                read.append(&mut found.into_inner());
            }
        }
    }

    /// Adds what the decisions in an expression read. What has a name only inside of it may come from anything in it.
    fn decisions(&self, e: &Expr, read: &mut BTreeSet<VarId>) {
        let mut deciding = BTreeSet::new();
        self.decisions_in(e, false, &mut deciding);
        if e.binds().iter().any(|var| deciding.contains(var)) {
            read.extend(self.roots(e));
        }
        read.extend(deciding);
    }

    /// `integer`: the expression is seen to be one by where it stands.
    fn decisions_in(&self, e: &Expr, integer: bool, deciding: &mut BTreeSet<VarId>) {
        let arithmetic = matches!(&e.kind, ExprKind::Binary(op, ..) if !op.compares())
            || matches!(e.kind, ExprKind::Unary(..) | ExprKind::Range { .. });
        if !(integer && arithmetic) && self.is_decision(e) {
            deciding.extend(self.roots(e));
        }
        if is_call(e) && !matches!(&e.kind, ExprKind::Call { callee, .. } if self.belongs_to_numbers(callee)) {
            deciding.extend(self.numbers_in(e));
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

    fn belongs_to_numbers(&self, callee: &Expr) -> bool {
        matches!(&callee.kind, ExprKind::Path(path) if self.numbers.owns(path))
    }

    /// The numbers that a call is given, fields and elements among them: what is called may decide by them. Whole arrays and structs come
    /// back up to rounding; what is not seen to be one is taken for a number.
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

    /// The variables that an expression reads and that may come back with other last bits.
    fn roots(&self, e: &Expr) -> BTreeSet<VarId> {
        let reads = self.context.expr_reads(e);
        self.floating(reads.into_iter().filter(|read| !read.shape).map(|read| read.place.root))
    }

    /// Those of some variables that may come back with other last bits.
    fn floating(&self, vars: impl Iterator<Item = VarId>) -> BTreeSet<VarId> {
        vars.filter(|var| !self.is_given(*var) && self.vars[var.0].kind != VarKind::Register).collect()
    }
}
