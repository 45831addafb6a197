//! Vectors that grow and shrink, and orders.

use super::Body;
use crate::scope::{Kind, Var, VarId};

impl Body<'_> {
    /// Changes a vector as a whole.
    pub(super) fn vector(&mut self) -> bool {
        let is_vector = |var: &Var| var.kind == Kind::Float && var.name.starts_with("vector");
        let vectors = self.writer.scope.writable(is_vector);
        let id = match vectors.is_empty() {
            true => self.vector_of_numbers(),
            false => self.writer.rng.pick(&vectors),
        };
        for _ in 0..self.writer.rng.between(1, 2) {
            self.grow(id);
        }
        true
    }

    /// `let mut v: Vec<T> = vec![a, b];`
    fn vector_of_numbers(&mut self) -> VarId {
        let len = self.writer.rng.between(2, 4);
        let all: Vec<String> = (0..len).map(|_| self.writer.bounded_float(1).text).collect();
        let id = self.declare_all(Kind::Float, "vector", len);
        self.writer.text.line(format!("let mut {}: Vec<T> = vec![{}];", self.writer.scope.name(id), all.join(", ")));
        id
    }

    /// `v.push(e);`, `v.pop();`, `v.insert(i, e);`, `v.fill(e);`: a vector has the elements that it began with, and perhaps more.
    pub(super) fn grow(&mut self, id: VarId) {
        let (name, len) = (&self.writer.scope.name(id).to_string(), self.writer.scope.vars[id].len());
        let (value, at) = (self.writer.bounded_float(1).text, self.writer.rng.below(len));
        let longer = format!("if {name}.len() > {len}");
        let (note, line) = match self.writer.rng.below(14) {
            0 => {
                // Rust lends the slice first.
                let value = self.writer.without(&[id], |writer| writer.bounded_float(1));
                ("fill", format!("{name}.fill({});", value.text))
            }
            1 => ("pop", format!("{longer} {{ {name}.pop(); }}")),
            2 => ("insert", format!("{name}.insert({at}, {value});")),
            3 => ("insert", format!("{name}.insert({name}.len() / 2, {value});")),
            4 => ("remove", format!("{longer} {{ {name}.remove({at}); }}")),
            5 => ("remove", format!("{longer} {{ {name}.swap_remove({at}); }}")),
            6 => return self.removed(name, len, &longer, at),
            7 => ("truncate", format!("{name}.truncate({len});")),
            8 => ("resize", format!("{name}.resize({}, {value});", len + at)),
            9 => {
                let kept = self.writer.fresh("kept");
                ("clear", format!("let {kept}: T = {value}; {name}.clear(); {name}.resize({len}, {kept});"))
            }
            10 => return self.used_up(name, len),
            11 | 12 => return self.reorder(name, len),
            _ => ("push", format!("{name}.push({value});")),
        };
        self.writer.note(note);
        self.writer.text.line(line);
    }

    /// `v.sort_by(..);`, `v.reverse();`, `v.rotate_left(k);`
    pub(super) fn reorder(&mut self, name: &str, len: usize) {
        let at = self.writer.rng.between(1, len - 1);
        let (note, line) = match self.writer.rng.below(6) {
            0 => ("reverse", format!("{name}.reverse();")),
            1 => ("rotate", format!("{name}.rotate_left({at});")),
            2 => ("rotate", format!("{name}[..{len}].rotate_right({at});")),
            3 => ("sort", format!("{name}.sort_unstable_by(|a, b| b.abs().partial_cmp(&a.abs()).unwrap());")),
            4 => ("sort", format!("{name}[{at}..].sort_by(|a, b| a.partial_cmp(b).unwrap());")),
            _ => ("sort", format!("{name}.sort_by(|a, b| a.partial_cmp(b).unwrap());")),
        };
        self.writer.note(note);
        self.writer.text.line(line);
    }

    /// `y = v.remove(i);`, `y += v.pop().unwrap();`
    fn removed(&mut self, name: &str, len: usize, longer: &str, at: usize) {
        let scalars = self.writer.scope.writable(|var| var.kind == Kind::Float && var.is_scalar());
        let Some(place) = self.writer.place_among(&scalars) else { return self.reorder(name, len) };
        self.writer.note("remove");
        let (place, taken) = (place.text, self.writer.fresh("taken"));
        let statement = match self.writer.rng.below(3) {
            0 => format!("{place} = {name}.remove({at});"),
            1 => format!("{place} += {name}.pop().unwrap();"),
            _ => format!("let {taken} = {name}.swap_remove({at}); {place} *= 0.5 * {taken};"),
        };
        self.writer.text.line(format!("{longer} {{ {statement} }}"));
    }

    /// `while let Some(e) = rest.pop() { .. }`
    fn used_up(&mut self, name: &str, len: usize) {
        let scalars = self.writer.scope.writable(|var| var.kind == Kind::Float && var.is_scalar());
        let Some(place) = self.writer.place_among(&scalars) else { return self.reorder(name, len) };
        self.writer.note("while let");
        let (rest, last) = (self.writer.fresh("rest"), self.writer.fresh("last"));
        self.writer.text.line(format!("let mut {rest} = {name}.clone();"));
        self.writer.text.open(format!("while let Some({last}) = {rest}.pop()"));
        self.writer.text.line(format!("{} = 0.5 * {} + 0.4 * {last}.sin();", place.text, place.text));
        self.writer.text.close();
    }
}
