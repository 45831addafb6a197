//! Blocks: sequences of statements, and the lives of the names declared between them.

use super::scope::{Access, Kind, Shape, Var, VarId};
use super::text::Expr;
use super::updates::Place;
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
        if self.config.conjugate && self.rng.chance(30) {
            // The rest may change what A read or changed: A; R; A⁻¹ is still one-to-one, a conjugation.
            self.note("#[compute] as conjugation");
            return Vec::new();
        }
        let mut used = self.scope.reads[reads..].to_vec();
        used.extend(&self.scope.writes[writes..]);
        let outer = self.scope.enter();
        used.retain(|id| outer.contains(id));
        let frozen = self.scope.sources(&used);
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

    /// Changes something by an operand that mentions all of `vars`; a host statement mentions them where nothing can be changed.
    fn last_use(&mut self, vars: &[VarId]) {
        let candidates = match &self.slice {
            Some(slice) if !slice.mixed => {
                let targets = slice.targets.clone();
                targets.into_iter().filter(|&id| self.scope.vars[id].frozen == 1 && !vars.contains(&id)).collect()
            }
            _ => self.scope.writable(|_| true),
        };
        let floats = self.config.floats || self.slice.as_ref().is_some_and(|slice| !slice.mixed);
        let candidates: Vec<VarId> =
            candidates.into_iter().filter(|&id| floats || self.scope.vars[id].kind != Kind::Float).collect();
        let pool = self.slice.as_ref().filter(|slice| !slice.mixed).map(|slice| slice.pool.clone());
        let Some(place) = self.within(pool.clone(), |w| w.place_among(&candidates)) else {
            if self.is_main {
                let mentions: Vec<Expr> = vars.iter().map(|&id| self.mention(id, Kind::Bool)).collect();
                let all = mentions.into_iter().reduce(|all, next| all.binary("&&", &next));
                self.text.line("#[host]");
                self.text.open(format!("if {}", all.map_or("true".into(), |all| all.text)));
                self.text.line("*h += 1;");
                self.text.close();
            }
            return;
        };
        self.note("last use");
        self.within(pool, |w| w.use_in(place, vars));
    }

    fn use_in(&mut self, place: Place, vars: &[VarId]) {
        let kind = self.scope.vars[place.root].kind;
        let root = place.root;
        let mut terms: Vec<Expr> = self.without(&[root], |w| vars.iter().map(|&id| w.mention(id, kind)).collect());
        if self.rng.chance(40) {
            terms.push(self.without(&[root], |w| w.expression(kind, 1)));
        }
        let join = match kind {
            Kind::Float => " + ",
            Kind::Int | Kind::Index => " - ",
            Kind::Bool => " ^ ",
        };
        let sum = match terms.as_slice() {
            [only] => only.clone(),
            _ => Expr::loose(terms.iter().map(Expr::operand).collect::<Vec<_>>().join(join)),
        };
        let operator = if kind == Kind::Bool { "^=" } else { self.rng.pick(&["+=", "-="]) };
        let operand = match kind {
            Kind::Float => format!("{} * {}.sin()", self.coefficient(), sum.receiver()),
            Kind::Int | Kind::Index => format!("{} % 1000", sum.operand()),
            Kind::Bool => sum.text,
        };
        self.update(place, operator, &operand);
    }

    /// An expression of this kind in which `id` occurs.
    pub(super) fn mention(&mut self, id: VarId, kind: Kind) -> Expr {
        let value = self.some_element(id);
        match (self.scope.vars[id].kind, kind) {
            (Kind::Float, Kind::Float) | (Kind::Int, Kind::Int) | (Kind::Bool, Kind::Bool) => value,
            (Kind::Float, Kind::Int) if self.float == "f64" => {
                Expr::loose(format!("(3.7 * {} + 0.2) as i64", value.operand()))
            }
            (Kind::Float, Kind::Int | Kind::Index) => Expr::loose(format!("i64::from({} > 0.3719)", value.operand())),
            (Kind::Float, Kind::Bool) => Expr::loose(format!("{} > 0.3719", value.operand())),
            (Kind::Int, Kind::Float) => Expr::loose(format!("({} % 100) as {}", value.operand(), self.float)),
            (Kind::Index, Kind::Float) => Expr::loose(format!("{} as {}", value.operand(), self.float)),
            (Kind::Int | Kind::Index, Kind::Bool) => Expr::loose(format!("{} > 2", value.operand())),
            (Kind::Bool, Kind::Float) => Expr::loose(format!("if {} {{ 0.3 }} else {{ 0.6 }}", value.text)),
            (Kind::Index | Kind::Bool, Kind::Int | Kind::Index) => Expr::loose(format!("{} as i64", value.operand())),
            (Kind::Int, Kind::Index) => value,
        }
    }

    fn change_view(&mut self, vars: &[VarId]) {
        let Some(place) = self.place_among(vars) else { return };
        match self.scope.vars[place.root].kind {
            Kind::Float if self.config.floats => self.float_update(place),
            Kind::Float => self.negation(place),
            Kind::Int => self.int_update(place),
            Kind::Bool | Kind::Index => self.bool_update(place),
        };
    }

    /// `let part = &mut x[1..4];` or `let (left, right) = x.split_at_mut(3);`
    fn open_view(&mut self) -> Option<Life> {
        let roots = self.scope.writable(|var| var.len() >= 3);
        if roots.is_empty() {
            return None;
        }
        let root = self.rng.pick(&roots);
        let (len, kind) = (self.scope.vars[root].len(), self.scope.vars[root].kind);
        let root_name = self.scope.name(root).to_string();
        let view = |name: &str, len: usize| Var::new(name, kind).slice(len).exclusive();
        let vars = if self.rng.chance(40) {
            self.note("split_at_mut");
            let (left, right) = (self.fresh("left"), self.fresh("right"));
            let middle = self.rng.between(1, len - 1);
            self.text.line(format!("let ({left}, {right}) = {root_name}.split_at_mut({middle});"));
            [view(&left, middle), view(&right, len - middle)].map(|var| self.declare_part(root, var)).to_vec()
        } else {
            self.note("view");
            let name = self.fresh("view");
            let start = self.rng.below(len - 1);
            let end = self.rng.between(start + 1, len);
            // An open end reaches as far as the slice does, which is at least `len`.
            let (range, len) = match self.rng.below(4) {
                0 => (format!("{start}.."), len - start),
                1 => (format!("..{end}"), end),
                _ => (format!("{start}..{end}"), end - start),
            };
            self.text.line(format!("let {name} = &mut {root_name}[{range}];"));
            vec![self.declare_part(root, view(&name, len))]
        };
        self.scope.vars[root].hidden += 1;
        Some(Life { vars, form: Form::View, frozen: Vec::new(), hidden: vec![root] })
    }

    /// Declares a view that shows a part of `root`.
    pub(super) fn declare_part(&mut self, root: VarId, var: Var) -> VarId {
        let var = var.part_of(root, &self.scope);
        self.scope.declare(var)
    }

    /// Declares a read-only view as a name.
    pub(super) fn declare_shared_slice(&mut self, name: &str, kind: Kind, len: usize, mark: usize) -> VarId {
        let id = self.name_value(name, kind, mark);
        let var = &mut self.scope.vars[id];
        (var.shape, var.access) = (Shape::Slice(len), Access::Shared);
        id
    }
}
