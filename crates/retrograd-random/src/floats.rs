//! Float expressions. A *bounded* one has a value and slopes of about 1 at most; a *raw* one follows its operands.
//! Updates add bounded ones, scaled to the number of turns, so that a program amplifies rounding errors only mildly.

use super::indices::Index;
use super::scope::{Access, Kind, VarId};
use super::text::Expr;
use super::writer::Writer;

/// Methods of one argument whose value and slope are at most about 1.
const BOUNDED_METHODS: [&str; 5] = ["sin", "cos", "tanh", "atan", "sin"];

impl Writer<'_> {
    /// A float literal, with its type where nothing else would tell it.
    fn float_literal(&mut self) -> Expr {
        let literal = self.rng.pick(&["0.5", "0.25", "1.5", "0.7", "0.3"]);
        let suffix = if self.float == "f64" { "_f64" } else { "" };
        Expr::atom(format!("{literal}{suffix}"))
    }

    /// A variable or an element.
    pub(super) fn float_leaf(&mut self) -> Expr {
        match self.leaf(Kind::Float) {
            Some(leaf) => leaf,
            None => self.float_literal(),
        }
    }

    /// A readable scalar or element of this kind; names of the body come more often than parameters.
    pub(super) fn leaf(&mut self, kind: Kind) -> Option<Expr> {
        let candidates = self.scope.readable(|var| var.kind == kind);
        if candidates.is_empty() {
            return None;
        }
        let first = self.rng.below(candidates.len());
        let second = self.rng.below(candidates.len());
        let id = candidates[if self.rng.chance(50) { first.max(second) } else { first }];
        Some(self.some_element(id))
    }

    /// A scalar, or an element at any index.
    pub(super) fn some_element(&mut self, id: VarId) -> Expr {
        if self.scope.vars[id].is_scalar() {
            return self.read(id);
        }
        let index = self.index(id);
        self.scope.reads.push(id);
        Expr::atom(format!("{}[{}]", self.scope.name(id), index.text))
    }

    /// A method call on `value`, with or without the explicit dereference.
    fn call_on(&mut self, value: Expr, method: &str) -> Expr {
        let receiver = if self.rng.chance(60) { value.inherent_receiver() } else { value.receiver() };
        Expr::atom(format!("{receiver}.{method}()"))
    }

    pub(super) fn raw_float(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(25) {
            return self.float_leaf();
        }
        match self.rng.below(14) {
            0 | 1 => {
                let left = self.raw_float(depth - 1);
                let operator = self.rng.pick(&["+", "-"]);
                left.binary(operator, &self.raw_float(depth - 1))
            }
            2 | 3 => {
                let left = self.float_leaf();
                left.binary("*", &self.bounded_float(depth - 1))
            }
            4 => {
                let factor = Expr::atom(self.rng.pick(&["0.5", "0.3", "0.75"]));
                factor.binary("*", &self.raw_float(depth - 1))
            }
            5 => Expr::loose(format!("-{}", self.raw_float(depth - 1).receiver())),
            6 => {
                let left = self.float_leaf();
                let method = self.rng.pick(&["max", "min"]);
                let right = self.raw_float(depth - 1);
                left.method(method, &format!("{} + 0.0371", right.operand()))
            }
            7 => {
                let value = self.float_leaf().binary("+", &Expr::atom("0.0371"));
                value.method("abs", "")
            }
            8 => self.branching(depth, Self::raw_float),
            9 => {
                self.note("block expression");
                let (name, value) = (self.fresh("part"), self.raw_float(depth - 1));
                let factor = self.bounded_float(0);
                Expr::loose(format!("{{ let {name} = {}; {name} * {} }}", value.text, factor.operand()))
            }
            10 => {
                let integer = self.bounded_int(depth - 1);
                Expr::loose(format!("0.01 * {} as {}", integer.operand(), self.float))
            }
            11 => {
                let value = self.float_leaf();
                let (factor, term) = (self.bounded_float(depth - 1), self.float_leaf());
                value.method("mul_add", &format!("{}, {}", factor.text, term.text))
            }
            12 => self.part_of_value(depth),
            _ => self.float_reduction(),
        }
    }

    pub(super) fn bounded_float(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            let (leaf, method) = (self.float_leaf(), self.rng.pick(&BOUNDED_METHODS));
            return self.call_on(leaf, method);
        }
        match self.rng.below(15) {
            0..=2 => {
                let (value, method) = (self.raw_float(depth - 1), self.rng.pick(&BOUNDED_METHODS));
                self.call_on(value, method)
            }
            3 => {
                let value = self.float_leaf();
                Expr::atom(format!("(-({0} * {0})).exp()", value.operand()))
            }
            4 => {
                let value = self.float_leaf();
                Expr::loose(format!("{} / (1.0 + {}.abs())", value.operand(), value.receiver()))
            }
            5 => self.raw_float(depth - 1).method("clamp", "-1.0, 1.0"),
            6 => {
                let value = self.float_leaf();
                let square = format!("(1.0 + {0} * {0})", value.operand());
                match self.rng.below(4) {
                    0 => Expr::loose(format!("1.0 / {square}")),
                    1 => Expr::atom(format!("{square}.recip()")),
                    2 => Expr::atom(format!("{square}.sqrt().recip()")),
                    _ => Expr::atom(format!("{square}.ln().tanh()")),
                }
            }
            7 => {
                let left = self.bounded_float(depth - 1);
                left.binary("*", &self.bounded_float(depth - 1))
            }
            8 => {
                let sum = self.bounded_float(depth - 1);
                let sum = sum.binary("+", &self.bounded_float(depth - 1));
                Expr::loose(format!("0.5 * {}", sum.operand()))
            }
            9..=11 => self.elementary(depth),
            12 => self.branching(depth, Self::bounded_float),
            13 => self.shared_product(),
            _ => match self.function_call(Kind::Float, depth) {
                Some(call) => call,
                None => self.bounded_float(depth - 1),
            },
        }
    }

    /// A value between -1 and 1 for certain.
    pub(super) fn unit_float(&mut self, depth: usize) -> Expr {
        let value = if depth == 0 { self.float_leaf() } else { self.raw_float(depth - 1) };
        let method = self.rng.pick(&["sin", "cos", "tanh", "sin"]);
        self.call_on(value, method)
    }

    /// `0.2 * x[i] * x[j]`: two reads of one slice.
    fn shared_product(&mut self) -> Expr {
        let slices = self.scope.readable(|var| var.kind == Kind::Float && !var.is_scalar());
        if slices.is_empty() {
            return self.bounded_float(0);
        }
        self.note("two reads of one slice");
        let id = self.rng.pick(&slices);
        let (left, right) = (self.some_element(id), self.some_element(id));
        Expr::atom(format!("({} * {}).sin()", left.operand(), right.operand()))
    }

    /// An `if` or a `match` between two or three values.
    pub(super) fn branching(&mut self, depth: usize, value: fn(&mut Self, usize) -> Expr) -> Expr {
        if self.rng.chance(65) {
            self.note("if expression");
            let condition = self.condition(depth - 1);
            let (yes, no) = (value(self, depth - 1), value(self, depth - 1));
            return Expr::loose(format!("if {} {{ {} }} else {{ {} }}", condition.text, yes.text, no.text));
        }
        self.note("match expression");
        let scrutinee = self.int_leaf();
        let values = [value(self, depth - 1), value(self, depth - 1), value(self, 0)].map(|value| value.text);
        let [first, second, third] = values;
        Expr::loose(format!(
            "match {}.rem_euclid(3) {{ 0 => {first}, 1 => {second}, _ => {third} }}",
            scrutinee.receiver()
        ))
    }

    /// A sum over a whole slice, scaled down to the size of one element.
    fn float_reduction(&mut self) -> Expr {
        let slices = self.scope.readable(|var| var.kind == Kind::Float && !var.is_scalar());
        if slices.is_empty() {
            return self.float_leaf();
        }
        self.note("reduction");
        let id = self.rng.pick(&slices);
        let (slice, again) = (self.lend(id), self.lend(id));
        Expr::loose(match self.rng.below(4) {
            0 => format!("0.2 * sum({slice})"),
            1 => format!("0.3 * log_sum_exp({slice})"),
            _ => format!("0.1 * dot({slice}, {again})"),
        })
    }

    /// What a float update adds: small when it is added in many turns. `others` is the updated element's slice and index,
    /// when the operand may read other elements of it.
    pub(super) fn float_operand(&mut self, depth: usize, others: Option<(VarId, &Index)>) -> Expr {
        let coefficient = self.coefficient();
        if let Some((slice, index)) = others
            && let Some(other) = self.other_index(slice, index)
        {
            self.note("other element of the target's array");
            self.scope.reads.push(slice);
            let element = format!("{}[{}]", self.scope.name(slice), other.text);
            let factor = self.bounded_float(depth.saturating_sub(1));
            return Expr::loose(match self.rng.below(2) {
                0 => format!("{coefficient} * {element}.sin()"),
                _ => format!("{coefficient} * {element} * {}", factor.operand()),
            });
        }
        let value = self.bounded_float(depth);
        if self.turns == 1 && self.rng.chance(20) { value } else { Expr::atom(coefficient).binary("*", &value) }
    }

    /// A factor far from zero, and near 1 when it is used in many turns.
    pub(super) fn float_factor(&mut self, depth: usize) -> Expr {
        let value = self.bounded_float(depth);
        let small = self.coefficient();
        match (self.turns, self.rng.below(3)) {
            (1, 0) => Expr::loose(format!("1.25 + 0.5 * {}", value.operand())),
            (_, 1) => Expr::loose(format!("({small} * {}).exp()", value.operand())),
            _ => Expr::loose(format!("1.0 + {small} * {}", value.operand())),
        }
    }

    pub(super) fn coefficient(&mut self) -> &'static str {
        match self.turns {
            0..=1 => self.rng.pick(&["0.5", "0.25", "0.3", "0.4"]),
            2..=6 => self.rng.pick(&["0.1", "0.05", "0.08"]),
            7..=36 => self.rng.pick(&["0.02", "0.01"]),
            _ => "0.003",
        }
    }

    /// An angle for `rotate`.
    pub(super) fn angle(&mut self) -> Expr {
        match self.rng.below(3) {
            0 => Expr::atom(self.rng.pick(&["0.3", "1.1", "2.5"])),
            _ => {
                let value = self.bounded_float(1);
                let coefficient = Expr::atom(self.coefficient());
                coefficient.binary("*", &value)
            }
        }
    }

    /// An argument for a parameter `&f64`, `&i64` or `&bool`.
    pub(super) fn shared_scalar(&mut self, kind: Kind) -> Option<String> {
        let candidates = self.scope.readable(|var| var.kind == kind && var.spelling.is_none());
        if candidates.is_empty() {
            return None;
        }
        let id = self.rng.pick(&candidates);
        if self.scope.vars[id].is_scalar() && self.scope.vars[id].access == Access::Owned {
            self.scope.reads.push(id);
            return Some(format!("&{}", self.scope.name(id)));
        }
        Some(match self.scope.vars[id].is_scalar() {
            true => self.lend(id),
            false => format!("&{}", self.some_element(id).text),
        })
    }
}
