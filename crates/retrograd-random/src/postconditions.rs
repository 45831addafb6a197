//! Branches that change what their condition reads. Each is one-to-one on all states, so that it also runs backwards
//! from any state: the branch taken can be told afterwards by the postcondition.

use super::scope::{Kind, VarId};
use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn postcondition_if(&mut self, depth: usize) -> bool {
        match self.rng.below(6) {
            0 | 1 => self.residues(depth),
            2 => self.flipped_bool(depth),
            3 => self.mirrored(depth),
            4 => self.kept_sign(depth),
            _ => self.ordered_pair(depth),
        }
    }

    /// Statements of a branch that leave `root` alone.
    fn body_without(&mut self, root: VarId, depth: usize) {
        let outer = self.scope.enter();
        self.scope.freeze(&[root]);
        let count = self.body_size(depth - 1);
        self.inline(depth - 1, count);
        self.scope.thaw(&[root]);
        self.scope.leave(outer);
    }

    /// An integer place with a constant index, which keeps its meaning from the condition to the postcondition.
    fn steady_place(&mut self, kind: Kind) -> Option<(VarId, String)> {
        let candidates = self.scope.writable(|var| var.kind == kind);
        if candidates.is_empty() {
            return None;
        }
        let id = self.rng.pick(&candidates);
        if self.scope.vars[id].is_scalar() {
            return Some((id, self.target(id)));
        }
        let index = self.rng.below(self.scope.vars[id].len());
        Some((id, format!("{}[{index}]", self.scope.name(id))))
    }

    /// Adding a multiple of the modulus keeps the residue: `if (k % 2 == 0, k % 2 == 0) { k += 2; }`.
    fn residues(&mut self, depth: usize) -> bool {
        let Some((id, place)) = self.steady_place(Kind::Int) else { return false };
        let receiver = if place.starts_with('*') { format!("({place})") } else { place.clone() };
        let modulus = self.rng.between(2, 4);
        let classes = self.rng.between(1, modulus - 1);
        self.note("postcondition if");
        self.scope.writes.push(id);
        for class in 0..classes {
            let test = format!("{receiver}.rem_euclid({modulus}) == {class}");
            if class == 0 {
                self.text.open(format!("if ({test}, {test})"));
            } else {
                self.note("postcondition else if");
                self.text.turn(format!("else if ({test}, {test})"));
            }
            self.residue_step(id, &place, modulus);
            self.body_without(id, depth);
        }
        if self.rng.chance(60) {
            self.text.turn("else");
            self.body_without(id, depth);
            self.residue_step(id, &place, modulus);
        }
        self.text.close();
        true
    }

    fn residue_step(&mut self, id: VarId, place: &str, modulus: usize) {
        let amount = self.without(&[id], |w| w.bounded_int(1));
        let operator = self.rng.pick(&["+=", "-="]);
        self.text.line(format!("{place} {operator} {modulus} * {};", amount.operand()));
    }

    /// `if (b, !b) { b = !b; A } else { b = !b; B }`
    fn flipped_bool(&mut self, depth: usize) -> bool {
        let Some((id, place)) = self.steady_place(Kind::Bool) else { return false };
        self.note("postcondition if");
        self.scope.writes.push(id);
        self.text.open(format!("if ({place}, !{place})"));
        self.text.line(format!("{place} = !{place};"));
        self.body_without(id, depth);
        self.text.turn("else");
        self.body_without(id, depth);
        self.text.line(format!("{place} = !{place};"));
        self.text.close();
        true
    }

    /// Negating in both branches turns `k > 3` into `k < -3`.
    fn mirrored(&mut self, depth: usize) -> bool {
        let kind = self.rng.pick(&[Kind::Int, Kind::Float]);
        let Some((id, place)) = self.steady_place(kind) else { return false };
        let bound = if kind == Kind::Int { "3" } else { "0.3719" };
        self.note("postcondition if");
        self.scope.writes.push(id);
        self.text.open(format!("if ({place} > {bound}, {place} < -{bound})"));
        self.body_without(id, depth);
        self.text.line(format!("{place} = -{place};"));
        self.text.turn("else");
        self.text.line(format!("{place} = -{place};"));
        self.body_without(id, depth);
        self.text.close();
        true
    }

    /// Changing low bits keeps the sign.
    fn kept_sign(&mut self, depth: usize) -> bool {
        let Some((id, place)) = self.steady_place(Kind::Int) else { return false };
        self.note("postcondition if");
        self.scope.writes.push(id);
        self.text.open(format!("if ({place} >= 0, {place} >= 0)"));
        let mask = self.without(&[id], |w| w.bounded_int(1));
        self.text.line(format!("{place} ^= {} & 0xff;", mask.operand()));
        self.body_without(id, depth);
        if self.rng.chance(70) {
            self.text.turn("else");
            self.text.line(format!("{place} ^= {};", self.rng.between(1, 60)));
            self.body_without(id, depth);
        }
        self.text.close();
        true
    }

    /// Exchanging two elements in both branches turns `u[0] > u[1]` into `u[1] > u[0]`.
    fn ordered_pair(&mut self, depth: usize) -> bool {
        let slices = self.scope.writable(|var| var.len() >= 2 && var.kind == Kind::Int);
        if slices.is_empty() {
            return false;
        }
        let id = self.rng.pick(&slices);
        let (name, len) = (self.scope.name(id).to_string(), self.scope.vars[id].len());
        let first = self.rng.below(len);
        let second = (first + self.rng.between(1, len - 1)) % len;
        self.note("postcondition if");
        self.scope.writes.push(id);
        self.text.open(format!("if ({name}[{first}] > {name}[{second}], {name}[{second}] > {name}[{first}])"));
        self.text.line(format!("{name}.swap({first}, {second});"));
        self.body_without(id, depth);
        self.text.turn("else");
        self.body_without(id, depth);
        self.text.line(format!("{name}.swap({first}, {second});"));
        self.text.close();
        true
    }
}
