//! Loops over ranges: of several types, inclusive or not, reversed, in steps, and combinations.

use super::scope::{Kind, Var};
use super::writer::Writer;

/// A range, the variable that runs over it, and how many turns it takes at most.
struct Head {
    range: String,
    var: Var,
    turns: usize,
}

impl Writer<'_> {
    pub(super) fn range_loop(&mut self, depth: usize) {
        self.note("for over a range");
        let (head, frozen) = self.head(|w| {
            let head = w.range();
            Head { range: w.adapted(head.range), ..head }
        });
        if self.rng.chance(5) && self.slice.is_none() {
            self.note("#[unroll]");
            self.text.line("#[unroll(2)]");
        }
        self.text.open(format!("for {} in {}", head.var.name, head.range));
        self.scope.freeze(&frozen);
        let outer = self.scope.enter();
        self.scope.declare(head.var.computed_from(frozen.clone()).shadowable());
        let count = self.body_size(depth);
        self.repeated(head.turns, |w| w.block(depth, count));
        self.scope.leave(outer);
        self.scope.thaw(&frozen);
        self.text.close();
    }

    fn range(&mut self) -> Head {
        let role = self.rng.pick(&["i", "j", "turn"]);
        let name = self.fresh_or_shadow(role);
        let index =
            |range: String, below: usize| Head { range, var: Var::new(&name, Kind::Index).below(below), turns: below };
        match self.rng.below(12) {
            0..=2 => {
                let start = self.rng.below(4);
                let end = self.rng.between(start + 1, 6);
                index(format!("{start}..{end}"), end)
            }
            3 => {
                self.note("inclusive range");
                let start = self.rng.below(3);
                let last = self.rng.between(start, 5);
                index(format!("{start}..={last}"), last + 1)
            }
            4..=6 => self.range_to_variable(name),
            7 | 8 => {
                let slices = self.scope.readable(|var| var.len() > 0);
                if slices.is_empty() {
                    return index("0..4".into(), 4);
                }
                self.note("range to len");
                let id = self.rng.pick(&slices);
                // A length does not change with the elements, so this reads nothing that a body could change.
                let mut head = index(format!("0..{}.len()", self.scope.name(id)), 6);
                head.var.below_len = Some(id);
                head
            }
            9 => {
                self.note("range of i64");
                let start = self.rng.between(0, 3);
                let end = self.rng.between(1, 3);
                let var = Var::new(name, Kind::Int);
                Head { range: format!("-{start}_i64..{end}"), var, turns: start + end }
            }
            10 => {
                self.note("range from data");
                let modulus = self.rng.between(2, 5);
                let value = self.int_leaf();
                let range = format!("0..{}.rem_euclid({modulus})", value.receiver());
                Head { range, var: Var::new(name, Kind::Int), turns: modulus }
            }
            _ => {
                self.note("range of a small type");
                let (ty, last) = (self.rng.pick(&["u8", "i32", "u16"]), self.rng.between(2, 4));
                let mut var = Var::new(&name, Kind::Int);
                var.spelling = Some(format!("{name} as i64"));
                Head { range: format!("1_{ty}..={last}"), var, turns: last }
            }
        }
    }

    /// `0..n`, `n..6`, `i + 1..6`: ranges that may be empty.
    fn range_to_variable(&mut self, name: String) -> Head {
        let bounds =
            self.scope.readable(|var| var.kind == Kind::Index && var.is_scalar() && (1..=7).contains(&var.below));
        let var = |below: usize| Var::new(&name, Kind::Index).below(below);
        if bounds.is_empty() {
            return Head { range: "0..5".into(), var: var(5), turns: 5 };
        }
        self.note("range to a variable");
        let id = self.rng.pick(&bounds);
        let largest = self.scope.vars[id].below - 1;
        let bound = self.read(id).operand();
        match self.rng.below(4) {
            0 => Head { range: format!("{bound}..6"), var: var(6), turns: 6 },
            1 => Head { range: format!("{bound} + 1..6"), var: var(6), turns: 6 },
            2 if largest < 6 => Head { range: format!("0..={bound}"), var: var(largest + 1), turns: largest + 1 },
            _ => Head { range: format!("0..{bound}"), var: var(largest.max(1)), turns: largest.max(1) },
        }
    }

    fn adapted(&mut self, range: String) -> String {
        let step = self.rng.between(1, 3);
        let adaptor = match self.rng.below(9) {
            0 => ".rev()".to_string(),
            1 => format!(".step_by({step})"),
            2 => format!(".rev().step_by({step})"),
            3 => format!(".step_by({step}).rev()"),
            _ => return range,
        };
        self.note(match adaptor.split('(').next() {
            Some(".rev") if adaptor.contains("step") => "rev then step_by",
            Some(".rev") => "rev",
            _ if adaptor.contains("rev") => "step_by then rev",
            _ => "step_by",
        });
        format!("({range}){adaptor}")
    }
}
