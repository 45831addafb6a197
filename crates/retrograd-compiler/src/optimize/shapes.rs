//! The shapes of locals, as far as they can be seen: which of them may change, and which are those of so many equal elements.

use std::collections::BTreeSet;

use super::covered::Lengths;
use crate::analysis::Context;
use crate::analysis::effects::Access;
use crate::analysis::types::of_place;
use crate::ir::{Binding, Block, Expr, ExprKind, MacroArgs, Place, Rule, Stmt, Type, UnaryOp, VarId};
use crate::signature::numbers::Numbers;

type Locals = BTreeSet<VarId>;

/// The locals that something may give another shape. Numbers keep theirs, and so do elements that begin as numbers.
pub(super) fn reshaped(context: &Context<'_>, body: &Block, numbers: &Numbers) -> Locals {
    let fixed = |place: &Place| of_place(context.vars, place).is_some_and(|ty| numbers.has_one_shape(ty));
    let (mut wholes, mut elements) = (Locals::new(), Locals::new());
    body.walk(&mut |stmt| {
        // These keep the shape of what they change.
        if matches!(stmt, Stmt::Update(_) | Stmt::Flip(_) | Stmt::Map(_) | Stmt::Begin(_) | Stmt::End(_)) {
            return;
        }
        let writes = context.own_effects(stmt).writes;
        for Access { place, .. } in writes.iter().filter(|write| write.shape && !fixed(&write.place)) {
            let is_element = place.indices().next().is_some();
            if is_element { &mut elements } else { &mut wholes }.insert(place.root);
        }
    });
    permuted(context, body, numbers, &mut elements);
    // What has no value yet has no shape yet.
    leave_out(body, &|e| is_number(e) || matches!(e.kind, ExprKind::Rule(Rule::Later, _)), &mut wholes);
    leave_out(body, &|e| is_number(e) || repeated(e).is_some_and(is_number), &mut elements);
    wholes.into_iter().chain(elements).collect()
}

/// What a statement permutes the elements of, unless these visibly have one shape: it takes the shapes along.
fn permuted(context: &Context<'_>, block: &Block, numbers: &Numbers, roots: &mut Locals) {
    block.walk(&mut |stmt| {
        if let Stmt::Permute(s) = stmt
            && !of_place(context.vars, &s.target).and_then(Type::element).is_some_and(|ty| numbers.has_one_shape(ty))
        {
            roots.insert(context.root(&s.target));
        }
    });
}

/// The local that begins here: with a value, without one, or as the record had it.
fn begins(stmt: &Stmt) -> Option<&Binding> {
    match stmt {
        Stmt::Restore(s) => s.local.as_deref(),
        _ => stmt.begun(),
    }
}

/// The locals that begin without a value.
pub(super) fn begun_later(block: &Block, later: &mut Locals) {
    block.walk(&mut |stmt| {
        let binding = begins(stmt).filter(|b| matches!(b.value.kind, ExprKind::Rule(Rule::Later | Rule::Blank, _)));
        later.extend(binding.into_iter().flat_map(|b| b.pattern.bindings()));
    });
}

/// How long locals are that begin as so many equal elements.
pub(super) fn begun_repeated(block: &Block, lengths: &mut Lengths) {
    block.walk(&mut |stmt| {
        if let Some(binding) = begins(stmt)
            && let (Some(var), ExprKind::Repeat(_, length)) = (binding.pattern.as_var(), &binding.value.kind)
        {
            lengths.insert(var, (**length).clone());
        }
    });
}

/// Leaves out the locals that visibly begin as something.
fn leave_out(block: &Block, is: &dyn Fn(&Expr) -> bool, roots: &mut Locals) {
    block.walk(&mut |stmt| {
        if let Some(binding) = begins(stmt)
            && let Some(var) = binding.pattern.as_var()
            && is(&binding.value)
        {
            roots.remove(&var);
        }
    });
}

/// What an array or a `Vec` is made of, where all elements are the same.
pub(super) fn repeated(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Repeat(value, _) | ExprKind::Macro { args: MacroArgs::Repeat(value, _), .. } => Some(value),
        _ => None,
    }
}

/// Whether an expression is visibly a number: a literal, or arithmetic.
pub(super) fn is_number(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Cast(..) => true,
        ExprKind::Unary(UnaryOp::Neg, a) => is_number(a),
        ExprKind::Binary(_, a, b) => is_number(a) || is_number(b),
        ExprKind::Call { callee, args } => {
            let named = |name: &str| matches!(&callee.kind, ExprKind::Path(path) if path.last() == name);
            args.is_empty() && (named("zero") || named("one"))
        }
        _ => false,
    }
}
