//! The tangent of a program: the program, and next to each value how it moves.
//!
//! ```text
//! y += e     ẏ += Dṙ;  y += e
//! y *= e     ẏ = eẏ + yDṙ;  y *= e
//! y = m(y)   ẏ *= m′(y);  y = m(y)
//! let x = e  ẋ = Dṙ
//! ```
//!
//! Like the program itself a tangent run undoes nothing that is dropped.

use std::collections::HashSet;
use std::rc::Rc;

use crate::adjoint::map_partial;
use crate::analysis::Context;
use crate::analysis::need::After;
use crate::derivative::backward::{accumulate, negate};
use crate::derivative::forward::begin_with_tangent;
use crate::derivative::{Expression, Shadows, plain_zero, zero};
use crate::diagnostics::Diagnostics;
use crate::ir::{
    Arg, ArgKind, Assign, Binding, BindingKind, Block, Call, Exit, ExitKind, Expr, ExprKind, Flip, FlipOp, For, Known,
    Map, Partial, Path, Pattern, Permute, Place, Program, Rule, Run, Stmt, Swap, Type, Update, UpdateOp, VarId,
    VarKind,
};
use crate::lower::{Hosts, compared_run, values};

/// The program with tangents. A function gives its value and the tangent of that.
pub fn tangent(program: &Program, diagnostics: &Diagnostics) -> Program {
    let context = Context::new(program);
    let read = program.result.as_ref().map(|e| context.expr_reads(e)).unwrap_or_default();
    let read: Vec<VarId> = read.iter().map(|access| access.place.root).collect();
    let body = values(&context, &program.body, After::These(&read), Hosts::Rest);
    with_tangents(&program.with_body(body), diagnostics)
}

/// The inverse of a program with tangents, which compares what it restores with what it was.
pub fn inverse_tangent(inverse: &Program, diagnostics: &Diagnostics) -> Program {
    with_tangents(&compared_run(inverse, Hosts::Rest), diagnostics)
}

/// The same of a program as it runs on values alone.
fn with_tangents(program: &Program, diagnostics: &Diagnostics) -> Program {
    let shadows = Shadows::new(program, Run::Tangent, diagnostics);
    let mut later = HashSet::new();
    program.body.walk(&mut |stmt| {
        let begun = stmt.begun().filter(|b| matches!(b.value.kind, ExprKind::Rule(Rule::Later, _)));
        later.extend(begun.into_iter().flat_map(|b| b.pattern.bindings()));
    });
    let mut stage = Stage { shadows, output: program.output.clone(), later };
    let mut body = stage.block(&program.body);
    let result = program.result.as_ref().map(|e| stage.value(e, &program.output, &mut body.stmts));
    let params = stage.shadows.parameters(&program.params, None);
    let (run, vars, ending) = (Run::Tangent, stage.shadows.vars, Block { stmts: Vec::new(), span: body.span });
    Program { run, params, ending, result, ..program.with(vars, body) }
}

struct Stage<'d> {
    shadows: Shadows<'d>,
    /// The type of the value of a function.
    output: Option<Type>,
    /// The locals that begin without a value.
    later: HashSet<VarId>,
}

impl Stage<'_> {
    /// A value of the function, and its tangent.
    fn value(&mut self, e: &Expr, output: &Option<Type>, stmts: &mut Vec<Stmt>) -> Expr {
        let mut expression = Expression::new(&mut self.shadows);
        let root = expression.node(e);
        let tangent = expression.added_tangent(root);
        let value = expression.value(root);
        stmts.append(&mut expression.before);
        let (value, mut keep) = self.shadows.register("result", value);
        if let Stmt::Begin(binding) = &mut keep {
            binding.ty = output.clone();
        }
        stmts.push(keep);
        let (slope, begin) = match tangent {
            // In the shape of the value: what was taken for a number may be none.
            Some(tangent) => {
                let shadow = self.shadows.declare("slope", crate::ir::VarKind::Shadow { reference: false }, e.span);
                let begin = Stmt::Begin(Binding {
                    kind: crate::ir::BindingKind::Ancilla,
                    pattern: crate::ir::Pattern::bind(shadow, e.span),
                    ty: None,
                    value: zero(value.clone()),
                    constant: false,
                    span: e.span,
                });
                let add = accumulate(Place::var(shadow, e.span), tangent, e.span);
                (Expr::var(shadow, e.span), vec![begin, add])
            }
            // It has a name, because the value is moved in front of it.
            None => {
                let (slope, begin) = self.shadows.register("slope", plain_zero(value.clone()));
                (slope, vec![begin])
            }
        };
        stmts.extend(begin);
        Expr::new(ExprKind::Tuple(vec![value, slope]), e.span)
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        block.stmts.iter().for_each(|stmt| self.stmt(stmt, &mut stmts));
        Block { stmts, span: block.span }
    }

    fn stmt(&mut self, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Update(s) => self.update(s, stmts),
            Stmt::Flip(s) => {
                stmts.push(stmt.clone());
                if s.op == FlipOp::Neg && self.shadows.is_active(s.target.root) {
                    let target = self.shadows.shadow_place(&s.target);
                    stmts.push(Stmt::Flip(Flip { target, ..s.clone() }));
                }
            }
            Stmt::Map(s) => self.map(s, stmts),
            Stmt::Swap(s) => {
                // Of one type: where one of them is an integer, both are.
                if self.shadows.is_active(s.a.root) && self.shadows.is_active(s.b.root) {
                    self.shadows.side_by_side([&s.a, &s.b], s.span);
                    let (a, b) = (self.shadows.shadow_place(&s.a), self.shadows.shadow_place(&s.b));
                    stmts.push(Stmt::Swap(Swap { a, b, named: None, span: s.span }));
                }
                stmts.push(stmt.clone());
            }
            Stmt::Permute(s) => {
                if self.shadows.is_active(s.target.root) {
                    let target = self.shadows.shadow_place(&s.target);
                    stmts.push(Stmt::Permute(Permute { target, ..s.clone() }));
                }
                stmts.push(stmt.clone());
            }
            Stmt::Call(s) => self.call(s, stmts),
            Stmt::Assign(s) => self.assign(s, stmts),
            Stmt::Loop(s) => {
                let body = self.block(&s.body);
                stmts.push(Stmt::Loop(s.with_body(body)));
            }
            Stmt::Exit(s) => match &s.kind {
                ExitKind::Return(Some(value)) => {
                    let mut inside = Vec::new();
                    let value = self.value(value, &self.output.clone(), &mut inside);
                    inside.push(Stmt::Exit(Exit { kind: ExitKind::Return(Some(value)), span: s.span }));
                    stmts.push(Stmt::Block(Block { stmts: inside, span: s.span }));
                }
                ExitKind::Return(None) | ExitKind::Break(_) | ExitKind::Continue(_) => stmts.push(stmt.clone()),
            },
            Stmt::Begin(s) => stmts.extend(begin_with_tangent(&mut self.shadows, s)),
            Stmt::End(_) | Stmt::Check(_) => stmts.push(stmt.clone()),
            Stmt::If(s) => {
                let then = self.block(&s.then);
                let otherwise = s.otherwise.as_ref().map(|block| self.block(block));
                stmts.push(Stmt::If(s.with_branches(then, otherwise)));
            }
            Stmt::Match(s) => {
                let arms = s
                    .arms
                    .iter()
                    .map(|arm| {
                        Expression::new(&mut self.shadows).bound(&s.scrutinee, &arm.pattern);
                        arm.with_body(self.block(&arm.body))
                    })
                    .collect();
                stmts.push(Stmt::Match(s.with_arms(arms)));
            }
            Stmt::While(s) => {
                let body = self.block(&s.body);
                stmts.push(Stmt::While(s.with_body(body)));
            }
            Stmt::For(s) => {
                let Some(indexed) = self.shadows.indexed(s) else {
                    let body = self.block(&s.body);
                    stmts.push(Stmt::For(s.with_body(body)));
                    return;
                };
                let mut body: Vec<Stmt> = indexed.names;
                body.extend(self.block(&s.body).stmts);
                let body = Block { stmts: body, span: s.body.span };
                let turns = Stmt::For(For {
                    pattern: indexed.pattern,
                    iter: Box::new(indexed.iter),
                    numbered: true,
                    ..s.with_body(body)
                });
                let inside = indexed.before.into_iter().chain([turns]).collect();
                stmts.push(Stmt::Block(Block { stmts: inside, span: s.span }));
            }
            Stmt::Block(s) => {
                let body = self.block(s);
                stmts.push(Stmt::Block(body));
            }
            Stmt::Unchecked(s) => {
                let mut inside = Vec::new();
                self.stmt(s, &mut inside);
                stmts.extend(inside.into_iter().map(|s| Stmt::Unchecked(Box::new(s))));
            }
            // A run on values has none of these.
            Stmt::Recompute(_)
            | Stmt::Conjugate(_)
            | Stmt::Inverse(_)
            | Stmt::Host(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => {}
        }
    }

    /// The tangent of the new value is found before the old one goes.
    /// The type of `x.iter().sum()` may follow only from what it is assigned to, and so does that of the register which holds it first.
    fn type_by_target(&self, s: &Assign, stmts: &mut [Stmt]) {
        let summed = matches!(&s.value.kind, ExprKind::Method { method, turbofish: None, .. }
            if matches!(method.known, Some(Known::Sum | Known::Product)));
        if !summed || self.later.contains(&s.target.root) {
            return;
        }
        for stmt in stmts {
            if let Stmt::Begin(binding) = stmt
                && binding.value == s.value
            {
                let at = |kind| Expr::new(kind, s.span);
                let like = at(ExprKind::Path(Path::of_runtime("like", s.span.first)));
                let args = vec![at(ExprKind::Ref(Rc::new(s.target.to_expr()))), s.value.clone()];
                binding.value = at(ExprKind::Call { callee: Rc::new(like), args });
            }
        }
    }

    fn assign(&mut self, s: &Assign, stmts: &mut Vec<Stmt>) {
        let span = s.span;
        if !self.shadows.is_active(s.target.root) {
            stmts.push(Stmt::Assign(s.clone()));
            return;
        }
        let target = self.shadows.shadow_place(&s.target);
        let mut expression = Expression::new(&mut self.shadows);
        let root = expression.node(&s.value);
        let tangent = match expression.shadows.active(&s.value) {
            true => expression.added_tangent(root),
            false => None,
        };
        let value = expression.value(root);
        let mut inside = std::mem::take(&mut expression.before);
        self.type_by_target(s, &mut inside);
        let held = tangent.map(|tangent| self.shadows.register("tangent", tangent));
        let (tangent, begin) = held.unzip();
        inside.extend(begin);
        inside.push(Stmt::Assign(Assign { value, ..s.clone() }));
        // In the shape of the new value.
        let name = format!("tangent_{}", self.shadows.vars.len());
        let new = self.shadows.declare(&name, VarKind::Shadow { reference: false }, span);
        let pattern = Pattern::bind(new, span);
        let (kind, value) = (BindingKind::Ancilla, zero(s.target.to_expr()));
        inside.push(Stmt::Begin(Binding { kind, pattern, ty: None, value, constant: false, span }));
        inside.extend(tangent.map(|tangent| accumulate(Place::var(new, span), tangent, span)));
        inside.push(Stmt::Assign(Assign { target, value: Expr::var(new, span), kept: None, reread: false, span }));
        stmts.push(Stmt::Block(Block { stmts: inside, span }));
    }

    fn update(&mut self, s: &Update, stmts: &mut Vec<Stmt>) {
        let span = s.span;
        let flows = self.shadows.active(&s.operand) && s.op != UpdateOp::Xor;
        let moves = self.shadows.is_active(s.target.root);
        if !moves || !flows && matches!(s.op, UpdateOp::Add | UpdateOp::Sub | UpdateOp::Xor) {
            stmts.push(Stmt::Update(s.clone()));
            return;
        }
        let target = self.shadows.shadow_place(&s.target);
        let mut expression = Expression::new(&mut self.shadows);
        let root = expression.node(&s.operand);
        let tangent = if flows { expression.tangent(root) } else { None };
        let operand = expression.value(root);
        let mut inside = expression.before;
        let scale = |operand| {
            Stmt::Update(Update { op: UpdateOp::Mul, target: target.clone(), operand, written: None, kept: None, span })
        };
        let run =
            Stmt::Update(Update { operand: operand.clone(), written: Some(Box::new(s.operand.clone())), ..s.clone() });
        let number = |e: Expr| self.shadows.number(e);
        let pushed = |tangent| Expr::rule(Rule::Push, vec![tangent, number(s.target.to_expr())], span);
        match s.op {
            UpdateOp::Add | UpdateOp::Xor => {
                inside.extend(tangent.map(|t| accumulate(target.clone(), t, span)));
                inside.push(run);
            }
            UpdateOp::Sub => {
                inside.extend(tangent.map(|t| accumulate(target.clone(), negate(t), span)));
                inside.push(run);
            }
            UpdateOp::Mul => {
                inside.push(scale(number(operand)));
                inside.extend(tangent.map(|t| accumulate(target.clone(), pushed(t), span)));
                inside.push(run);
            }
            UpdateOp::Div => {
                inside.push(run);
                inside.extend(tangent.map(|t| accumulate(target.clone(), negate(pushed(t)), span)));
                inside.push(scale(Expr::rule(Rule::Partial(Partial::DivBy0), vec![number(operand)], span)));
            }
        }
        stmts.push(Stmt::Block(Block { stmts: inside, span }));
    }

    fn map(&mut self, s: &Map, stmts: &mut Vec<Stmt>) {
        let run = Stmt::Map(s.clone());
        if !self.shadows.is_active(s.target.root) {
            stmts.push(run);
            return;
        }
        let (partial, before) = map_partial(&self.shadows, &s.function, s.target.to_expr(), s.span);
        let (partial, begin) = self.shadows.register("partial", partial);
        let target = self.shadows.shadow_place(&s.target);
        let scale = Stmt::Update(Update {
            op: UpdateOp::Mul,
            target,
            operand: partial,
            written: None,
            kept: None,
            span: s.span,
        });
        let inside = if before { vec![begin, scale, run] } else { vec![run, begin, scale] };
        stmts.push(Stmt::Block(Block { stmts: inside, span: s.span }));
    }

    /// The callee runs with tangents; each argument is followed by its shadow.
    fn call(&mut self, s: &Call, stmts: &mut Vec<Stmt>) {
        let active = |arg: &Arg| match &arg.kind {
            ArgKind::Change(place) | ArgKind::Borrow(place) => self.shadows.is_active(place.root),
            ArgKind::Value(e) => self.shadows.active(e),
            ArgKind::Host(_) => false,
        };
        // Nothing flows: the procedure itself will do.
        if !s.args.iter().any(active) {
            stmts.push(Stmt::Call(s.clone()));
            return;
        }
        if s.args.iter().any(|arg| matches!(arg.kind, ArgKind::Change(_))) {
            let lent = s.args.iter().filter_map(|arg| match &arg.kind {
                ArgKind::Change(place) | ArgKind::Borrow(place) => Some(place),
                ArgKind::Value(_) | ArgKind::Host(_) => None,
            });
            self.shadows.side_by_side(lent, s.span);
        }
        let mut inside = Vec::new();
        let mut args = Vec::new();
        for arg in &s.args {
            let at = arg.span;
            let passed = |kind| Arg { kind, span: at };
            let none = || passed(ArgKind::Value(Expr::rule(Rule::NoShadow, Vec::new(), at)));
            match &arg.kind {
                ArgKind::Host(var) => args.push(passed(ArgKind::Host(*var))),
                ArgKind::Change(place) | ArgKind::Borrow(place) if !self.shadows.is_active(place.root) => {
                    args.push(arg.clone());
                    args.push(none());
                }
                ArgKind::Change(place) => {
                    args.push(arg.clone());
                    args.push(passed(ArgKind::Change(self.shadows.shadow_place(place))));
                }
                ArgKind::Borrow(place) => {
                    args.push(arg.clone());
                    args.push(passed(ArgKind::Borrow(self.shadows.shadow_place(place))));
                }
                ArgKind::Value(e) if !self.shadows.active(e) => {
                    args.push(arg.clone());
                    args.push(none());
                }
                ArgKind::Value(e) => {
                    if let ExprKind::Var(var) = e.kind
                        && self.shadows.is_reference(var)
                    {
                        self.shadows.hand_on(var, at);
                        let shadow = self.shadows.shadow_place(&Place::var(var, at));
                        args.push(arg.clone());
                        args.push(passed(ArgKind::Borrow(shadow)));
                        continue;
                    }
                    let mut expression = Expression::new(&mut self.shadows);
                    let root = expression.node(e);
                    let tangent = expression.owned_tangent(root);
                    let value = expression.value(root);
                    args.push(passed(ArgKind::Value(value)));
                    // A copy: the call may change the variable that it is a part of.
                    let (tangent, begin) = expression.shadows.register("tangent", tangent);
                    expression.before.push(begin);
                    let tangent = expression.passed_tangent(root, tangent);
                    inside.append(&mut expression.before);
                    args.push(passed(ArgKind::Value(tangent)));
                }
            }
        }
        inside.push(Stmt::Call(Call { run: Run::Tangent, args, ..s.clone() }));
        stmts.push(Stmt::Block(Block { stmts: inside, span: s.span }));
    }
}
