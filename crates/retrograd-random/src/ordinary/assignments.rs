//! Assignments: statements that forget what was there.

use super::Body;
use crate::scope::{Kind, VarId};
use crate::text::Expr;

impl Body<'_> {
    /// Changes a scalar or an element.
    pub(super) fn assignment(&mut self) -> bool {
        let kind = self.writer.rng.weighted(&[(12, Kind::Float), (5, Kind::Int), (2, Kind::Bool), (2, Kind::Index)]);
        let candidates = self.writer.scope.writable(|var| var.kind == kind);
        if candidates.is_empty() {
            return false;
        }
        let root = self.writer.rng.pick(&candidates);
        let is_vector = self.writer.scope.name(root).starts_with("vector");
        if !self.writer.scope.vars[root].is_scalar() && self.writer.rng.chance(if is_vector { 35 } else { 12 }) {
            return self.all_at_once(root);
        }
        let place = self.place(root);
        match kind {
            Kind::Float => self.assign_float(&place),
            Kind::Int => self.assign_int(&place),
            Kind::Bool => self.assign_bool(&place),
            Kind::Index => self.assign_index(root, &place),
        }
        true
    }

    /// The variable, or an element of it: the index may read the very array, but not the vector, which Rust lends first.
    fn place(&mut self, root: VarId) -> Expr {
        match self.writer.scope.vars[root].is_scalar() {
            true => self.writer.read(root),
            false => {
                self.writer.note("element");
                let is_vector = self.writer.scope.name(root).starts_with("vec");
                let lent = if is_vector { vec![root] } else { Vec::new() };
                self.writer.without(&lent, |writer| writer.some_element(root))
            }
        }
    }

    fn assign_float(&mut self, place: &Expr) {
        let text = &place.text;
        let value = self.writer.bounded_float(2);
        let (small, operand) = (self.writer.coefficient(), value.operand());
        let (note, line) = match self.writer.rng.below(20) {
            0..=4 => ("y = e", format!("{text} = {};", value.text)),
            5 if self.writer.turns == 1 => ("y = e", format!("{text} = {};", self.writer.raw_float(2).text)),
            5 | 6 => ("y = e(y)", format!("{text} = 0.6 * {} + 0.4 * {operand};", place.operand())),
            7 => ("y = f(y)", {
                let method = self.writer.rng.pick(&["sin", "tanh", "atan"]);
                format!("{text} = {}.{method}();", place.receiver())
            }),
            8 => ("y = y + e", format!("{text} = {} + {small} * {operand};", place.operand())),
            9 => ("y = e - y", format!("{text} = {small} * {operand} - {};", place.operand())),
            10 => ("y = c", format!("{text} = {};", self.writer.rng.pick(&["0.0", "0.5", "-0.25"]))),
            11 | 12 => ("y *= e", format!("{text} *= {};", self.factor(operand))),
            13 => ("y /= e", format!("{text} /= 1.5 + 0.4 * {operand};")),
            14 => ("y *= e(y)", format!("{text} *= 0.3 * {}.sin();", place.receiver())),
            15 => ("y += e(y)", format!("{text} += {small} * {} * {operand};", place.operand())),
            16 | 17 => ("y += e", format!("{text} += {small} * {operand};")),
            18 => ("y = -y", format!("{text} = -{};", place.operand())),
            _ => ("y -= e", format!("{text} -= {small} * {operand};")),
        };
        self.writer.note(note);
        self.writer.text.line(line);
    }

    /// A factor that may be zero, or far from one.
    fn factor(&mut self, operand: String) -> String {
        match self.writer.rng.below(4) {
            0 => self.writer.rng.pick(&["0.5", "-0.9", "0.01", "0.0"]).into(),
            1 => format!("1.0 + 0.2 * {operand}"),
            _ => operand,
        }
    }

    fn assign_int(&mut self, place: &Expr) {
        let text = &place.text;
        let value = self.writer.bounded_int(1);
        let (note, line) = match self.writer.rng.below(9) {
            0 | 1 => ("k = e", format!("{text} = {};", value.text)),
            2 => ("k += e", format!("{text} += {};", value.text)),
            3 => ("k -= e", format!("{text} -= {};", value.text)),
            4 => ("k %= e", format!("{text} %= {};", self.writer.rng.pick(&["3", "7", "10"]))),
            5 => ("k /= e", format!("{text} /= {};", self.writer.rng.pick(&["2", "3"]))),
            6 => ("k = e(k)", format!("{text} = ({} * 3 + 1) % 17;", place.operand())),
            7 => ("k ^= e", format!("{text} ^= {};", value.text)),
            _ => ("k *= e", format!("{text} = {} % 100 * 2;", place.operand())),
        };
        self.writer.note(note);
        self.writer.text.line(line);
    }

    fn assign_bool(&mut self, place: &Expr) {
        let (text, value) = (&place.text, self.writer.condition(1));
        let line = match self.writer.rng.below(5) {
            0 => format!("{text} = !{};", place.receiver()),
            1 => format!("{text} ^= {};", value.text),
            2 => format!("{text} |= {};", value.text),
            _ => format!("{text} = {};", value.text),
        };
        self.writer.note("b = e");
        self.writer.text.line(line);
    }

    fn assign_index(&mut self, root: VarId, place: &Expr) {
        let (text, below) = (&place.text, self.writer.scope.vars[root].below);
        let line = match self.writer.rng.below(5) {
            0 => format!("{text} = ({} + {}) % {below};", place.operand(), self.writer.rng.between(1, 3)),
            1 => format!("{text} /= 2;"),
            2 => format!("{text} = {} - {};", below - 1, place.operand()),
            3 => format!("if {} > 0 {{ {text} -= 1; }}", place.operand()),
            _ => format!("{text} = {};", self.writer.index_below(below).text),
        };
        self.writer.note("at = e");
        self.writer.text.line(line);
    }

    /// A whole array, or what another one has.
    fn all_at_once(&mut self, root: VarId) -> bool {
        let (name, kind) = (self.writer.scope.name(root).to_string(), self.writer.scope.vars[root].kind);
        let len = self.writer.scope.vars[root].len();
        if kind != Kind::Float || self.writer.turns > 1 && self.writer.rng.chance(50) {
            return self.writer.cycle_of(root);
        }
        if name.starts_with("vector") && self.writer.rng.chance(70) {
            self.grow(root);
            return true;
        }
        if self.writer.rng.chance(40) {
            self.reorder(&name, len);
            return true;
        }
        self.writer.note("every element");
        let item = self.writer.fresh("i");
        self.writer.text.open(format!("for {item} in 0..{len}"));
        let value = self.writer.bounded_float(1);
        let line = format!("{name}[{item}] = 0.5 * {name}[({item} + 1) % {len}] + 0.5 * {};", value.operand());
        self.writer.text.line(line);
        self.writer.text.close();
        true
    }

    /// `swap(&mut y, &mut z)`, `v.swap(i, j)`, `let old = y; y = z; z = old;`
    pub(super) fn exchange(&mut self) -> bool {
        let slices = self.writer.scope.writable(|var| !var.is_scalar());
        let numbers = self.writer.scope.writable(|var| var.kind == Kind::Float && var.is_scalar());
        match self.writer.rng.below(3) {
            0 if !slices.is_empty() => {
                let id = self.writer.rng.pick(&slices);
                // Rust lends the slice first.
                let mut index = || self.writer.without(&[id], |writer| writer.index(id));
                let (first, second) = (index(), index());
                self.writer.note("v.swap(i, j)");
                self.writer.text.line(format!("{}.swap({}, {});", self.writer.scope.name(id), first.text, second.text));
            }
            form if numbers.len() > 1 => {
                let at = self.writer.rng.below(numbers.len() - 1);
                let (first, second) = (numbers[at], self.writer.rng.pick(&numbers[at + 1..]));
                let (left, right) = (self.writer.target(first), self.writer.target(second));
                if form < 2 {
                    self.writer.note("swap(&mut y, &mut z)");
                    let lend = |w: &mut crate::writer::Writer, id| w.lend_exclusively(id);
                    let (left, right) = (lend(&mut self.writer, first), lend(&mut self.writer, second));
                    self.writer.text.line(format!("swap({left}, {right});"));
                } else {
                    self.writer.note("exchange by hand");
                    let old = self.writer.fresh("old");
                    self.writer.text.line(format!("let {old} = {left};"));
                    self.writer.text.line(format!("{left} = {right};"));
                    self.writer.text.line(format!("{right} = {old};"));
                }
            }
            _ => return false,
        }
        true
    }
}
