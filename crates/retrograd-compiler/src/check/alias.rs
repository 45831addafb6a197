//! Rules 1 and 5: what a statement changes does not occur in what it is changed by, and no two arguments of a call
//! are the same place.

use super::Checker;
use crate::analysis::effects::Access;
use crate::analysis::relation::Relation;
use crate::ir::{ArgKind, Call, Place, Stmt, Swap, Update, UpdateOp};
use crate::print;

pub(super) fn check(checker: &Checker<'_, '_>, stmt: &Stmt) {
    match stmt {
        Stmt::Update(update) => own_operand(checker, update),
        Stmt::Swap(swap) => same_twice(checker, swap),
        Stmt::Call(call) => arguments(checker, call),
        Stmt::Flip(_)
        | Stmt::Map(_)
        | Stmt::Permute(_)
        | Stmt::Begin(_)
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
        | Stmt::Uncompute(_) => {}
    }
}

fn own_operand(checker: &Checker<'_, '_>, update: &Update) {
    let context = checker.context;
    let write = context.access(&update.target, false);
    let reads = context.expr_reads(&update.operand);
    let Some(read) = reads.iter().find(|r| context.disturbs(&write, r) == Relation::Overlap) else { return };
    let target = print::place(context.vars, &update.target);
    let hint = match update.op {
        UpdateOp::Add | UpdateOp::Sub => {
            format!("to scale it write `{target} *= c;`, otherwise let another variable be changed: `y += ..;`")
        }
        UpdateOp::Mul | UpdateOp::Div => "let another variable be changed: `y += ..;`".to_string(),
        UpdateOp::Xor => "let another variable be changed: `y ^= ..;`".to_string(),
    };
    let seen = print::place(context.vars, &read.written);
    checker.diagnostics.error(
        update.span,
        format!(
            "`{target}` occurs in its own operand (`{seen}` is read here): once `{target}` has changed, the operand cannot be \
             computed again to undo it; {hint}; or keep what it was, with `#[record]` in front of it"
        ),
    );
}

fn same_twice(checker: &Checker<'_, '_>, swap: &Swap) {
    let context = checker.context;
    let (a, b) = (context.access(&swap.a, true), context.access(&swap.b, true));
    if context.relation(&a.place, &b.place) == Relation::Overlap {
        checker.diagnostics.error(
            swap.span,
            format!(
                "`{}` and `{}` overlap; `swap` exchanges two different places",
                print::place(context.vars, &swap.a),
                print::place(context.vars, &swap.b)
            ),
        );
    }
}

fn arguments(checker: &Checker<'_, '_>, call: &Call) {
    let context = checker.context;
    let changed: Vec<(usize, &Place)> = call
        .args
        .iter()
        .enumerate()
        .filter_map(|(i, arg)| match &arg.kind {
            ArgKind::Change(place) => Some((i, place)),
            ArgKind::Borrow(_) | ArgKind::Value(_) | ArgKind::Host(_) => None,
        })
        .collect();
    for (n, (i, place)) in changed.iter().enumerate() {
        let write = context.access(place, true);
        let text = print::place(context.vars, place);
        if let Some((_, other)) = changed[n + 1..]
            .iter()
            .find(|(_, other)| context.relation(&write.place, &context.access(other, true).place) == Relation::Overlap)
        {
            checker.diagnostics.error(
                call.span,
                format!(
                    "`{text}` and `{}` overlap, and both are changed by this call; pass places that have nothing in common",
                    print::place(context.vars, other)
                ),
            );
        }
        for (j, arg) in call.args.iter().enumerate().filter(|(j, _)| j != i) {
            if let ArgKind::Change(other) | ArgKind::Borrow(other) = &arg.kind
                && (j > *i || !matches!(arg.kind, ArgKind::Change(_)))
                && place.differs_by_index(other)
                && !place.taken_together(other)
                && (place.is_slice() || other.is_slice())
            {
                checker.diagnostics.error(
                    call.span,
                    format!(
                        "`{text}` and `{}` are slices in two parts of `{}`, which cannot be lent both at once; split it before: \
                         `let (a, b) = {}.split_at_mut(..);`",
                        print::place(context.vars, other),
                        context.name(place.root),
                        context.name(place.root)
                    ),
                );
                return;
            }
            let reads: Vec<Access> = match &arg.kind {
                ArgKind::Borrow(place) => context.expr_reads(&place.to_expr()),
                ArgKind::Value(e) => context.expr_reads(e),
                ArgKind::Change(_) | ArgKind::Host(_) => continue,
            };
            let disturbed = |r: &&Access| context.disturbs(&write, r) == Relation::Overlap;
            if reads.iter().find(disturbed).is_some() {
                checker.diagnostics.error(
                    arg.span,
                    format!(
                        "the call changes `{text}` and reads it as its argument {}: running it backwards would read the \
                         changed value; pass something else, or a copy that you end by hand: `let mut t = ..;` .. \
                         `release!(t == ..);`",
                        j + 1
                    ),
                );
            }
        }
    }
}
