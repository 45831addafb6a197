//! Integer expressions and conditions. A *bounded* integer has an absolute value of some thousands at most, so that no
//! sum of as many as a program can add overflows.

use super::scope::Kind;
use super::text::Expr;
use super::writer::Writer;

impl Writer<'_> {
    fn small_literal(&mut self) -> Expr {
        Expr::atom(format!("{}_i64", self.rng.between(1, 9)))
    }

    /// An integer variable or element.
    pub(super) fn int_leaf(&mut self) -> Expr {
        match self.leaf(Kind::Int) {
            Some(leaf) => leaf,
            None => self.small_literal(),
        }
    }

    /// An integer of any size.
    pub(super) fn raw_int(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.rng.chance(50) {
            return self.int_leaf();
        }
        match self.rng.below(5) {
            0 | 1 => {
                let left = self.int_leaf();
                let operator = self.rng.pick(&["+", "-", "^", "&", "|"]);
                left.binary(operator, &self.raw_int(depth - 1))
            }
            2 => {
                let factor = Expr::atom(self.rng.between(2, 5).to_string());
                factor.binary("*", &self.int_leaf())
            }
            3 => self.branching(depth, Self::raw_int),
            _ => Expr::loose(format!("-{}", self.int_leaf().receiver())),
        }
    }

    pub(super) fn bounded_int(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return match self.rng.below(4) {
                0 => Expr::atom(self.rng.between(1, 40).to_string()),
                1 => self.index_as_int(),
                _ => {
                    let modulus = Expr::atom(self.rng.pick(&["7", "10", "100", "1000"]));
                    self.int_leaf().binary("%", &modulus)
                }
            };
        }
        match self.rng.below(14) {
            0 | 1 => {
                let modulus = Expr::atom(self.rng.pick(&["13", "97", "1000"]));
                self.raw_int(depth).binary("%", &modulus)
            }
            2 => {
                let modulus = self.rng.pick(&["6", "31", "500"]);
                let value = self.raw_int(depth - 1);
                let receiver = if self.rng.chance(50) { value.inherent_receiver() } else { value.receiver() };
                Expr::atom(format!("{receiver}.rem_euclid({modulus})"))
            }
            3 => {
                let mask = Expr::atom(self.rng.pick(&["1", "15", "0x3f"]));
                self.raw_int(depth - 1).binary("&", &mask)
            }
            4 => Expr::loose(format!("({} >> 3) % 50", self.raw_int(depth - 1).operand())),
            5 => {
                let left = self.bounded_int(depth - 1);
                let product = left.binary("*", &self.bounded_int(depth - 1));
                Expr::loose(format!("{} % 1000", product.operand()))
            }
            6 => {
                let left = self.bounded_int(depth - 1);
                let operator = self.rng.pick(&["+", "-", "^", "|"]);
                left.binary(operator, &self.bounded_int(depth - 1))
            }
            7 => {
                let condition = self.condition(depth - 1);
                match self.rng.below(2) {
                    0 => Expr::atom(format!("i64::from({})", condition.text)),
                    _ => Expr::loose(format!("{} as i64", condition.operand())),
                }
            }
            8 => self.branching(depth, Self::bounded_int),
            9 => {
                let value = self.bounded_int(depth - 1);
                // A literal alone would not tell its type to the method.
                let value = value.binary("-", &self.small_literal());
                match self.rng.below(4) {
                    0 => value.method("abs", ""),
                    1 => value.method("signum", ""),
                    2 => value.method("max", "3"),
                    _ => value.method("min", "20"),
                }
            }
            10 => self.index_as_int(),
            11 => self.int_reduction(),
            12 => match self.leaf(Kind::Float) {
                Some(leaf) => {
                    self.note("cast of a float");
                    self.as_int(&leaf).binary("%", &Expr::atom("50"))
                }
                None => self.bounded_int(depth - 1),
            },
            _ => match self.function_call(Kind::Int, depth) {
                Some(call) => call,
                None => self.bounded_int(depth - 1),
            },
        }
    }

    /// A float as an integer.
    pub(super) fn as_int(&self, float: &Expr) -> Expr {
        Expr::loose(match self.float {
            "f64" => format!("(3.7 * {} + 0.2) as i64", float.operand()),
            _ => format!("(3.7_f64 * {}.to_f64() + 0.2_f64) as i64", float.receiver()),
        })
    }

    fn index_as_int(&mut self) -> Expr {
        match self.leaf(Kind::Index) {
            Some(index) => Expr::loose(format!("{} as i64", index.operand())),
            None => Expr::atom(self.rng.between(1, 6).to_string()),
        }
    }

    fn int_reduction(&mut self) -> Expr {
        let slices = self.scope.readable(|var| var.kind == Kind::Int && !var.is_scalar());
        if slices.is_empty() {
            return self.bounded_int(0);
        }
        self.note("reduction");
        let id = self.rng.pick(&slices);
        self.scope.reads.push(id);
        Expr::loose(format!("{}.iter().sum::<i64>() % 100", self.scope.name(id)))
    }

    /// An integer to add in an update.
    pub(super) fn int_operand(&mut self, depth: usize) -> Expr {
        if self.turns == 1 && self.doublings > 0 && self.rng.chance(20) {
            self.doublings -= 1;
            return self.raw_int(1);
        }
        self.bounded_int(depth)
    }

    /// A truth value. Floats are compared with numbers that no input and no sum of literals equals.
    pub(super) fn condition(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.rng.chance(25) {
            return match self.rng.below(3) {
                0 => {
                    let left = self.condition(depth - 1);
                    let operator = self.rng.pick(&["&&", "||"]);
                    left.binary(operator, &self.condition(depth - 1))
                }
                1 => {
                    let left = self.condition(depth - 1);
                    left.binary("^", &self.condition(depth - 1))
                }
                _ => Expr::loose(format!("!{}", self.condition(depth - 1).receiver())),
            };
        }
        match self.rng.below(8) {
            0 => match self.leaf(Kind::Bool) {
                Some(leaf) => leaf,
                None => self.parity(),
            },
            1 => match self.leaf(Kind::Index) {
                Some(index) => {
                    let bound = Expr::atom(self.rng.between(1, 4).to_string());
                    let operator = self.rng.pick(&["<", ">", "==", "!=", ">=", "<="]);
                    index.binary(operator, &bound)
                }
                None => self.parity(),
            },
            2 | 3 => match self.leaf(Kind::Float) {
                Some(leaf) => {
                    let bound = Expr::atom(self.rng.pick(&["0.3719", "0.0531", "1.1371"]));
                    let operator = self.rng.pick(&["<", ">"]);
                    leaf.binary(operator, &bound)
                }
                None => self.parity(),
            },
            4 => {
                let left = self.int_leaf();
                let operator = self.rng.pick(&["<", ">", "<=", "==", "!="]);
                left.binary(operator, &self.int_leaf())
            }
            5 => {
                let bound = Expr::atom(self.rng.between(0, 5).to_string());
                let operator = self.rng.pick(&["<", ">", ">=", "=="]);
                self.int_leaf().binary(operator, &bound)
            }
            _ => self.parity(),
        }
    }

    pub(super) fn parity(&mut self) -> Expr {
        let (value, modulus) = (self.int_leaf(), self.rng.pick(&["2", "3"]));
        Expr::loose(format!("{} % {modulus} == 0", value.operand()))
    }

    /// An expression of any kind.
    pub(super) fn expression(&mut self, kind: Kind, depth: usize) -> Expr {
        match kind {
            Kind::Float if self.rng.chance(50) => self.raw_float(depth),
            Kind::Float => self.bounded_float(depth),
            Kind::Int => self.bounded_int(depth),
            Kind::Bool => self.condition(depth),
            Kind::Index => self.index_below(6),
        }
    }
}
