//! What callees decide by: whether one does, it says while it runs, and then the record keeps what it was given, so that it decides the
//! same on the way back.
//!
//! ```text
//! y = g(&a);     let since = decisions();
//!                y = g(&a);
//!                let decided = decisions() != since;
//!                if decided { keep a }                  undone by   if decided { restore a }, and then y = g(&a)
//! ```
//!
//! Numbers come back exactly whatever is called (`decide`): these are arrays and structs, and what is changed by the call.

use std::rc::Rc;

use super::prepare::{Hoisted, Prepare, begun};
use crate::analysis::effects::Access;
use crate::ir::{
    Arg, ArgKind, BinaryOp, BindingKind, Block, Condition, Expr, ExprKind, Form, If, Keep, Place, Projection, Rule,
    Slot, Stmt, VarKind,
};
use crate::span::Span;

impl Prepare<'_, '_> {
    /// The places in an argument that come back up to rounding.
    pub(super) fn passed_as(&self, arg: &Arg) -> Vec<Place> {
        match &arg.kind {
            ArgKind::Change(place) | ArgKind::Borrow(place) => self.passed_in(&place.to_expr()),
            ArgKind::Value(e) => self.passed_in(e),
            ArgKind::Host(_) => Vec::new(),
        }
    }

    /// The same in an expression.
    pub(super) fn passed_in(&self, e: &Expr) -> Vec<Place> {
        let mut mentioned = false;
        e.walk(&mut |e| mentioned |= matches!(e.kind, ExprKind::Var(var) if self.rounded.contains(&var)));
        if !mentioned {
            return Vec::new();
        }
        let vars = self.vars.clone();
        let reads = self.context.with(&vars).expr_reads(e);
        reads
            .iter()
            .filter(|read| self.comes_back_rounded(read))
            .map(|read| self.behind_reference(&read.written))
            .collect()
    }

    /// Whether what is read there is a place of its own which comes back up to rounding.
    fn comes_back_rounded(&self, read: &Access) -> bool {
        let root = read.place.root;
        !read.shape
            && !self.all
            && self.rounded.contains(&root)
            && !self.exactly.contains(&root)
            && !self.integers.contains(&root)
            && read.written.root == root
            && matches!(self.vars[root.0].kind, VarKind::Ancilla | VarKind::Param(_))
    }

    fn behind_reference(&self, place: &Place) -> Place {
        let bare = place.path.is_empty() && self.vars[place.root.0].kind.is_mutable_reference();
        if bare { place.clone().then(Projection::Deref) } else { place.clone() }
    }

    /// What keeps these places behind a call, if what is called decides.
    pub(super) fn kept_if_decided(&mut self, places: Vec<Place>, span: Span, hoisted: &mut Hoisted) -> Vec<Stmt> {
        let mut kept: Vec<Place> = Vec::new();
        for place in places {
            if !kept.iter().any(|whole| place.is_within(whole)) {
                kept.retain(|part| !part.is_within(&place));
                kept.push(place);
            }
        }
        if kept.is_empty() {
            return Vec::new();
        }
        let decisions = || Expr::rule(Rule::Decisions, Vec::new(), span);
        let since = self.kept_register(&decisions(), "since", hoisted);
        let differ = ExprKind::Binary(BinaryOp::Ne, Rc::new(decisions()), Rc::new(since));
        let decided = self.register("decided", span);
        let begin = begun(decided, BindingKind::Let, Expr::new(differ, span));
        hoisted.after.push(self.keep(decided, Some(begin.clone()), span));
        let mut keep = |place| {
            let slot = Slot { form: Form::Tried, ..self.slot() };
            Stmt::Keep(Keep { place, local: None, slot })
        };
        let then = Block { stmts: kept.into_iter().map(&mut keep).collect(), span };
        let condition = Condition { pre: Expr::var(decided, span), post: None };
        vec![Stmt::Begin(begin), Stmt::If(If { condition, then, otherwise: None, span })]
    }
}
