//! Statements that compute ancillas, and compound statements that compute them beside changing older things.

use super::blocks::{Form, Life};
use super::scope::{Kind, Range, VarId};
use super::writer::{Slice, Writer};

impl Writer<'_> {
    fn is_free(&self, life: &Life) -> bool {
        life.form == Form::Ancilla && life.vars.iter().all(|&id| self.scope.vars[id].frozen == 1)
    }

    /// Writes a computing statement of one of the ancillas alive.
    pub(super) fn compute_one(&mut self, lives: &mut [Life]) {
        let free: Vec<usize> = (0..lives.len()).filter(|&at| self.is_free(&lives[at])).collect();
        if free.is_empty() {
            return;
        }
        let life = &mut lives[self.rng.pick(&free)];
        let (mark, line) = (self.scope.reads.len(), self.text.mark());
        let targets: Vec<VarId> =
            life.vars.iter().copied().filter(|&id| self.scope.vars[id].kind != Kind::Index).collect();
        let (is_written, _) = self.head(|w| {
            if w.rng.chance(6) {
                w.text.line("#[inverse]");
                w.note("inverse on a computing statement");
                return w.compute_statement(&targets, true);
            }
            w.compute_statement(&targets, false)
        });
        if !is_written {
            self.text.back_to(line);
            return;
        }
        let mut frozen = self.scope.sources_since(mark);
        frozen.retain(|id| !life.vars.contains(id));
        self.scope.freeze(&frozen);
        life.frozen.extend(frozen);
    }

    /// Writes an atomic statement that changes only ancillas among `targets`. `is_inside` says that it may run any number of times.
    pub(super) fn compute_statement(&mut self, targets: &[VarId], is_inside: bool) -> bool {
        let targets: Vec<VarId> = targets.iter().copied().filter(|&id| self.scope.vars[id].frozen == 1).collect();
        if targets.is_empty() {
            return false;
        }
        self.note("computing statement");
        if targets.len() > 1 && self.rng.chance(20) && self.exchange(&targets) {
            return true;
        }
        let banned = if self.config.bold && self.rng.chance(40) { Vec::new() } else { targets.clone() };
        self.without(&banned, |w| {
            if w.rng.chance(20) && w.procedure_call(Some(&targets)) {
                for &id in &targets {
                    w.set_range(id, Range::Anywhere);
                }
                return true;
            }
            let Some(place) = w.place_among(&targets) else { return false };
            let id = place.root;
            if !is_inside && w.rng.chance(50) && w.bijection(id) {
                return true;
            }
            w.set_range(id, Range::Anywhere);
            if !w.scope.vars[id].is_scalar() && w.rng.chance(20) {
                return if w.rng.chance(50) { w.swap_elements_of(id) } else { w.cycle_of(id) };
            }
            match (w.scope.vars[id].kind, w.rng.below(6)) {
                (Kind::Float, 0) => w.float_scaling(place),
                (Kind::Float | Kind::Int, 1) => w.negation(place),
                (Kind::Float, _) => w.float_update(place),
                (Kind::Int, _) => w.int_update(place),
                (Kind::Bool | Kind::Index, _) => w.bool_update(place),
            }
        })
    }

    /// Exchanges or rotates two ancillas that end together.
    fn exchange(&mut self, targets: &[VarId]) -> bool {
        let (first, second) = (targets[0], targets[1]);
        let (left, right) = (&self.scope.vars[first], &self.scope.vars[second]);
        if left.kind != right.kind || !left.is_scalar() || !right.is_scalar() {
            return false;
        }
        let kind = left.kind;
        let (left, right) = (left.name.clone(), right.name.clone());
        self.set_range(first, Range::Anywhere);
        self.set_range(second, Range::Anywhere);
        if kind == Kind::Float && self.rng.chance(60) {
            let angle = self.without(targets, |w| w.angle());
            self.note("rotation of ancillas");
            self.text.line(format!("rotate(&mut {left}, &mut {right}, {});", angle.text));
        } else {
            self.note("swap of ancillas");
            self.text.line(format!("swap(&mut {left}, &mut {right});"));
        }
        true
    }

    /// Writes a compound statement that computes an ancilla, and perhaps changes older things as well.
    pub(super) fn compute_compound(&mut self, depth: usize, lives: &mut [Life]) {
        let free: Vec<usize> = (0..lives.len()).filter(|&at| self.is_free(&lives[at])).collect();
        if free.is_empty() {
            return;
        }
        let life = &mut lives[self.rng.pick(&free)];
        let targets: Vec<VarId> =
            life.vars.iter().copied().filter(|&id| self.scope.vars[id].kind != Kind::Index).collect();
        // What the ancilla's statements may read keeps its value from here until the ancilla is undone.
        let mut readable = self.scope.readable(|var| var.changeable);
        readable.retain(|id| !life.vars.contains(id));
        let mut pool = Vec::new();
        for _ in 0..self.rng.between(0, 3) {
            if !readable.is_empty() {
                let at = self.rng.below(readable.len());
                pool.push(readable.swap_remove(at));
            }
        }
        self.scope.freeze(&pool);
        life.frozen.extend(&pool);
        let mixed = self.rng.chance(60);
        self.note(if mixed { "mixed compound" } else { "computing compound" });
        for &id in &targets {
            self.set_range(id, Range::Anywhere);
        }
        let (reads, writes) = (self.scope.reads.len(), self.scope.writes.len());
        self.slice = Some(Slice { targets, pool, mixed });
        self.compound(depth);
        self.slice = None;
        let alive = self.scope.enter();
        let is_older = |id: &VarId| alive.contains(id) && !life.vars.contains(id);
        if !self.scope.writes[writes..].iter().any(is_older) {
            // It changes the ancilla alone, so all of it is undone, with everything that it reads.
            let mut frozen = self.scope.older_sources(&self.scope.reads[reads..]);
            frozen.retain(|id| !life.vars.contains(id));
            self.scope.freeze(&frozen);
            life.frozen.extend(frozen);
        }
    }

    /// Writes a statement of the slice: it changes the slice's ancillas and reads what is in its pool.
    pub(super) fn slice_statement(&mut self) -> bool {
        let Some(slice) = self.slice.clone() else { return false };
        self.within(Some(slice.pool), |w| w.compute_statement(&slice.targets, true))
    }

    /// `x = e;` on an ancilla in straight-line code: a new version of the name.
    pub(super) fn new_version(&mut self, lives: &mut [Life]) {
        let is_single = |life: &Life| life.vars.len() == 1 && self.scope.vars[life.vars[0]].is_scalar();
        let free: Vec<usize> =
            (0..lives.len()).filter(|&at| self.is_free(&lives[at]) && is_single(&lives[at])).collect();
        if free.is_empty() {
            return;
        }
        let life = &mut lives[self.rng.pick(&free)];
        let id = life.vars[0];
        let (mark, kind, name) = (self.scope.reads.len(), self.scope.vars[id].kind, self.scope.name(id).to_string());
        let builds_on_old = self.rng.chance(40);
        let banned = if builds_on_old { vec![] } else { vec![id] };
        let value = self.without(&banned, |w| w.expression(kind, 1));
        self.note("new version of an ancilla");
        self.text.line(format!("{name} = {};", value.text));
        let mut frozen = self.scope.sources_since(mark);
        frozen.retain(|&source| source != id);
        self.scope.freeze(&frozen);
        if builds_on_old {
            life.frozen.extend(frozen);
        } else {
            let old = std::mem::replace(&mut life.frozen, frozen);
            self.scope.thaw(&old);
        }
        self.set_range(id, Range::Anywhere);
    }
}
