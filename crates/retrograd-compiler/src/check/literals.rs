//! Integers whose type nothing says, under operators whose result depends on the type.
//!
//! The type of `let k = !0;` follows from all that is done with `k`. A derivative run does only a part of that, and would find another
//! type, with another value: 255 as a `u8` is -1 as an `i32`.

use std::collections::BTreeSet;

use crate::diagnostics::Diagnostics;
use crate::ir::{BinaryOp, Elementary, Expr, ExprKind, Known, LiteralKind, Program, Source, Stmt, UnaryOp, VarId};

/// Reports such integers: where they get a name, and where they are cast. Elsewhere what stands beside them says their type.
pub(super) fn check(program: &Program, diagnostics: &Diagnostics) {
    let open = open_integers(program);
    let report = |e: &Expr| {
        let mut found = None;
        e.walk(&mut |e| found = found.or_else(|| depends_on_type(e).map(|(operator, _)| (operator, e.span))));
        if let Some((operator, span)) = found.filter(|_| is_open(e, &open)) {
            diagnostics.error(
                span,
                format!(
                    "what {operator} gives depends on the type of this integer, which is not seen, and a derivative run, which does less \
                     with it, could find another one; write the type, `let k: u64 = ..;`, or that of the literal, `1_u64`"
                ),
            );
        }
    };
    program.body.walk(&mut |stmt| {
        if let Stmt::Begin(b) = stmt
            && b.pattern.as_var().is_some_and(|var| open.contains(&var))
        {
            report(&b.value);
        }
    });
    let casts = |e: &Expr| {
        e.walk(&mut |e| {
            if let ExprKind::Cast(inner, _) = &e.kind {
                report(inner);
            }
        });
        Some(e.clone())
    };
    // Nothing is replaced: each expression is looked at.
    program.body.rewritten(&casts);
    program.result.as_ref().map(|e| e.rewritten(&casts));
}

/// The operator, and the operand whose type decides.
fn depends_on_type(e: &Expr) -> Option<(&'static str, &Expr)> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, a) => Some(("`!`", a)),
        ExprKind::Binary(BinaryOp::Shl, a, _) => Some(("`<<`", a)),
        ExprKind::Method { receiver, method, .. } => match method.known {
            Some(Known::Elementary(
                Elementary::WrappingAdd
                | Elementary::WrappingSub
                | Elementary::WrappingMul
                | Elementary::SaturatingAdd
                | Elementary::SaturatingSub,
            )) => Some(("a wrapping or saturating method", receiver)),
            _ => None,
        },
        _ => None,
    }
}

/// Locals and variables of loops that are made of such literals, and never meet anything of a known type.
fn open_integers(program: &Program) -> BTreeSet<VarId> {
    let mut open = BTreeSet::new();
    program.body.walk(&mut |stmt| match stmt {
        Stmt::Begin(b) => {
            if let (Some(var), None) = (b.pattern.as_var(), &b.ty)
                && program.vars[var.0].ty.is_none()
                && is_open(&b.value, &open)
            {
                open.insert(var);
            }
        }
        Stmt::For(s) => {
            if let (Some(var), Source::Range { start, end, .. }) = (s.pattern.as_var(), &s.iter.source)
                && is_open(start, &open)
                && is_open(end, &open)
            {
                open.insert(var);
            }
        }
        _ => {}
    });
    // What it is changed by says its type, and stays as long as its value is asked for.
    program.body.walk(&mut |stmt| {
        let (target, value) = match stmt {
            Stmt::Update(s) => (&s.target, &s.operand),
            Stmt::Assign(s) => (&s.target, &s.value),
            _ => return,
        };
        if target.path.is_empty() && !is_open(value, &open) {
            open.remove(&target.root);
        }
    });
    open
}

/// Whether an expression is an integer of literals that do not say their type.
fn is_open(e: &Expr, open: &BTreeSet<VarId>) -> bool {
    match &e.kind {
        ExprKind::Lit(literal) => matches!(literal.kind, LiteralKind::Integer(_)) && literal.suffix.is_none(),
        ExprKind::Var(var) => open.contains(var),
        ExprKind::Unary(_, a) => is_open(a, open),
        ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _) => is_open(a, open),
        ExprKind::Binary(op, a, b) => !op.compares() && is_open(a, open) && is_open(b, open),
        ExprKind::Method { receiver, .. } => depends_on_type(e).is_some() && is_open(receiver, open),
        _ => false,
    }
}
