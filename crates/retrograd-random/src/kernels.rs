//! Loops in the shapes that numerical programs have: scratch that is filled turn by turn and used turn by turn, sums of
//! sums, chains in which each element follows from its neighbour, and several updates in one turn.

use super::blocks::{Form, Life};
use super::scope::{Kind, Range, Var, VarId};
use super::writer::Writer;

impl Writer<'_> {
    /// One such loop, or scratch and what it is used for.
    pub(super) fn kernel(&mut self) -> bool {
        if self.turns > 6 {
            return false;
        }
        match self.rng.below(6) {
            0 | 1 => self.many_updates(),
            2 => self.chain(),
            3 => self.scratch_in_turns(),
            _ => self.scratch_and_uses(),
        }
    }

    /// `for i in 0..n { .. }` around what `write` does with a variable below `len`.
    fn turns_of(&mut self, len: usize, write: impl FnOnce(&mut Self, VarId)) {
        let name = self.fresh("i");
        let reversed = self.rng.chance(15);
        self.text.open(if reversed {
            format!("for {name} in (0..{len}).rev()")
        } else {
            format!("for {name} in 0..{len}")
        });
        let outer = self.scope.enter();
        let id = self.scope.declare(Var::new(name, Kind::Index).below(len));
        self.repeated(len, |w| write(w, id));
        self.scope.leave(outer);
        self.text.close();
    }

    /// Several updates in one turn, which may read what the others change.
    fn many_updates(&mut self) -> bool {
        let floats = self.scope.writable(|var| var.kind == Kind::Float);
        if floats.is_empty() {
            return false;
        }
        self.note("several updates in a turn");
        let targets = [self.rng.pick(&floats), self.rng.pick(&floats)];
        let len = self.rng.between(2, 6);
        self.turns_of(len, |w, _| {
            for _ in 0..w.rng.between(1, 4) {
                let Some(place) = w.place_among(&targets) else { continue };
                match w.rng.below(5) {
                    0 => w.float_scaling(place),
                    _ => w.float_update(place),
                };
            }
        });
        true
    }

    /// `for i in 1..n { x[i] += 0.1 * x[i - 1].sin(); }`, in either order and direction.
    fn chain(&mut self) -> bool {
        let slices = self.scope.writable(|var| var.kind == Kind::Float && var.len() >= 2);
        if slices.is_empty() {
            return false;
        }
        let id = self.rng.pick(&slices);
        self.write_chain(id);
        true
    }

    fn write_chain(&mut self, id: VarId) {
        self.note("chain");
        let (name, len, i) = (self.scope.name(id).to_string(), self.scope.vars[id].len(), self.fresh("i"));
        let range = self.rng.pick(&["1..LEN", "(1..LEN).rev()"]).replace("LEN", &len.to_string());
        let (target, source) = self.rng.pick(&[("I", "I - 1"), ("I - 1", "I")]);
        let (target, source) = (target.replace('I', &i), source.replace('I', &i));
        self.scope.writes.push(id);
        self.scope.reads.push(id);
        self.text.open(format!("for {i} in {range}"));
        let outer = self.scope.enter();
        self.scope.declare(Var::new(&i, Kind::Index).below(len));
        let (small, factor) = self.repeated(len, |w| (w.coefficient(), w.without(&[id], |w| w.bounded_float(1))));
        let operator = self.rng.pick(&["+=", "-="]);
        self.text.line(match self.rng.below(4) {
            0 => format!("{name}[{target}] *= 1.0 + {small} * {name}[{source}].sin();"),
            1 => format!("{name}[{target}] {operator} {small} * {name}[{source}];"),
            _ => format!("{name}[{target}] {operator} {small} * {name}[{source}].sin() * {};", factor.operand()),
        });
        self.scope.leave(outer);
        self.text.close();
    }

    /// Scratch, computed and used.
    fn scratch_and_uses(&mut self) -> bool {
        if self.scope.writable(|var| var.kind == Kind::Float).is_empty() {
            return false;
        }
        let life = self.open_scratch();
        for _ in 0..self.rng.between(1, 2) {
            self.use_scratch(life.vars[0]);
        }
        self.end(life);
        true
    }

    /// The same in every turn of a loop.
    fn scratch_in_turns(&mut self) -> bool {
        self.note("scratch in a loop");
        let len = self.rng.between(2, 4);
        let mut is_written = false;
        self.turns_of(len, |w, _| is_written = w.scratch_and_uses());
        is_written
    }

    /// A sum over turns of something made of scratch: an ancilla of a function.
    pub(super) fn open_kernel(&mut self) -> Life {
        self.note("sum of sums");
        let (total, mark) = (self.fresh("total"), self.scope.reads.len());
        self.text.line(format!("let mut {total}: {} = 0.0;", self.float));
        let id = self.declare_ancilla(Var::new(&total, Kind::Float));
        let len = self.rng.between(2, 6);
        self.without(&[id], |w| {
            w.turns_of(len, |w, _| {
                let life = w.open_scratch();
                let (small, element) = (w.coefficient(), w.some_element(life.vars[0]));
                let (factor, operator) = (w.bounded_float(1), w.rng.pick(&["+=", "-="]));
                w.text.line(format!("{total} {operator} {small} * {} * {};", element.operand(), factor.operand()));
                w.end(life);
            });
        });
        self.set_range(id, Range::Anywhere);
        self.kept_since(mark, vec![id])
    }

    /// What an ancilla was computed from since `mark` keeps its value for as long as it lives.
    fn kept_since(&mut self, mark: usize, vars: Vec<VarId>) -> Life {
        let alive = self.scope.enter();
        let mut frozen = self.scope.sources_since(mark);
        frozen.retain(|id| !vars.contains(id) && alive.contains(id));
        self.scope.freeze(&frozen);
        Life { vars, form: Form::Ancilla, frozen, hidden: Vec::new() }
    }

    /// A number or an array, computed.
    pub(super) fn open_scratch(&mut self) -> Life {
        let mark = self.scope.reads.len();
        let id = if self.rng.chance(45) { self.summed_scratch() } else { self.array_scratch() };
        self.kept_since(mark, vec![id])
    }

    /// A number that is added to: once, under a condition, or in a loop.
    fn summed_scratch(&mut self) -> VarId {
        self.note("summed scratch");
        let name = self.fresh("sum");
        let first = match self.rng.below(3) {
            0 => self.bounded_float(1).text,
            _ => "0.0".to_string(),
        };
        self.text.line(format!("let mut {name}: {} = {first};", self.float));
        let id = self.declare_ancilla(Var::new(&name, Kind::Float));
        let add = |w: &mut Self| {
            let operand = w.without(&[id], |w| w.float_operand(1, None));
            let operator = w.rng.pick(&["+=", "-="]);
            w.text.line(format!("{name} {operator} {};", operand.text));
        };
        match self.rng.below(4) {
            0 => add(self),
            1 => {
                let condition = self.without(&[id], |w| w.condition(1)).text;
                self.text.open(format!("if {condition}"));
                add(self);
                self.text.close();
            }
            _ => {
                let len = self.rng.between(2, 6);
                self.turns_of(len, |w, _| add(w));
            }
        }
        id
    }

    /// An array of which each turn computes one element.
    fn array_scratch(&mut self) -> VarId {
        self.note("scratch by turns");
        let (name, len) = (self.fresh("scratch"), self.rng.between(2, 6));
        let zero = if self.float == "T" { "T::zero()" } else { "0.0_f64" };
        let value = match self.rng.below(3) {
            0 => format!("vec![{zero}; {len}]"),
            _ => format!("[{zero}; {len}]"),
        };
        self.text.line(format!("let mut {name} = {value};"));
        let id = self.declare_ancilla(Var::new(&name, Kind::Float).slice(len));
        self.turns_of(len, |w, turn| {
            let index = w.scope.name(turn).to_string();
            let operand = w.without(&[id], |w| w.float_operand(1, None));
            w.text.line(format!("{name}[{index}] += {};", operand.text));
            if w.rng.chance(25) {
                let factor = w.without(&[id], |w| w.float_factor(1));
                w.text.line(format!("{name}[{index}] *= {};", factor.text));
            }
        });
        match self.rng.below(6) {
            0 | 1 => self.write_chain(id),
            2 => {
                self.note("every pair of elements");
                self.turns_of(len, |w, first| {
                    w.turns_of(len, |w, second| {
                        let [first, second] = [first, second].map(|id| w.scope.name(id).to_string());
                        w.text.open(format!("if {first} != {second}"));
                        w.text.line(format!("{name}[{first}] += 0.02 * {name}[{second}];"));
                        w.text.close();
                    });
                });
            }
            3 => _ = self.swap_elements_of(id),
            _ => {}
        }
        id
    }

    /// Changes something by what scratch holds: element by element, or by all of it.
    fn use_scratch(&mut self, id: VarId) {
        let floats = self.scope.writable(|var| var.kind == Kind::Float);
        let (len, name) = (self.scope.vars[id].len(), self.scope.name(id).to_string());
        let update = |w: &mut Self, value: &str| {
            let Some(place) = w.place_among(&floats) else { return };
            let (small, operator) = (w.coefficient(), w.rng.pick(&["+=", "-="]));
            let factor = w.without(&[place.root], |w| w.bounded_float(1));
            w.update(place, operator, &format!("{small} * {value} * {}", factor.operand()));
        };
        match (len, self.rng.below(3)) {
            (0, _) => update(self, &name),
            (_, 0) => {
                let whole = self.rng.pick(&["sum(&V).sin()", "0.3 * dot(&V, &V).tanh()"]);
                update(self, &whole.replace('V', &name));
            }
            _ => self.turns_of(len, |w, turn| {
                let element = format!("{name}[{}]", w.scope.name(turn));
                for _ in 0..w.rng.between(1, 2) {
                    update(w, &element);
                }
            }),
        }
    }
}
