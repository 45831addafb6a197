//! What statements that are run again start from: what they change is kept in front of them, and what they read comes back to the last bit.

use std::collections::BTreeSet;

use super::prepare::{Hoisted, Prepare, is_reference};
use crate::analysis::effects::{Access, head_reads};
use crate::analysis::index::may_be_range;
use crate::analysis::slice::begun_inside;
use crate::analysis::types::of_place;
use crate::invert::repeated;
use crate::ir::{
    Block, Budget, Early, Entry, Expr, For, Form, Keep, Loop, Place, Planned, Projection, Recompute, Rule, Schedule,
    Scheduled, Slot, Source, Stmt, Update, UpdateOp, VarId, VarKind,
};

impl Prepare<'_, '_> {
    /// The statement with what it changes; inside, only what it reads itself has to come back exactly.
    pub(super) fn recompute(&mut self, s: &Recompute, hoisted: &mut Hoisted) -> Stmt {
        let places = self.changed_by(&Stmt::Recompute(s.clone()));
        let mut entry = |place| Entry { place, slot: self.place_slot(), again: self.place_slot() };
        let kept: Vec<Entry> = places.into_iter().map(&mut entry).collect();
        let inside = self.read_exactly(&s.body, None);
        let around = std::mem::replace(&mut self.exactly, inside);
        let body = match s.schedule {
            Some(_) => self.block(&counted(&s.body)),
            None => self.block(&s.body),
        };
        self.exactly = around;
        let schedule = s.schedule.as_ref().map(|schedule| Box::new(self.planned(schedule, s, &kept, hoisted)));
        let body = match schedule.as_ref().and_then(|schedule| schedule.planned.as_ref()) {
            Some(planned) => in_parts(body, planned),
            None => body,
        };
        Stmt::Recompute(Recompute { body, kept, schedule, span: s.span })
    }

    /// The schedule with its plan, and with the number of snapshots that fit.
    fn planned(&mut self, s: &Schedule, around: &Recompute, kept: &[Entry], hoisted: &mut Hoisted) -> Schedule {
        let span = around.span;
        let snapshots = match &s.budget {
            Budget::Snapshots(snapshots) => snapshots.clone(),
            Budget::Bytes(bytes) => {
                let places = kept.iter().map(|entry| entry.place.to_expr());
                let args = std::iter::once(bytes.clone()).chain(places).collect();
                Expr::rule(Rule::Schedule(Scheduled::Fitting), args, span)
            }
        };
        let plan = self.register("plan", span);
        let (count, search) = match (around.body.stmts.first(), &s.length) {
            (Some(Stmt::For(For { early: None, .. })), Some(length)) => {
                (self.kept_register(length, "iterations", hoisted), None)
            }
            (head, _) => {
                let count = self.counter("iterations", span, hoisted);
                (Expr::var(count, span), head.map(|head| Box::new(searching(head, plan, count))))
            }
        };
        let budget = Budget::Snapshots(self.kept_register(&snapshots, "snapshots", hoisted));
        Schedule { length: s.length.clone(), budget, planned: Some(Planned { plan, count, search }) }
    }

    fn place_slot(&mut self) -> Slot {
        Slot { form: Form::InPlace, ..self.slot() }
    }

    /// In front of a statement that is undone up to rounding: what of it has to come back exactly.
    pub(super) fn kept_exactly(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let mut places = self.changed_by(stmt);
        places.retain(|place| self.all || self.exactly.contains(&self.context.root(place)));
        places.into_iter().map(|place| Stmt::Keep(Keep { place, local: None, slot: self.place_slot() })).collect()
    }

    /// Whether undoing an update rounds, as far as can be seen.
    pub(super) fn rounds(&self, s: &Update) -> bool {
        let integer = || {
            let ty = of_place(&self.vars, &s.target);
            ty.is_some_and(|ty| self.numbers.is_plain_number(ty) && !self.numbers.is_number(ty))
        };
        s.op != UpdateOp::Xor && !integer()
    }

    /// The places that a statement changes, each once, as they can be named in front of it.
    fn changed_by(&self, stmt: &Stmt) -> Vec<Place> {
        let (mut certain, mut all) = (Vec::new(), Vec::new());
        self.written(stmt, true, &mut certain, &mut all);
        let inside = begun_inside(stmt);
        let changed: BTreeSet<VarId> = all.iter().map(|access| access.place.root).collect();
        let mut places: Vec<Place> = Vec::new();
        for access in &all {
            let place = self.seen_from_outside(access, &inside);
            if inside.contains(&place.root) || self.vars[place.root.0].kind == VarKind::Register {
                continue;
            }
            places.push(self.in_front(&place, &inside, &changed, certain.contains(&access.written)));
        }
        let mut kept: Vec<Place> = Vec::new();
        for place in places {
            if !kept.iter().any(|whole| place.is_within(whole)) {
                kept.retain(|part| !part.is_within(&place));
                kept.push(place);
            }
        }
        kept
    }

    /// What the statement and those inside it change, and which places of it are changed whatever happens.
    fn written(&self, stmt: &Stmt, always: bool, certain: &mut Vec<Place>, all: &mut Vec<Access>) {
        let writes = self.context.own_effects(stmt).writes;
        if always {
            certain.extend(writes.iter().map(|write| Place::clone(&write.written)));
        }
        all.extend(writes);
        let always = always && matches!(stmt, Stmt::Block(_) | Stmt::Recompute(_) | Stmt::Unchecked(_));
        for block in stmt.blocks() {
            block.stmts.iter().for_each(|stmt| self.written(stmt, always, certain, all));
        }
    }

    /// The place by names that there are outside.
    fn seen_from_outside(&self, access: &Access, inside: &BTreeSet<VarId>) -> Place {
        let mut place = Place::clone(&access.written);
        while let VarKind::View(base) | VarKind::Part(base) = &self.vars[place.root.0].kind
            && inside.contains(&place.root)
        {
            let path = base.path.iter().chain(&place.path).cloned().collect();
            place = Place { root: base.root, path, span: place.span };
        }
        place
    }

    /// As much of a place as is the same in front of the statement: an index only where it is used for certain, and stays.
    fn in_front(&self, place: &Place, inside: &BTreeSet<VarId>, changed: &BTreeSet<VarId>, certain: bool) -> Place {
        let stays = |index: &crate::ir::Expr| {
            let reads = self.context.expr_reads(index);
            let moves = |var: VarId| inside.contains(&var) || changed.contains(&var);
            !may_be_range(&self.vars, index)
                && !reads.iter().any(|read| moves(read.place.root) || moves(read.written.root))
        };
        let kept = place.path.iter().take_while(|step| match step {
            Projection::Deref | Projection::Field(_) => true,
            Projection::Index(index) => certain && stays(index),
            Projection::Some => false,
        });
        let mut front = Place { path: kept.cloned().collect(), ..place.clone() };
        if front.path.is_empty() && self.vars[front.root.0].kind.is_mutable_reference() {
            front.path.push(Projection::Deref);
        }
        front
    }

    /// What has to come back to the last bit: what the statements of a block that are run again read, and its decisions, and what that
    /// comes from.
    pub(super) fn read_exactly(&self, block: &Block, result: Option<&Expr>) -> BTreeSet<VarId> {
        let mut read = self.read_to_decide(block, result);
        self.reads_again(block, &mut read);
        loop {
            let before = read.len();
            self.trace(block, &mut read);
            if read.len() == before {
                return read;
            }
        }
    }

    fn reads_again(&self, block: &Block, read: &mut BTreeSet<VarId>) {
        for stmt in &block.stmts {
            match unchecked(stmt) {
                Stmt::Recompute(s) => {
                    let reads = self.context.block_effects(&s.body).reads;
                    read.extend(reads.iter().filter(|access| !access.shape).map(|access| access.place.root));
                }
                stmt => stmt.blocks().into_iter().for_each(|block| self.reads_again(block, read)),
            }
        }
    }

    /// What comes back exactly only if something else does.
    fn trace(&self, block: &Block, read: &mut BTreeSet<VarId>) {
        let roots = |reads: Vec<Access>| reads.into_iter().map(|access| access.place.root);
        for stmt in &block.stmts {
            let stmt = unchecked(stmt);
            match stmt {
                Stmt::Recompute(_) => continue,
                Stmt::Swap(s) => {
                    let places = [&s.a, &s.b].map(|place| self.context.root(place));
                    if places.iter().any(|var| read.contains(var)) {
                        read.extend(places);
                    }
                }
                Stmt::For(s) if s.pattern.bindings().iter().any(|var| read.contains(var)) => {
                    read.extend(head_reads(&s.iter).into_iter().flat_map(|e| roots(self.context.expr_reads(e))));
                }
                Stmt::Match(s) => {
                    let bound = s.arms.iter().flat_map(|arm| arm.pattern.bindings());
                    if bound.into_iter().any(|var| read.contains(&var)) {
                        read.extend(roots(self.context.expr_reads(&s.scrutinee)));
                    }
                }
                Stmt::Begin(b)
                    if is_reference(&self.vars, b) && b.pattern.bindings().iter().any(|var| read.contains(var)) =>
                {
                    read.extend(roots(self.context.expr_reads(&b.value)));
                }
                _ => {}
            }
            stmt.blocks().into_iter().for_each(|block| self.trace(block, read));
        }
    }
}

/// The loop of a schedule as one whose iterations are counted before, with what `exits` has put behind it. How many there are is said later.
fn counted(block: &Block) -> Block {
    let stmts = block.stmts.iter().map(|stmt| match stmt {
        Stmt::For(s) => Stmt::For(For { early: None, ..s.clone() }),
        Stmt::Loop(s) => Stmt::For(repeated(&Loop { count: None, ..s.clone() }, s.body.clone())),
        other => other.clone(),
    });
    Block { stmts: stmts.collect(), span: block.span }
}

/// The loop of a schedule, which runs in the parts that a plan says.
fn in_parts(block: Block, planned: &Planned) -> Block {
    let asks = planned.search.as_ref().is_some_and(|head| matches!(**head, Stmt::Loop(_)));
    let stmts = block.stmts.into_iter().map(|stmt| match stmt {
        Stmt::For(mut s) => {
            if let (true, Source::Range { end, .. }) = (asks, &mut s.iter.source) {
                *end = planned.count.clone();
            }
            Stmt::For(For { part: Some(planned.plan), ..s })
        }
        other => other,
    });
    Block { stmts: stmts.collect(), span: block.span }
}

/// The head of a loop on the way there, where its iterations are counted.
fn searching(head: &Stmt, plan: VarId, count: VarId) -> Stmt {
    match head.map_blocks(&mut |block| Block { stmts: Vec::new(), span: block.span }) {
        Stmt::For(s) => {
            let early = s.early.map(|early| Box::new(Early { left: count, ..*early }));
            Stmt::For(For { part: Some(plan), early, ..s })
        }
        Stmt::Loop(s) => Stmt::Loop(Loop { part: Some(plan), count: Some(count), ..s }),
        other => other,
    }
}

fn unchecked(stmt: &Stmt) -> &Stmt {
    if let Stmt::Unchecked(inner) = stmt { unchecked(inner) } else { stmt }
}
