//! Calls of procedures: the adjoint run of the callee, with a shadow behind each argument.

use super::Stage;
use crate::derivative::backward::accumulate;
use crate::derivative::{Expression, zero};
use crate::invert::invert_stmt;
use crate::ir::{
    Arg, ArgKind, Binding, BindingKind, Block, Call, Expr, ExprKind, Pattern, Place, Rule, Run, Stmt, VarId, VarKind,
};
use crate::span::Span;

impl Stage<'_, '_, '_> {
    /// The callee runs backwards with adjoints; each argument is followed by its shadow.
    pub(super) fn call(&mut self, s: &Call, stmts: &mut Vec<Stmt>) {
        let span = s.span;
        let active = |arg: &Arg| match &arg.kind {
            ArgKind::Change(place) | ArgKind::Borrow(place) => self.shadows.is_active(place.root),
            ArgKind::Value(e) => self.shadows.active(e),
            ArgKind::Host(_) => false,
        };
        // Nothing flows: the inverse will do.
        if !s.args.iter().any(active) {
            stmts.push(invert_stmt(&Stmt::Call(s.clone())));
            return;
        }
        let mut inside = Vec::new();
        let mut after = Vec::new();
        let mut args = Vec::new();
        let changed: Vec<VarId> = s
            .args
            .iter()
            .filter_map(|arg| match &arg.kind {
                ArgKind::Change(place) => Some(self.shadows.shadow_place_root(place)),
                ArgKind::Borrow(_) | ArgKind::Value(_) | ArgKind::Host(_) => None,
            })
            .collect();
        let mut taken = changed;
        for arg in &s.args {
            let at = arg.span;
            let passed = |kind| Arg { kind, span: at };
            let none = || passed(ArgKind::Value(Expr::rule(Rule::NoShadow, Vec::new(), at)));
            match &arg.kind {
                ArgKind::Host(var) => args.push(passed(ArgKind::Host(*var))),
                ArgKind::Change(place) => {
                    args.push(arg.clone());
                    args.push(match self.shadows.is_active(place.root) {
                        true => passed(ArgKind::Change(self.shadows.shadow_place(place))),
                        false => none(),
                    });
                }
                ArgKind::Borrow(place) => {
                    args.push(arg.clone());
                    args.push(match self.shadows.is_active(place.root) {
                        true => passed(self.borrowed_shadow(place, at, &mut taken, &mut inside, &mut after)),
                        false => none(),
                    });
                }
                ArgKind::Value(e) => {
                    if !self.shadows.active(e) {
                        args.push(arg.clone());
                        args.push(none());
                        continue;
                    }
                    if let ExprKind::Var(var) = e.kind
                        && self.shadows.is_reference(var)
                    {
                        args.push(arg.clone());
                        let place = Place::var(var, at);
                        args.push(passed(self.borrowed_shadow(&place, at, &mut taken, &mut inside, &mut after)));
                        continue;
                    }
                    let mut expression = Expression::new(&mut self.shadows);
                    let root = expression.node(e);
                    let value = expression.value(root);
                    inside.append(&mut expression.before);
                    let own = self.own_shadow(value.clone(), at, &mut inside);
                    // Values that the call changes may be read by the argument: they are the same again afterwards.
                    let mut expression = Expression::new(&mut self.shadows);
                    let root = expression.node(e);
                    let flowing = expression.adjoint(root, Expr::var(own, at));
                    after.append(&mut expression.before);
                    after.extend(flowing);
                    args.push(passed(ArgKind::Value(value)));
                    args.push(passed(ArgKind::Change(Place::var(own, at))));
                }
            }
        }
        let run = if s.run == Run::Keep { Run::Spend } else { Run::Adjoint };
        inside.push(Stmt::Call(Call { run, args, ..s.clone() }));
        inside.extend(after);
        stmts.push(Stmt::Block(Block { stmts: inside, span }));
    }

    /// The shadow of a place that a call only reads. A place that the call gets more than once has a shadow of its own for
    /// each time but the first, which is added to the place's afterwards.
    fn borrowed_shadow(
        &mut self,
        place: &Place,
        at: Span,
        taken: &mut Vec<VarId>,
        inside: &mut Vec<Stmt>,
        after: &mut Vec<Stmt>,
    ) -> ArgKind {
        let shadow = self.shadows.shadow_place(place);
        if taken.contains(&shadow.root) {
            let own = self.own_shadow(place.to_expr(), at, inside);
            after.push(accumulate(shadow, Expr::var(own, at), at));
            ArgKind::Change(Place::var(own, at))
        } else {
            taken.push(shadow.root);
            ArgKind::Change(shadow)
        }
    }

    fn own_shadow(&mut self, value: Expr, span: Span, stmts: &mut Vec<Stmt>) -> VarId {
        let name = format!("adjoint_{}", self.shadows.vars.len());
        let var = self.shadows.declare(&name, VarKind::Shadow { reference: false }, span);
        stmts.push(Stmt::Begin(Binding {
            kind: BindingKind::Ancilla,
            pattern: Pattern::bind(var, span),
            ty: None,
            value: zero(value),
            constant: false,
            span,
        }));
        var
    }
}
