//! What a program reads once, and goes by later, is read once: heads of loops, what is matched, the parts that a `let` takes out of a
//! place, and the indices of references.
//!
//! ```text
//! for j in (0..n).step_by(k) { .. k = 2; }    let steady = k; for j in (0..n).step_by(steady) { .. k = 2; }
//! match p { (a, b) => { p.0 = b; .. } }       let steady = p; match steady { (a, b) => { p.0 = b; .. } }
//! let [a, b] = p; p[0] = b;                   let a = p[0]; let b = p[1]; p[0] = b;
//! let v = &x[k]; k = 2;                       let steady = k; let v = &x[steady]; k = 2;
//! ```
//!
//! Only programs with a record need it: in others nothing may change what is still gone by.

use std::collections::BTreeSet;

use crate::analysis::Context;
use crate::analysis::activity::active;
use crate::analysis::effects::{Access, Effects};
use crate::analysis::index::may_be_range;
use crate::analysis::relation::Relation;
use crate::ir::{
    Activity, Adapter, Arm, BinaryOp, Binding, BindingKind, Block, Expr, ExprKind, For, Iter, Match, Member, Pattern,
    PatternKind, Place, Program, Projection, Source, Stmt, Var, VarId, VarKind,
};

/// The program with what it goes by in names of its own.
pub(super) fn steady(program: &Program) -> Program {
    let context = Context::new(program);
    let changed = context.block_effects(&program.body).changed().into_iter().collect();
    let mut stage = Stage { context: &context, vars: program.vars.clone(), changed };
    let body = stage.block(&program.body);
    Program { vars: stage.vars, body, ..program.clone() }
}

struct Stage<'c, 'p> {
    context: &'c Context<'p>,
    /// The variables of the program, and the names that are added.
    vars: Vec<Var>,
    /// What the program changes somewhere.
    changed: BTreeSet<VarId>,
}

/// Names that are begun before a statement, and what they stand for.
#[derive(Default)]
struct Before {
    stmts: Vec<Stmt>,
    names: Vec<(Expr, Expr)>,
}

impl Before {
    /// The place with the names in it.
    fn renamed(&self, place: &Place) -> Place {
        place.rewritten(&|e| self.names.iter().find(|(old, _)| old == e).map(|(_, new)| new.clone()))
    }
}

impl Stage<'_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        Block { stmts: block.stmts.iter().flat_map(|stmt| self.stmt(stmt)).collect(), span: block.span }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let mut before = Before::default();
        match stmt {
            Stmt::Begin(binding) => self.begin(binding),
            Stmt::For(s) => {
                let changed = self.context.block_effects(&s.body);
                let iter = self.head(&s.iter, &changed, &mut before);
                self.rename(&s.pattern.bindings(), &before);
                let body = self.block(&s.body);
                before.stmts.push(Stmt::For(For { iter, body, ..s.clone() }));
                in_a_block(before.stmts, stmt)
            }
            Stmt::Match(s) => {
                let scrutinee = self.scrutinee(s, &mut before);
                let arms = s.arms.iter().map(|arm| Arm { body: self.block(&arm.body), ..arm.clone() }).collect();
                before.stmts.push(Stmt::Match(Match { scrutinee, arms, span: s.span }));
                in_a_block(before.stmts, stmt)
            }
            Stmt::Unchecked(s) => self.stmt(s).into_iter().map(|stmt| Stmt::Unchecked(Box::new(stmt))).collect(),
            _ => vec![stmt.map_blocks(&mut |block| self.block(block))],
        }
    }

    /// A `let` that takes parts out of a place has copies of them; a reference stays where it was made.
    fn begin(&mut self, binding: &Binding) -> Vec<Stmt> {
        let mut before = Before::default();
        if let Some(place) = binding.value.as_place().filter(|place| self.is_taken_apart(binding, place)) {
            let mut parts = Vec::new();
            if leaves(&binding.pattern, &place, &mut parts) {
                let part = |(pattern, place): (Pattern, Place)| {
                    Stmt::Begin(Binding { pattern, value: place.to_expr(), ty: None, ..binding.clone() })
                };
                return parts.into_iter().map(part).collect();
            }
            let value = self.name(&binding.value, &mut before);
            before.stmts.push(Stmt::Begin(Binding { value, ..binding.clone() }));
            return before.stmts;
        }
        let pattern = match active(&self.vars, &binding.value) {
            true => self.named_throughout(&binding.pattern, false),
            false => binding.pattern.clone(),
        };
        let value = match &binding.value.kind {
            ExprKind::Ref(_) | ExprKind::RefMut(_) => self.with_steady_indices(&binding.value, None, &mut before),
            _ if binding.kind == BindingKind::View => self.with_steady_indices(&binding.value, None, &mut before),
            _ => binding.value.clone(),
        };
        self.rename(&binding.pattern.bindings(), &before);
        before.stmts.push(Stmt::Begin(Binding { pattern, value, ..binding.clone() }));
        before.stmts
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

    /// Whether a `let` takes copies of parts out of a place that is changed somewhere, or is another one somewhere. What a reference is
    /// taken apart into are references.
    fn is_taken_apart(&self, binding: &Binding, place: &Place) -> bool {
        let root = &self.vars[place.root.0];
        let by_value = match root.kind {
            VarKind::Ancilla | VarKind::Let => true,
            _ => place.path.iter().any(|step| matches!(step, Projection::Deref | Projection::Index(_))),
        };
        let indices = place.indices().flat_map(|index| self.context.expr_reads(index)).map(|read| read.place.root);
        let mut roots = indices.chain([self.root(place)]);
        binding.pattern.as_var().is_none() && by_value && roots.any(|root| self.changed.contains(&root))
    }

    fn root(&self, place: &Place) -> VarId {
        self.context.access(place, false).place.root
    }

    /// What a loop goes through, where its body changes nothing of it.
    fn head(&mut self, iter: &Iter, changed: &Effects, before: &mut Before) -> Iter {
        let source = match &iter.source {
            Source::Range { start, end, inclusive } => {
                let (start, end) = (self.steady(start, Some(changed), before), self.steady(end, Some(changed), before));
                Source::Range { start, end, inclusive: *inclusive }
            }
            Source::Value(e) => Source::Value(self.steady(e, Some(changed), before)),
            Source::Elements(e) => Source::Elements(self.with_steady_indices(e, Some(changed), before)),
            Source::ElementsMut(place) => Source::ElementsMut(self.steady_place(place, Some(changed), before)),
            Source::Chunks(e, size) => {
                let e = self.with_steady_indices(e, Some(changed), before);
                Source::Chunks(e, self.steady(size, Some(changed), before))
            }
            Source::ChunksMut(place, size) => {
                let place = self.steady_place(place, Some(changed), before);
                Source::ChunksMut(place, self.steady(size, Some(changed), before))
            }
        };
        let adapters = iter.adapters.iter().map(|adapter| match adapter {
            Adapter::StepBy(e) => Adapter::StepBy(self.steady(e, Some(changed), before)),
            Adapter::Skip(e) => Adapter::Skip(self.steady(e, Some(changed), before)),
            Adapter::Zip(other) => Adapter::Zip(Box::new(self.head(other, changed, before))),
            Adapter::Rev | Adapter::Enumerate | Adapter::Copied(_) => adapter.clone(),
        });
        Iter { source, adapters: adapters.collect(), span: iter.span }
    }

    /// What is matched, or a copy of it where an arm changes it by its own name. What the patterns bind are parts of the copy then.
    fn scrutinee(&mut self, s: &Match, before: &mut Before) -> Expr {
        let bound: BTreeSet<VarId> = s.arms.iter().flat_map(|arm| arm.pattern.bindings()).collect();
        let by_own_name = |write: &&Access| !bound.contains(&write.written.root);
        let reads = self.context.expr_reads(&s.scrutinee);
        let disturbed = s.arms.iter().any(|arm| {
            let effects = self.context.block_effects(&arm.body);
            let mut writes = effects.writes.iter().filter(by_own_name);
            writes.any(|write| reads.iter().any(|read| self.context.disturbs(write, read) != Relation::Disjoint))
        });
        if !disturbed {
            return s.scrutinee.clone();
        }
        let copy = self.name(&s.scrutinee, before);
        if let ExprKind::Var(var) = copy.kind {
            let part = Place::var(var, copy.span).then(Projection::Some);
            bound.into_iter().for_each(|bound| self.vars[bound.0].kind = VarKind::Part(part.clone()));
        }
        copy
    }

    /// The expression, or a name for its value if something in `changed`, or anything in the program, changes what it reads.
    fn steady(&mut self, e: &Expr, changed: Option<&Effects>, before: &mut Before) -> Expr {
        let reads = self.context.expr_reads(e);
        let disturbed = match changed {
            Some(changed) => reads.iter().any(|read| {
                changed.writes.iter().any(|write| self.context.disturbs(write, read) != Relation::Disjoint)
            }),
            None => reads.iter().any(|read| self.changed.contains(&read.place.root)),
        };
        if disturbed { self.name(e, before) } else { e.clone() }
    }

    /// A name for the value that an expression has now.
    fn name(&mut self, e: &Expr, before: &mut Before) -> Expr {
        if let Some((_, name)) = before.names.iter().find(|(known, _)| known == e) {
            return name.clone();
        }
        let mut var = Var::added(&format!("steady_{}", self.vars.len()), VarKind::Let, e.span);
        if active(&self.vars, e) {
            var.activity = Activity::Active;
        }
        (var.range, var.ty) = (may_be_range(&self.vars, e), e.ty.clone());
        let id = VarId(self.vars.len());
        self.vars.push(var);
        let (pattern, value) = (Pattern::bind(id, e.span), e.clone());
        let binding = Binding { kind: BindingKind::Let, pattern, ty: None, value, constant: false, span: e.span };
        before.stmts.push(Stmt::Begin(binding));
        let name = Expr::var(id, e.span);
        before.names.push((e.clone(), name.clone()));
        name
    }

    /// The expression with the indices of its places as they are now.
    fn with_steady_indices(&mut self, e: &Expr, changed: Option<&Effects>, before: &mut Before) -> Expr {
        match &e.kind {
            ExprKind::Index(base, index) => {
                let base = self.with_steady_indices(base, changed, before);
                let index = self.steady_index(index, changed, before);
                Expr::new(ExprKind::Index(Box::new(base), Box::new(index)), e.span)
            }
            // `x.split_at_mut(k)`
            ExprKind::Method { receiver, method, turbofish, args } => {
                let receiver = Box::new(self.with_steady_indices(receiver, changed, before));
                let args = args.iter().map(|arg| self.steady(arg, changed, before)).collect();
                let (method, turbofish) = (method.clone(), turbofish.clone());
                Expr::new(ExprKind::Method { receiver, method, turbofish, args }, e.span)
            }
            ExprKind::Ref(_) | ExprKind::RefMut(_) | ExprKind::Unary(..) | ExprKind::Field(..) => {
                e.map_children(&mut |child| self.with_steady_indices(child, changed, before))
            }
            _ => e.clone(),
        }
    }

    fn steady_place(&mut self, place: &Place, changed: Option<&Effects>, before: &mut Before) -> Place {
        let path = place.path.iter().map(|step| match step {
            Projection::Index(index) => Projection::Index(self.steady_index(index, changed, before)),
            other => other.clone(),
        });
        Place { path: path.collect(), ..place.clone() }
    }

    /// The ends of a range one by one: it is seen then that it is one.
    fn steady_index(&mut self, index: &Expr, changed: Option<&Effects>, before: &mut Before) -> Expr {
        match &index.kind {
            ExprKind::Range { .. } => index.map_children(&mut |end| self.steady(end, changed, before)),
            _ => self.steady(index, changed, before),
        }
    }

    /// Variables that are views of places, with the names in these.
    fn rename(&mut self, vars: &[VarId], before: &Before) {
        for var in vars {
            if let VarKind::View(place) | VarKind::Part(place) = &mut self.vars[var.0].kind {
                *place = before.renamed(place);
            }
        }
    }
}

/// The statements, in a block if there are several.
fn in_a_block(mut stmts: Vec<Stmt>, of: &Stmt) -> Vec<Stmt> {
    if stmts.len() > 1 {
        stmts = vec![Stmt::Block(Block { stmts, span: of.span() })];
    }
    stmts
}

/// The names in a pattern with the parts of a place that they stand for; whether that can be written.
fn leaves(pattern: &Pattern, place: &Place, parts: &mut Vec<(Pattern, Place)>) -> bool {
    let field = |member: Member| place.clone().then(Projection::Field(member));
    match &pattern.kind {
        PatternKind::Wild | PatternKind::Rest => true,
        PatternKind::Bind { by_ref: false, sub: None, .. } => {
            parts.push((pattern.clone(), place.clone()));
            true
        }
        PatternKind::Tuple(all) | PatternKind::TupleStruct(_, all) => {
            let rest = all.iter().position(|part| part.kind == PatternKind::Rest).unwrap_or(all.len());
            all.iter().enumerate().all(|(i, part)| match i <= rest {
                true => leaves(part, &field(Member::Index(i)), parts),
                // How many parts `..` stands for is not known here.
                false => part.bindings().is_empty(),
            })
        }
        PatternKind::Slice(all) => {
            let rest = all.iter().position(|part| part.kind == PatternKind::Rest).unwrap_or(all.len());
            all.iter().enumerate().all(|(i, part)| {
                let index = match i <= rest {
                    true => Expr::integer(i, place.span),
                    false => {
                        let length = Expr::method(place.to_expr(), "len", Vec::new());
                        let behind = Expr::integer(all.len() - i, place.span);
                        Expr::new(ExprKind::Binary(BinaryOp::Sub, Box::new(length), Box::new(behind)), place.span)
                    }
                };
                leaves(part, &place.clone().then(Projection::Index(index)), parts)
            })
        }
        PatternKind::Struct { fields, .. } => {
            fields.iter().all(|f| leaves(&f.pattern, &field(f.member.clone()), parts))
        }
        _ => false,
    }
}
