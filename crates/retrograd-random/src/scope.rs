//! The names in reach, and what may be done with each: the bookkeeping behind the language's rules.
//!
//! Whoever needs a variable to keep its value (a condition around a body, a `let` during its life, an ancilla until it
//! is undone) *freezes* it. A statement changes only what nobody has frozen, so the rules hold by construction.

/// A variable of the function being written, by its place in [`Scope::vars`].
pub(super) type VarId = usize;

/// The type of a scalar, or of the elements of a slice or stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `f64`, or `T` in a generic helper.
    Float,
    /// `i64`
    Int,
    Bool,
    /// `usize`
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar,
    /// A slice or array with at least this many elements, and never more than six.
    Slice(usize),
}

/// How the name holds its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Owned,
    /// `&`
    Shared,
    /// `&mut`
    Exclusive,
}

/// Where the value of a float ancilla is known to lie, which decides the bijections that are safe for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    Anywhere,
    /// Between -1 and 1.
    Unit,
    /// Between 1/e and e.
    Positive,
    /// The image of [`Range::Unit`] under the bijection of this name.
    Image(&'static str),
}

#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) shape: Shape,
    pub(super) access: Access,
    /// Whether some statement may change it, when it is not frozen.
    pub(super) changeable: bool,
    /// For a name that stands for a value: the changeable variables that the value was computed from.
    pub(super) sources: Vec<VarId>,
    /// How many owners need it to keep its value.
    pub(super) frozen: usize,
    /// How many views or loops hold it exclusively.
    pub(super) hidden: usize,
    /// For an index: values are less than this.
    pub(super) below: usize,
    /// For an index: values are less than the length of this slice.
    pub(super) below_len: Option<VarId>,
    pub(super) range: Range,
    /// Whether a slice statement may read it although it is no member of the pool (see [`Scope::pool`]).
    pub(super) pooled: bool,
    /// For a view or an element lent by a loop: the variable that holds what it shows.
    pub(super) origin: Option<VarId>,
    /// How a read is written, where that is not the name itself.
    pub(super) spelling: Option<String>,
    /// Whether an inner name may take its place.
    pub(super) shadowable: bool,
}

impl Var {
    pub(super) fn new(name: impl Into<String>, kind: Kind) -> Self {
        Var {
            name: name.into(),
            kind,
            shape: Shape::Scalar,
            access: Access::Owned,
            changeable: false,
            sources: Vec::new(),
            frozen: 0,
            hidden: 0,
            below: 0,
            below_len: None,
            range: Range::Anywhere,
            pooled: false,
            origin: None,
            spelling: None,
            shadowable: false,
        }
    }

    pub(super) fn slice(self, len: usize) -> Self {
        Var { shape: Shape::Slice(len), ..self }
    }

    pub(super) fn shared(self) -> Self {
        Var { access: Access::Shared, ..self }
    }

    pub(super) fn exclusive(self) -> Self {
        Var { access: Access::Exclusive, changeable: true, ..self }
    }

    pub(super) fn changeable(self) -> Self {
        Var { changeable: true, ..self }
    }

    pub(super) fn below(self, bound: usize) -> Self {
        Var { below: bound, ..self }
    }

    pub(super) fn shadowable(self) -> Self {
        Var { shadowable: true, ..self }
    }

    pub(super) fn computed_from(self, sources: Vec<VarId>) -> Self {
        Var { sources, ..self }
    }

    /// Part of what `root` shows or holds.
    pub(super) fn part_of(self, root: VarId, scope: &Scope) -> Self {
        Var { origin: Some(scope.origin(root)), ..self }
    }

    pub(super) fn is_scalar(&self) -> bool {
        self.shape == Shape::Scalar
    }

    /// The number of elements that a slice has for certain.
    pub(super) fn len(&self) -> usize {
        match self.shape {
            Shape::Scalar => 0,
            Shape::Slice(len) => len,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) vars: Vec<Var>,
    visible: Vec<VarId>,
    /// Roots that the expression being written must not read: the targets of its statement.
    pub(super) banned: Vec<VarId>,
    /// While a statement is written that an ancilla's undoing will repeat: the changeable variables it may read, all frozen until then.
    pub(super) pool: Option<Vec<VarId>>,
    /// Every variable read so far, in order: take the tail since a mark to know what one piece of text reads.
    pub(super) reads: Vec<VarId>,
    /// Every root changed so far.
    pub(super) writes: Vec<VarId>,
}

impl Scope {
    pub(super) fn declare(&mut self, var: Var) -> VarId {
        let id = self.vars.len();
        // Shadowing: the older variable of this name comes back when the block is left.
        let vars = &self.vars;
        self.visible.retain(|&older| vars[older].name != var.name);
        self.vars.push(var);
        self.visible.push(id);
        id
    }

    pub(super) fn enter(&self) -> Vec<VarId> {
        self.visible.clone()
    }

    pub(super) fn leave(&mut self, outer: Vec<VarId>) {
        self.visible = outer;
    }

    /// Ends the life of a name.
    pub(super) fn kill(&mut self, id: VarId) {
        self.visible.retain(|&other| other != id);
    }

    pub(super) fn is_readable(&self, id: VarId) -> bool {
        self.vars[id].hidden == 0 && !self.banned.contains(&id) && self.in_pool(id)
    }

    fn in_pool(&self, id: VarId) -> bool {
        let Some(pool) = &self.pool else { return true };
        let var = &self.vars[id];
        let settled = |id: &VarId| pool.contains(id) || self.vars[*id].pooled;
        if var.changeable { settled(&id) } else { var.sources.iter().all(settled) }
    }

    /// The names in reach that can be read here and satisfy `wanted`.
    pub(super) fn readable(&self, wanted: impl Fn(&Var) -> bool) -> Vec<VarId> {
        let is_wanted = |id: &VarId| self.is_readable(*id) && wanted(&self.vars[*id]);
        self.visible.iter().copied().filter(is_wanted).collect()
    }

    /// The names in reach that can be changed here and satisfy `wanted`.
    pub(super) fn writable(&self, wanted: impl Fn(&Var) -> bool) -> Vec<VarId> {
        let is_wanted = |id: &VarId| {
            let var = &self.vars[*id];
            var.changeable && var.frozen == 0 && var.hidden == 0 && !self.banned.contains(id) && wanted(var)
        };
        self.visible.iter().copied().filter(is_wanted).collect()
    }

    /// What must keep its value for something computed from `reads` to keep its own.
    pub(super) fn sources(&self, reads: &[VarId]) -> Vec<VarId> {
        let mut sources = Vec::new();
        for &id in reads {
            let var = &self.vars[id];
            if var.changeable {
                sources.push(id);
            } else {
                sources.extend(&var.sources);
            }
        }
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// The sources of everything read since `mark`, a former length of `self.reads`.
    pub(super) fn sources_since(&self, mark: usize) -> Vec<VarId> {
        self.sources(&self.reads[mark..])
    }

    fn origin(&self, id: VarId) -> VarId {
        self.vars[id].origin.unwrap_or(id)
    }

    /// The sources of `reads` that outlive the compound statement which has just been written: for a part of an older
    /// variable, that variable.
    pub(super) fn older_sources(&self, reads: &[VarId]) -> Vec<VarId> {
        let visible = |id: VarId| if self.visible.contains(&id) { id } else { self.origin(id) };
        let mut older: Vec<VarId> = self.sources(reads).into_iter().map(visible).collect();
        older.retain(|id| self.visible.contains(id));
        older.sort_unstable();
        older.dedup();
        older
    }

    /// All variables that hold or show parts of what one of `ids` does: to change one is to change the root of all.
    pub(super) fn aliases(&self, ids: &[VarId]) -> Vec<VarId> {
        let origins: Vec<VarId> = ids.iter().map(|&id| self.origin(id)).collect();
        (0..self.vars.len()).filter(|&id| origins.contains(&self.origin(id))).collect()
    }

    /// Keeps `ids` and their aliases as they are. No alias can be added before they thaw, because that takes a root that is not frozen.
    pub(super) fn freeze(&mut self, ids: &[VarId]) {
        for &id in ids {
            for alias in self.aliases(&[id]) {
                self.vars[alias].frozen += 1;
            }
        }
    }

    pub(super) fn thaw(&mut self, ids: &[VarId]) {
        for &id in ids {
            for alias in self.aliases(&[id]) {
                self.vars[alias].frozen -= 1;
            }
        }
    }

    pub(super) fn shadowable_names(&self) -> Vec<String> {
        let names = self.visible.iter().map(|&id| &self.vars[id]).filter(|var| var.shadowable);
        names.map(|var| var.name.clone()).collect()
    }

    pub(super) fn name(&self, id: VarId) -> &str {
        &self.vars[id].name
    }
}
