//! Tuples that are assigned to, closures, and loops with a value.

use super::Body;
use super::exits::Around;
use crate::scope::{Kind, Var};

impl Body<'_> {
    /// `(y, z) = (z, e);`
    pub(super) fn tuple(&mut self) -> bool {
        let numbers = self.writer.scope.writable(|var| var.kind == Kind::Float && var.is_scalar());
        if numbers.len() < 2 {
            return false;
        }
        let at = self.writer.rng.below(numbers.len() - 1);
        let (first, second) = (numbers[at], self.writer.rng.pick(&numbers[at + 1..]));
        let (left, right) = (self.writer.target(first), self.writer.target(second));
        let (read, value) = (self.writer.read(second), self.writer.bounded_float(1));
        self.writer.note("tuple assignment");
        let second = match self.writer.rng.below(3) {
            0 => self.writer.read(first).text,
            _ => value.text,
        };
        self.writer.text.line(format!("({left}, {right}) = ({}, {second});", read.text));
        true
    }

    /// `let f = |v: T| e;`, and some calls of it.
    pub(super) fn closure(&mut self) -> bool {
        let scalars = self.writer.scope.writable(|var| var.kind == Kind::Float && var.is_scalar());
        let Some(place) = self.writer.place_among(&scalars) else { return false };
        // What gets its value later is memory.
        let is_fixed = |var: &Var| !var.changeable && !var.name.starts_with("later");
        let fixed = self.writer.scope.readable(|var| var.kind == Kind::Float && var.is_scalar() && is_fixed(var));
        let captured = match fixed.is_empty() {
            true => "0.5".into(),
            false => {
                let id = self.writer.rng.pick(&fixed);
                self.writer.read(id).operand()
            }
        };
        self.writer.note("closure");
        let (name, argument) = (self.writer.fresh("closure"), self.writer.bounded_float(1));
        self.writer.text.line(format!("let {name} = |v: T| 0.6 * v.sin() + 0.3 * {captured} * v;"));
        self.writer.text.line(format!("{} = {name}({});", place.text, argument.text));
        if self.writer.rng.chance(50) {
            let line = format!("{} += 0.1 * {name}({}) * {name}(0.5);", place.text, place.text);
            self.writer.text.line(line);
        }
        true
    }

    /// `let y = loop { .. break e; };`
    pub(super) fn loop_with_value(&mut self, depth: usize) -> bool {
        self.writer.note("break with a value");
        let (count, name) = (self.writer.fresh("count"), self.writer.fresh("found"));
        self.writer.text.line(format!("let mut {count}: usize = 0;"));
        let counter = self.writer.scope.declare(Var::new(&count, Kind::Index).below(5).changeable());
        self.writer.text.open(format!("let {name}: T = loop"));
        let scope = self.writer.scope.enter();
        self.writer.text.line(format!("{count} += 1;"));
        let last = self.writer.bounded_float(1);
        self.writer.text.line(format!("if {count} > 2 {{ break {}; }}", last.text));
        if self.writer.rng.chance(50) {
            let (condition, value) = (self.writer.condition(1), self.writer.bounded_float(1));
            self.writer.text.line(format!("if {} {{ break {}; }}", condition.text, value.text));
        }
        // A `break` without a value is none of this loop.
        self.loops.push(Around { label: None, may_continue: true, may_break: false });
        let outer = self.writer.turns;
        self.writer.turns *= 3;
        self.writer.scope.freeze(&[counter]);
        self.block(depth);
        self.writer.scope.thaw(&[counter]);
        self.writer.turns = outer;
        self.loops.pop();
        self.writer.scope.leave(scope);
        self.writer.text.close();
        self.writer.text.line(";");
        self.writer.scope.declare(Var::new(&name, Kind::Float));
        true
    }
}
