//! Which elements of its arguments a run of a kernel touches, by how their indices are written.
//!
//! The runs of a kernel happen at the same time. What a run changes has to be its own. What it only reads may be read by others as well, and
//! then their adjoints meet: how they are added up depends on which other runs read the same element, and [`Reach`] says that.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::effects::{Access, flattened, head_reads};
use super::index::Linear;
use super::{Context, counter};
use crate::ir::{
    Activity, Binding, BindingKind, Block, Expr, ExprKind, Known, Mode, Place, Program, Projection, Stmt, TypeKind,
    VarId, VarKind,
};

/// Which runs touch the same element as a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// No other: element `i`, or row `i` of so many elements each.
    Own,
    /// The run that is a fixed number of runs away touches it too, as its own: `i + 1`, `i + width`.
    Shifted,
    /// All of them, in the same iteration: the index does not depend on the run.
    Uniform,
    /// Any of them: the index depends on data.
    Elsewhere,
}

/// A part of an argument that each run touches.
#[derive(Clone, Debug)]
pub struct Touch {
    /// The part.
    pub access: Access,
    /// Whether it is changed.
    pub changed: bool,
    /// Which runs touch the same element.
    pub reach: Reach,
}

/// How far from its own a run touches an element that another run has to itself.
#[derive(Clone, Debug)]
pub enum Shift {
    /// As far as this index is from the number of the run, names in it replaced by what they stand for.
    Elements(Expr),
    /// So many rows.
    Rows(i128),
}

/// What a kernel touches of its arguments, in the order of its statements. The lengths of slices are not among it.
pub fn touches(program: &Program, index: VarId) -> Vec<Touch> {
    Reaches::of(program, index).touches()
}

/// Which elements of its arguments the runs of a kernel can reach.
pub struct Reaches<'p> {
    program: &'p Program,
    names: Names,
    /// With the bounds of loops resolved.
    context: Context<'p>,
    index: VarId,
    /// The size of the rows that each run has to itself.
    rows: BTreeMap<VarId, Linear>,
}

impl<'p> Reaches<'p> {
    /// Those of a program whose runs have that number.
    pub fn of(program: &'p Program, index: VarId) -> Reaches<'p> {
        let names = Names::of(&program.body);
        let resolved = program.with_body(names.resolve_block(&program.body));
        let context = Context::new(&resolved).with(&program.vars);
        let mut reaches = Reaches { program, names, context, index, rows: BTreeMap::new() };
        let mut rows: BTreeMap<VarId, Linear> = BTreeMap::new();
        for (access, _) in reaches.accesses() {
            if let Some((size, _)) = reaches.row(&access) {
                rows.entry(access.place.root).or_insert(size);
            }
        }
        reaches.rows = rows;
        reaches
    }

    /// The parts of arguments that are read, and those that are changed.
    fn accesses(&self) -> Vec<(Access, bool)> {
        let effects = Context::new(self.program).block_effects(&self.program.body);
        let is_argument = |access: &Access| self.program.params.iter().any(|param| param.var == access.place.root);
        let reads = effects.reads.into_iter().filter(|read| !read.shape).map(|read| (read, false));
        let writes = effects.writes.into_iter().map(|write| (write, true));
        reads.chain(writes).filter(|(access, _)| is_argument(access)).collect()
    }

    /// What is touched, in the order of the statements.
    pub fn touches(&self) -> Vec<Touch> {
        let touch = |(access, changed): (Access, bool)| Touch { reach: self.reach(&access), access, changed };
        self.accesses().into_iter().map(touch).collect()
    }

    /// A place, views replaced by what they are views of.
    pub fn access(&self, place: &Place) -> Access {
        let access = self.context.access(place, false);
        let path = flattened(self.context.vars, &access.place.path);
        Access { place: Rc::new(Place { path, ..(*access.place).clone() }), ..access }
    }

    /// Which runs touch the same element.
    pub fn reach(&self, access: &Access) -> Reach {
        let size = self.rows.get(&access.place.root);
        let same = |other: &Linear| size.is_none_or(|size| size == other);
        if let Some((_, ahead)) = self.row(access).filter(|(size, _)| same(size)) {
            return if ahead == 0 { Reach::Own } else { Reach::Shifted };
        }
        let single = size.is_none_or(|size| size.is(1));
        if let Some(index) = self.index_of(access)
            && let Some(ahead) = self.context.ahead_of_turn(&index, self.index)
            && single
            && ahead.terms().all(|term| self.is_fixed(term))
        {
            return Reach::Shifted;
        }
        let whole = access.place.indices().next().is_none();
        let uniform = access.place.indices().all(|index| self.is_uniform(&self.names.resolve(index)));
        if uniform && !(whole && self.is_slice(access.place.root)) { Reach::Uniform } else { Reach::Elsewhere }
    }

    /// How far away an element is that is [`Reach::Shifted`].
    pub fn shift(&self, access: &Access) -> Option<Shift> {
        match self.row(access) {
            Some((size, ahead)) if !size.is(1) => Some(Shift::Rows(ahead)),
            row => {
                let index = self.index_of(access)?;
                let mut counted = false;
                index.walk(&mut |e| counted |= matches!(e.kind, ExprKind::Var(var) if self.context.counts(var)));
                if counted { row.map(|(_, ahead)| Shift::Rows(ahead)) } else { Some(Shift::Elements(index)) }
            }
        }
    }

    /// Whether it is the element with the number of the run, or a part of that.
    pub(super) fn is_of_run(&self, access: &Access) -> bool {
        self.index_of(access).is_some_and(|index| index.kind == ExprKind::Var(self.index))
    }

    /// The expression with the values that names in it stand for.
    pub(super) fn resolved(&self, e: &Expr) -> Expr {
        self.names.resolve(e)
    }

    /// The number of elements in the row of each run, if the index is one of that row.
    pub(super) fn size_of_row(&self, index: &Expr) -> Option<usize> {
        let block = self.context.block_of_turn(index, self.index).filter(|block| block.ahead == 0)?;
        usize::try_from(block.size.as_number()?).ok()
    }

    /// Whether a value depends on nothing but arguments that no run changes.
    pub(super) fn is_of_arguments(&self, e: &Expr) -> bool {
        let read_only =
            |var: &VarId| self.program.params.iter().any(|param| param.var == *var && param.mode != Mode::Change);
        let mut fixed = true;
        e.walk(&mut |e| match &e.kind {
            ExprKind::Var(var) => fixed &= read_only(var),
            ExprKind::Range { .. } => fixed = false,
            _ => {}
        });
        fixed
    }

    /// The size of the rows that an access stays within, and how many rows it is ahead of its own.
    fn row(&self, access: &Access) -> Option<(Linear, i128)> {
        let block = self.context.block_of_turn(&self.index_of(access)?, self.index)?;
        let fixed = block.size.terms().all(|term| self.is_fixed(term));
        fixed.then_some((block.size, block.ahead))
    }

    /// The index of an element of the argument itself.
    pub(super) fn index_of(&self, access: &Access) -> Option<Expr> {
        let mut steps = access.place.path.iter().skip_while(|step| **step == Projection::Deref);
        match steps.next()? {
            Projection::Index(index) => Some(self.names.resolve(index)),
            Projection::Deref | Projection::Field(_) | Projection::Some => None,
        }
    }

    fn is_slice(&self, var: VarId) -> bool {
        let ty = self.program.var(var).ty.as_ref();
        ty.is_some_and(|ty| matches!(ty.pointee().kind, TypeKind::Slice(_)))
    }

    /// Whether a value is the same in all runs, where they are in the same iterations of their loops.
    pub fn is_even(&self, e: &Expr) -> bool {
        self.is_uniform(&self.names.resolve(e))
    }

    /// Whether a value is the same in all runs, and in all iterations of their loops.
    fn is_fixed(&self, e: &Expr) -> bool {
        let mut counted = false;
        e.walk(&mut |e| counted |= matches!(e.kind, ExprKind::Var(var) if self.context.counts(var)));
        !counted && self.is_uniform(e)
    }

    /// Whether a value is the same in all runs, where they are in the same iterations of their loops.
    fn is_uniform(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) | ExprKind::Path(_) => true,
            ExprKind::Var(var) => match self.names.heads.get(var) {
                Some(head) => head.iter().all(|e| self.is_uniform(e)),
                None => self.is_constant(*var),
            },
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..) | ExprKind::Range { .. } => {
                e.children().into_iter().all(|child| self.is_uniform(child))
            }
            ExprKind::Method { receiver, method, .. } if method.known == Some(Known::Shape) => {
                matches!(receiver.kind, ExprKind::Var(var) if matches!(self.program.var(var).kind, VarKind::Param(_)))
            }
            _ => false,
        }
    }

    /// Whether it is an argument that is the same for all runs, and no derivative flows through it.
    fn is_constant(&self, var: VarId) -> bool {
        let entry = self.program.var(var);
        var != self.index && entry.kind == VarKind::Param(Mode::Value) && entry.activity != Activity::Active
    }
}

/// What the names in indices stand for.
#[derive(Default)]
struct Names {
    /// The values of lets.
    lets: HashMap<VarId, Expr>,
    /// What the ranges are made of that loop counters go through.
    heads: HashMap<VarId, Vec<Expr>>,
}

impl Names {
    fn of(block: &Block) -> Names {
        let mut names = Names::default();
        names.collect(block);
        names
    }

    fn collect(&mut self, block: &Block) {
        for stmt in &block.stmts {
            let mut inner = stmt;
            while let Stmt::Unchecked(s) | Stmt::Inverse(s) = inner {
                inner = s;
            }
            match inner {
                Stmt::Begin(Binding { kind: BindingKind::Let, pattern, value, .. }) => {
                    let value = self.resolve(value);
                    self.lets.extend(pattern.as_var().map(|var| (var, value)));
                }
                Stmt::For(f) => {
                    let head = head_reads(&f.iter).into_iter().map(|e| self.resolve(e)).collect();
                    self.heads.extend(counter(f).map(|var| (var, head)));
                }
                _ => {}
            }
            stmt.blocks().into_iter().for_each(|block| self.collect(block));
        }
    }

    /// The expression with the values that the names in it stand for. They are the same as long as the names live.
    fn resolve(&self, e: &Expr) -> Expr {
        e.rewritten(&|e| self.value(e))
    }

    fn resolve_block(&self, block: &Block) -> Block {
        block.rewritten(&|e| self.value(e))
    }

    fn value(&self, e: &Expr) -> Option<Expr> {
        match e.kind {
            ExprKind::Var(var) => self.lets.get(&var).cloned(),
            _ => None,
        }
    }
}
