//! What a name for a place is found by, and what is taken out of a place by value, is computed where the name begins.

use std::rc::Rc;

use crate::analysis::Context;
use crate::analysis::activity::active;
use crate::analysis::effects::{Access, Effects};
use crate::analysis::index::may_be_range;
use crate::analysis::relation::{Changed, Relation};
use crate::derivative::Shadows;
use crate::diagnostics::Diagnostics;
use crate::ir::{
    Activity, Adapter, Binding, BindingKind, Block, Expr, ExprKind, For, Iter, Match, Mode, Pattern, PatternKind,
    Place, Program, Projection, Run, Source, Stmt, Var, VarId, VarKind,
};

/// The program whose names for places depend on nothing that changes while they live.
pub(super) fn steady(program: &Program) -> Program {
    let context = Context::new(program);
    let mut stage = Steady { context: &context, program, vars: program.vars.clone() };
    let body = stage.block(&program.body);
    program.with(stage.vars, body)
}

struct Steady<'c, 'p> {
    context: &'c Context<'p>,
    program: &'p Program,
    /// The variables of the program, and those that are added.
    vars: Vec<Var>,
}

/// What happens while a name lives, and what is computed in front of it.
struct Life<'e> {
    effects: &'e Effects,
    changed: Changed,
    /// Expressions, and the locals that hold their values.
    known: Vec<(Expr, VarId)>,
    before: Vec<Stmt>,
}

impl Life<'_> {
    fn new(effects: &Effects) -> Life<'_> {
        Life { effects, changed: Changed::by([effects]), known: Vec::new(), before: Vec::new() }
    }

    fn disturbs(&self, context: &Context<'_>, read: &Access) -> bool {
        let disturbs = |write| context.disturbs_over(write, read, &self.changed) != Relation::Disjoint;
        self.effects.writes.iter().any(disturbs)
    }
}

impl Steady<'_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        let mut behind = Effects::default();
        let mut groups = Vec::new();
        for stmt in block.stmts.iter().rev() {
            let mut stmts = Vec::new();
            self.stmt(stmt, &behind, &mut stmts);
            groups.push(stmts);
            behind.writes.extend(self.context.effects(stmt).writes);
        }
        Block { stmts: groups.into_iter().rev().flatten().collect(), span: block.span }
    }

    fn stmt(&mut self, stmt: &Stmt, behind: &Effects, stmts: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Begin(binding) => self.begin(binding, behind, stmts),
            Stmt::For(s) => {
                let s = self.for_loop(s, stmts);
                stmts.push(Stmt::For(s));
            }
            // Its head is read once, in front of all parts.
            Stmt::Recompute(s) if s.schedule.is_some() => {
                let body = s.body.stmts.iter().map(|stmt| match stmt {
                    Stmt::For(s) => Stmt::For(self.for_loop(s, stmts)),
                    _ => stmt.map_blocks(&mut |block| self.block(block)),
                });
                let body = Block { stmts: body.collect(), span: s.body.span };
                stmts.push(Stmt::Recompute(s.with_body(body)));
            }
            Stmt::Match(s) => {
                let mut effects = Effects::default();
                s.arms.iter().for_each(|arm| effects.writes.extend(self.context.block_effects(&arm.body).writes));
                let mut life = Life::new(&effects);
                let scrutinee = self.matched(s, &mut life);
                s.arms.iter().for_each(|arm| self.rename(&arm.pattern, &life));
                stmts.append(&mut life.before);
                let inside = Stmt::Match(Match { scrutinee, ..s.clone() });
                stmts.push(inside.map_blocks(&mut |block| self.block(block)));
            }
            Stmt::Unchecked(inner) => {
                let mut inside = Vec::new();
                self.stmt(inner, behind, &mut inside);
                stmts.extend(inside.into_iter().map(|stmt| Stmt::Unchecked(Box::new(stmt))));
            }
            _ => stmts.push(stmt.map_blocks(&mut |block| self.block(block))),
        }
    }

    /// A loop, behind what its head reads.
    fn for_loop(&mut self, s: &For, stmts: &mut Vec<Stmt>) -> For {
        let effects = self.context.block_effects(&s.body);
        let mut life = Life::new(&effects);
        let iter = self.iter(&s.iter, &mut life);
        self.rename(&s.pattern, &life);
        stmts.append(&mut life.before);
        For { iter: Box::new(iter), ..s.with_body(self.block(&s.body)) }
    }

    fn begin(&mut self, binding: &Binding, behind: &Effects, stmts: &mut Vec<Stmt>) {
        let mut life = Life::new(behind);
        let place = binding.value.as_place().filter(|_| binding.pattern.as_var().is_none());
        let taken_out = place.as_ref().filter(|_| binding.kind == BindingKind::Let);
        if let Some(place) = taken_out
            && self.takes_values(binding, place)
            && life.disturbs(self.context, &self.context.access(place, false))
        {
            let parts = self.parts(binding, place).unwrap_or_else(|| {
                let value = self.computed(&binding.value, "whole", &mut life);
                let taken = Stmt::Begin(Binding { value, ..binding.clone() });
                life.before.drain(..).chain([taken]).collect()
            });
            stmts.extend(parts);
            return;
        }
        let pattern = match place.is_none() && active(&self.vars, &binding.value) {
            true => self.named_throughout(&binding.pattern, false),
            false => binding.pattern.clone(),
        };
        let value = match place.is_some() || binding.kind == BindingKind::View || refers(&binding.value) {
            true => self.found(&binding.value, &mut life),
            false => binding.value.clone(),
        };
        self.rename(&binding.pattern, &life);
        stmts.append(&mut life.before);
        stmts.push(Stmt::Begin(Binding { pattern, value, ..binding.clone() }));
    }

    /// The pattern with names for the parts that it leaves out: each has an adjoint.
    fn named_throughout(&mut self, pattern: &Pattern, inside: bool) -> Pattern {
        let kind = match &pattern.kind {
            PatternKind::Wild if inside => {
                let mut var = Var::added(&format!("unused_{}", self.vars.len()), VarKind::Let, pattern.span);
                var.activity = Activity::Active;
                self.vars.push(var);
                return Pattern::bind(VarId(self.vars.len() - 1), pattern.span);
            }
            PatternKind::Tuple(all) => PatternKind::Tuple(all.iter().map(|p| self.named_throughout(p, true)).collect()),
            PatternKind::Slice(all) => PatternKind::Slice(all.iter().map(|p| self.named_throughout(p, true)).collect()),
            kind => kind.clone(),
        };
        Pattern { kind, span: pattern.span }
    }

    /// What is matched; a copy of it where an arm changes it by its own name. What the patterns bind are parts of the copy then.
    fn matched(&mut self, s: &Match, life: &mut Life<'_>) -> Expr {
        if refers(&s.scrutinee) {
            return self.found(&s.scrutinee, life);
        }
        let bound: Vec<VarId> = s.arms.iter().flat_map(|arm| arm.pattern.bindings()).collect();
        let own: Vec<Access> =
            life.effects.writes.iter().filter(|write| !bound.contains(&write.written.root)).cloned().collect();
        let own = Effects { writes: own, ..Effects::default() };
        let mut outside = Life::new(&own);
        let copy = self.computed(&s.scrutinee, "matched", &mut outside);
        let ExprKind::Var(var) = copy.kind else { return self.found(&s.scrutinee, life) };
        if outside.before.is_empty() {
            return copy;
        }
        life.before.append(&mut outside.before);
        let part = Place::var(var, copy.span).then(Projection::Some);
        bound.into_iter().for_each(|bound| self.vars[bound.0].kind = VarKind::Part(part.clone()));
        copy
    }

    /// Whether a `let` takes values out of a place, and not references to them.
    fn takes_values(&self, binding: &Binding, place: &Place) -> bool {
        let root = &self.vars[place.root.0].kind;
        let reference = matches!(root, VarKind::Param(Mode::Borrow | Mode::Change) | VarKind::View(_));
        !(reference && place.path.is_empty() || borrows(&binding.pattern))
    }

    /// `let (y, z) = c;` as `let y = c.0; let z = c.1;`, if each name stands for one part.
    fn parts(&self, binding: &Binding, place: &Place) -> Option<Vec<Stmt>> {
        if names_a_rest(&binding.pattern) {
            return None;
        }
        let diagnostics = Diagnostics::default();
        let mut shadows = Shadows::new(self.program, Run::Values, &diagnostics);
        let all = shadows.alias_pattern(&binding.pattern, place, true);
        // What is wrong with the pattern is said by the derivative that goes through it.
        let _ = diagnostics.finish();
        let part = |var: VarId| {
            let part = shadows.resolved(&Place::var(var, binding.span));
            (part.root != var).then(|| {
                let (pattern, ty) = (Pattern::bind(var, binding.span), self.vars[var.0].ty.clone());
                Stmt::Begin(Binding { pattern, ty, value: part.to_expr(), ..binding.clone() })
            })
        };
        binding.pattern.bindings().into_iter().map(part).collect::<Option<Vec<_>>>().filter(|_| all)
    }

    /// The head of a loop, which is read once.
    fn iter(&mut self, iter: &Iter, life: &mut Life<'_>) -> Iter {
        let source = match &iter.source {
            Source::Range { start, end, inclusive } => {
                let (start, end) = (self.computed(start, "first", life), self.computed(end, "end", life));
                Source::Range { start, end, inclusive: *inclusive }
            }
            Source::Value(e) => Source::Value(self.computed(e, "whole", life)),
            Source::Elements(e) => Source::Elements(self.found(e, life)),
            Source::Chunks(e, size) => Source::Chunks(self.found(e, life), self.computed(size, "size", life)),
            Source::Windows(e, size) => Source::Windows(self.found(e, life), self.computed(size, "size", life)),
            Source::ElementsMut(place) => Source::ElementsMut(self.found_place(place, life)),
            Source::ChunksMut(place, size) => {
                Source::ChunksMut(self.found_place(place, life), self.computed(size, "size", life))
            }
        };
        let adapters = iter.adapters.iter().map(|adapter| match adapter {
            Adapter::StepBy(step) => Adapter::StepBy(self.computed(step, "step", life)),
            Adapter::Skip(count) => Adapter::Skip(self.computed(count, "skipped", life)),
            Adapter::Zip(other) => Adapter::Zip(Box::new(self.iter(other, life))),
            Adapter::Rev | Adapter::Enumerate | Adapter::Copied(_) => adapter.clone(),
        });
        Iter { source, adapters: adapters.collect(), span: iter.span }
    }

    /// A place, or references to places, with indices that stay.
    fn found(&mut self, e: &Expr, life: &mut Life<'_>) -> Expr {
        match &e.kind {
            ExprKind::Ref(_) | ExprKind::RefMut(_) | ExprKind::Tuple(_) | ExprKind::Field(..) | ExprKind::Unary(..) => {
                e.map_children(&mut |child| self.found(child, life))
            }
            ExprKind::Index(base, index) => {
                let (base, index) = (Rc::new(self.found(base, life)), Rc::new(self.index(index, life)));
                Expr { kind: ExprKind::Index(base, index), ..e.clone() }
            }
            // `c.split_at_mut(m)`
            ExprKind::Method { receiver, method, turbofish, args } => {
                let receiver = Rc::new(self.found(receiver, life));
                let args = args.iter().map(|arg| self.index(arg, life)).collect();
                let (method, turbofish) = (method.clone(), turbofish.clone());
                Expr { kind: ExprKind::Method { receiver, method, turbofish, args }, ..e.clone() }
            }
            _ => e.clone(),
        }
    }

    fn found_place(&mut self, place: &Place, life: &mut Life<'_>) -> Place {
        let path = place.path.iter().map(|step| match step {
            Projection::Index(index) => Projection::Index(self.index(index, life)),
            Projection::Deref | Projection::Field(_) | Projection::Some => step.clone(),
        });
        Place { path: path.collect(), ..place.clone() }
    }

    /// The ends of a range one by one: it is seen then that it is one.
    fn index(&mut self, index: &Expr, life: &mut Life<'_>) -> Expr {
        match &index.kind {
            ExprKind::Range { .. } => index.map_children(&mut |end| self.computed(end, "index", life)),
            _ => self.computed(index, "index", life),
        }
    }

    /// The expression, or a local with its value where what it reads changes.
    fn computed(&mut self, e: &Expr, name: &str, life: &mut Life<'_>) -> Expr {
        if let Some((_, var)) = life.known.iter().find(|(known, _)| known == e) {
            return Expr::var(*var, e.span);
        }
        if !self.context.expr_reads(e).iter().any(|read| life.disturbs(self.context, read)) {
            return e.clone();
        }
        let mut var = Var::added(&format!("{name}_{}", self.vars.len()), VarKind::Let, e.span);
        (var.range, var.ty) = (may_be_range(&self.vars, e), e.ty.clone());
        if active(&self.vars, e) {
            var.activity = Activity::Active;
        }
        self.vars.push(var);
        let (var, span) = (VarId(self.vars.len() - 1), e.span);
        let (pattern, value) = (Pattern::bind(var, span), e.clone());
        let kind = BindingKind::Let;
        life.before.push(Stmt::Begin(Binding { kind, pattern, ty: None, value, constant: false, span }));
        life.known.push((e.clone(), var));
        Expr::var(var, span)
    }

    /// The names in a pattern are names for what is found now.
    fn rename(&mut self, pattern: &Pattern, life: &Life<'_>) {
        if life.known.is_empty() {
            return;
        }
        let renamed =
            |e: &Expr| life.known.iter().find(|(known, _)| known == e).map(|(_, var)| Expr::var(*var, e.span));
        for var in pattern.bindings() {
            if let VarKind::View(place) | VarKind::Part(place) = &mut self.vars[var.0].kind {
                for step in &mut place.path {
                    if let Projection::Index(index) = step {
                        *index = index.rewritten(&renamed);
                    }
                }
            }
        }
    }
}

/// Whether a value is a reference to a place, or a tuple of such.
fn refers(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ref(inner) | ExprKind::RefMut(inner) => inner.is_place(),
        ExprKind::Tuple(all) => all.iter().all(refers),
        _ => false,
    }
}

/// Whether a pattern takes references to parts: `ref x`
fn borrows(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Bind { by_ref, sub, .. } => *by_ref || sub.as_deref().is_some_and(borrows),
        PatternKind::Tuple(parts) | PatternKind::Slice(parts) | PatternKind::TupleStruct(_, parts) => {
            parts.iter().any(borrows)
        }
        PatternKind::Struct { fields, .. } => fields.iter().any(|field| borrows(&field.pattern)),
        PatternKind::Ref(inner) => borrows(inner),
        PatternKind::Wild | PatternKind::Rest | PatternKind::Constant(_) | PatternKind::Or(_) => false,
    }
}

/// Whether a pattern has a name for several parts: `x @ ..`
fn names_a_rest(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Bind { sub, .. } => sub.is_some(),
        PatternKind::Tuple(parts) | PatternKind::Slice(parts) | PatternKind::TupleStruct(_, parts) => {
            parts.iter().any(names_a_rest)
        }
        PatternKind::Struct { fields, .. } => fields.iter().any(|field| names_a_rest(&field.pattern)),
        PatternKind::Ref(inner) => names_a_rest(inner),
        PatternKind::Wild | PatternKind::Rest | PatternKind::Constant(_) | PatternKind::Or(_) => false,
    }
}
