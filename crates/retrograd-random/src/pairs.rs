//! Statements in pairs, a change and its undoing around others, and lets that hold one element while another one changes.

use super::scope::{Kind, Var, VarId};
use super::writer::Writer;

impl Writer<'_> {
    /// A scalar or an element at a constant index, written the same way twice.
    fn pair_place(&mut self, kind: Kind) -> Option<(VarId, String, String)> {
        let candidates = self.scope.writable(|var| var.kind == kind);
        if candidates.is_empty() {
            return None;
        }
        let id = self.rng.pick(&candidates);
        let name = self.scope.name(id).to_string();
        if self.scope.vars[id].is_scalar() {
            return Some((id, self.target(id), name));
        }
        let element = format!("{name}[{}]", self.rng.below(self.scope.vars[id].len()));
        Some((id, element.clone(), element))
    }

    /// `y = y.asinh(); .. y = y.sinh();`: in between, `y` is changed mildly in its new coordinate.
    pub(super) fn bijection_pair(&mut self, depth: usize) -> bool {
        if self.turns > 6 {
            return false;
        }
        let Some((id, place, receiver)) = self.pair_place(Kind::Float) else { return false };
        let (there, back) = self.rng.weighted(&[
            (4, ("asinh", "sinh")),
            (1, ("sinh", "asinh")),
            (2, ("exp", "ln")),
            (1, ("exp_m1", "ln_1p")),
            (1, ("cbrt", "cube")),
            (1, ("cube", "cbrt")),
        ]);
        self.note(there);
        self.note(back);
        self.note("bijection pair");
        self.scope.writes.push(id);
        // Cubes and their roots have no two-sided derivative at zero, where scratch often begins.
        let shift = if there == "cube" || back == "cube" { Some("1.7") } else { None };
        if let Some(shift) = shift {
            self.text.line(format!("{place} += {shift};"));
        }
        self.text.line(format!("{place} = {receiver}.{there}();"));
        self.scope.freeze(&[id]);
        match there {
            // The logarithm needs a positive number.
            "exp" => {
                let factor = self.without(&[id], |w| w.float_factor(1));
                self.text.line(format!("{place} *= {};", factor.text));
            }
            "exp_m1" => {}
            _ => {
                let operand = self.without(&[id], |w| w.float_operand(1, None));
                self.text.line(format!("{place} += {};", operand.text));
            }
        }
        if self.rng.chance(60) {
            self.inline(depth.saturating_sub(1), 1);
        }
        self.scope.thaw(&[id]);
        self.text.line(format!("{place} = {receiver}.{back}();"));
        if let Some(shift) = shift {
            self.text.line(format!("{place} -= {shift};"));
        }
        true
    }

    /// `k *= 3; .. k /= 3;` with `k` unchanged in between.
    pub(super) fn scaling_pair(&mut self, depth: usize) -> bool {
        let Some((id, place, _)) = self.pair_place(Kind::Int) else { return false };
        self.note("int *= and /=");
        let factor = self.rng.between(2, 5);
        self.scope.writes.push(id);
        self.text.line(format!("{place} *= {factor};"));
        self.scope.freeze(&[id]);
        self.inline(depth.saturating_sub(1), 1);
        self.scope.thaw(&[id]);
        self.text.line(format!("{place} /= {factor};"));
        true
    }

    /// A writable slice of floats of at least this length.
    fn float_slice(&mut self, len: usize) -> Option<(VarId, String)> {
        let slices = self.scope.writable(|var| var.kind == Kind::Float && var.len() >= len);
        if slices.is_empty() {
            return None;
        }
        let id = self.rng.pick(&slices);
        Some((id, self.scope.name(id).to_string()))
    }

    /// `let pivot = x[0]; x[2] -= 0.5 * pivot;`: a let lives on while another element of its array changes.
    pub(super) fn element_let(&mut self) -> bool {
        let Some((id, name)) = self.float_slice(2) else { return false };
        self.note("let of one element");
        let len = self.scope.vars[id].len();
        let at = self.rng.below(len);
        let pivot = self.fresh("pivot");
        self.text.line(format!("let {pivot} = {name}[{at}];"));
        let pivot_id = self.scope.declare(Var::new(&pivot, Kind::Float));
        self.scope.writes.push(id);
        for _ in 0..self.rng.between(1, 2) {
            let other = (at + self.rng.between(1, len - 1)) % len;
            let (small, factor) = (self.coefficient(), self.without(&[id], |w| w.bounded_float(1)));
            let operator = self.rng.pick(&["+=", "-="]);
            self.text.line(format!("{name}[{other}] {operator} {small} * {pivot}.sin() * {};", factor.operand()));
        }
        self.scope.kill(pivot_id);
        true
    }

    /// The shape of an elimination: each element is subtracted from all later ones.
    pub(super) fn elimination(&mut self) -> bool {
        if self.turns > 1 {
            return false;
        }
        let Some((id, name)) = self.float_slice(3) else { return false };
        self.note("elimination");
        let len = self.scope.vars[id].len();
        let (row, column, factor) = (self.fresh("row"), self.fresh("column"), self.fresh("factor"));
        self.scope.writes.push(id);
        self.text.open(format!("for {row} in 0..{}", len - 1));
        self.text.line(format!("let {factor} = {name}[{row}];"));
        self.text.open(format!("for {column} in {row} + 1..{len}"));
        let outer = self.scope.enter();
        self.scope.declare(Var::new(&row, Kind::Index).below(len));
        self.scope.declare(Var::new(&column, Kind::Index).below(len));
        let value = self.repeated(36, |w| w.without(&[id], |w| w.bounded_float(1)));
        self.text.line(format!("{name}[{column}] -= 0.02 * {factor} * {};", value.operand()));
        self.scope.leave(outer);
        self.text.close();
        self.text.close();
        true
    }
}
