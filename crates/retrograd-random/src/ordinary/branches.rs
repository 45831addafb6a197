//! Branches, which may change what they depend on.

use super::Body;
use crate::scope::{Kind, Var};
use crate::text::Expr;

impl Body<'_> {
    /// A truth value; now and then one that compares two floats.
    pub(super) fn decision(&mut self) -> Expr {
        match self.writer.rng.below(4) {
            0 => {
                let (left, operator) = (self.writer.float_leaf(), self.writer.rng.pick(&["<", ">", ">="]));
                left.binary(operator, &self.writer.bounded_float(0))
            }
            _ => self.writer.condition(1),
        }
    }

    pub(super) fn branch(&mut self, depth: usize) -> bool {
        self.writer.note("if");
        let condition = self.decision();
        self.writer.text.open(format!("if {}", condition.text));
        self.block(depth);
        if self.writer.rng.chance(25) {
            self.writer.note("else if");
            let condition = self.decision();
            self.writer.text.turn(format!("else if {}", condition.text));
            self.block(depth);
        }
        if self.writer.rng.chance(55) {
            self.writer.note("else");
            self.writer.text.turn("else");
            self.block(depth);
        }
        self.writer.text.close();
        true
    }

    /// `match` on an integer that arms may change. Whole arms may be ways out.
    pub(super) fn selection(&mut self, depth: usize) -> bool {
        self.writer.note("match");
        let integers = self.writer.scope.writable(|var| var.kind == Kind::Int && var.is_scalar());
        let (scrutinee, changed) = match integers.is_empty() {
            false if self.writer.rng.chance(60) => {
                let id = self.writer.rng.pick(&integers);
                (self.writer.read(id).text, Some(id))
            }
            // Whether what a call gave is an integer is not known where a pattern binds it.
            _ => (format!("{} as i64", self.writer.int_leaf().method("rem_euclid", "4").text), None),
        };
        self.writer.text.open(format!("match {scrutinee}"));
        let binding = self.writer.fresh("case");
        let patterns: &[&str] = self.writer.rng.pick(&[
            &["0", "1", "_"] as &[&str],
            &["0 | 2", "1..=3", "_"],
            &["2", "bound if bound > 0", "_"],
            &["0", "3..", "bound"],
        ]);
        for pattern in patterns {
            let outer = self.writer.scope.enter();
            if pattern.starts_with("bound") {
                self.writer.scope.declare(Var::new(&binding, Kind::Int));
            }
            let pattern = pattern.replace("bound", &binding);
            if self.writer.rng.chance(10) {
                self.writer.note("exit as an arm");
                let exit = self.exit();
                self.writer.text.line(format!("{pattern} => {exit},"));
            } else {
                self.writer.text.open(format!("{pattern} =>"));
                if let Some(id) = changed
                    && self.writer.rng.chance(35)
                {
                    self.writer.note("arm that changes what is matched");
                    let value = self.writer.bounded_int(1);
                    self.writer.text.line(format!("{} = {};", self.writer.target(id), value.text));
                }
                self.block(depth);
                self.writer.text.close();
            }
            self.writer.scope.leave(outer);
        }
        self.writer.text.close();
        true
    }
}
