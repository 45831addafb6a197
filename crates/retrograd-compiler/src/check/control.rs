//! Rule 2: conditions, ranges and indices find on the way back what they found on the way there.

use super::Checker;
use crate::analysis::effects::{Access, head_reads};
use crate::ir::{ArgKind, Block, Expr, Permutation, Place, Projection, Stmt, VarId};
use crate::print;

/// The indices of targets and arguments read nothing that the statement changes. Says whether an error was found.
pub(super) fn targets(checker: &Checker<'_, '_>, stmt: &Stmt) -> bool {
    let places: Vec<&Place> = match stmt {
        Stmt::Update(s) => vec![&s.target],
        Stmt::Flip(s) => vec![&s.target],
        Stmt::Map(s) => vec![&s.target],
        Stmt::Swap(s) => vec![&s.a, &s.b],
        Stmt::Permute(s) => vec![&s.target],
        Stmt::Call(s) => s
            .args
            .iter()
            .filter_map(|arg| match &arg.kind {
                ArgKind::Change(place) | ArgKind::Borrow(place) => Some(place),
                ArgKind::Value(_) | ArgKind::Host(_) => None,
            })
            .collect(),
        Stmt::Begin(_)
        | Stmt::End(_)
        | Stmt::If(_)
        | Stmt::Match(_)
        | Stmt::While(_)
        | Stmt::For(_)
        | Stmt::Recompute(_)
        | Stmt::Block(_)
        | Stmt::Conjugate(_)
        | Stmt::Unchecked(_)
        | Stmt::Inverse(_)
        | Stmt::Host(_)
        | Stmt::Assign(_)
        | Stmt::Loop(_)
        | Stmt::Exit(_)
        | Stmt::Keep(_)
        | Stmt::Restore(_)
        | Stmt::Give(_)
        | Stmt::Check(_)
        | Stmt::Compute(_)
        | Stmt::Uncompute(_) => Vec::new(),
    };
    let writes = checker.context.own_effects(stmt).writes;
    let mut indices: Vec<&Expr> = places.into_iter().flat_map(Place::indices).collect();
    if let Stmt::Permute(s) = stmt {
        match &s.permutation {
            Permutation::Swap(i, j) => indices.extend([i, j]),
            Permutation::Reverse => {}
            Permutation::RotateLeft(k) | Permutation::RotateRight(k) => indices.push(k),
        }
    }
    for index in indices {
        let reads = checker.context.expr_reads(index);
        if let Some((write, _)) = checker.disturbance(&writes, &reads) {
            checker.diagnostics.error(
                stmt.span(),
                format!(
                    "the index `{}` reads `{}`, which this statement changes: on the way back it would point elsewhere; copy \
                     the index into a `let` from something that stays, split the statement in two, or keep the index, with `#[record]` in \
                     front of it",
                    print::expr(checker.context.vars, index),
                    checker.name(&write.place)
                ),
            );
            return true;
        }
    }
    false
}

/// What a branch or loop is decided by is not changed inside it.
pub(super) fn conditions(checker: &Checker<'_, '_>, stmt: &Stmt) {
    let context = checker.context;
    let writes: Vec<Access> = stmt.blocks().into_iter().flat_map(|b| context.block_effects(b).writes).collect();
    match stmt {
        Stmt::If(s) if s.condition.post.is_none() => {
            if let Some((write, read)) = checker.disturbance(&writes, &context.expr_reads(&s.condition.pre)) {
                let condition = print::expr(context.vars, &s.condition.pre);
                let name = checker.name(&read.place);
                checker.diagnostics.error_with(
                    s.condition.pre.span,
                    format!(
                        "the condition `{condition}` reads `{name}`, which a branch changes: on the way back it could choose the \
                         other branch; write `if ({condition}, post) {{ .. }}`, where `post` holds afterwards exactly when the first \
                         branch was taken, or keep which one it was, with `#[record]` in front of it"
                    ),
                    write.span,
                    format!("`{name}` is changed here"),
                );
            }
        }
        Stmt::Match(s) => {
            let guards = s.arms.iter().flat_map(|arm| &arm.guard).map(|guard| (guard, context.expr_reads(guard)));
            for (e, reads) in std::iter::once((&s.scrutinee, context.matched(s))).chain(guards) {
                let Some((write, read)) = checker.disturbance(&writes, &reads) else { continue };
                let name = checker.name(&read.place);
                checker.diagnostics.error_with(
                    e.span,
                    format!(
                        "this `match` reads `{name}`, which an arm changes: on the way back it could choose another arm; match on \
                         something that stays, use `if (pre, post) {{ .. }}`, or keep what was matched, with `#[record]` in front of it"
                    ),
                    write.span,
                    format!("`{name}` is changed here"),
                );
            }
        }
        Stmt::For(s) => {
            let reads: Vec<Access> = head_reads(&s.iter).into_iter().flat_map(|e| context.expr_reads(e)).collect();
            if let Some((write, read)) = checker.disturbance(&writes, &reads) {
                let name = checker.name(&read.place);
                let behind = write.place.path.get(read.place.path.len());
                let length = match read.shape && matches!(behind, Some(Projection::Field(_))) {
                    true => {
                        format!(" (if the length of `{name}` is that of a field, read it there: `{name}.field.len()`)")
                    }
                    false => String::new(),
                };
                checker.diagnostics.error_with(
                    s.iter.span,
                    format!(
                        "the loop goes through something that depends on `{name}`, which its body changes: on the way back it \
                         would go through other elements; use a bound that stays{length}, `while (pre, post) {{ .. }}`, or `#[record]` on \
                         the loop"
                    ),
                    write.span,
                    format!("`{name}` is changed here"),
                );
            }
        }
        Stmt::If(_)
        | Stmt::While(_)
        | Stmt::Update(_)
        | Stmt::Flip(_)
        | Stmt::Map(_)
        | Stmt::Swap(_)
        | Stmt::Permute(_)
        | Stmt::Call(_)
        | Stmt::Begin(_)
        | Stmt::End(_)
        | Stmt::Recompute(_)
        | Stmt::Block(_)
        | Stmt::Conjugate(_)
        | Stmt::Unchecked(_)
        | Stmt::Inverse(_)
        | Stmt::Host(_)
        | Stmt::Assign(_)
        | Stmt::Loop(_)
        | Stmt::Exit(_)
        | Stmt::Keep(_)
        | Stmt::Restore(_)
        | Stmt::Give(_)
        | Stmt::Check(_)
        | Stmt::Compute(_)
        | Stmt::Uncompute(_) => {}
    }
}

/// Where the names in the patterns of a `match` are views of parts of a place, the arms change the place by these names only: it stays
/// the variant that it is, with and without a record.
pub(super) fn views(checker: &Checker<'_, '_>, block: &Block) {
    let context = checker.context;
    for stmt in &block.stmts {
        if let Stmt::Match(s) = stmt
            && context.matches_by_views(s)
            && let Some(place) = s.scrutinee.looked_at().as_place()
        {
            let bound: Vec<VarId> = s.arms.iter().flat_map(|arm| arm.pattern.bindings()).collect();
            let whole = context.access(&place, false);
            let writes = s.arms.iter().flat_map(|arm| context.block_effects(&arm.body).writes);
            let others = writes.filter(|write| !context.is_by_one_of(&write.written, &bound));
            let others: Vec<Access> = others.collect();
            if let Some((write, _)) = checker.disturbance(&others, &[whole]) {
                let name = checker.name(&write.place);
                checker.diagnostics.error_with(
                    s.scrutinee.span,
                    format!(
                        "this `match` gives names to parts of `{name}`, and an arm changes `{name}` by another one: on the way back it could \
                         choose another arm; change it outside of the `match`"
                    ),
                    write.span,
                    format!("`{name}` is changed here"),
                );
            }
        }
        stmt.blocks().into_iter().for_each(|block| views(checker, block));
    }
}
