//! Pure lets: names for values, alive up to their last use.

use super::blocks::{Form, Life};
use super::scope::{Kind, Var, VarId};
use super::text::Expr;
use super::writer::Writer;

impl Writer<'_> {
    /// Writes a pure let. Around it nothing changes what it reads: its life freezes that.
    pub(super) fn open_let(&mut self) -> Option<Life> {
        let mark = self.scope.reads.len();
        // In a compound with a slice every let can take part in the slice.
        let vars = self.head(|w| w.write_let(mark)).0?;
        let frozen = self.scope.sources_since(mark);
        self.scope.freeze(&frozen);
        Some(Life { vars, form: Form::Name, frozen, hidden: Vec::new() })
    }

    fn write_let(&mut self, mark: usize) -> Option<Vec<VarId>> {
        match self.rng.below(14) {
            0 => self.tuple_let(mark),
            1 => self.function_tuple_let(mark),
            2 => self.slice_let(mark),
            3 => Some(self.pattern_let(mark)),
            4 => Some(self.container_let(mark)),
            5 | 6 => Some(vec![self.index_let(mark)]),
            _ => {
                let kind = self.rng.pick(&[Kind::Float, Kind::Float, Kind::Float, Kind::Int, Kind::Int, Kind::Bool]);
                let value = self.let_value(kind);
                let name = self.fresh_or_shadow("value");
                let keyword = match (kind, self.rng.below(8)) {
                    // A number that carries its derivative along takes it through here as well.
                    (Kind::Float, 0) if !self.config.generic => {
                        self.note("#[constant] let");
                        "#[constant]\nlet"
                    }
                    _ => "let",
                };
                let annotation = match self.rng.below(4) {
                    0 => format!(": {}", self.type_name(kind)),
                    _ => String::new(),
                };
                self.note("pure let");
                for line in format!("{keyword} {name}{annotation} = {};", value.text).lines() {
                    self.text.line(line);
                }
                Some(vec![self.name_value(&name, kind, mark)])
            }
        }
    }

    /// A value whose type Rust can tell without looking further.
    fn let_value(&mut self, kind: Kind) -> Expr {
        match kind {
            Kind::Float => self.expression(kind, 2),
            Kind::Int => {
                let value = self.int_leaf();
                let operator = self.rng.pick(&["+", "-", "^"]);
                value.binary(operator, &self.bounded_int(1))
            }
            Kind::Bool | Kind::Index => self.expression(kind, 1),
        }
    }

    fn tuple_let(&mut self, mark: usize) -> Option<Vec<VarId>> {
        self.note("tuple let");
        let (first, second) = (self.fresh("first"), self.fresh("second"));
        if self.rng.chance(40) {
            let angle = self.raw_float(1);
            self.text.line(format!("let ({first}, {second}) = {}.sin_cos();", angle.receiver()));
            return Some(vec![self.name_value(&first, Kind::Float, mark), self.name_value(&second, Kind::Float, mark)]);
        }
        let kinds = [self.rng.pick(&[Kind::Float, Kind::Int]), self.rng.pick(&[Kind::Float, Kind::Int, Kind::Bool])];
        let [left, right] = kinds.map(|kind| self.let_value(kind).text);
        self.text.line(format!("let ({first}, {second}) = ({left}, {right});"));
        Some(vec![self.name_value(&first, kinds[0], mark), self.name_value(&second, kinds[1], mark)])
    }

    /// `let (a, [b, c]) = (e, [f, g]);`
    fn pattern_let(&mut self, mark: usize) -> Vec<VarId> {
        let names = [self.fresh("one"), self.fresh("two"), self.fresh("three")];
        let [a, b, c] = &names;
        let values = [self.raw_float(1), self.bounded_float(1), self.float_leaf()].map(|value| value.text);
        let [e, f, g] = &values;
        let line = match self.rng.below(3) {
            0 => format!("let ({a}, ({b}, {c})) = ({e}, ({f}, {g}));"),
            1 => format!("let ({a}, [{b}, {c}]) = ({e}, [{f}, {g}]);"),
            _ => format!("let [{a}, {b}, {c}] = [{e}, {f}, {g}];"),
        };
        self.note("nested pattern");
        self.text.line(line);
        names.iter().map(|name| self.name_value(name, Kind::Float, mark)).collect()
    }

    /// `let row = [e, f, g];`, `let pair = (e, f);`
    fn container_let(&mut self, mark: usize) -> Vec<VarId> {
        let values = [self.raw_float(1), self.bounded_float(1), self.float_leaf()].map(|value| value.text);
        let [e, f, g] = &values;
        let sources = self.scope.sources_since(mark);
        if self.rng.chance(50) {
            self.note("array let");
            let name = self.fresh("row");
            self.text.line(format!("let {name} = [{e}, {f}, {g}];"));
            return vec![self.scope.declare(Var::new(name, Kind::Float).slice(3).computed_from(sources))];
        }
        self.note("whole tuple let");
        let name = self.fresh("couple");
        self.text.line(format!("let {name} = ({e}, {f});"));
        self.fields(&name, |field| field.computed_from(sources.clone())).to_vec()
    }

    fn function_tuple_let(&mut self, mark: usize) -> Option<Vec<VarId>> {
        let (call, kinds) = self.call_of_function(|results| results.len() > 1, 1)?;
        self.note("tuple let of a function");
        let names: Vec<String> = kinds.iter().map(|_| self.fresh("result")).collect();
        self.text.line(format!("let ({}) = {call};", names.join(", ")));
        Some(names.iter().zip(kinds).map(|(name, kind)| self.name_value(name, kind, mark)).collect())
    }

    /// `let part = &p[1..5];`
    fn slice_let(&mut self, mark: usize) -> Option<Vec<VarId>> {
        let slices = self.scope.readable(|var| var.len() >= 3);
        if slices.is_empty() {
            return None;
        }
        self.note("shared view");
        let id = self.rng.pick(&slices);
        let (len, kind) = (self.scope.vars[id].len(), self.scope.vars[id].kind);
        let start = self.rng.below(2);
        let end = self.rng.between(start + 2, len);
        let name = self.fresh("part");
        self.scope.reads.push(id);
        self.text.line(format!("let {name} = &{}[{start}..{end}];", self.scope.name(id)));
        Some(vec![self.declare_shared_slice(&name, kind, end - start, mark)])
    }

    /// A name for an index less than six.
    fn index_let(&mut self, mark: usize) -> VarId {
        self.note("index let");
        let value = match self.leaf(Kind::Int) {
            Some(leaf) if self.rng.chance(50) => format!("{}.rem_euclid(6) as usize", leaf.receiver()),
            _ => self.index_below(6).text,
        };
        let name = self.fresh_or_shadow("at");
        self.text.line(format!("let {name}: usize = {value};"));
        let id = self.name_value(&name, Kind::Index, mark);
        self.scope.vars[id].below = 6;
        id
    }
}
