//! Loops: over ranges and elements, while something holds, and until something says `break`.

use super::Body;
use super::exits::Around;
use crate::scope::{Kind, Var, VarId};

impl Body<'_> {
    /// Writes the body of a loop of at most `turns` turns, of which no statement changes `counters`.
    fn turns(&mut self, depth: usize, turns: usize, around: Around, counters: &[VarId]) {
        let outer = self.writer.turns;
        self.writer.turns *= turns;
        self.writer.scope.freeze(counters);
        self.loops.push(around);
        self.block(depth);
        self.loops.pop();
        self.writer.scope.thaw(counters);
        self.writer.turns = outer;
    }

    /// A label for a loop, or none, and how it begins.
    fn label(&mut self) -> (Option<String>, String) {
        if self.writer.rng.chance(60) {
            return (None, String::new());
        }
        let label = self.writer.fresh("around");
        let text = format!("'{label}: ");
        (Some(label), text)
    }

    pub(super) fn for_loop(&mut self, depth: usize) -> bool {
        let (label, begin) = self.label();
        let around = Around { label, may_continue: true, may_break: true };
        let slices = self.writer.scope.readable(|var| var.kind == Kind::Float && !var.is_scalar());
        let form = self.writer.rng.below(10);
        if form < 2 && !slices.is_empty() {
            return self.for_elements(depth, &begin, around, &slices);
        }
        let (range, below, turns) = match form {
            2 => ("1..4".into(), 4, 3),
            3 => ("(0..3).rev()".into(), 3, 3),
            4 | 5 => {
                self.writer.note("range to a variable");
                let ends = self.writer.scope.readable(|var| var.kind == Kind::Index && (2..=5).contains(&var.below));
                match ends.is_empty() {
                    true => ("0..2".into(), 2, 2),
                    // The body may change it: the loop goes on to what it was.
                    false => {
                        let id = self.writer.rng.pick(&ends);
                        let below = self.writer.scope.vars[id].below;
                        (format!("0..{}", self.writer.read(id).text), below - 1, below - 1)
                    }
                }
            }
            6 => {
                let value = self.writer.int_leaf();
                (format!("0..{}.rem_euclid(4) as usize", value.receiver()), 3, 3)
            }
            _ => {
                let len = self.writer.rng.between(2, 4);
                (format!("0..{len}"), len, len)
            }
        };
        self.writer.note("for");
        let name = self.writer.fresh("i");
        self.writer.text.open(format!("{begin}for {name} in {range}"));
        let scope = self.writer.scope.enter();
        self.writer.scope.declare(Var::new(&name, Kind::Index).below(below));
        self.turns(depth, turns, around, &[]);
        self.writer.scope.leave(scope);
        self.writer.text.close();
        true
    }

    /// `for e in v.iter()`, `for e in v.iter_mut()`, `for e in &v`
    fn for_elements(&mut self, depth: usize, begin: &str, around: Around, slices: &[VarId]) -> bool {
        let id = self.writer.rng.pick(slices);
        let (name, len) = (self.writer.scope.name(id).to_string(), self.writer.scope.vars[id].len());
        let element = self.writer.fresh("e");
        let is_mut = self.writer.scope.writable(|_| true).contains(&id) && self.writer.rng.chance(60);
        let (method, var) = match is_mut {
            true => ("iter_mut", Var::new(&element, Kind::Float).exclusive()),
            false => ("iter", Var::new(&element, Kind::Float).shared()),
        };
        self.writer.note(if is_mut { "for over iter_mut" } else { "for over iter" });
        self.writer.text.open(format!("{begin}for {element} in {name}.{method}()"));
        let scope = self.writer.scope.enter();
        let element = self.writer.scope.declare(var);
        // Rust lends it to the loop.
        self.writer.scope.vars[id].hidden += usize::from(is_mut);
        self.writer.scope.freeze(&[id]);
        self.turns(depth, len, around, &[]);
        self.writer.scope.thaw(&[id]);
        self.writer.scope.vars[id].hidden -= usize::from(is_mut);
        self.writer.scope.kill(element);
        self.writer.scope.leave(scope);
        self.writer.text.close();
        true
    }

    /// Declares the counter of a loop.
    fn counter(&mut self) -> (String, VarId) {
        let name = self.writer.fresh("count");
        let (kind, ty) = self.writer.rng.pick(&[(Kind::Index, "usize"), (Kind::Int, "i64")]);
        self.writer.text.line(format!("let mut {name}: {ty} = 0;"));
        let id = self.writer.scope.declare(Var::new(&name, kind).below(5).changeable());
        (name, id)
    }

    /// `while c && count < 4 { count += 1; .. }`
    pub(super) fn while_loop(&mut self, depth: usize) -> bool {
        self.writer.note("while");
        let (name, id) = self.counter();
        let (label, begin) = self.label();
        let turns = self.writer.rng.between(2, 4);
        let limit = format!("{name} < {turns}");
        let condition = match self.writer.rng.below(5) {
            0 | 1 => limit,
            2 => format!("{limit} && ({})", self.decision().text),
            3 => {
                self.writer.note("while of floats");
                let value = self.writer.float_leaf();
                format!("{}.abs() > 0.0731 && {limit}", value.receiver())
            }
            _ => format!("({}) && {limit}", self.decision().text),
        };
        self.writer.text.open(format!("{begin}while {condition}"));
        let counts_first = self.writer.rng.chance(60);
        let step = if self.writer.rng.chance(20) { format!("{name} = {name} + 1;") } else { format!("{name} += 1;") };
        if counts_first {
            self.writer.text.line(&step);
        }
        let around = Around { label, may_continue: counts_first, may_break: true };
        self.turns(depth, turns, around, &[id]);
        if !counts_first {
            self.writer.text.line(&step);
        }
        self.writer.text.close();
        true
    }

    /// `loop { if count >= 4 { break; } count += 1; .. }`
    pub(super) fn endless_loop(&mut self, depth: usize) -> bool {
        self.writer.note("loop");
        let (name, id) = self.counter();
        let (label, begin) = self.label();
        let turns = self.writer.rng.between(2, 4);
        self.writer.text.open(format!("{begin}loop"));
        let counts_first = self.writer.rng.chance(70);
        // Names of the body may shadow those of a condition behind it.
        let last = match self.writer.rng.below(3) {
            0 if counts_first => format!("if {name} >= {turns} || {} {{ break; }}", self.decision().operand()),
            _ => format!("if {name} >= {turns} {{ break; }}"),
        };
        if counts_first {
            self.writer.text.line(format!("{name} += 1;"));
            self.writer.text.line(&last);
        }
        let around = Around { label, may_continue: counts_first, may_break: true };
        self.turns(depth, turns, around, &[id]);
        if !counts_first {
            self.writer.text.line(format!("{name} += 1;"));
            self.writer.text.line(&last);
        }
        self.writer.text.close();
        true
    }
}
