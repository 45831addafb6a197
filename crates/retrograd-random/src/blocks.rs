//! Blocks: sequences of statements, and the lives of the names declared between them.

use super::scope::VarId;
use super::writer::Writer;

/// A name, or several declared together, from its `let` to its last use.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) vars: Vec<VarId>,
    pub(super) form: Form,
    /// What keeps its value for as long as this lives.
    pub(super) frozen: Vec<VarId>,
    /// What cannot be named for as long as this lives.
    pub(super) hidden: Vec<VarId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `let x = e;`
    Name,
    /// `let mut x = e;`, undone by itself.
    Ancilla,
    /// `let v = &mut x[a..b];`
    View,
}

impl Writer<'_> {
    /// Writes the statements of a block, without its braces.
    pub(super) fn block(&mut self, depth: usize, count: usize) {
        let (outer, may_shadow) = (self.scope.enter(), self.may_shadow);
        self.may_shadow = true;
        let first = self.text.mark();
        self.steps(depth, count, true);
        if self.text.mark() == first {
            self.filler();
        }
        self.may_shadow = may_shadow;
        self.scope.leave(outer);
    }

    /// Something to do where nothing can be changed.
    fn filler(&mut self) {
        if !self.host() {
            self.text.line("{}");
        }
    }

    /// Writes statements between others of the same block; names declared here end here.
    pub(super) fn inline(&mut self, depth: usize, count: usize) {
        let may_shadow = std::mem::replace(&mut self.may_shadow, false);
        self.steps(depth, count, false);
        self.may_shadow = may_shadow;
    }

    /// The number of statements for a body at this depth.
    pub(super) fn body_size(&mut self, depth: usize) -> usize {
        if depth == 0 { 1 } else { self.rng.weighted(&[(5, 1), (4, 2), (1, 3)]) }
    }

    /// `is_tail` says that nothing follows in the block.
    fn steps(&mut self, depth: usize, count: usize, is_tail: bool) {
        let mut lives = Vec::new();
        let mut rests = Vec::new();
        for _ in 0..count {
            self.between_statements(depth, &mut lives, is_tail, &mut rests);
            self.statement(depth);
        }
        self.close_all(&mut lives);
        self.scope.thaw(&rests);
    }

    fn close_all(&mut self, lives: &mut Vec<Life>) {
        while !lives.is_empty() {
            let before = lives.len();
            self.close_one(lives);
            assert!(lives.len() < before, "names depend on older ones only, so the youngest can always end");
        }
    }

    /// What happens to names before the next statement: new ones, computing, last uses.
    fn between_statements(&mut self, depth: usize, lives: &mut Vec<Life>, is_tail: bool, rests: &mut Vec<VarId>) {
        let is_whole = self.slice.is_none();
        if lives.len() < 4 && self.rng.chance(if is_whole { 45 } else { 25 }) {
            match self.rng.below(100) {
                0..=44 => lives.extend(self.open_let()),
                45..=84 => lives.extend(self.open_ancillas()),
                _ if is_whole => lives.extend(self.open_view()),
                _ => {}
            }
        }
        if lives.iter().any(|life| life.form == Form::Ancilla) {
            match self.rng.below(100) {
                0..=34 => self.compute_one(lives),
                35..=64 if is_whole && depth > 0 => self.compute_compound(depth, lives),
                65..=70 if is_whole => self.new_version(lives),
                _ => {}
            }
        }
        if self.rng.chance(15) {
            self.close_one(lives);
        }
        if is_whole && depth > 0 && is_tail && self.rng.chance(4) {
            // With its rest of the block it is one statement, in which no older name of the block ends.
            self.close_all(lives);
            rests.extend(self.compute_rest(depth));
        }
    }

    /// `#[compute] { A }`: the rest of the block runs between `A` and its undoing. Returns what it froze for that rest.
    fn compute_rest(&mut self, depth: usize) -> Vec<VarId> {
        self.note("#[compute]");
        let (reads, writes) = (self.scope.reads.len(), self.scope.writes.len());
        self.text.line("#[compute]");
        self.text.open("");
        let count = self.body_size(depth - 1);
        self.block(depth - 1, count);
        self.text.close();
        let mut used = self.scope.reads[reads..].to_vec();
        // What A changes is changed back at the end of the block.
        used.extend(self.scope.writes.drain(writes..));
        if self.config.conjugate && self.rng.chance(30) {
            // The rest may change what A read or changed: A; R; A⁻¹ is still one-to-one, a conjugation.
            self.note("#[compute] as conjugation");
            return Vec::new();
        }
        let frozen = self.scope.older_sources(&used);
        self.scope.freeze(&frozen);
        frozen
    }

    fn is_closable(&self, life: &Life) -> bool {
        let frozen = |id: &VarId| self.scope.vars[*id].frozen;
        match life.form {
            Form::Name => true,
            // An ancilla freezes itself: only its own computing statements change it.
            Form::Ancilla => life.vars.iter().all(|id| frozen(id) == 1),
            // Another view may show a part of it.
            Form::View => life.vars.iter().all(|id| frozen(id) == 0 && self.scope.vars[*id].hidden == 0),
        }
    }

    /// Ends one life, with a statement that uses an ancilla for the last time.
    fn close_one(&mut self, lives: &mut Vec<Life>) {
        let closable: Vec<usize> = (0..lives.len()).filter(|&at| self.is_closable(&lives[at])).collect();
        if closable.is_empty() {
            return;
        }
        let life = lives.remove(self.rng.pick(&closable));
        let is_in_reach = life.vars.iter().all(|id| self.scope.enter().contains(id));
        match life.form {
            Form::Ancilla if !(self.config.bold && self.rng.chance(15)) => self.last_use(&life.vars),
            Form::Name if is_in_reach && self.rng.chance(60) => self.last_use(&life.vars),
            Form::View if self.rng.chance(70) => self.change_view(&life.vars),
            Form::Ancilla | Form::Name | Form::View => {}
        }
        self.end(life);
    }

    pub(super) fn end(&mut self, life: Life) {
        self.scope.thaw(&life.frozen);
        // Changing a view changes its root.
        if life.vars.iter().any(|id| self.scope.writes.contains(id)) {
            self.scope.writes.extend(&life.hidden);
        }
        for &id in &life.hidden {
            self.scope.vars[id].hidden -= 1;
        }
        for &id in &life.vars {
            self.scope.kill(id);
        }
    }
}
