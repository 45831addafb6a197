//! Calls: of helper functions inside expressions, and of helper procedures forwards and backwards as statements.

use super::scope::{Access, Kind, Shape, VarId};
use super::text::Expr;
use super::writer::{Param, Writer};

/// The arguments of one call so far: which roots it changes, and at which constant index.
type Changed = Vec<(VarId, Option<usize>)>;

impl Writer<'_> {
    /// A call of a function with one result of this kind.
    pub(super) fn function_call(&mut self, kind: Kind, depth: usize) -> Option<Expr> {
        let fitting = |results: &[Kind]| results == [kind];
        let call = self.call_of_function(fitting, depth)?;
        self.note("function call");
        Some(Expr::atom(call.0))
    }

    /// A call of a function whose results are `fitting`, and the kinds of these results.
    pub(super) fn call_of_function(
        &mut self,
        fitting: impl Fn(&[Kind]) -> bool,
        depth: usize,
    ) -> Option<(String, Vec<Kind>)> {
        if !self.may_call() {
            return None;
        }
        let functions: Vec<_> = self.items.functions.iter().filter(|function| fitting(&function.results)).collect();
        if functions.is_empty() {
            return None;
        }
        let function = self.rng.pick(&functions);
        let mut arguments = Vec::new();
        let mut shared = None;
        for param in &function.params {
            arguments.push(self.read_argument(param, depth.saturating_sub(1).min(1), &mut shared)?);
        }
        Some((format!("{}({})", function.name, arguments.join(", ")), function.results.clone()))
    }

    /// An argument that is only read. `shared` is a slice that an earlier argument of the call reads: `f(&x, &x)`.
    fn read_argument(&mut self, param: &Param, depth: usize, shared: &mut Option<VarId>) -> Option<String> {
        match (param.shape, param.access) {
            (Shape::Scalar, Access::Owned) => Some(match param.kind {
                Kind::Index => self.index_below(3).text,
                kind => self.expression(kind, depth).text,
            }),
            (Shape::Scalar, _) => self.shared_scalar(param.kind),
            (Shape::Slice(len), _) => {
                let slices = self.scope.readable(|var| var.kind == param.kind && var.len() >= len.max(1));
                if slices.is_empty() {
                    return None;
                }
                let id = match *shared {
                    Some(id) if slices.contains(&id) && self.rng.chance(50) => {
                        self.note("one slice twice in a call");
                        id
                    }
                    _ => self.rng.pick(&slices),
                };
                *shared = Some(id);
                Some(self.lend_part(id, len))
            }
        }
    }

    /// `&x`, or now and then `&x[a..b]` with at least `len` elements.
    fn lend_part(&mut self, id: VarId, len: usize) -> String {
        let available = self.scope.vars[id].len();
        if available > len && self.rng.chance(25) {
            self.note("view argument");
            self.scope.reads.push(id);
            let start = self.rng.below(available - len + 1);
            return format!("&{}[{start}..{}]", self.scope.name(id), self.rng.between(start + len, available));
        }
        self.lend(id)
    }

    /// Writes a call of a procedure, forwards or backwards. With `targets`, those are all that it changes.
    pub(super) fn procedure_call(&mut self, targets: Option<&[VarId]>) -> bool {
        if !self.may_call() || self.turns > 6 || self.items.procedures.is_empty() {
            return false;
        }
        let procedure = self.rng.pick(&self.items.procedures);
        let Some((arguments, changed)) = self.procedure_arguments(&procedure.params, targets) else { return false };
        let name = &procedure.name;
        let forms = if self.text.ends_in_attribute() { 6 } else { 7 };
        match self.rng.below(forms) {
            0..=2 => {
                self.note("call");
                self.text.line(format!("{name}({arguments});"));
            }
            3..=5 => {
                self.note("uncall");
                self.text.line(format!("{name}::uncall({arguments});"));
            }
            _ => {
                self.note("inverse on a call");
                self.text.line("#[inverse]");
                self.text.line(format!("{name}({arguments});"));
            }
        }
        self.scope.writes.extend(changed);
        true
    }

    /// Arguments that keep rule 1: what one of them changes, no other one reads or changes.
    pub(super) fn procedure_arguments(
        &mut self,
        params: &[Param],
        targets: Option<&[VarId]>,
    ) -> Option<(String, Vec<VarId>)> {
        let mut texts = vec![String::new(); params.len()];
        let mut changed = Changed::new();
        for (position, param) in params.iter().enumerate().filter(|(_, param)| param.is_changed()) {
            texts[position] = match param.shape {
                Shape::Scalar => self.changed_scalar(param.kind, targets, &mut changed)?,
                Shape::Slice(len) => self.changed_slice(param.kind, len, targets, &mut changed)?,
            };
        }
        let mut roots: Vec<VarId> = changed.iter().map(|(root, _)| *root).collect();
        roots.extend(targets.unwrap_or_default());
        let mut shared = None;
        for (position, param) in params.iter().enumerate().filter(|(_, param)| !param.is_changed()) {
            if let Some(element) = self.shared_neighbour(param, &changed) {
                texts[position] = element;
                continue;
            }
            texts[position] = self.without(&roots, |w| w.read_argument(param, 1, &mut shared))?;
        }
        roots.truncate(changed.len());
        Some((texts.join(", "), roots))
    }

    fn candidates(&self, targets: Option<&[VarId]>, kind: Kind) -> Vec<VarId> {
        match targets {
            Some(targets) => targets.iter().copied().filter(|&id| self.scope.vars[id].kind == kind).collect(),
            None => self.scope.writable(|var| var.kind == kind),
        }
    }

    /// `&mut s` or `&mut x[2]`, apart from everything in `changed`, which it joins.
    fn changed_scalar(&mut self, kind: Kind, targets: Option<&[VarId]>, changed: &mut Changed) -> Option<String> {
        let mut candidates = self.candidates(targets, kind);
        candidates.retain(|&id| {
            let is_slice = !self.scope.vars[id].is_scalar();
            changed.iter().all(|&(root, index)| root != id || is_slice && index.is_some())
        });
        if candidates.is_empty() {
            return None;
        }
        let id = self.rng.pick(&candidates);
        if self.scope.vars[id].is_scalar() {
            changed.push((id, None));
            return Some(self.lend_exclusively(id));
        }
        let taken = |index: usize| changed.contains(&(id, Some(index)));
        let free: Vec<usize> = (0..self.scope.vars[id].len()).filter(|&index| !taken(index)).collect();
        if free.is_empty() {
            return None;
        }
        if free.len() < self.scope.vars[id].len() {
            self.note("elements of one slice in a call");
        } else if self.rng.chance(40) {
            // The only argument from this slice: any index will do, if it reads nothing that the call changes.
            let mut roots: Vec<VarId> = changed.iter().map(|(root, _)| *root).collect();
            roots.push(id);
            roots.extend(targets.map_or_else(|| self.scope.writable(|_| true), <[VarId]>::to_vec));
            let index = self.apart_from(&roots, |w| w.index(id));
            changed.push((id, None));
            return Some(format!("&mut {}[{}]", self.scope.name(id), index.text));
        }
        let index = self.rng.pick(&free);
        changed.push((id, Some(index)));
        Some(format!("&mut {}[{index}]", self.scope.name(id)))
    }

    /// `x` or `&mut x[1..4]`, apart from everything in `changed`, which it joins.
    fn changed_slice(
        &mut self,
        kind: Kind,
        len: usize,
        targets: Option<&[VarId]>,
        changed: &mut Changed,
    ) -> Option<String> {
        let mut candidates = self.candidates(targets, kind);
        candidates.retain(|&id| self.scope.vars[id].len() >= len && changed.iter().all(|&(root, _)| root != id));
        if candidates.is_empty() {
            return None;
        }
        let id = self.rng.pick(&candidates);
        changed.push((id, None));
        let available = self.scope.vars[id].len();
        if available > len && self.rng.chance(30) {
            self.note("view argument");
            let start = self.rng.below(available - len + 1);
            let end = self.rng.between(start + len, available);
            return Some(format!("&mut {}[{start}..{end}]", self.scope.name(id)));
        }
        Some(self.lend_exclusively(id))
    }

    /// Now and then, for a parameter `&T`: another element of a slice that the call changes at constant indices only.
    fn shared_neighbour(&mut self, param: &Param, changed: &Changed) -> Option<String> {
        if param.shape != Shape::Scalar || param.access != Access::Shared || !self.rng.chance(50) {
            return None;
        }
        let (id, _) = *changed.iter().find(|&&(root, index)| {
            index.is_some() && self.scope.vars[root].kind == param.kind && self.scope.vars[root].changeable
        })?;
        let is_free =
            |index: &usize| changed.iter().all(|&(root, taken)| root != id || taken.is_some_and(|t| t != *index));
        let free: Vec<usize> = (0..self.scope.vars[id].len()).filter(is_free).collect();
        if free.is_empty() || !self.scope.is_readable(id) {
            return None;
        }
        self.note("elements of one slice in a call");
        self.scope.reads.push(id);
        Some(format!("&{}[{}]", self.scope.name(id), self.rng.pick(&free)))
    }
}
