//! Ways out: of loops, named or not, and of the function.

use super::Body;
use crate::scope::{Access, Kind, Var};
use crate::text::Expr;

/// A loop around a statement.
#[derive(Clone, Debug)]
pub(super) struct Around {
    pub(super) label: Option<String>,
    /// Whether `continue` would get past its counter.
    pub(super) may_continue: bool,
    pub(super) may_break: bool,
}

impl Body<'_> {
    /// `if c { .. exit; }`
    pub(super) fn leave(&mut self, depth: usize) -> bool {
        if self.writer.rng.chance(6) {
            self.writer.note("let else");
            let (value, exit) = (self.writer.int_leaf(), self.exit());
            self.writer.text.line(format!("let -2..=9 = {} else {{ {exit} }};", value.text));
            return true;
        }
        let condition = self.decision();
        self.writer.text.open(format!("if {}", condition.text));
        // What is left with is computed from the names of the block.
        let outer = self.writer.scope.enter();
        if self.writer.rng.chance(35) {
            self.statements(depth - 1);
        }
        let exit = self.exit();
        self.writer.text.line(format!("{exit};"));
        self.writer.scope.leave(outer);
        if self.writer.rng.chance(15) {
            self.writer.note("else of an exit");
            self.writer.text.turn("else");
            self.block(depth - 1);
        }
        self.writer.text.close();
        true
    }

    /// A way out, without its semicolon.
    pub(super) fn exit(&mut self) -> String {
        let mut ways = vec![(2, None)];
        let innermost = self.loops.len().wrapping_sub(1);
        for (at, around) in self.loops.iter().enumerate() {
            let labels = [around.label.clone(), None].into_iter().skip(usize::from(around.label.is_none()));
            for label in labels {
                if label.is_none() && at != innermost {
                    continue;
                }
                let label = label.map(|label| format!(" '{label}")).unwrap_or_default();
                if around.may_break {
                    ways.push((5, Some(("break", label.clone()))));
                }
                if around.may_continue {
                    ways.push((4, Some(("continue", label))));
                }
            }
        }
        match self.writer.rng.weighted(&ways) {
            Some((way, label)) => {
                self.writer.note(match (way, label.is_empty()) {
                    ("break", true) => "break",
                    ("break", false) => "break of a label",
                    (_, true) => "continue",
                    (_, false) => "continue of a label",
                });
                format!("{way}{label}")
            }
            None => {
                self.writer.note("return");
                self.returned(1)
            }
        }
    }

    /// `return e`, without its semicolon.
    fn returned(&mut self, mentions: usize) -> String {
        match self.results.is_empty() {
            true => "return".into(),
            false => format!("return {}", self.results(mentions)),
        }
    }

    /// What the function returns.
    fn results(&mut self, mentions: usize) -> String {
        let terms: Vec<Expr> = self.results.clone().into_iter().map(|kind| self.result(kind, mentions)).collect();
        match terms.as_slice() {
            [only] => only.text.clone(),
            _ => format!("({})", terms.iter().map(|term| term.text.as_str()).collect::<Vec<_>>().join(", ")),
        }
    }

    /// A number computed from what the function has.
    fn result(&mut self, kind: Kind, mentions: usize) -> Expr {
        let locals = self.writer.scope.readable(|var| var.kind != Kind::Bool);
        let mut sum = self.writer.expression(kind, 1);
        for _ in 0..mentions {
            let id = self.writer.rng.pick(&locals);
            sum = sum.binary("+", &self.writer.mention(id, kind));
        }
        match kind {
            Kind::Float => sum.method("sin", ""),
            Kind::Int | Kind::Index | Kind::Bool => Expr::loose(format!("{} % 500", sum.operand())),
        }
    }

    /// `*s = e;`, `x[i] += e;`: what a procedure has goes to its arguments.
    fn store(&mut self) {
        for _ in 0..self.writer.rng.between(1, 2) {
            let is_argument = |var: &Var| var.kind == Kind::Float && var.access == Access::Exclusive;
            let arguments = self.writer.scope.writable(is_argument);
            let Some(place) = self.writer.place_among(&arguments) else { return };
            let (operator, value) = (self.writer.rng.pick(&["=", "+=", "-="]), self.result(Kind::Float, 2));
            self.writer.text.line(format!("{} {operator} {};", place.text, value.text));
        }
    }

    /// The end of a function: its value, or a loop that only `return` leaves.
    pub(super) fn tail(&mut self, depth: usize) {
        if self.results.is_empty() {
            self.store();
        }
        match self.writer.rng.below(8) {
            0 => {
                self.writer.note("return at the end");
                let exit = self.returned(3);
                self.writer.text.line(format!("{exit};"));
            }
            1 => {
                self.writer.note("loop at the end");
                let count = self.writer.fresh("count");
                let id = self.writer.scope.declare(Var::new(&count, Kind::Index));
                self.writer.text.line(format!("let mut {count}: usize = 0;"));
                self.writer.text.open("loop");
                self.writer.text.line(format!("{count} += 1;"));
                let exit = self.returned(3);
                self.writer.text.line(format!("if {count} > 2 {{ {exit}; }}"));
                self.loops.push(Around { label: None, may_continue: true, may_break: false });
                self.writer.turns *= 3;
                self.block(depth - 1);
                self.loops.pop();
                self.writer.text.close();
                self.writer.scope.kill(id);
            }
            _ if self.results.is_empty() => {}
            _ => {
                let value = self.results(3);
                self.writer.text.line(value);
            }
        }
    }
}
