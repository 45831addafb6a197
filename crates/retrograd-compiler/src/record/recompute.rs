//! Statements that are run again on the way back: what they change is kept in front of them, and nothing inside.
//!
//! ```text
//! #[recompute] S      keep v; S      undone by   v = restore();  keep v;  S, filling the record;  S⁻¹, emptying it;  v = restore()
//! ```
//!
//! What S starts from is what it started from the first time, to the last bit, so that it takes the same branches.

use std::rc::Rc;

use super::checkpoint;
use crate::ir::{
    Assign, Binding, BindingKind, Block, Call, Callee, Entry, Expr, ExprKind, HostKind, Keep, Method, Pattern,
    Recompute, Rule, Run, Slot, Stmt, Update, VarId,
};

/// The way there: the record takes what the statement changes, and nothing inside.
pub(crate) fn way_there(s: &Recompute) -> Vec<Stmt> {
    if let Some(planned) = checkpoint::there(s) {
        return planned;
    }
    let kept = s.kept.iter().map(|entry| Stmt::Keep(taken(entry, entry.slot)));
    checkpoint::said(s).into_iter().chain(kept).chain([Stmt::Block(without_record(&s.body))]).collect()
}

/// What was there in front of the statement, and nothing else.
pub(crate) fn as_before(s: &Recompute) -> Vec<Stmt> {
    s.kept.iter().rev().map(|entry| Stmt::Restore(taken(entry, entry.slot))).collect()
}

/// The way back around the statements that undo what the run in front of them, without host statements, has kept.
pub(crate) fn again(s: &Recompute, undone: Block) -> Vec<Stmt> {
    if let Some(planned) = checkpoint::back(s, &undone) {
        return planned;
    }
    let mut stmts = as_before(s);
    stmts.extend(s.kept.iter().map(|entry| Stmt::Keep(taken(entry, entry.again))));
    stmts.push(Stmt::Block(filling(s)));
    stmts.push(Stmt::Block(undone));
    // To the last bit: what was undone by the opposite statement is so only up to rounding.
    stmts.extend(s.kept.iter().rev().map(|entry| Stmt::Restore(taken(entry, entry.again))));
    stmts
}

/// The statement once more, without host statements, filling the record.
pub(super) fn filling(s: &Recompute) -> Block {
    let mut stmts = registers(&s.body);
    stmts.extend(run(&s.body).stmts);
    Block { stmts, span: s.span }
}

/// Whether host statements run inside of a statement.
pub(crate) fn has_hosts(block: &Block) -> bool {
    block.any(&|stmt| matches!(stmt, Stmt::Host(s) if s.kind == HostKind::Both))
}

pub(super) fn taken(entry: &Entry, slot: Slot) -> Keep {
    Keep { place: entry.place.clone(), local: None, slot }
}

/// The registers of `exits` that a statement sets, which are the same for the whole program: a run of its own has its own.
pub(super) fn registers(block: &Block) -> Vec<Stmt> {
    let mut found = Vec::new();
    block.walk(&mut |stmt| match stmt {
        // What the record does not take is set by `exits`.
        Stmt::Assign(s) if s.kept.is_none() => found.push((s.target.root, Expr::integer(0, s.span))),
        Stmt::Give(s) => found.push((s.result, Expr::rule(Rule::Absent, Vec::new(), s.span))),
        _ => {}
    });
    found.sort_by_key(|(var, _)| *var);
    found.dedup_by_key(|(var, _)| *var);
    let begin = |(var, value): (VarId, Expr)| {
        let (pattern, span) = (Pattern::bind(var, value.span), value.span);
        Stmt::Begin(Binding { kind: BindingKind::Ancilla, pattern, ty: None, value, constant: false, span })
    };
    found.into_iter().map(begin).collect()
}

/// The statements as they fill the record, without those of the host.
fn run(block: &Block) -> Block {
    let mut stmts = Vec::new();
    for stmt in &block.stmts {
        match stmt {
            // What is undone here ends here.
            Stmt::Host(_) | Stmt::Uncompute(_) => {}
            Stmt::Recompute(s) => stmts.extend(way_there(&s.with_body(run(&s.body)))),
            Stmt::Unchecked(s) => {
                let inner = run(&Block { stmts: vec![(**s).clone()], span: block.span });
                stmts.extend(inner.stmts.into_iter().map(|s| Stmt::Unchecked(Box::new(s))));
            }
            _ => stmts.push(stmt.map_blocks(&mut run)),
        }
    }
    Block { stmts, span: block.span }
}

/// The statements, with nothing kept.
pub(crate) fn without_record(block: &Block) -> Block {
    let stmts = block.stmts.iter().filter_map(|stmt| {
        Some(match stmt {
            Stmt::Keep(_) => return None,
            Stmt::Assign(s) => Stmt::Assign(Assign { kept: None, ..s.clone() }),
            Stmt::Update(s) => Stmt::Update(Update { kept: None, ..s.clone() }),
            Stmt::Call(s) => Stmt::Call(Call { run: Run::Values, ..s.clone() }),
            Stmt::Begin(b) => Stmt::Begin(Binding { value: called(&b.value), ..b.clone() }),
            Stmt::Recompute(s) => Stmt::Block(without_record(&s.body)),
            Stmt::Unchecked(s) => {
                let inner = without_record(&Block { stmts: vec![(**s).clone()], span: block.span });
                Stmt::Unchecked(Box::new(inner.stmts.into_iter().next()?))
            }
            _ => stmt.map_blocks(&mut without_record),
        })
    });
    Block { stmts: stmts.collect(), span: block.span }
}

/// The call of a program in place of the one of its run that fills the record.
fn called(e: &Expr) -> Expr {
    let plain = |e: &Expr| {
        // Nothing that is called fills a record.
        if matches!(e.kind, ExprKind::Rule(Rule::Decisions, _)) {
            return Some(Expr::integer(0, e.span));
        }
        let ExprKind::Companion { callee, run: Run::Keep, args } = &e.kind else { return None };
        let args = args.clone();
        let kind = match &**callee {
            Callee::Path(path) | Callee::Associated(path) => {
                let callee = Rc::new(Expr::new(ExprKind::Path(path.clone()), e.span));
                ExprKind::Call { callee, args }
            }
            Callee::Method { name, turbofish } => {
                let mut args = args;
                let receiver = Rc::new(args.remove(0));
                let method = Method::new(name.clone(), args.len());
                ExprKind::Method { receiver, method, turbofish: turbofish.clone(), args }
            }
        };
        Some(Expr { kind, ..e.clone() })
    };
    e.rewritten(&plain)
}
