//! A shared reference to what is changed behind it becomes what it refers to: an adjoint run uses it again after that change.

use std::collections::{BTreeSet, HashMap};

use crate::analysis::Context;
use crate::derivative::Shadows;
use crate::diagnostics::Diagnostics;
use crate::ir::{
    Binding, BindingKind, Block, Expr, ExprKind, Pattern, PatternKind, Place, Program, Projection, Run, Stmt, VarId,
    VarKind,
};

/// The program without the references that some run could not hold; `None` if it has none of them.
pub(super) fn replace(program: &Program) -> Option<Program> {
    let context = Context::new(program);
    let diagnostics = Diagnostics::default();
    let shadows = Shadows::new(program, Run::Values, &diagnostics);
    let mut search = Search { context: &context, shadows, names: HashMap::new(), told: BTreeSet::new() };
    search.block(&program.body);
    let Search { names, told, .. } = search;
    // What is wrong with a pattern is said by the derivative that goes through it.
    let _ = diagnostics.finish();
    if names.is_empty() {
        return None;
    }
    let replaced = |e: &Expr| replaced(&names, e);
    let body = without(&program.body, &|b| {
        let bound = b.pattern.bindings();
        !bound.is_empty() && bound.iter().all(|var| names.contains_key(var) && !told.contains(var))
    });
    let mut vars = program.vars.clone();
    for var in &mut vars {
        if let VarKind::Part(place) = &mut var.kind
            && let Some(base) = names.get(&place.root)
        {
            *place = joined(base, place);
        }
    }
    let (body, result) = (body.rewritten(&replaced), program.result.as_ref().map(|e| e.rewritten(&replaced)));
    Some(Program { vars, body, result, ..program.clone() })
}

struct Search<'c, 'p, 'd> {
    context: &'c Context<'p>,
    /// Knows which names are names for places.
    shadows: Shadows<'d>,
    /// The references that are replaced, and by what.
    names: HashMap<VarId, Place>,
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
                        let root = self.context.access(&place, false).place.root;
                        if place.root != var && last.get(&root).is_some_and(|last| *last > i) {
                            self.names.insert(var, place);
                        }
                    }
                }
                Stmt::Host(host) => self.told.extend(&host.reads),
                _ => stmt.blocks().into_iter().for_each(|block| self.block(block)),
            }
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
            ExprKind::Ref(inner) => inner.as_place().is_some(),
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

/// An expression that begins with the name of a reference, with the place instead.
fn replaced(names: &HashMap<VarId, Place>, e: &Expr) -> Option<Expr> {
    let with = |e: &Expr| replaced(names, e);
    if let ExprKind::Method { receiver, .. } = &e.kind
        && let ExprKind::Var(var) = &receiver.kind
        && let Some(base) = names.get(var)
    {
        // `z.len()` is `c[1..].len()`: Rust takes the reference by itself.
        let receiver = std::ptr::from_ref::<Expr>(receiver);
        return Some(e.map_children(&mut |child| match std::ptr::eq(child, receiver) {
            true => base.to_expr().rewritten(&with),
            false => child.rewritten(&with),
        }));
    }
    let place = e.as_place()?;
    let base = names.get(&place.root)?;
    let named = joined(base, &place).to_expr();
    // What the place was found by may have been such names as well.
    let named = Expr { ty: e.ty.clone(), ..named.map_children(&mut |child| child.rewritten(&with)) };
    let span = e.span;
    Some(match place.path.is_empty() {
        true => Expr::borrow(Expr { span, ..named }, span),
        false => Expr { span, ..named },
    })
}

/// What a place is whose root is a reference to `base`.
fn joined(base: &Place, place: &Place) -> Place {
    let behind = usize::from(place.path.first() == Some(&Projection::Deref));
    let path = base.path.iter().chain(&place.path[behind..]).cloned().collect();
    Place { root: base.root, path, span: place.span }
}

/// The block without the lets that are told.
fn without(block: &Block, told: &dyn Fn(&Binding) -> bool) -> Block {
    let stays = |stmt: &&Stmt| !stmt.begun().is_some_and(told);
    let stmts = block.stmts.iter().filter(stays).map(|stmt| stmt.map_blocks(&mut |block| without(block, told)));
    Block { stmts: stmts.collect(), span: block.span }
}
