//! Ancillas that begin at zero and are added to once: they hold what was added.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, counter};
use crate::ir::{Block, Expr, ExprKind, MacroArgs, Projection, Stmt, UpdateOp, VarId};
use crate::signature::numbers::Numbers;

impl Context<'_> {
    /// The variables of which every element is added to at most once after it began at zero, in one place of the program.
    pub fn added_to_once(&self, body: &Block, numbers: &Numbers) -> BTreeSet<VarId> {
        let mut found = Found { numbers, zero: BTreeMap::new(), added: BTreeMap::new(), other: BTreeSet::new() };
        self.look(body, &mut Vec::new(), &mut found);
        let Found { zero, added, other, .. } = found;
        let once = |(var, times): (VarId, usize)| {
            (times == 1 && zero.contains_key(&var) && !other.contains(&var)).then_some(var)
        };
        added.into_iter().filter_map(once).collect()
    }

    fn look(&self, block: &Block, loops: &mut Vec<Option<VarId>>, found: &mut Found<'_>) {
        for stmt in &block.stmts {
            // What is undone does not count.
            if matches!(stmt, Stmt::Uncompute(_)) {
                continue;
            }
            if let Some(binding) = stmt.begun() {
                if let Some(var) = binding.pattern.as_var().filter(|_| is_zero(&binding.value, found.numbers)) {
                    found.zero.insert(var, loops.len());
                }
            } else if let Stmt::Update(s) = stmt
                && s.op == UpdateOp::Add
            {
                let root = self.root(&s.target);
                // Through a view it is not seen which element it is.
                let depth = found.zero.get(&root).filter(|_| root == s.target.root);
                // Each loop since it began has an index of its own in the target, and counts: no element comes twice.
                let indexed = |turn: &Option<VarId>| {
                    let own = |step: &Projection| matches!((step, turn), (Projection::Index(index), Some(turn)) if index.kind == ExprKind::Var(*turn));
                    s.target.path.iter().any(own)
                };
                if depth.is_some_and(|depth| loops[*depth..].iter().all(indexed)) {
                    *found.added.entry(root).or_default() += 1;
                } else {
                    found.other.insert(root);
                }
            } else {
                found.other.extend(self.own_effects(stmt).changed());
            }
            let entered = if let Stmt::For(f) = stmt {
                loops.push(counter(f));
                true
            } else if matches!(stmt, Stmt::While(_) | Stmt::Loop(_)) {
                loops.push(None);
                true
            } else {
                false
            };
            stmt.blocks().into_iter().for_each(|block| self.look(block, loops, found));
            if entered {
                loops.pop();
            }
        }
    }
}

struct Found<'a> {
    /// The type parameters that are numbers.
    numbers: &'a Numbers,
    /// What began at zero, and in how many loops.
    zero: BTreeMap<VarId, usize>,
    added: BTreeMap<VarId, usize>,
    other: BTreeSet<VarId>,
}

/// `0.0`, `T::zero()`, and arrays and vectors of these.
fn is_zero(e: &Expr, numbers: &Numbers) -> bool {
    match &e.kind {
        ExprKind::Repeat(value, _) | ExprKind::Macro { args: MacroArgs::Repeat(value, _), .. } => {
            is_zero(value, numbers)
        }
        _ => numbers.is_constant(e, 0.0, "zero"),
    }
}
