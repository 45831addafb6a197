//! Atomic statements: updates, negations, exchanges, rotations and host statements.

use super::indices::Index;
use super::scope::{Kind, VarId};
use super::writer::Writer;

/// What an atomic statement changes.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) root: VarId,
    pub(super) text: String,
    pub(super) index: Option<Index>,
}

#[derive(Clone, Copy, Debug)]
enum Atomic {
    Float,
    Scale,
    Int,
    Sign,
    Bool,
    Negate,
    SwapElements,
    SwapPlaces,
    Cycle,
    Rotate,
    Call,
    Host,
}

impl Writer<'_> {
    /// A scalar or an element of one of `candidates`.
    pub(super) fn place_among(&mut self, candidates: &[VarId]) -> Option<Place> {
        if candidates.is_empty() {
            return None;
        }
        let root = self.rng.pick(candidates);
        if self.scope.vars[root].is_scalar() {
            return Some(Place { root, text: self.target(root), index: None });
        }
        // Rule 2: the index of a target does not read the target.
        let index = self.apart_from(&[root], |w| w.index(root));
        let text = format!("{}[{}]", self.scope.name(root), index.text);
        Some(Place { root, text, index: Some(index) })
    }

    pub(super) fn place(&mut self, kind: Kind) -> Option<Place> {
        let candidates = self.scope.writable(|var| var.kind == kind);
        self.place_among(&candidates)
    }

    /// Writes one atomic statement that changes something; false when nothing can be changed here.
    pub(super) fn atomic(&mut self) -> bool {
        let mut choices = vec![
            (10, Atomic::Int),
            (2, Atomic::Sign),
            (5, Atomic::Bool),
            (5, Atomic::Negate),
            (4, Atomic::SwapElements),
            (4, Atomic::SwapPlaces),
            (4, Atomic::Cycle),
            (24, Atomic::Call),
            (1, Atomic::Host),
        ];
        if self.config.floats {
            choices.extend([(18, Atomic::Float), (6, Atomic::Scale), (6, Atomic::Rotate)]);
        }
        (0..6).any(|_| {
            let mark = self.text.mark();
            let choice = self.rng.weighted(&choices);
            let is_written = self.write_atomic(choice);
            if !is_written {
                self.text.back_to(mark);
            }
            is_written
        })
    }

    fn write_atomic(&mut self, atomic: Atomic) -> bool {
        match atomic {
            Atomic::Float => self.place(Kind::Float).is_some_and(|place| self.float_update(place)),
            Atomic::Scale => self.place(Kind::Float).is_some_and(|place| self.float_scaling(place)),
            Atomic::Int => self.place(Kind::Int).is_some_and(|place| self.int_update(place)),
            Atomic::Sign => self.place(Kind::Int).is_some_and(|place| self.sign_update(place)),
            Atomic::Bool => self.place(Kind::Bool).is_some_and(|place| self.bool_update(place)),
            Atomic::Negate => {
                let kind = if self.rng.chance(50) { Kind::Float } else { Kind::Int };
                self.place(kind).is_some_and(|place| self.negation(place))
            }
            Atomic::SwapElements => self.swap_elements(),
            Atomic::SwapPlaces => self.swap_places(),
            Atomic::Cycle => self.cycle(),
            Atomic::Rotate => self.rotation(),
            Atomic::Call => self.procedure_call(None),
            Atomic::Host => self.host(),
        }
    }

    pub(super) fn float_update(&mut self, place: Place) -> bool {
        let depth = self.config.depth.min(2);
        let others = if self.rng.chance(20) { place.index.as_ref() } else { None };
        let is_pool_member = self.scope.is_readable(place.root);
        let others = others.filter(|_| is_pool_member).map(|index| (place.root, index));
        let operand = self.without(&[place.root], |w| w.float_operand(depth, others));
        let operator = self.rng.pick(&["+=", "-="]);
        self.note(if operator == "+=" { "float +=" } else { "float -=" });
        self.update(place, operator, &operand.text)
    }

    pub(super) fn float_scaling(&mut self, place: Place) -> bool {
        let factor = self.without(&[place.root], |w| w.float_factor(1));
        let operator = self.rng.pick(&["*=", "/="]);
        self.note(if operator == "*=" { "float *=" } else { "float /=" });
        self.update(place, operator, &factor.text)
    }

    pub(super) fn int_update(&mut self, place: Place) -> bool {
        let operator = self.rng.pick(&["+=", "-=", "^="]);
        let operand = self.without(&[place.root], |w| match operator {
            "^=" => w.bounded_int(2),
            _ => w.int_operand(2),
        });
        self.note(match operator {
            "+=" => "int +=",
            "-=" => "int -=",
            _ => "int ^=",
        });
        self.update(place, operator, &operand.text)
    }

    /// `k *= 1` or `k *= -1`: the multiplications of integers that lose nothing from any state, in both directions.
    fn sign_update(&mut self, place: Place) -> bool {
        let condition = self.without(&[place.root], |w| w.condition(1));
        let operator = self.rng.pick(&["*=", "/="]);
        self.note("int *=");
        self.update(place, operator, &format!("if {} {{ -1 }} else {{ 1 }}", condition.text))
    }

    pub(super) fn bool_update(&mut self, place: Place) -> bool {
        if self.rng.chance(50) {
            self.note("bool negation");
            let text = format!("!{}", place.text);
            return self.update(place, "=", &text);
        }
        let condition = self.without(&[place.root], |w| w.condition(2));
        self.note("bool ^=");
        self.update(place, "^=", &condition.text)
    }

    pub(super) fn negation(&mut self, place: Place) -> bool {
        self.note("negation");
        let text = format!("-{}", place.text);
        self.update(place, "=", &text)
    }

    /// `place operator operand;`
    pub(super) fn update(&mut self, place: Place, operator: &str, operand: &str) -> bool {
        self.scope.writes.push(place.root);
        self.text.line(format!("{} {operator} {operand};", place.text));
        true
    }

    fn writable_slice(&mut self) -> Option<VarId> {
        let slices = self.scope.writable(|var| !var.is_scalar());
        if slices.is_empty() { None } else { Some(self.rng.pick(&slices)) }
    }

    fn swap_elements(&mut self) -> bool {
        let Some(id) = self.writable_slice() else { return false };
        self.swap_elements_of(id)
    }

    pub(super) fn swap_elements_of(&mut self, id: VarId) -> bool {
        let (first, second) = self.apart_from(&[id], |w| (w.index(id), w.index(id)));
        self.note("swap of elements");
        self.scope.writes.push(id);
        self.text.line(format!("{}.swap({}, {});", self.scope.name(id), first.text, second.text));
        true
    }

    /// Two places as `&mut` arguments: in different variables, or at different indices of one slice.
    fn two_places(&mut self, kind: Kind) -> Option<(String, String, Vec<VarId>)> {
        let candidates = self.scope.writable(|var| var.kind == kind);
        if candidates.is_empty() {
            return None;
        }
        let (first, second) = (self.rng.pick(&candidates), self.rng.pick(&candidates));
        if first == second {
            let index = match self.scope.vars[first].is_scalar() {
                true => return None,
                false => self.apart_from(&[first], |w| w.index(first)),
            };
            let other = self.apart_from(&[first], |w| w.other_index(first, &index))?;
            self.note("elements of one slice in a call");
            let name = self.scope.name(first).to_string();
            return Some((format!("&mut {name}[{}]", index.text), format!("&mut {name}[{}]", other.text), vec![first]));
        }
        let roots = vec![first, second];
        let [left, right] = [first, second].map(|id| match self.scope.vars[id].is_scalar() {
            true => self.lend_exclusively(id),
            false => {
                let index = self.apart_from(&roots, |w| w.index(id));
                format!("&mut {}[{}]", self.scope.name(id), index.text)
            }
        });
        Some((left, right, roots))
    }

    fn swap_places(&mut self) -> bool {
        let kind = if self.rng.chance(50) { Kind::Float } else { Kind::Int };
        let Some((left, right, roots)) = self.two_places(kind) else { return false };
        self.note("swap of places");
        self.scope.writes.extend(roots);
        self.text.line(format!("swap({left}, {right});"));
        true
    }

    fn cycle(&mut self) -> bool {
        let Some(id) = self.writable_slice() else { return false };
        self.cycle_of(id)
    }

    /// `x.rotate_left(2);`, or the same for a part of `x`.
    pub(super) fn cycle_of(&mut self, id: VarId) -> bool {
        let len = self.scope.vars[id].len();
        let method = self.rng.pick(&["rotate_left", "rotate_left", "rotate_right"]);
        let name = self.scope.name(id).to_string();
        self.scope.writes.push(id);
        if len >= 4 && self.rng.chance(20) {
            self.note("cycle of a part");
            self.text.line(format!("{name}[1..{len}].{method}({});", self.rng.between(1, len - 2)));
            return true;
        }
        let amount = self.apart_from(&[id], |w| w.index_below(len));
        self.note("cycle");
        self.text.line(format!("{name}.{method}({});", amount.text));
        true
    }

    fn rotation(&mut self) -> bool {
        let Some((left, right, roots)) = self.two_places(Kind::Float) else { return false };
        let angle = self.without(&roots, |w| w.angle());
        self.note("rotate");
        self.scope.writes.extend(roots);
        self.text.line(format!("rotate({left}, {right}, {});", angle.text));
        true
    }

    /// A statement that changes nothing but the host's counter, or nothing at all.
    pub(super) fn host(&mut self) -> bool {
        if !self.is_main {
            return false;
        }
        self.note("host");
        match self.rng.below(5) {
            0 => self.text.line("print!(\"\");"),
            1 => self.text.line("assert!(p.len() == 6);"),
            2 => {
                let condition = self.parity();
                self.text.line("#[host]");
                self.text.open(format!("if {}", condition.text));
                self.text.line("*h += 1;");
                self.text.close();
            }
            3 => {
                self.text.line("#[host]");
                self.text.open("");
                self.text.line("*h += 1;");
                self.text.close();
            }
            _ => {
                self.text.line("#[host]");
                self.text.line("*h += 1;");
            }
        }
        true
    }
}
