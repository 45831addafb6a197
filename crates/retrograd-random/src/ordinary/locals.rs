//! Locals of ordinary programs. Nobody gives them back.

use super::Body;
use crate::scope::{Kind, Var, VarId};

impl Body<'_> {
    pub(super) fn local(&mut self, depth: usize) -> bool {
        match self.writer.rng.below(16) {
            0..=3 => self.number(),
            4 | 5 => self.integer(),
            6 => {
                let condition = self.writer.condition(1);
                self.begin(Kind::Bool, ": bool", &condition.text);
            }
            7 => self.index(),
            8..=10 => self.floats(),
            11 => self.integers(),
            12 => {
                let (first, second) = (self.writer.bounded_float(1), self.writer.bounded_int(1));
                self.writer.note("pair of locals");
                let names = [self.declare_mut(Kind::Float), self.declare_fixed(Kind::Int)];
                self.writer.text.line(format!(
                    "let ({}): (T, i64) = ({}, {});",
                    names.join(", "),
                    first.text,
                    second.text
                ));
            }
            13 => self.constant(),
            _ => self.later(depth),
        }
        true
    }

    /// `let mut y: T = e;`
    pub(super) fn number(&mut self) {
        let value = self.writer.bounded_float(1);
        self.begin(Kind::Float, ": T", &value.text);
    }

    fn integer(&mut self) {
        let value = self.writer.bounded_int(1);
        self.begin(Kind::Int, ": i64", &value.text);
    }

    /// A number that begins as a literal, as accumulators do.
    fn constant(&mut self) {
        let value = self.writer.rng.pick(&["0.0", "1.0", "0.5"]);
        self.begin(Kind::Float, ": T", value);
    }

    /// Begins a scalar.
    pub(super) fn begin(&mut self, kind: Kind, ty: &str, value: &str) {
        let name = self.declare_mut(kind);
        self.writer.text.line(format!("let {name}{ty} = {value};"));
    }

    /// Declares a name, mostly one that may be changed, and returns its pattern.
    pub(super) fn declare_mut(&mut self, kind: Kind) -> String {
        let is_mut = self.writer.rng.chance(75);
        let name = self.writer.fresh_or_shadow("local");
        let var = Var::new(&name, kind).shadowable();
        self.writer.scope.declare(if is_mut { var.changeable() } else { var });
        if is_mut { format!("mut {name}") } else { name }
    }

    /// Declares a name for a part of a value.
    pub(super) fn declare_fixed(&mut self, kind: Kind) -> String {
        let name = self.writer.fresh("part");
        self.writer.scope.declare(Var::new(&name, kind));
        name
    }

    fn index(&mut self) {
        let below = self.writer.rng.between(2, 4);
        let value = self.writer.index_below(below);
        let name = self.writer.fresh("at");
        self.writer.scope.declare(Var::new(&name, Kind::Index).below(below).changeable());
        self.writer.text.line(format!("let mut {name}: usize = {};", value.text));
    }

    /// Declares an array, or a vector of floats, which can grow.
    pub(super) fn declare_all(&mut self, kind: Kind, role: &str, len: usize) -> VarId {
        let name = self.writer.fresh(role);
        self.writer.scope.declare(Var::new(&name, kind).slice(len).changeable())
    }

    /// `[e; 3]`, `[a, b]`, `vec![e; 3]`, `x.to_vec()`, a copy of another array
    fn floats(&mut self) {
        let len = self.writer.rng.between(2, 4);
        let slices = self.writer.scope.readable(|var| var.kind == Kind::Float && !var.is_scalar());
        let (ty, value, len) = match self.writer.rng.below(6) {
            0 => ("", format!("[T::zero(); {len}]"), len),
            1 => ("", format!("vec![T::zero(); {len}]"), len),
            2 => (": Vec<T>", format!("vec![{}; {len}]", self.writer.bounded_float(1).text), len),
            3 if !slices.is_empty() => {
                let id = self.writer.rng.pick(&slices);
                self.writer.note("to_vec");
                ("", format!("{}.to_vec()", self.writer.scope.name(id)), self.writer.scope.vars[id].len())
            }
            _ => {
                let all: Vec<String> = (0..len).map(|_| self.writer.expression(Kind::Float, 1).text).collect();
                let ty = [": [T; 2]", ": [T; 3]", ": [T; 4]"][len - 2];
                (ty, format!("[{}]", all.join(", ")), len)
            }
        };
        self.writer.note("array of floats");
        let role = if value.starts_with('[') { "all" } else { "vector" };
        let id = self.declare_all(Kind::Float, role, len);
        let name = self.writer.scope.name(id).to_string();
        self.writer.text.line(format!("let mut {name}{ty} = {value};"));
    }

    fn integers(&mut self) {
        let len = self.writer.rng.between(2, 4);
        let value = match self.writer.rng.below(3) {
            0 => format!("vec![{}; {len}]", self.writer.bounded_int(0).operand()),
            _ => {
                let all: Vec<String> = (0..len).map(|_| self.writer.bounded_int(1).text).collect();
                format!("[{}]", all.join(", "))
            }
        };
        self.writer.note("array of integers");
        let role = if value.starts_with("vec") { "vec" } else { "list" };
        let id = self.declare_all(Kind::Int, role, len);
        let name = self.writer.scope.name(id).to_string();
        let ty = if value.starts_with("vec") { ": Vec<i64>".into() } else { format!(": [i64; {len}]") };
        self.writer.text.line(format!("let mut {name}{ty} = {value};"));
    }

    /// `let y; .. y = e;`, or `let y; if c { y = a; } else { y = b; }`
    fn later(&mut self, depth: usize) {
        self.writer.note("let y;");
        let kind = self.writer.rng.pick(&[Kind::Float, Kind::Float, Kind::Int]);
        let is_mut = self.writer.rng.chance(40);
        let name = self.writer.fresh("later");
        let var = Var::new(&name, kind);
        let id = self.writer.scope.declare(if is_mut { var.changeable() } else { var });
        let ty = match (kind, self.writer.rng.chance(50)) {
            (_, true) => format!(": {}", self.writer.type_name(kind)),
            (Kind::Int, false) => ": i64".into(),
            (_, false) => String::new(),
        };
        self.writer.text.line(format!("let {}{name}{ty};", if is_mut { "mut " } else { "" }));
        self.writer.scope.vars[id].hidden += 1;
        if depth > 0 && self.writer.rng.chance(60) {
            let condition = self.writer.condition(1);
            self.writer.text.open(format!("if {}", condition.text));
            self.assigned_later(id, depth - 1);
            self.writer.text.turn("else");
            if self.writer.rng.chance(20) {
                self.writer.note("exit instead of a value");
                let exit = self.exit();
                self.writer.text.line(format!("{exit};"));
            } else {
                self.assigned_later(id, depth - 1);
            }
            self.writer.text.close();
        } else {
            if self.writer.rng.chance(50) {
                self.statement(0);
            }
            self.give(id);
        }
        self.writer.scope.vars[id].hidden -= 1;
    }

    fn assigned_later(&mut self, id: VarId, depth: usize) {
        let outer = self.writer.scope.enter();
        if self.writer.rng.chance(40) {
            self.statement(depth);
        }
        self.give(id);
        self.writer.scope.leave(outer);
    }

    fn give(&mut self, id: VarId) {
        let value = self.writer.expression(self.writer.scope.vars[id].kind, 1);
        self.writer.text.line(format!("{} = {};", self.writer.scope.name(id), value.text));
    }
}
