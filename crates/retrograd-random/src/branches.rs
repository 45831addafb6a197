//! Branches whose condition keeps its value: plain `if` with `else if` chains, and `match`.

use super::scope::{Kind, Var};
use super::text::Expr;
use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn plain_if(&mut self, depth: usize) {
        self.note("if");
        let links = self.rng.weighted(&[(6, 0), (3, 1), (1, 2)]);
        let (conditions, frozen) = self.head(|w| (0..=links).map(|_| w.condition(2).text).collect::<Vec<_>>());
        self.scope.freeze(&frozen);
        for (at, condition) in conditions.iter().enumerate() {
            if at == 0 {
                self.text.open(format!("if {condition}"));
            } else {
                self.note("else if");
                self.text.turn(format!("else if {condition}"));
            }
            let count = self.body_size(depth);
            self.block(depth, count);
        }
        if self.rng.chance(60) {
            self.note("else");
            self.text.turn("else");
            let count = self.body_size(depth);
            self.block(depth, count);
        }
        self.text.close();
        self.scope.thaw(&frozen);
    }

    pub(super) fn plain_match(&mut self, depth: usize) {
        self.note("match");
        let form = self.rng.below(4);
        let (scrutinee, frozen) = self.head(|w| w.scrutinee(form));
        self.scope.freeze(&frozen);
        self.text.open(format!("match {}", scrutinee.text));
        let binding = self.fresh("case");
        let patterns: &[&str] = match form {
            0 => &["true", "false"],
            1 => &["(true, false)", "(false, true)", "_"],
            _ => self.rng.pick(&[
                &["0", "1", "_"] as &[&str],
                &["0 | 2", "1..=3", "_"],
                &["2", "bound if bound > 0", "_"],
                &["0", "3..", "bound"],
            ]),
        };
        for pattern in patterns {
            let outer = self.scope.enter();
            if pattern.starts_with("bound") {
                self.note("match binding");
                let kind = if form == 2 { Kind::Int } else { Kind::Index };
                self.scope.declare(Var::new(&binding, kind).below(7).computed_from(frozen.clone()));
            }
            self.text.open(format!("{} =>", pattern.replace("bound", &binding)));
            let count = self.body_size(depth);
            self.block(depth, count);
            self.text.close();
            self.scope.leave(outer);
        }
        self.text.close();
        self.scope.thaw(&frozen);
    }

    /// A value to match: a truth value, two of them, an integer in 0..5, or an index.
    fn scrutinee(&mut self, form: usize) -> Expr {
        match form {
            0 => self.condition(0),
            1 => {
                let (first, second) = (self.condition(0), self.condition(1));
                Expr::atom(format!("({}, {})", first.text, second.text))
            }
            2 => {
                let modulus = self.rng.between(3, 5).to_string();
                self.int_leaf().method("rem_euclid", &modulus)
            }
            _ => {
                let indices = self.scope.readable(|var| var.kind == Kind::Index && (1..=7).contains(&var.below));
                if indices.is_empty() {
                    return Expr::atom("2_usize");
                }
                let id = self.rng.pick(&indices);
                self.read(id)
            }
        }
    }
}
