//! Indices that are always in range, and pairs of them that always differ.

use super::scope::{Kind, VarId};
use super::text::Expr;
use super::writer::Writer;

/// An index into a slice, with what is known of its value.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) text: String,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Constant(usize),
    Variable(VarId),
    Other,
}

impl Index {
    fn constant(value: usize) -> Self {
        Index { text: value.to_string(), form: Form::Constant(value) }
    }

    fn other(text: String) -> Self {
        Index { text, form: Form::Other }
    }
}

impl Writer<'_> {
    /// An index into `slice`.
    pub(super) fn index(&mut self, slice: VarId) -> Index {
        let len = self.scope.vars[slice].len();
        let fitting = self.scope.readable(|var| {
            var.kind == Kind::Index
                && var.is_scalar()
                && (0 < var.below && var.below <= len || var.below_len == Some(slice))
        });
        let any = self.scope.readable(|var| var.kind == Kind::Index && var.is_scalar());
        match self.rng.below(10) {
            0..=4 if !fitting.is_empty() => {
                let id = self.rng.pick(&fitting);
                let text = self.read(id).operand();
                Index { text, form: Form::Variable(id) }
            }
            5 if !any.is_empty() => {
                let id = self.rng.pick(&any);
                let variable = self.read(id).operand();
                match self.rng.below(2) {
                    0 => Index::other(format!("{variable} % {len}")),
                    _ => Index::other(format!("({variable} + {}) % {len}", self.rng.between(1, 5))),
                }
            }
            6 => match self.scope.readable(|var| var.kind == Kind::Index && 0 < var.below && var.below <= len) {
                bounded if !bounded.is_empty() => {
                    let id = self.rng.pick(&bounded);
                    Index::other(format!("{} - {}", len - 1, self.read(id).operand()))
                }
                _ => Index::constant(self.rng.below(len)),
            },
            7 => {
                let integers = self.scope.readable(|var| var.kind == Kind::Int);
                if integers.is_empty() {
                    return Index::constant(self.rng.below(len));
                }
                self.note("index from data");
                let id = self.rng.pick(&integers);
                let value = self.plain_element(id);
                Index::other(format!("{}.rem_euclid({len}) as usize", value.receiver()))
            }
            _ => Index::constant(self.rng.below(len)),
        }
    }

    /// A scalar, or an element at a constant index.
    pub(super) fn plain_element(&mut self, id: VarId) -> Expr {
        if self.scope.vars[id].is_scalar() {
            return self.read(id);
        }
        let len = self.scope.vars[id].len();
        self.scope.reads.push(id);
        Expr::atom(format!("{}[{}]", self.scope.name(id), self.rng.below(len)))
    }

    /// An index into `slice` that differs from `index` in every run, when there is a way to write one.
    pub(super) fn other_index(&mut self, slice: VarId, index: &Index) -> Option<Index> {
        let len = self.scope.vars[slice].len();
        if len < 2 {
            return None;
        }
        match index.form {
            Form::Constant(value) => Some(Index::constant((value + self.rng.between(1, len - 1)) % len)),
            Form::Variable(id) if self.scope.is_readable(id) => {
                let (below, name) = (self.scope.vars[id].below, self.scope.name(id).to_string());
                self.scope.reads.push(id);
                let text = if below < len && self.rng.chance(60) {
                    format!("{name} + 1")
                } else if below <= len {
                    format!("({name} + {}) % {len}", self.rng.between(1, len - 1))
                } else {
                    format!("({name} + 1) % {}.len()", self.scope.name(slice))
                };
                Some(Index::other(text))
            }
            Form::Variable(_) | Form::Other => None,
        }
    }

    /// An expression for a `usize` less than `bound`.
    pub(super) fn index_below(&mut self, bound: usize) -> Expr {
        let fitting = self
            .scope
            .readable(|var| var.kind == Kind::Index && 0 < var.below && var.below <= bound && var.is_scalar());
        let any = self.scope.readable(|var| var.kind == Kind::Index && var.is_scalar());
        match self.rng.below(4) {
            0 | 1 if !fitting.is_empty() => {
                let id = self.rng.pick(&fitting);
                self.read(id)
            }
            2 if !any.is_empty() => {
                let id = self.rng.pick(&any);
                let variable = self.read(id);
                Expr::loose(format!("({} + {}) % {bound}", variable.operand(), self.rng.below(4)))
            }
            _ => Expr::atom(self.rng.below(bound).to_string()),
        }
    }
}
