//! Views: parts of a slice under a name of their own, while the slice itself cannot be named.

use super::blocks::{Form, Life};
use super::scope::{Access, Kind, Shape, Var, VarId};
use super::writer::Writer;

impl Writer<'_> {
    /// Changes an element of one of the views.
    pub(super) fn change_view(&mut self, vars: &[VarId]) {
        let Some(place) = self.place_among(vars) else { return };
        match self.scope.vars[place.root].kind {
            Kind::Float if self.config.floats => self.float_update(place),
            Kind::Float => self.negation(place),
            Kind::Int => self.int_update(place),
            Kind::Bool | Kind::Index => self.bool_update(place),
        };
    }

    /// `let part = &mut x[1..4];` or `let (left, right) = x.split_at_mut(3);`
    pub(super) fn open_view(&mut self) -> Option<Life> {
        let roots = self.scope.writable(|var| var.len() >= 3);
        if roots.is_empty() {
            return None;
        }
        let root = self.rng.pick(&roots);
        let (len, kind) = (self.scope.vars[root].len(), self.scope.vars[root].kind);
        let root_name = self.scope.name(root).to_string();
        let view = |name: &str, len: usize| Var::new(name, kind).slice(len).exclusive();
        let vars = if self.rng.chance(40) {
            self.note("split_at_mut");
            let (left, right) = (self.fresh("left"), self.fresh("right"));
            let middle = self.rng.between(1, len - 1);
            self.text.line(format!("let ({left}, {right}) = {root_name}.split_at_mut({middle});"));
            [view(&left, middle), view(&right, len - middle)].map(|var| self.declare_part(root, var)).to_vec()
        } else {
            self.note("view");
            let name = self.fresh("view");
            let start = self.rng.below(len - 1);
            let end = self.rng.between(start + 1, len);
            // An open end reaches as far as the slice does, which is at least `len`.
            let (range, len) = match self.rng.below(4) {
                0 => (format!("{start}.."), len - start),
                1 => (format!("..{end}"), end),
                _ => (format!("{start}..{end}"), end - start),
            };
            self.text.line(format!("let {name} = &mut {root_name}[{range}];"));
            vec![self.declare_part(root, view(&name, len))]
        };
        self.scope.vars[root].hidden += 1;
        Some(Life { vars, form: Form::View, frozen: Vec::new(), hidden: vec![root] })
    }

    /// Declares a view that shows a part of `root`.
    pub(super) fn declare_part(&mut self, root: VarId, var: Var) -> VarId {
        let var = var.part_of(root, &self.scope);
        self.scope.declare(var)
    }

    /// Declares a read-only view as a name.
    pub(super) fn declare_shared_slice(&mut self, name: &str, kind: Kind, len: usize, mark: usize) -> VarId {
        let id = self.name_value(name, kind, mark);
        let var = &mut self.scope.vars[id];
        (var.shape, var.access) = (Shape::Slice(len), Access::Shared);
        id
    }
}
