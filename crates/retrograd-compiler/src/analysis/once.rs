//! Ancillas that begin at zero and are added to once: they hold what was added.

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use crate::ir::{Block, Expr, ExprKind, MacroArgs, Projection, Stmt, Syntax, UpdateOp, VarId};

impl Context<'_> {
    /// The variables of which every element is added to at most once after it began at zero, in one place of the program.
    pub fn added_to_once(&self, body: &Block) -> BTreeSet<VarId> {
        let mut found = Found::default();
        self.look(body, &mut Vec::new(), &mut found);
        let Found { zero, added, other } = found;
        let once = |(var, times): (VarId, usize)| {
            (times == 1 && zero.contains_key(&var) && !other.contains(&var)).then_some(var)
        };
        added.into_iter().filter_map(once).collect()
    }

    fn look(&self, block: &Block, loops: &mut Vec<Option<VarId>>, found: &mut Found) {
        for stmt in &block.stmts {
            match stmt {
                // What is undone does not count.
                Stmt::Uncompute(_) => continue,
                Stmt::Begin(b) => {
                    if let Some(var) = b.pattern.as_var().filter(|_| is_zero(&b.value)) {
                        found.zero.insert(var, loops.len());
                    }
                }
                Stmt::Update(s) if s.op == UpdateOp::Add => {
                    let (root, depth) = (s.target.root, found.zero.get(&s.target.root));
                    // Each loop since it began has an index of its own in the target.
                    let own = depth.is_some_and(|depth| {
                        let inner = &loops[*depth..];
                        let indexed = |turn: &Option<VarId>| {
                            turn.is_some_and(|turn| {
                                s.target.path.iter().any(|step| matches!(step, Projection::Index(index) if index.kind == ExprKind::Var(turn)))
                            })
                        };
                        inner.iter().all(indexed)
                    });
                    if own {
                        *found.added.entry(root).or_default() += 1;
                    } else {
                        found.other.insert(root);
                    }
                }
                _ => found.other.extend(self.own_effects(stmt).changed()),
            }
            let entered = if let Stmt::For(f) = stmt {
                loops.push(f.pattern.as_var());
                true
            } else if matches!(stmt, Stmt::While(_)) {
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

#[derive(Default)]
struct Found {
    /// What began at zero, and in how many loops.
    zero: BTreeMap<VarId, usize>,
    added: BTreeMap<VarId, usize>,
    other: BTreeSet<VarId>,
}

/// `0.0`, `T::zero()`, and arrays and vectors of these.
fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(Syntax(syn::Lit::Float(float))) => float.base10_parse::<f64>().is_ok_and(|value| value == 0.0),
        ExprKind::Call { callee, args } => {
            args.is_empty()
                && matches!(&callee.kind, ExprKind::Path(path)
                    if path.0.path.segments.last().is_some_and(|last| last.ident == "zero"))
        }
        ExprKind::Repeat(value, _) | ExprKind::Macro { args: MacroArgs::Repeat(value, _), .. } => is_zero(value),
        _ => false,
    }
}
