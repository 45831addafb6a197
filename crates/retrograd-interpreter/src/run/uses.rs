//! Which variables a statement mentions, and which it changes.

use std::collections::BTreeSet;

use retrograd_compiler::ir::{
    Adapter, ArgKind, Block, Expr, ExprKind, Iter, Permutation, Place, Program, Source, Stmt, VarId, VarKind,
};

/// A set of variables.
pub(crate) type Vars = BTreeSet<VarId>;

/// What a statement has to do with variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// Everything that it reads or changes; of a view, what it is a view of as well.
    pub(crate) mentions: Vars,
    /// What it changes.
    pub(crate) changes: Vars,
}

/// The variable that a change of this one changes, and all views on the way.
fn roots(program: &Program, var: VarId) -> Vec<VarId> {
    let (mut var, mut all) = (var, vec![var]);
    while let VarKind::View(place) | VarKind::Part(place) = &program.var(var).kind {
        var = place.root;
        all.push(var);
    }
    all
}

/// The variable that holds what is changed when this one is.
pub(crate) fn root(program: &Program, var: VarId) -> VarId {
    roots(program, var).last().copied().unwrap_or(var)
}

impl Uses {
    /// What a statement has to do with variables, all that is inside it included.
    pub(crate) fn of(program: &Program, stmt: &Stmt) -> Uses {
        let mut uses = Uses::default();
        stmt.walk(&mut |stmt| uses.add_own(program, stmt));
        uses
    }

    /// The same of its own expressions and places alone.
    pub(crate) fn of_head(program: &Program, stmt: &Stmt) -> Uses {
        let mut uses = Uses::default();
        uses.add_own(program, stmt);
        uses
    }

    fn mention(&mut self, program: &Program, var: VarId) {
        self.mentions.extend(roots(program, var));
    }

    fn read(&mut self, program: &Program, e: &Expr) {
        e.walk(&mut |e| {
            if let ExprKind::Var(var) = e.kind {
                self.mention(program, var);
            }
        });
    }

    fn change(&mut self, program: &Program, place: &Place) {
        self.look(program, place);
        self.changes.insert(root(program, place.root));
    }

    fn look(&mut self, program: &Program, place: &Place) {
        self.mention(program, place.root);
        place.indices().for_each(|index| self.read(program, index));
    }

    fn iterate(&mut self, program: &Program, iter: &Iter) {
        match &iter.source {
            Source::Range { start, end, .. } => [start, end].into_iter().for_each(|e| self.read(program, e)),
            Source::Value(e) | Source::Elements(e) => self.read(program, e),
            Source::Chunks(e, size) | Source::Windows(e, size) => {
                [e, size].into_iter().for_each(|e| self.read(program, e));
            }
            // The body changes what it goes through, if anything does.
            Source::ElementsMut(place) => self.look(program, place),
            Source::ChunksMut(place, size) => {
                self.look(program, place);
                self.read(program, size);
            }
        }
        for adapter in &iter.adapters {
            match adapter {
                Adapter::StepBy(e) | Adapter::Skip(e) => self.read(program, e),
                Adapter::Zip(other) => self.iterate(program, other),
                Adapter::Rev | Adapter::Enumerate | Adapter::Copied(_) => {}
            }
        }
    }

    fn add_own(&mut self, program: &Program, stmt: &Stmt) {
        match stmt {
            Stmt::Update(s) => {
                self.change(program, &s.target);
                self.read(program, &s.operand);
            }
            Stmt::Flip(s) => self.change(program, &s.target),
            Stmt::Map(s) => self.change(program, &s.target),
            Stmt::Swap(s) => [&s.a, &s.b].into_iter().for_each(|place| self.change(program, place)),
            Stmt::Permute(s) => {
                self.change(program, &s.target);
                match &s.permutation {
                    Permutation::Swap(a, b) => [a, b].into_iter().for_each(|e| self.read(program, e)),
                    Permutation::RotateLeft(k) | Permutation::RotateRight(k) => self.read(program, k),
                    Permutation::Reverse => {}
                }
            }
            Stmt::Call(s) => s.args.iter().for_each(|arg| match &arg.kind {
                ArgKind::Change(place) => self.change(program, place),
                ArgKind::Borrow(place) => self.look(program, place),
                ArgKind::Value(e) => self.read(program, e),
                ArgKind::Host(var) => self.mention(program, *var),
            }),
            Stmt::Begin(s) | Stmt::End(s) => {
                self.read(program, &s.value);
                s.pattern.bindings().into_iter().for_each(|var| self.mention(program, var));
            }
            Stmt::If(s) => {
                self.read(program, &s.condition.pre);
                s.condition.post.iter().for_each(|post| self.read(program, post));
            }
            Stmt::Match(s) => {
                self.read(program, &s.scrutinee);
                s.arms.iter().filter_map(|arm| arm.guard.as_ref()).for_each(|guard| self.read(program, guard));
            }
            Stmt::While(s) => [&s.pre, &s.post].into_iter().for_each(|e| self.read(program, e)),
            Stmt::Loop(s) => s.condition.iter().chain(&s.until).for_each(|e| self.read(program, e)),
            Stmt::For(s) => self.iterate(program, &s.iter),
            Stmt::Assign(s) => {
                self.change(program, &s.target);
                self.read(program, &s.value);
            }
            Stmt::Host(s) => s.reads.iter().for_each(|var| self.mention(program, *var)),
            Stmt::Keep(s) | Stmt::Restore(s) => self.change(program, &s.place),
            Stmt::Give(s) => self.read(program, &s.value),
            Stmt::Exit(_)
            | Stmt::Recompute(_)
            | Stmt::Block(_)
            | Stmt::Conjugate(_)
            | Stmt::Unchecked(_)
            | Stmt::Inverse(_)
            | Stmt::Check(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => {}
        }
    }
}

/// The variables that begin inside a statement.
pub(crate) fn inner(stmt: &Stmt) -> Vars {
    let mut inner = Vars::new();
    let mut begins = |stmt: &Stmt| match stmt {
        Stmt::Begin(s) => inner.extend(s.pattern.bindings()),
        Stmt::For(s) => inner.extend(s.pattern.bindings()),
        Stmt::Match(s) => inner.extend(s.arms.iter().flat_map(|arm| arm.pattern.bindings())),
        Stmt::If(s) => inner.extend(s.condition.pre.binds()),
        _ => {}
    };
    match stmt {
        Stmt::Unchecked(inside) | Stmt::Inverse(inside) => inside.walk(&mut begins),
        _ => {
            begins_of_head(stmt, &mut begins);
            stmt.blocks().into_iter().for_each(|block: &Block| block.walk(&mut begins));
        }
    }
    inner
}

/// The names of a loop or a branch are its own; those of a `let` are those of its block.
fn begins_of_head(stmt: &Stmt, begins: &mut dyn FnMut(&Stmt)) {
    if !matches!(stmt, Stmt::Begin(_)) {
        begins(stmt);
    }
}
