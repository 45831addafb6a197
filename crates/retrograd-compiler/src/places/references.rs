//! A shared reference to what is changed behind it becomes what it refers to: an adjoint run uses it again after that change. So do
//! the parts of a tuple of references.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use crate::analysis::Context;
use crate::derivative::Shadows;
use crate::diagnostics::Diagnostics;
use crate::ir::{
    Binding, BindingKind, Block, Expr, ExprKind, Member, Pattern, PatternKind, Place, Program, Projection, Run, Stmt,
    VarId, VarKind,
};

/// The program without the references that some run could not hold; `None` if it has none of them.
pub(super) fn replace(program: &Program) -> Option<Program> {
    let context = Context::new(program);
    let diagnostics = Diagnostics::default();
    let shadows = Shadows::new(program, Run::Values, &diagnostics);
    let mut search = Search { context: &context, shadows, names: Names::default(), told: BTreeSet::new() };
    search.block(&program.body);
    let Search { mut names, told, .. } = search;
    // What is wrong with a pattern is said by the derivative that goes through it.
    let _ = diagnostics.finish();
    names.forget_tuples_taken_whole(program);
    if names.is_empty() {
        return None;
    }
    let replaced = |e: &Expr| names.replaced(e);
    let body = without(&program.body, &|b| {
        let bound = b.pattern.bindings();
        !bound.is_empty() && bound.iter().all(|var| names.has(*var) && !told.contains(var))
    });
    let mut vars = program.vars.clone();
    for var in &mut vars {
        if let VarKind::Part(place) = &mut var.kind
            && let Some((base, rest)) = names.behind(place)
        {
            *place = joined(base, rest, place);
        }
    }
    let (body, result) = (body.rewritten(&replaced), program.result.as_ref().map(|e| e.rewritten(&replaced)));
    Some(Program { result, ..program.with(vars, body) })
}

/// The references that are replaced, and by what.
#[derive(Default)]
struct Names {
    references: HashMap<VarId, Place>,
    /// Tuples of references, of which only the parts have derivatives: `let pair = (&x[0], &x[1]);`
    tuples: HashMap<VarId, Vec<Place>>,
}

impl Names {
    fn is_empty(&self) -> bool {
        self.references.is_empty() && self.tuples.is_empty()
    }

    fn has(&self, var: VarId) -> bool {
        self.references.contains_key(&var) || self.tuples.contains_key(&var)
    }

    /// What the reference refers to that a place begins with, and what is taken of that.
    fn behind<'a>(&'a self, place: &'a Place) -> Option<(&'a Place, &'a [Projection])> {
        if let Some(base) = self.references.get(&place.root) {
            return Some((base, &place.path));
        }
        let (Projection::Field(Member::Index(part)), rest) = place.path.split_first()? else { return None };
        Some((self.tuples.get(&place.root)?.get(*part)?, rest))
    }

    /// A tuple that is used as a whole stays one.
    fn forget_tuples_taken_whole(&mut self, program: &Program) {
        let whole = RefCell::new(BTreeSet::new());
        let look = |e: &Expr| match &e.kind {
            ExprKind::Var(var) => {
                whole.borrow_mut().insert(*var);
                None
            }
            ExprKind::Field(tuple, _) if matches!(tuple.kind, ExprKind::Var(_)) => Some(e.clone()),
            _ => None,
        };
        program.body.rewritten(&look);
        program.result.iter().for_each(|e| {
            e.rewritten(&look);
        });
        self.tuples.retain(|var, _| !whole.borrow().contains(var));
    }

    /// An expression that begins with a reference, with the place instead.
    fn replaced(&self, e: &Expr) -> Option<Expr> {
        let with = |e: &Expr| self.replaced(e);
        if let ExprKind::Method { receiver, .. } = &e.kind
            && let Some(place) = receiver.as_place()
            && let Some((base, [])) = self.behind(&place)
        {
            // `z.len()` is `c[1..].len()`: Rust takes the reference by itself.
            let receiver = std::ptr::from_ref::<Expr>(receiver);
            return Some(e.map_children(&mut |child| match std::ptr::eq(child, receiver) {
                true => base.to_expr().rewritten(&with),
                false => child.rewritten(&with),
            }));
        }
        let place = e.as_place()?;
        let (base, rest) = self.behind(&place)?;
        // What the place was found by may have been such names as well.
        let named = joined(base, rest, &place).to_expr().map_children(&mut |child| child.rewritten(&with));
        let named = Expr { ty: e.ty.clone(), span: e.span, ..named };
        Some(if rest.is_empty() { Expr::borrow(named, e.span) } else { named })
    }
}

struct Search<'c, 'p, 'd> {
    context: &'c Context<'p>,
    /// Knows which names are names for places.
    shadows: Shadows<'d>,
    names: Names,
    /// What host statements read, as it is written.
    told: BTreeSet<VarId>,
}

impl Search<'_, '_, '_> {
    fn block(&mut self, block: &Block) {
        let mut last = None;
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                Stmt::Begin(binding) if self.is_reference(binding) => {
                    let last = last.get_or_insert_with(|| self.last_changes(block));
                    for var in binding.pattern.bindings() {
                        let place = self.shadows.resolved(&Place::var(var, binding.span));
                        let root = self.context.root(&place);
                        if place.root != var && last.get(&root).is_some_and(|last| *last > i) {
                            self.names.references.insert(var, place);
                        }
                    }
                }
                Stmt::Begin(binding) => self.tuple(binding),
                Stmt::Host(host) => self.told.extend(&host.reads),
                _ => stmt.blocks().into_iter().for_each(|block| self.block(block)),
            }
        }
    }

    fn tuple(&mut self, binding: &Binding) {
        if let (Some(var), ExprKind::Tuple(all)) = (binding.pattern.as_var(), &binding.value.kind)
            && binding.kind == BindingKind::Let
            && !binding.constant
            && let Some(places) = all.iter().map(|e| self.shadows.borrowed(e)).collect::<Option<Vec<Place>>>()
        {
            self.names.tuples.insert(var, places.iter().map(|place| self.shadows.resolved(place)).collect());
        }
    }

    /// The last statement that changes each variable.
    fn last_changes(&self, block: &Block) -> HashMap<VarId, usize> {
        let changed = |(i, stmt)| self.context.effects(stmt).changed().into_iter().map(move |var| (var, i));
        block.stmts.iter().enumerate().flat_map(changed).collect()
    }

    fn is_reference(&mut self, binding: &Binding) -> bool {
        let candidate = binding.kind == BindingKind::Let && self.refers(&binding.value) && !copies(&binding.pattern);
        candidate && self.shadows.alias(binding).is_name()
    }

    /// Whether a value is a shared reference to a place, or a tuple of such.
    fn refers(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Ref(inner) => inner.is_place(),
            ExprKind::Var(var) => self.shadows.is_reference(*var),
            ExprKind::Tuple(all) => all.iter().all(|e| self.refers(e)),
            _ => false,
        }
    }
}

/// Whether a pattern looks behind a reference and copies what is there.
fn copies(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Ref(_) => true,
        PatternKind::Tuple(parts) | PatternKind::Slice(parts) | PatternKind::TupleStruct(_, parts) => {
            parts.iter().any(copies)
        }
        PatternKind::Struct { fields, .. } => fields.iter().any(|field| copies(&field.pattern)),
        PatternKind::Bind { sub, .. } => sub.as_deref().is_some_and(copies),
        PatternKind::Wild | PatternKind::Rest | PatternKind::Constant(_) | PatternKind::Or(_) => false,
    }
}

/// What is taken of the place behind a reference.
fn joined(base: &Place, rest: &[Projection], written: &Place) -> Place {
    let behind = usize::from(rest.first() == Some(&Projection::Deref));
    let path = base.path.iter().chain(&rest[behind..]).cloned().collect();
    Place { root: base.root, path, span: written.span }
}

/// The block without the lets that are told.
fn without(block: &Block, told: &dyn Fn(&Binding) -> bool) -> Block {
    let stays = |stmt: &&Stmt| !stmt.begun().is_some_and(told);
    let stmts = block.stmts.iter().filter(stays).map(|stmt| stmt.map_blocks(&mut |block| without(block, told)));
    Block { stmts: stmts.collect(), span: block.span }
}
