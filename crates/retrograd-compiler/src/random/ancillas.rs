//! Ancillas that give themselves back: `let mut`, the statements that compute them, and compound statements that compute
//! them beside changing older things.

use super::blocks::{Form, Life};
use super::scope::{Kind, Range, Var, VarId};
use super::writer::{Slice, Writer};

/// Bijections that are safe for a value in the first range and bring it into the second.
const BIJECTIONS: [(Range, &str, Range); 11] = [
    (Range::Unit, "tanh", Range::Image("tanh")),
    (Range::Image("tanh"), "atanh", Range::Unit),
    (Range::Unit, "exp_m1", Range::Image("exp_m1")),
    (Range::Image("exp_m1"), "ln_1p", Range::Unit),
    (Range::Unit, "sinh", Range::Image("sinh")),
    (Range::Image("sinh"), "asinh", Range::Unit),
    (Range::Unit, "exp", Range::Positive),
    (Range::Positive, "ln", Range::Unit),
    (Range::Positive, "recip", Range::Positive),
    (Range::Positive, "cbrt", Range::Positive),
    (Range::Unit, "cube", Range::Unit),
];

impl Writer<'_> {
    /// Writes the `let mut`s of one ancilla, or of several that end together.
    pub(super) fn open_ancillas(&mut self) -> Option<Life> {
        let mark = self.scope.reads.len();
        let is_pooled = self.slice.is_some();
        let (vars, _) = self.head(|w| {
            if !is_pooled && w.rng.chance(12) {
                return w.counted_ancillas();
            }
            let count = w.rng.weighted(&[(6, 1), (3, 2), (1, 3)]);
            let mut kind = w.rng.pick(&[Kind::Float, Kind::Float, Kind::Int, Kind::Int, Kind::Bool]);
            let mut vars = Vec::new();
            for _ in 0..count {
                let var = w.without(&vars.clone(), |w| w.write_ancilla(kind));
                vars.push(var);
                if w.rng.chance(30) {
                    kind = w.rng.pick(&[Kind::Float, Kind::Int]);
                }
            }
            vars
        });
        let mut frozen = self.scope.sources_since(mark);
        frozen.retain(|id| !vars.contains(id));
        self.scope.freeze(&frozen);
        for &id in &vars {
            self.scope.vars[id].pooled = is_pooled;
        }
        Some(Life { vars, form: Form::Ancilla, frozen, hidden: Vec::new() })
    }

    fn declare_ancilla(&mut self, var: Var) -> VarId {
        let id = self.scope.declare(var.changeable());
        // Only its own computing statements change an ancilla.
        self.scope.freeze(&[id]);
        id
    }

    fn write_ancilla(&mut self, kind: Kind) -> VarId {
        if kind != Kind::Bool && self.rng.chance(25) {
            return self.write_array(kind);
        }
        self.note("ancilla");
        let name = self.fresh("scratch");
        let annotation = match self.rng.below(3) {
            0 => format!(": {}", self.type_name(kind)),
            _ => String::new(),
        };
        let suffix = if annotation.is_empty() { "_" } else { "" };
        let mut range = Range::Anywhere;
        let value = match kind {
            Kind::Float => match self.rng.below(6) {
                0 | 1 if self.float == "f64" => {
                    if suffix.is_empty() {
                        "0.0".into()
                    } else {
                        "0.0_f64".into()
                    }
                }
                2 | 3 => {
                    range = Range::Unit;
                    format!("0.6 * {}", self.bounded_float(1).operand())
                }
                4 => {
                    range = Range::Positive;
                    format!("1.5 + 0.5 * {}", self.bounded_float(1).operand())
                }
                _ => self.raw_float(2).text,
            },
            Kind::Int => match self.rng.below(3) {
                0 => if suffix.is_empty() { "0" } else { "0_i64" }.to_string(),
                _ => {
                    let leaf = self.int_leaf();
                    leaf.binary("+", &self.bounded_int(1)).text
                }
            },
            Kind::Bool | Kind::Index => self.condition(1).text,
        };
        self.text.line(format!("let mut {name}{annotation} = {value};"));
        let id = self.declare_ancilla(Var::new(name, kind));
        self.set_range(id, range);
        while self.rng.chance(40) && self.bijection(id) {}
        id
    }

    /// Writes a bijection that is safe for an ancilla, when there is one.
    fn bijection(&mut self, id: VarId) -> bool {
        let range = self.scope.vars[id].range;
        let bijections: Vec<_> = BIJECTIONS.iter().filter(|(from, _, _)| *from == range).collect();
        if bijections.is_empty() {
            return false;
        }
        let (_, method, image) = self.rng.pick(&bijections);
        self.set_range(id, *image);
        self.note(method);
        let name = self.scope.name(id).to_string();
        self.text.line(format!("{name} = {name}.{method}();"));
        true
    }

    fn write_array(&mut self, kind: Kind) -> VarId {
        let name = self.fresh("array");
        let zero = match kind {
            Kind::Float if self.float == "f64" => "0.0_f64",
            Kind::Float => "T::zero()",
            _ => "0_i64",
        };
        let slices = self.scope.readable(|var| var.kind == kind && var.len() > 0);
        let len = self.rng.between(2, 6);
        let (value, len) = match self.rng.below(4) {
            0 if !slices.is_empty() => {
                self.note("to_vec ancilla");
                let id = self.rng.pick(&slices);
                self.scope.reads.push(id);
                (format!("{}.to_vec()", self.scope.name(id)), self.scope.vars[id].len())
            }
            1 => {
                self.note("vec ancilla");
                (format!("vec![{zero}; {len}]"), len)
            }
            _ => {
                self.note("array ancilla");
                (format!("[{zero}; {len}]"), len)
            }
        };
        self.text.line(format!("let mut {name} = {value};"));
        self.declare_ancilla(Var::new(name, kind).slice(len))
    }

    /// A counter and a sum, computed together by a `while` that changes nothing else.
    fn counted_ancillas(&mut self) -> Vec<VarId> {
        self.note("computing while");
        let (count, sum) = (self.fresh("count"), self.fresh("sum"));
        let limit = self.rng.between(2, 6);
        let kind = self.rng.pick(&[Kind::Float, Kind::Int]);
        let zero = if kind == Kind::Int { "0_i64" } else { "0.0" };
        self.text.line(format!("let mut {count} = 0_usize;"));
        self.text.line(format!("let mut {sum}: {} = {zero};", self.type_name(kind)));
        let sum_id = self.declare_ancilla(Var::new(sum, kind));
        let count_id = self.declare_ancilla(Var::new(&count, Kind::Index).below(limit));
        self.text.open(format!("while ({count} < {limit}, {count} > 0)"));
        self.repeated(limit, |w| w.compute_statement(&[sum_id], true));
        self.text.line(format!("{count} += 1;"));
        self.text.close();
        self.scope.vars[count_id].below = limit + 1;
        self.set_range(sum_id, Range::Anywhere);
        vec![sum_id, count_id]
    }

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
        let is_plain = self.without(&banned, |w| {
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
        });
        is_plain
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
            let mut frozen = self.scope.sources_since(reads);
            frozen.retain(is_older);
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
