//! Rust lends a slice as a whole, and does not tell its elements apart: what a name borrows is not used beside the name. Other laws
//! come first; rustc would say this too, but once for each companion.

use super::Checker;
use crate::analysis::effects::Access;
use crate::ir::{
    BindingKind, Block, Expr, ExprKind, Pattern, PatternKind, Place, Projection, Stmt, Update, VarId, VarKind,
};
use crate::print;

pub(super) fn check(checker: &Checker<'_, '_>, block: &Block, tail: Option<&Expr>) {
    for (i, stmt) in block.stmts.iter().enumerate() {
        views(checker, stmt);
        references(checker, stmt, &block.stmts[i + 1..], tail);
        stmt.blocks().into_iter().for_each(|block| check(checker, block, None));
    }
}

/// A view, and what it is a view of, in one statement.
fn views(checker: &Checker<'_, '_>, stmt: &Stmt) {
    let context = checker.context;
    let effects = context.own_effects(stmt);
    // That the name of a view is alive is no use of it.
    let by_name = |access: &&Access| !matches!(context.vars[access.place.root.0].kind, VarKind::View(_));
    let accesses: Vec<&Access> = effects.writes.iter().chain(&effects.reads).filter(by_name).collect();
    for access in &accesses {
        let mut view = access.written.root;
        while let VarKind::View(place) = &context.vars[view.0].kind {
            let clashes = |other: &&&Access| other.written.root == place.root && !apart(&other.written, place);
            if let Some(other) = accesses.iter().find(clashes) {
                let (name, other) = (context.name(access.written.root), print::place(context.vars, &other.written));
                let (what, instead) = match place.path.iter().position(|step| *step == Projection::Some) {
                    Some(element) => {
                        let list = Place { path: place.path[..element].to_vec(), ..place.clone() };
                        let list = print::place(context.vars, &list);
                        let indices = format!("go through indices, `for i in 0..{list}.len()`");
                        (format!("an element of `{list}`"), indices)
                    }
                    None => {
                        let part = print::place(context.vars, place);
                        let itself = format!(
                            "write `{part}` itself in the place of `{name}`, or take both at once, with `split_at_mut`"
                        );
                        (format!("`{part}`"), itself)
                    }
                };
                checker.diagnostics.error(
                    stmt.span(),
                    format!(
                        "`{name}` borrows {what}, and Rust does not tell the elements of what is borrowed apart: beside `{name}` this \
                         statement cannot use `{other}`; {instead}"
                    ),
                );
                return;
            }
            view = place.root;
        }
    }
}

/// A shared reference to a part of what is changed before the reference is used for the last time.
fn references(checker: &Checker<'_, '_>, stmt: &Stmt, behind: &[Stmt], tail: Option<&Expr>) {
    let Some(binding) = stmt.begun().filter(|b| b.kind == BindingKind::Let) else { return };
    for (var, place) in borrowed(&binding.pattern, &binding.value) {
        let part = checker.context.access(&place, false).place;
        let used_last = tail.is_some_and(|tail| tail.mentions(var));
        let Some(write) = changed_before(checker, behind, var, &part, used_last) else { continue };
        let (name, part) = (checker.context.name(var), print::place(checker.context.vars, &place));
        let copy = if place.is_slice() { format!("{part}.to_vec()") } else { part.clone() };
        checker.diagnostics.error_with(
            write.span,
            format!(
                "`{}` is changed while `{name}` borrows a part of it, and Rust does not tell the elements of what is borrowed apart; \
                 write `{part}` itself in the place of `{name}`, or keep a copy: `let {name} = {copy};`",
                checker.name(&write.place)
            ),
            binding.span,
            format!("`{name}` borrows `{part}` here"),
        );
        return;
    }
}

/// The names that a pattern gives to places behind references.
fn borrowed(pattern: &Pattern, value: &Expr) -> Vec<(VarId, Place)> {
    match (&pattern.kind, &value.kind) {
        (PatternKind::Tuple(parts), ExprKind::Tuple(values)) if parts.len() == values.len() => {
            parts.iter().zip(values).flat_map(|(part, value)| borrowed(part, value)).collect()
        }
        (_, ExprKind::Ref(inner)) => pattern.as_var().zip(inner.as_place()).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The first change of a place in front of the last use of a name, which may be `used_last` behind the statements.
fn changed_before(
    checker: &Checker<'_, '_>,
    stmts: &[Stmt],
    name: VarId,
    place: &Place,
    used_last: bool,
) -> Option<Access> {
    let context = checker.context;
    let mentions = |stmt: &Stmt| {
        let effects = context.effects(stmt);
        effects.reads.iter().chain(&effects.writes).any(|access| access.written.root == name)
    };
    let change = |stmt: &Stmt| {
        let clashes = |write: &&Access| write.place.root == place.root && !apart(&write.place, place);
        context.effects(stmt).writes.iter().find(clashes).cloned()
    };
    if used_last {
        return stmts.iter().find_map(change);
    }
    let last = stmts.iter().rposition(mentions)?;
    stmts[..last].iter().find_map(change).or_else(|| match &stmts[last] {
        // The operand is read before the target is changed.
        Stmt::Update(Update { .. }) => None,
        Stmt::If(_) | Stmt::Match(_) | Stmt::Recompute(_) | Stmt::Block(_) => {
            let blocks = stmts[last].blocks();
            blocks.iter().find_map(|block| changed_before(checker, &block.stmts, name, place, false))
        }
        stmt => change(stmt),
    })
}

/// Whether two places part at a field, so that rustc sees that they have nothing in common.
fn apart(a: &Place, b: &Place) -> bool {
    let steps = |place: &Place| -> Vec<Projection> {
        place.path.iter().filter(|step| !matches!(step, Projection::Deref)).cloned().collect()
    };
    let (a, b) = (steps(a), steps(b));
    let parting = a.iter().zip(&b).find(|(a, b)| a != b);
    matches!(parting, Some((Projection::Field(_), Projection::Field(_))))
}
