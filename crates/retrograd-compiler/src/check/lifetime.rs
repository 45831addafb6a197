//! Locals can be computed again when their life ends, and ancillas are given back as they were.

use super::Checker;
use crate::analysis::effects::Access;
use crate::analysis::lifetime::{Manual, Plan, Role, same_root};
use crate::analysis::relation::Relation;
use crate::ir::{Binding, BindingKind, Block, Expr, Stmt, VarKind};

pub(super) fn check(checker: &Checker<'_, '_>, block: &Block, tail: Option<&Expr>) {
    let plan = checker.context.plan(block, tail);
    manual(checker, block, &plan);
    released(checker, block, &plan);
    for (i, stmt) in block.stmts.iter().enumerate() {
        match &plan.roles[i] {
            Role::Using => {}
            Role::Beginning => match stmt.begun().filter(|b| b.kind != BindingKind::Ancilla) {
                Some(b) => pure_let(checker, block, &plan, i, b),
                None => computed(checker, block, &plan, i, &plan.effects[i].reads),
            },
            Role::Computing => computed(checker, block, &plan, i, &plan.effects[i].reads),
            Role::Mixed(slice) => computed(checker, block, &plan, i, &checker.context.effects(slice).reads),
        }
    }
    // What a record undoes may lose what it likes.
    for stmt in block.stmts.iter().filter(|stmt| !matches!(stmt, Stmt::Compute(_))) {
        stmt.blocks().into_iter().for_each(|block| check(checker, block, None));
    }
}

/// An ancilla that cannot be undone by itself ends in `release!` in its own block.
fn manual(checker: &Checker<'_, '_>, block: &Block, plan: &Plan) {
    for (var, why) in &plan.manual {
        let name = checker.context.name(*var);
        let released = block.stmts.iter().any(|stmt| matches!(stmt, Stmt::End(b) if b.pattern.as_var() == Some(*var)));
        if released {
            continue;
        }
        let write = format!(
            "end its life by hand with `release!({name} == e);`, where `e` is the value it has at the end, or let a record keep \
                 it, with `#[reversible(record)]`"
        );
        match why {
            Manual::Released => {}
            Manual::Together(span) => checker.diagnostics.error_with(
                *span,
                format!(
                    "this changes the ancilla `{name}` together with something that stays, so undoing `{name}` would undo that \
                     too; {write}"
                ),
                checker.context.vars[var.0].span,
                format!("the ancilla `{name}` begins here and has no `release!`"),
            ),
            Manual::Compute(read, change) => checker.diagnostics.error_with(
                *change,
                format!(
                    "the `#[compute]` block is undone after this, and would compute `{name}` back from another value than it \
                     computed it from; move this in front of the `#[compute]` block or out of the block around it"
                ),
                *read,
                format!("`{name}` is computed from it here"),
            ),
            Manual::Reads(read, change) => checker.diagnostics.error_with(
                *read,
                format!(
                    "the ancilla `{name}` is computed from something that the same statement changes, so it cannot be undone by \
                     itself; {write}"
                ),
                *change,
                "it is changed here".to_string(),
            ),
        }
    }
}

/// When an ancilla is released, nothing is alive that was computed from it.
fn released(checker: &Checker<'_, '_>, block: &Block, plan: &Plan) {
    for (end, stmt) in block.stmts.iter().enumerate() {
        let Stmt::End(binding) = stmt else { continue };
        let Some(var) = binding.pattern.as_var() else { continue };
        let alive = (0..end).find(|&i| {
            !matches!(plan.roles[i], Role::Using)
                && plan.undone[i] >= end
                && plan.effects[i].reads.iter().any(|r| r.place.root == var)
        });
        if let Some(i) = alive {
            let (name, other) = (checker.context.name(var), ancilla_of(checker, block, plan, i));
            checker.diagnostics.error_with(
                stmt.span(),
                format!(
                    "`{name}` is released while `{other}`, which was computed from it, is still alive: on the way back `{other}` \
                     could not be computed before `{name}` is there; use `{other}` for the last time before the `release!`"
                ),
                block.stmts[i].span(),
                format!("`{other}` is computed from `{name}` here"),
            );
        }
    }
}

/// Nothing that a computing statement reads is changed between it and its undoing, but by what is undone before it.
fn computed(checker: &Checker<'_, '_>, block: &Block, plan: &Plan, i: usize, reads: &[Access]) {
    let end = plan.undone[i].min(block.stmts.len().saturating_sub(1));
    for later in plan.disturbers(i, end, reads) {
        let writes: Vec<Access> = lasting_writes(checker, block, plan, later);
        if !same_root(&writes, reads) {
            continue;
        }
        let changed = plan.changed(i, later);
        if let Some((write, read)) = checker.disturbance_over(&writes, reads, &changed) {
            let seen = checker.name(&read.place);
            let ancilla = ancilla_of(checker, block, plan, i);
            checker.diagnostics.error_with(
                write.span,
                format!(
                    "`{seen}` is changed while the ancilla `{ancilla}`, which was computed from it, still has to be undone; change \
                     it after the last use of `{ancilla}`, end `{ancilla}` by hand with `release!({ancilla} == e);`, or let a record \
                     keep it, with `#[reversible(record)]`"
                ),
                block.stmts[i].span(),
                format!("`{ancilla}` is computed from `{seen}` here"),
            );
            return;
        }
    }
}

/// What a statement changes that is not undone by itself.
fn lasting_writes(checker: &Checker<'_, '_>, block: &Block, plan: &Plan, i: usize) -> Vec<Access> {
    match &plan.roles[i] {
        Role::Computing | Role::Beginning => Vec::new(),
        Role::Using => plan.effects[i].writes.clone(),
        Role::Mixed(_) => {
            let mut writes = checker.context.effects(&block.stmts[i]).writes;
            writes.retain(|w| {
                let root = w.place.root;
                let automatic = checker.context.vars[root.0].kind == VarKind::Ancilla
                    && plan.begun.contains(&root)
                    && !plan.manual.contains_key(&root);
                !automatic
            });
            writes
        }
    }
}

fn ancilla_of(checker: &Checker<'_, '_>, block: &Block, plan: &Plan, i: usize) -> String {
    let var = match block.stmts[i].begun() {
        Some(b) => b.pattern.bindings().first().copied(),
        None => plan.effects[i].changed().into_iter().find(|var| plan.begun.contains(var)),
    };
    var.map(|var| checker.context.name(var).to_string()).unwrap_or_default()
}

/// Nothing that a `let` reads is changed while it lives, so that its value can be computed again at its end.
fn pure_let(checker: &Checker<'_, '_>, block: &Block, plan: &Plan, i: usize, binding: &Binding) {
    let end = plan.undone[i].min(block.stmts.len().saturating_sub(1));
    let reads = &plan.effects[i].reads;
    for later in plan.disturbers(i, end, reads) {
        // Up to its last mention nothing may change its source at all; after that, nothing that lasts.
        let writes = if later <= plan.mentioned[i] {
            plan.effects[later].writes.clone()
        } else {
            lasting_writes(checker, block, plan, later)
        };
        if !same_root(&writes, reads) {
            continue;
        }
        let changed = plan.changed(i, later);
        let disturbed = reads.iter().find_map(|read| {
            // Another element of the same array is compared at run time where that cannot be seen here.
            let overlaps = |w: &&Access| checker.context.disturbs_over(w, read, &changed) == Relation::Overlap;
            let write = writes.iter().find(overlaps)?;
            Some((write, read))
        });
        if let Some((write, read)) = disturbed {
            let name =
                binding.pattern.bindings().first().map(|v| checker.context.name(*v).to_string()).unwrap_or_default();
            let seen = checker.name(&read.place);
            let (what, hint) = match binding.kind {
                BindingKind::View => {
                    ("is a view of a part that depends on", "take a new view after the change".to_string())
                }
                BindingKind::Let | BindingKind::Ancilla | BindingKind::Manual => (
                    "is a name for a value computed from",
                    format!(
                        "change `{seen}` after the last use of `{name}`; for a branch on it write \
                         `if (pre, post) {{ .. }}`; keep a copy that stays, `let mut {name} = ..;` .. `release!({name} == ..);`, or let a \
                         record keep it, with `#[reversible(record)]`"
                    ),
                ),
            };
            checker.diagnostics.error_with(
                write.span,
                format!(
                    "`{seen}` is changed while `{name}`, which {what} it, is still alive: on the way back `{name}` would have \
                     another value; {hint}"
                ),
                binding.span,
                format!("`{name}` is computed from `{seen}` here"),
            );
            return;
        }
    }
}
