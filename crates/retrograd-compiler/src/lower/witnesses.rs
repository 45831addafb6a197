//! What locals were on the way: checked builds compare them behind some iterations of the loops that restore them, too.
//!
//! ```text
//! let mut v = 0.0;                       let mut v = 0.0;
//!                                        let mut witnesses = Witnesses::new();
//! for i in 0..n { v += f; }              for i in 0..n { witnesses.keep(&v); v += f; }
//! let scale = magnitude(&v);             let scale = magnitude(&v);
//! for i in (0..n).rev() { .. v -= f; }   for i in (0..n).rev() { .. v -= f; check!(v == witnesses.recall()); }
//! check!(v == 0.0);                      check!(v == 0.0);
//! ```
//!
//! A comparison that `optimize::demand` has left says that everything between it and where the local was measured restores the local,
//! all of it. So does each iteration of the loops in between, and the loop that computed the local stands in front of that.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analysis::Context;
use crate::ir::{Block, Check, Checks, For, Program, Records, Restored, Stmt, Var, VarId, VarKind, Witness};

/// The same program with witnesses on the way. Programs with a record have samples in it.
pub(super) fn witnesses(program: &Program) -> Cow<'_, Program> {
    if program.checks == Checks::Never || program.records != Records::Nothing || !program.body.any(&compares) {
        return Cow::Borrowed(program);
    }
    let context = Context::new(program);
    let mut stage = Stage { context: &context, added: Vec::new() };
    let body = stage.block(&program.body);
    if stage.added.is_empty() {
        return Cow::Borrowed(program);
    }
    let vars = program.vars.iter().cloned().chain(stage.added).collect();
    Cow::Owned(program.with(vars, body))
}

/// Whether a local is compared with what it was.
fn compares(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Check(Check::Restored(_)))
}

struct Stage<'c, 'p> {
    context: &'c Context<'p>,
    added: Vec<Var>,
}

/// A loop that computes a local, and the one that restores it.
struct Pair {
    computing: usize,
    restoring: usize,
    check: Restored,
}

impl Stage<'_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        let pairs = self.pairs(&block.stmts);
        let mut stmts: Vec<Stmt> =
            block.stmts.iter().map(|stmt| stmt.map_blocks(&mut |block| self.block(block))).collect();
        let mut begun = Vec::new();
        for Pair { computing, restoring, check } in pairs {
            let store = VarId(self.context.vars.len() + self.added.len());
            let span = check.binding.span;
            self.added.push(Var::added(&format!("witnesses_{}", store.0), VarKind::Register, span));
            let keep = Check::Witness(Witness::Keep { store, var: check.var, span });
            each_iteration(&mut stmts[computing], |body| body.insert(0, Stmt::Check(keep)));
            let recall = Check::Witness(Witness::Recall { store, of: check });
            each_iteration(&mut stmts[restoring], |body| body.push(Stmt::Check(recall)));
            begun.push((computing, Stmt::Check(Check::Witness(Witness::Begin { store, span }))));
        }
        begun.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        begun.into_iter().for_each(|(at, begin)| stmts.insert(at, begin));
        Block { stmts, span: block.span }
    }

    /// The loops that the comparisons of a block speak of.
    fn pairs(&self, stmts: &[Stmt]) -> Vec<Pair> {
        let checks: Vec<(usize, &Restored)> = stmts.iter().enumerate().filter_map(compared).collect();
        if checks.is_empty() {
            return Vec::new();
        }
        let (mut measured, mut loops) = (BTreeMap::new(), BTreeMap::<VarId, Vec<usize>>::new());
        for (i, stmt) in stmts.iter().enumerate() {
            measured.extend(stmt.begun().and_then(|begun| begun.pattern.as_var()).map(|var| (var, i)));
            if matches!(stmt, Stmt::For(_) | Stmt::While(_)) {
                self.context
                    .net_effects(stmt)
                    .changed()
                    .into_iter()
                    .for_each(|var| loops.entry(var).or_default().push(i));
            }
        }
        let mut pairs = Vec::new();
        for (at, check) in checks {
            let (Some(&measured), Some(loops)) = (measured.get(&check.scale), loops.get(&check.var)) else { continue };
            for &restoring in loops.iter().filter(|i| (measured..at).contains(i)) {
                let undone = |i: &&usize| **i < measured && is_undone_by(&stmts[**i], &stmts[restoring]);
                let computing = loops.iter().rfind(undone);
                pairs.extend(computing.map(|&computing| Pair { computing, restoring, check: check.clone() }));
            }
        }
        pairs
    }
}

fn compared((i, stmt): (usize, &Stmt)) -> Option<(usize, &Restored)> {
    if let Stmt::Check(Check::Restored(check)) = stmt { Some((i, check)) } else { None }
}

/// Whether these are the same loop of the user, in the one direction and in the other.
fn is_undone_by(computing: &Stmt, restoring: &Stmt) -> bool {
    let opposite = match (computing, restoring) {
        (Stmt::For(there), Stmt::For(back)) => is_whole(there) && is_whole(back) && !back.is_in_order_of(&there.iter),
        (Stmt::While(_), Stmt::While(_)) => true,
        _ => false,
    };
    opposite && computing.span().is_at(restoring.span())
}

fn is_whole(s: &For) -> bool {
    s.early.is_none() && s.part.is_none()
}

fn each_iteration(stmt: &mut Stmt, with: impl FnOnce(&mut Vec<Stmt>)) {
    match stmt {
        Stmt::For(s) => with(&mut s.body.stmts),
        Stmt::While(s) => with(&mut s.body.stmts),
        _ => {}
    }
}
