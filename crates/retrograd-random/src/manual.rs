//! Ancillas that end in `release!`: counters of `while` loops, sums whose final value is known, borrowed values, and
//! what a helper has computed and uncomputes again.

use super::scope::{Kind, Range, Var, VarId};
use super::writer::Writer;

impl Writer<'_> {
    /// Declares an ancilla that only its own pattern changes.
    fn declare_manual(&mut self, name: &str, kind: Kind) -> VarId {
        let id = self.scope.declare(Var::new(name, kind).changeable());
        self.scope.freeze(&[id]);
        id
    }

    /// A `while` with a counter that nothing else changes.
    pub(super) fn counting(&mut self, depth: usize) -> bool {
        if self.turns > 6 {
            return false;
        }
        self.note("while");
        match self.rng.below(5) {
            0 => self.counting_to_variable(depth),
            1 => {
                let start = self.rng.between(2, 5);
                self.counting_loop(depth, start, "0", ("-= 1", start), &format!("{start}"))
            }
            2 => {
                let (step, turns) = (self.rng.between(2, 3), self.rng.between(1, 2));
                let limit = step * turns;
                self.counting_loop(depth, 0, &limit.to_string(), (&format!("+= {step}"), limit), "0")
            }
            3 => {
                self.note("int *= in a while");
                self.counting_loop(depth, 1, "8", ("*= 2", 8), "1")
            }
            _ => {
                let limit = self.rng.between(1, 6);
                self.counting_loop(depth, 0, &limit.to_string(), ("+= 1", limit), "0")
            }
        }
    }

    /// Counts from `start` to `end` by `step`, whose values in the body are less than `below` when it comes last.
    fn counting_loop(&mut self, depth: usize, start: usize, end: &str, step: (&str, usize), first: &str) -> bool {
        let (step, below) = step;
        let name = self.fresh("count");
        let choices = [(Kind::Index, "usize"), (Kind::Int, "i64")];
        // A limit that is not a literal has a type of its own.
        let is_literal = end.starts_with(|c: char| c.is_ascii_digit());
        let (kind, ty) = if is_literal { self.rng.pick(&choices) } else { choices[0] };
        let (onward, behind) = if step.starts_with('-') { (">", "<") } else { ("<", ">") };
        self.text.line(format!("let mut {name}: {ty} = {start};"));
        let id = self.declare_manual(&name, kind);
        self.text.open(format!("while ({name} {onward} {end}, {name} {behind} {first})"));
        let is_step_first = step.starts_with('-') || self.rng.chance(20);
        self.scope.vars[id].below = if is_step_first && !step.starts_with('-') { below + 1 } else { below };
        if is_step_first {
            self.text.line(format!("{name} {step};"));
        }
        self.turn(depth, below);
        if !is_step_first {
            self.text.line(format!("{name} {step};"));
        }
        self.text.close();
        self.text.line(format!("release!({name} == {end});"));
        self.scope.kill(id);
        true
    }

    fn turn(&mut self, depth: usize, turns: usize) {
        let outer = self.scope.enter();
        let count = self.body_size(depth - 1);
        self.repeated(turns.min(6), |w| w.inline(depth - 1, count));
        self.scope.leave(outer);
    }

    /// Counts up to an index, perhaps zero.
    fn counting_to_variable(&mut self, depth: usize) -> bool {
        let limits = self.scope.readable(|var| var.kind == Kind::Index && (2..=7).contains(&var.below));
        if limits.is_empty() {
            return false;
        }
        let limit = self.rng.pick(&limits);
        let below = self.scope.vars[limit].below - 1;
        let frozen = self.scope.sources(&[limit]);
        self.scope.freeze(&frozen);
        let end = self.read(limit).operand();
        let is_written = self.counting_loop(depth, 0, &end, ("+= 1", below), "0");
        self.scope.thaw(&frozen);
        is_written
    }

    /// An ancilla whose last value is known: the first one again, or an expression.
    pub(super) fn released(&mut self, depth: usize) -> bool {
        let kind = self.rng.pick(&[Kind::Float, Kind::Int, Kind::Bool]);
        let name = self.fresh("known");
        let mark = self.scope.reads.len();
        let (first, change) = (self.expression(kind, 1), self.expression(kind, 1));
        let operator = match kind {
            Kind::Float | Kind::Int | Kind::Index => self.rng.pick(&["+", "-"]),
            Kind::Bool => "^",
        };
        let back = match operator {
            "+" => "-=",
            "-" => "+=",
            _ => "^=",
        };
        let frozen = self.scope.sources_since(mark);
        self.scope.freeze(&frozen);
        self.note("release");
        self.text.line(format!("let mut {name}: {} = {};", self.type_name(kind), first.text));
        self.text.line(format!("{name} {operator}= {};", change.text));
        let id = self.declare_manual(&name, kind);
        let count = self.body_size(depth - 1);
        self.inline(depth - 1, count);
        if self.rng.chance(50) {
            self.text.line(format!("{name} {back} {};", change.text));
            self.text.line(format!("release!({name} == {});", first.operand()));
        } else {
            self.note("release to an expression");
            let last = first.binary(operator, &change);
            self.text.line(format!("release!({name} == {});", last.operand()));
        }
        self.scope.thaw(&frozen);
        self.scope.kill(id);
        true
    }

    fn zero(kind: Kind) -> &'static str {
        match kind {
            Kind::Float => "0.0",
            Kind::Int | Kind::Index => "0",
            Kind::Bool => "false",
        }
    }

    /// An ancilla takes the place of a value, is changed in its stead, and gives it back.
    pub(super) fn borrowing(&mut self, depth: usize) -> bool {
        if !self.may_call() {
            return false;
        }
        let roots = self.scope.writable(|var| var.kind == Kind::Float || var.kind == Kind::Int);
        if roots.is_empty() {
            return false;
        }
        self.note("borrowing");
        let root = self.rng.pick(&roots);
        let kind = self.scope.vars[root].kind;
        let place = match self.scope.vars[root].is_scalar() {
            true => self.lend_exclusively(root),
            false => format!("&mut {}[{}]", self.scope.name(root), self.rng.below(self.scope.vars[root].len())),
        };
        let name = self.fresh("held");
        self.scope.writes.push(root);
        self.text.line(format!("let mut {name}: {} = {};", self.type_name(kind), Self::zero(kind)));
        self.text.line(format!("swap(&mut {name}, {place});"));
        self.scope.freeze(&[root]);
        let id = self.scope.declare(Var::new(&name, kind).changeable());
        if self.rng.chance(40) {
            for _ in 0..self.rng.between(1, 3) {
                self.atomic();
            }
        } else {
            self.text.open("");
            let count = self.body_size(depth - 1);
            self.block(depth - 1, count);
            self.text.close();
        }
        self.scope.thaw(&[root]);
        self.scope.kill(id);
        self.text.line(format!("swap(&mut {name}, {place});"));
        self.text.line(format!("release!({name} == {});", Self::zero(kind)));
        true
    }

    /// Compute by a call, use, uncompute by the uncall; the result may be an ancilla's.
    pub(super) fn bennett(&mut self, depth: usize) -> bool {
        if !self.may_call() || self.turns > 6 || self.items.procedures.is_empty() {
            return false;
        }
        let procedure = self.rng.pick(&self.items.procedures);
        let kinds: Vec<Kind> = (procedure.params.iter().filter(|param| param.is_changed()))
            .map(|param| param.kind)
            .filter(|&kind| kind == Kind::Int || kind == Kind::Float)
            .collect();
        let ancilla = if kinds.is_empty() || self.rng.chance(30) { None } else { Some(self.rng.pick(&kinds)) };
        let id = ancilla.map(|kind| {
            let name = self.fresh("result");
            self.text.line(format!("let mut {name}: {} = {};", self.type_name(kind), Self::zero(kind)));
            self.scope.declare(Var::new(name, kind).changeable())
        });
        let mark = self.scope.reads.len();
        let arguments = (0..6).find_map(|_| {
            let arguments = self.procedure_arguments(&procedure.params, None)?;
            id.is_none_or(|id| arguments.1.contains(&id)).then_some(arguments)
        });
        let Some((arguments, changed)) = arguments else {
            if let Some(id) = id {
                self.scope.kill(id);
            }
            return false;
        };
        self.note(if id.is_some() { "release of a call's result" } else { "call and uncall around statements" });
        let mut frozen = self.scope.sources_since(mark);
        frozen.extend(&changed);
        self.scope.writes.extend(&changed);
        self.scope.freeze(&frozen);
        self.text.line(format!("{}({arguments});", procedure.name));
        let count = self.body_size(depth - 1);
        self.inline(depth - 1, count);
        self.text.line(format!("{}::uncall({arguments});", procedure.name));
        self.scope.thaw(&frozen);
        if let (Some(id), Some(kind)) = (id, ancilla) {
            self.text.line(format!("release!({} == {});", self.scope.name(id), Self::zero(kind)));
            self.set_range(id, Range::Anywhere);
            self.scope.kill(id);
        }
        true
    }
}
