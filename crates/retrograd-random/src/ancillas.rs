//! Ancillas that give themselves back: how they begin.

use super::blocks::{Form, Life};
use super::scope::{Kind, Range, Var, VarId};
use super::writer::Writer;

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
            if w.rng.chance(8) {
                return w.tuple_ancilla();
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

    pub(super) fn declare_ancilla(&mut self, var: Var) -> VarId {
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
                0 | 1 => match (suffix, self.float) {
                    ("", _) => "0.0".into(),
                    (_, "f64") => "0.0_f64".into(),
                    (_, float) => format!("{float}::zero()"),
                },
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
    pub(super) fn bijection(&mut self, id: VarId) -> bool {
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
            Kind::Float if self.float == "T" => "T::zero()",
            Kind::Float => "0.0_f64",
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

    /// Two numbers under one name.
    fn tuple_ancilla(&mut self) -> Vec<VarId> {
        self.note("tuple ancilla");
        let name = self.fresh("pair");
        let (first, second) = (self.raw_float(1), self.bounded_float(1));
        self.text.line(format!("let mut {name} = ({}, {});", first.text, second.text));
        let fields = self.fields(&name, Var::changeable);
        // Only its own computing statements change an ancilla.
        self.scope.freeze(&fields);
        fields.to_vec()
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
}
