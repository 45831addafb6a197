//! The read and write set of every statement.

use std::rc::Rc;

use super::Context;
use super::index::may_be_range;
use crate::ir::{
    Adapter, Arg, ArgKind, BinaryOp, Binding, BindingKind, Block, Call, Callee, Check, ExitKind, Expr, ExprKind, Iter,
    Known, Match, Mode, Permutation, Place, Projection, Rule, Source, Stmt, Swap, TypeKind, Var, VarId, VarKind,
    Witness,
};
use crate::span::Span;

/// A place that a statement reads or changes, views resolved to what they are views of.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The place.
    pub place: Rc<Place>,
    /// The same place as it is written.
    pub written: Rc<Place>,
    /// Of a read: only the shape (`len`) is read. Of a write: the shape may change too.
    pub shape: bool,
    /// Where it happens.
    pub span: Span,
}

/// What a statement reads and changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// What it reads.
    pub reads: Vec<Access>,
    /// What it changes.
    pub writes: Vec<Access>,
}

impl Effects {
    fn add(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
    }

    /// The variables that are changed.
    pub fn changed(&self) -> Vec<VarId> {
        let mut roots: Vec<VarId> = self.writes.iter().map(|w| w.place.root).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// The variables that are read or changed, some of them more than once.
    pub fn mentioned(&self) -> impl Iterator<Item = VarId> + '_ {
        self.reads.iter().chain(&self.writes).map(|access| access.place.root)
    }

    /// Whether the variable is read or changed.
    pub fn mentions(&self, var: VarId) -> bool {
        self.mentioned().any(|mentioned| mentioned == var)
    }
}

impl Context<'_> {
    /// What an expression reads.
    pub fn expr_reads(&self, e: &Expr) -> Vec<Access> {
        let mut reads = Vec::new();
        self.collect(e, &mut reads);
        reads
    }

    fn collect(&self, e: &Expr, reads: &mut Vec<Access>) {
        if let Some(place) = e.as_place() {
            place.indices().for_each(|index| self.collect(index, reads));
            reads.push(self.access_to(place, false));
            return;
        }
        if let ExprKind::Method { receiver, method, .. } = &e.kind
            && method.known == Some(Known::Shape)
            && let Some(place) = receiver.as_place()
        {
            place.indices().for_each(|index| self.collect(index, reads));
            reads.push(self.access_to(place, true));
            return;
        }
        // Of what a zero is shaped by, only the shape is read.
        if let ExprKind::Rule(Rule::Zero | Rule::PlainZero, args) = &e.kind
            && let [value] = args.as_slice()
            && let Some(place) = value.as_place()
        {
            place.indices().for_each(|index| self.collect(index, reads));
            reads.push(self.access_to(place, true));
            return;
        }
        e.each_child(&mut |child| self.collect(child, reads));
    }

    /// A place as an access, with views replaced by what they are views of. The uses of a view are kept as
    /// uses of its own name too, by [`Context::effects`].
    pub fn access(&self, place: &Place, shape: bool) -> Access {
        self.access_to(place.clone(), shape)
    }

    fn access_to(&self, place: Place, shape: bool) -> Access {
        let span = place.span;
        let written = Rc::new(place);
        let mut resolved = Rc::clone(&written);
        while let VarKind::View(base) | VarKind::Part(base) = &self.vars[resolved.root.0].kind {
            let path = base.path.iter().chain(&resolved.path).cloned().collect();
            resolved = Rc::new(Place { root: base.root, path, span });
        }
        Access { place: resolved, written, shape, span }
    }

    /// The variable that a place is a part of, views resolved.
    pub fn root(&self, place: &Place) -> VarId {
        let mut root = place.root;
        while let VarKind::View(base) | VarKind::Part(base) = &self.vars[root.0].kind {
            root = base.root;
        }
        root
    }

    /// Everything that a statement reads and changes, in all that is inside it.
    pub fn effects(&self, stmt: &Stmt) -> Effects {
        let mut effects = Effects::default();
        self.add_effects(stmt, &mut effects);
        effects
    }

    fn add_effects(&self, stmt: &Stmt, effects: &mut Effects) {
        self.add_own_effects(stmt, effects);
        for block in stmt.blocks() {
            block.stmts.iter().for_each(|stmt| self.add_effects(stmt, effects));
        }
    }

    /// Everything that the statements of a block read and change.
    pub fn block_effects(&self, block: &Block) -> Effects {
        let mut effects = Effects::default();
        block.stmts.iter().for_each(|stmt| self.add_effects(stmt, &mut effects));
        effects
    }

    /// What is changed when the statement is over. A `#[compute]` block is undone by then, unless what runs in
    /// between changed what it works with.
    pub fn net_effects(&self, stmt: &Stmt) -> Effects {
        if let Stmt::Unchecked(inner) | Stmt::Inverse(inner) = stmt {
            return self.net_effects(inner);
        }
        let mut effects = self.own_effects(stmt);
        if let Stmt::Conjugate(c) = stmt {
            let compute = self.block_effects(&c.compute);
            let rest = self.net_block_effects(&c.rest);
            let undone = self.clash(c).is_none();
            effects.reads.extend(compute.reads);
            if undone {
                effects.reads.extend(compute.writes);
            } else {
                effects.writes.extend(compute.writes);
            }
            effects.add(rest);
        } else {
            stmt.blocks().into_iter().for_each(|block| effects.add(self.net_block_effects(block)));
        }
        effects
    }

    /// What is changed when the statements of a block are over.
    pub fn net_block_effects(&self, block: &Block) -> Effects {
        let mut effects = Effects::default();
        block.stmts.iter().for_each(|stmt| effects.add(self.net_effects(stmt)));
        effects
    }

    /// What the statement itself reads and changes: of a compound statement, its conditions and ranges.
    pub fn own_effects(&self, stmt: &Stmt) -> Effects {
        let mut effects = Effects::default();
        self.add_own_effects(stmt, &mut effects);
        effects
    }

    fn add_own_effects(&self, stmt: &Stmt, effects: &mut Effects) {
        match stmt {
            Stmt::Update(s) => {
                self.change(&s.target, false, s.span, effects);
                self.read(&s.operand, effects);
                if s.kept.is_some() {
                    effects.reads.push(self.access(&s.target, false));
                }
            }
            Stmt::Flip(s) => self.change(&s.target, false, s.span, effects),
            Stmt::Map(s) => self.change(&s.target, false, s.span, effects),
            Stmt::Swap(Swap { a, b, span, .. }) => {
                self.change(a, true, *span, effects);
                self.change(b, true, *span, effects);
            }
            Stmt::Permute(s) => {
                self.change(&s.target, false, s.span, effects);
                match &s.permutation {
                    Permutation::Swap(i, j) => [i, j].into_iter().for_each(|e| self.read(e, effects)),
                    Permutation::Reverse => {}
                    Permutation::RotateLeft(k) | Permutation::RotateRight(k) => self.read(k, effects),
                }
            }
            Stmt::Call(s) => self.call(s, effects),
            Stmt::Begin(s) | Stmt::End(s) => match (s.kind, &s.value.kind) {
                (BindingKind::View, ExprKind::Method { receiver, args, .. }) => {
                    receiver.as_place().iter().for_each(|place| self.split(place, effects));
                    args.iter().for_each(|e| self.read(e, effects));
                }
                (BindingKind::View, _) => {
                    s.value.as_place().iter().for_each(|place| self.view(place, effects));
                }
                _ => self.read(&s.value, effects),
            },
            Stmt::If(s) => {
                self.read(&s.condition.pre, effects);
                s.condition.post.iter().for_each(|e| self.read(e, effects));
            }
            Stmt::Match(s) => {
                effects.reads.extend(self.matched(s));
                self.note_views_in(&s.scrutinee, effects);
                s.arms.iter().flat_map(|arm| &arm.guard).for_each(|e| self.read(e, effects));
            }
            Stmt::While(s) => {
                self.read(&s.pre, effects);
                self.read(&s.post, effects);
            }
            Stmt::For(s) => {
                head_reads(&s.iter).into_iter().for_each(|e| self.read(e, effects));
                effects.reads.extend(s.part.map(|plan| self.access_to(Place::var(plan, s.span), false)));
                // How often a loop turns depends on how long its slices are, those of which it makes views as well.
                if let Some(early) = &s.early {
                    self.read(&early.until, effects);
                    self.change(&Place::var(early.left, s.span), false, s.span, effects);
                }
                for place in viewed(&s.iter) {
                    effects.reads.push(self.access(place, true));
                    self.note_views(place.root, effects);
                }
            }
            Stmt::Assign(s) => {
                self.change(&s.target, self.may_change_shape(&s.target), s.span, effects);
                self.read(&s.value, effects);
                if s.kept.is_some() {
                    effects.reads.push(self.access(&s.target, false));
                }
            }
            Stmt::Keep(s) => self.read(&s.place.to_expr(), effects),
            Stmt::Restore(s) => {
                // A local that begins here has no shape yet.
                let shape = s.local.is_none() && self.may_change_shape(&s.place);
                self.change(&s.place, shape, s.place.span, effects);
            }
            Stmt::Give(s) => self.read(&s.value, effects),
            Stmt::Loop(s) => {
                s.condition.iter().chain(&s.until).for_each(|e| self.read(e, effects));
                s.count.iter().for_each(|count| self.change(&Place::var(*count, s.span), false, s.span, effects));
                effects.reads.extend(s.part.map(|plan| self.access_to(Place::var(plan, s.span), false)));
            }
            Stmt::Exit(s) => {
                if let ExitKind::Return(Some(value)) = &s.kind {
                    self.read(value, effects);
                }
            }
            Stmt::Unchecked(s) | Stmt::Inverse(s) => self.add_own_effects(s, effects),
            Stmt::Host(s) => {
                effects.reads.extend(s.reads.iter().map(|var| self.access_to(Place::var(*var, s.span), false)));
            }
            Stmt::Check(Check::Distinct(s)) => {
                s.pairs.iter().flat_map(|(a, b)| [a, b]).for_each(|e| self.read(e, effects));
            }
            Stmt::Check(Check::Witness(s)) => {
                let read = match s {
                    Witness::Begin { .. } => Vec::new(),
                    Witness::Keep { var, .. } => vec![*var],
                    Witness::Recall { of, .. } => vec![of.var, of.scale],
                };
                effects.reads.extend(read.into_iter().map(|var| self.access_to(Place::var(var, s.span()), false)));
            }
            Stmt::Check(Check::Sample(s)) => {
                let read = s.reads().into_iter();
                effects.reads.extend(read.map(|var| self.access_to(Place::var(var, s.span()), false)));
            }
            Stmt::Check(Check::Restored(s)) => {
                self.read(s.expected.expr(), effects);
                effects
                    .reads
                    .extend([s.var, s.scale].map(|var| self.access_to(Place::var(var, s.binding.span), false)));
            }
            Stmt::Recompute(s) => {
                s.kept.iter().for_each(|entry| self.read(&entry.place.to_expr(), effects));
                let schedule = s.schedule.iter();
                let said = schedule.clone().flat_map(|s| s.length.iter().chain([s.budget.limit()]));
                said.for_each(|e| self.read(e, effects));
                for planned in schedule.filter_map(|s| s.planned.as_ref()) {
                    self.read(&planned.count, effects);
                    if let Some(head) = &planned.search {
                        self.add_own_effects(head, effects);
                    }
                }
            }
            Stmt::Block(_) | Stmt::Conjugate(_) | Stmt::Compute(_) | Stmt::Uncompute(_) => {}
        }
    }

    /// What the value of a local reads. A view reads only the indices that say of what it is a view.
    pub fn binding_reads(&self, binding: &Binding) -> Vec<Access> {
        self.own_effects(&Stmt::Begin(binding.clone())).reads
    }

    fn call(&self, call: &Call, effects: &mut Effects) {
        // What sorts takes a slice.
        let sorts = matches!(&call.callee, Callee::Path(path)
            if path.in_runtime().is_some_and(|name| name == "sort_by" || name == "sort_by_key"));
        for Arg { kind, span } in &call.args {
            match kind {
                ArgKind::Change(place) => {
                    self.change(place, !sorts && self.may_change_shape(place), *span, effects);
                }
                ArgKind::Borrow(place) => {
                    let e = place.to_expr();
                    self.read(&e, effects);
                }
                ArgKind::Value(e) => self.read(e, effects),
                ArgKind::Host(_) => {}
            }
        }
    }

    /// A slice, an array and a number keep their shape; a `Vec`, a struct and what is not known may not.
    fn may_change_shape(&self, place: &Place) -> bool {
        if place.path.iter().any(|step| !matches!(step, Projection::Deref)) {
            return !matches!(place.path.last(), Some(Projection::Index(Expr { kind: ExprKind::Range { .. }, .. })));
        }
        let var = &self.vars[place.root.0];
        match (&var.ty, &var.kind) {
            (_, VarKind::View(base)) => self.may_change_shape(base),
            (Some(ty), VarKind::Param(Mode::Change)) => {
                !matches!(ty.referred().map(|ty| &ty.kind), Some(TypeKind::Slice(_) | TypeKind::Array { .. }))
            }
            (Some(ty), _) => !matches!(ty.kind, TypeKind::Array { .. }),
            (None, _) => true,
        }
    }

    fn change(&self, place: &Place, shape: bool, span: Span, effects: &mut Effects) {
        self.read_indices(place, effects);
        effects.writes.push(Access { span, ..self.access(place, shape) });
    }

    /// A view reads the indices that say of what it is one, and that there is something to be seen. A field is always there.
    fn view(&self, place: &Place, effects: &mut Effects) {
        self.read_indices(place, effects);
        let found = |step: &Projection| matches!(step, Projection::Index(_) | Projection::Some);
        if let Some(last) = place.path.iter().rposition(found) {
            let container = Place { path: place.path[..last].to_vec(), ..place.clone() };
            effects.reads.push(self.access(&container, true));
        }
    }

    /// Two views of one slice read how long it is.
    fn split(&self, place: &Place, effects: &mut Effects) {
        self.read_indices(place, effects);
        let mut container = place.clone();
        container.path.pop_if(|step| matches!(step, Projection::Index(_)));
        effects.reads.push(self.access(&container, true));
    }

    fn read_indices(&self, place: &Place, effects: &mut Effects) {
        place.indices().for_each(|index| self.read(index, effects));
        self.note_views(place.root, effects);
    }

    /// What a `match` reads to choose its arm. Where names in its patterns are views, that is only which variant there is, which is part
    /// of a shape.
    pub fn matched(&self, s: &Match) -> Vec<Access> {
        let by_views = self.matches_by_views(s);
        match s.scrutinee.looked_at().as_place().filter(|_| by_views) {
            Some(place) => {
                let indices = place.indices().flat_map(|index| self.expr_reads(index));
                indices.chain([self.access(&place, true)]).collect()
            }
            None => self.expr_reads(&s.scrutinee),
        }
    }

    /// Whether names in the patterns of a `match` are views of the parts of what is matched.
    pub fn matches_by_views(&self, s: &Match) -> bool {
        let mut names = s.arms.iter().flat_map(|arm| arm.pattern.bindings());
        names.any(|var| matches!(self.vars[var.0].kind, VarKind::View(_)))
    }

    /// Whether a place is reached by one of some names, or by a view of what these name.
    pub fn is_by_one_of(&self, place: &Place, names: &[VarId]) -> bool {
        names.contains(&place.root)
            || matches!(&self.vars[place.root.0].kind, VarKind::View(base) | VarKind::Part(base) if self.is_by_one_of(base, names))
    }

    fn read(&self, e: &Expr, effects: &mut Effects) {
        self.collect(e, &mut effects.reads);
        self.note_views_in(e, effects);
    }

    /// The views that an expression uses are alive there.
    fn note_views_in(&self, e: &Expr, effects: &mut Effects) {
        if !self.has_views {
            return;
        }
        e.walk(&mut |e| {
            if let ExprKind::Var(var) = e.kind {
                self.note_views(var, effects);
            }
        });
    }

    /// A use of a view is a use of its name as well: the name must be alive.
    fn note_views(&self, var: VarId, effects: &mut Effects) {
        if let VarKind::View(base) | VarKind::Part(base) = &self.vars[var.0].kind {
            let name = Rc::new(Place::var(var, base.span));
            effects.reads.push(Access { place: Rc::clone(&name), written: name, shape: true, span: base.span });
            self.note_views(base.root, effects);
        }
    }
}

/// `x[a..b][i]` is `x[a + i]`, and `x[a..b][c..d]` is `x[a + c..a + d]`.
pub(super) fn flattened(vars: &[Var], path: &[Projection]) -> Vec<Projection> {
    let mut flat: Vec<Projection> = Vec::new();
    for step in path {
        let joined = match (flat.last(), step) {
            (Some(Projection::Index(outer)), Projection::Index(inner)) => join(vars, outer, inner),
            _ => None,
        };
        match joined {
            Some(index) => {
                flat.pop();
                flat.push(Projection::Index(index));
            }
            None => flat.push(step.clone()),
        }
    }
    flat
}

fn join(vars: &[Var], outer: &Expr, inner: &Expr) -> Option<Expr> {
    let ExprKind::Range { start: first, end: last, inclusive } = &outer.kind else { return None };
    let at = |kind| Expr::new(kind, inner.span);
    let shifted = |e: &Expr| match first {
        Some(start) => at(ExprKind::Binary(BinaryOp::Add, start.clone(), Rc::new(e.clone()))),
        None => e.clone(),
    };
    Some(match &inner.kind {
        ExprKind::Range { start, end, inclusive: closed } => {
            let start = start.as_ref().map(|e| Rc::new(shifted(e))).or(first.clone());
            let (end, inclusive) = match end {
                Some(end) => (Some(Rc::new(shifted(end))), *closed),
                None => (last.clone(), *inclusive),
            };
            at(ExprKind::Range { start, end, inclusive })
        }
        _ if may_be_range(vars, inner) => return None,
        _ => shifted(inner),
    })
}

/// The slices of which a loop makes views.
pub fn viewed(iter: &Iter) -> Vec<&Place> {
    let mut places: Vec<&Place> = match &iter.source {
        Source::ElementsMut(place) | Source::ChunksMut(place, _) => vec![place],
        Source::Range { .. } | Source::Value(_) | Source::Elements(_) | Source::Chunks(..) | Source::Windows(..) => {
            Vec::new()
        }
    };
    for adapter in &iter.adapters {
        match adapter {
            Adapter::Zip(other) => places.extend(viewed(other)),
            Adapter::Rev | Adapter::StepBy(_) | Adapter::Enumerate | Adapter::Copied(_) | Adapter::Skip(_) => {}
        }
    }
    places
}

/// The expressions that the head of a loop reads, places that it only makes views of left out.
pub fn head_reads(iter: &Iter) -> Vec<&Expr> {
    let mut reads: Vec<&Expr> = match &iter.source {
        Source::Range { start, end, .. } => vec![start, end],
        Source::Value(e) | Source::Elements(e) => vec![e],
        Source::ElementsMut(place) => place.indices().collect(),
        Source::Chunks(e, size) | Source::Windows(e, size) => vec![e, size],
        Source::ChunksMut(place, size) => place.indices().chain(std::iter::once(size)).collect(),
    };
    for adapter in &iter.adapters {
        match adapter {
            Adapter::Rev | Adapter::Enumerate | Adapter::Copied(_) => {}
            Adapter::StepBy(step) | Adapter::Skip(step) => reads.push(step),
            Adapter::Zip(other) => reads.extend(head_reads(other)),
        }
    }
    reads
}
