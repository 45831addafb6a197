//! What statements read and change, which places are the same, and how long locals live.
//!
//! Analyses only look; they neither report nor rewrite. `check` turns what they find into errors, `elaborate`
//! into explicit ends of life.

pub mod activity;
pub mod effects;
pub mod index;
pub mod kernel;
pub mod lifetime;
pub mod need;
pub mod once;
pub mod relation;
pub mod rows;
pub mod slice;
pub mod turns;
pub mod types;
pub(crate) mod witness;

use std::collections::HashMap;
use std::rc::Rc;

use crate::ir::{Adapter, Block, Expr, ExprKind, For, Program, Source, Stmt, Var, VarId, VarKind};

/// What the analyses know about a program.
pub struct Context<'p> {
    /// Its variables.
    pub vars: &'p [Var],
    /// Whether some of them are views.
    has_views: bool,
    /// For each loop variable over a range, the first and the end (not included) of what it can be.
    bounds: Rc<HashMap<VarId, (Expr, Expr, bool)>>,
}

impl<'p> Context<'p> {
    /// Collects what is known about the loop variables.
    pub fn new(program: &'p Program) -> Context<'p> {
        let mut bounds = HashMap::new();
        collect_bounds(&program.body, &mut bounds);
        Context { has_views: has_views(&program.vars), vars: &program.vars, bounds: Rc::new(bounds) }
    }

    /// The same with variables that a stage has added.
    pub fn with<'v>(&self, vars: &'v [Var]) -> Context<'v> {
        Context { has_views: has_views(vars), vars, bounds: self.bounds.clone() }
    }

    /// Whether the variable counts the turns of a loop.
    pub fn counts(&self, var: VarId) -> bool {
        self.bounds.contains_key(&var)
    }

    /// Whether the variable counts the turns of a loop whose ends are known when the program is compiled.
    pub fn is_counted(&self, turn: VarId) -> bool {
        let known = |e: &Expr| {
            let mut known = true;
            e.walk(&mut |e| {
                known &= match &e.kind {
                    ExprKind::Lit(_) | ExprKind::Path(_) | ExprKind::Unary(..) | ExprKind::Binary(..) => true,
                    ExprKind::Var(outer) => *outer != turn && self.is_counted(*outer),
                    _ => false,
                };
            });
            known
        };
        self.bounds.get(&turn).is_some_and(|(start, end, _)| known(start) && known(end))
    }

    /// The name of a variable as the user wrote it.
    pub fn name(&self, var: VarId) -> &str {
        &self.vars[var.0].written
    }
}

/// The variable that counts the turns of a loop: it goes through a range of integers, so no two turns have the same number. The
/// elements of anything else may repeat.
pub(crate) fn counter(f: &For) -> Option<VarId> {
    let counts = matches!(f.iter.source, Source::Range { .. })
        && f.iter.adapters.iter().all(|a| matches!(a, Adapter::Rev | Adapter::StepBy(_)));
    f.pattern.as_var().filter(|_| counts)
}

fn has_views(vars: &[Var]) -> bool {
    vars.iter().any(|var| matches!(var.kind, VarKind::View(_) | VarKind::Part(_)))
}

fn collect_bounds(block: &Block, bounds: &mut HashMap<VarId, (Expr, Expr, bool)>) {
    block.walk(&mut |stmt| {
        if let Stmt::For(f) = stmt
            && let Some(var) = counter(f)
            && let Source::Range { start, end, inclusive } = &f.iter.source
        {
            bounds.insert(var, (start.clone(), end.clone(), *inclusive));
        }
    });
}
