//! Loops whose turns do not depend on each other run forwards, and apart where that helps.
//!
//! The adjoint of a loop runs from its end. Where no turn restores a value and what is read of shadows is not what is added to,
//! the turns only add: any order is right, and from front to back memory is read as it lies. If such a loop adds into one
//! place in every turn (a sum), or has an inner loop that does, and adds into others one after the other, it is split: the sum
//! needs its order, the rest can be done several turns at once. The order of every sum is fixed by the program: from the first
//! turn to the last.

use std::collections::BTreeSet;

use crate::analysis::Context;
use crate::analysis::effects::Effects;
use crate::ir::{
    Adapter, Block, Expr, ExprKind, For, Iter, Program, Rule, Run, Source, Stmt, UpdateOp, VarId, VarKind,
};

/// Turns loops round where any order is right.
pub fn forwards(program: &mut Program) {
    let body = {
        let context = Context::new(program);
        let pass = Pass { context: &context };
        pass.block(&program.body)
    };
    program.body = body;
}

struct Pass<'c, 'p> {
    context: &'c Context<'p>,
}

impl Pass<'_, '_> {
    fn block(&self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            if let Stmt::For(s) = stmt {
                self.for_loop(s, &mut stmts);
            } else {
                stmts.push(stmt.map_blocks(&mut |block| self.block(block)));
            }
        }
        Block { stmts, span: block.span }
    }

    fn for_loop(&self, s: &For, stmts: &mut Vec<Stmt>) {
        let s = For { body: self.block(&s.body), ..s.clone() };
        if !self.only_adds(&s.body) {
            stmts.push(Stmt::For(s));
            return;
        }
        let iter = forward(&s.iter);
        let parts = self.split(&s.body, s.pattern.as_var());
        stmts.extend(parts.into_iter().map(|body| Stmt::For(For { iter: iter.clone(), body, ..s.clone() })));
    }

    /// Whether the turns of a loop only add to shadows that no turn reads.
    fn only_adds(&self, body: &Block) -> bool {
        let mut found = Found::default();
        self.look(body, &mut found);
        found.plain && found.added.iter().all(|shadow| !found.read.contains(shadow))
    }

    fn look(&self, block: &Block, found: &mut Found) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Update(s) => {
                    let root = s.target.root;
                    let local = found.local.contains(&root);
                    let adds = matches!(s.op, UpdateOp::Add | UpdateOp::Sub) && self.is_shadow(root);
                    found.plain &= local || adds;
                    if !local {
                        found.added.insert(root);
                    }
                    self.reads(stmt, found);
                }
                Stmt::Begin(b) => {
                    let mut runs = false;
                    b.value.walk(&mut |e| runs |= matches!(e.kind, ExprKind::Companion { run: Run::Adjoint, .. }));
                    found.plain &= !runs && b.kind != crate::ir::BindingKind::View;
                    self.reads(stmt, found);
                    found.local.extend(b.pattern.bindings());
                }
                Stmt::End(b) => found.plain &= b.kind != crate::ir::BindingKind::Manual,
                Stmt::For(_) | Stmt::If(_) | Stmt::Block(_) => {
                    self.reads(stmt, found);
                    stmt.blocks().into_iter().for_each(|block| self.look(block, found));
                }
                Stmt::Flip(_)
                | Stmt::Map(_)
                | Stmt::Swap(_)
                | Stmt::Permute(_)
                | Stmt::Call(_)
                | Stmt::Match(_)
                | Stmt::While(_)
                | Stmt::Conjugate(_)
                | Stmt::Unchecked(_)
                | Stmt::Inverse(_)
                | Stmt::Host(_)
                | Stmt::Compute(_)
                | Stmt::Uncompute(_) => found.plain = false,
            }
        }
    }

    fn reads(&self, stmt: &Stmt, found: &mut Found) {
        for access in self.context.own_effects(stmt).reads {
            let root = access.place.root;
            if !found.local.contains(&root) {
                found.read.insert(root);
            }
        }
    }

    fn is_shadow(&self, var: VarId) -> bool {
        matches!(self.context.vars[var.0].kind, VarKind::Shadow { .. })
    }

    /// The body in two, if some of it sums up over turns and the rest does not: registers go with both. A local that is added
    /// to ties together what mentions it.
    fn split(&self, body: &Block, turn: Option<VarId>) -> Vec<Block> {
        let whole = || vec![body.clone()];
        // Where the number of turns is not known when the program is compiled, indices are checked in every turn: then turns are
        // not done several at once, and two loops check twice.
        let Some(turn) = turn.filter(|turn| self.context.is_counted(*turn)) else { return whole() };
        let flat = flattened(body);
        let simple = |stmt: &Stmt| matches!(stmt, Stmt::Update(_) | Stmt::For(_) | Stmt::Begin(_) | Stmt::End(_));
        if !flat.iter().all(simple) {
            return whole();
        }
        let effects: Vec<Effects> = flat.iter().map(|stmt| self.context.effects(stmt)).collect();
        let acts = |i: usize| matches!(flat[i], Stmt::Update(_) | Stmt::For(_));
        let changed = (0..flat.len()).filter(|&i| acts(i)).flat_map(|i| effects[i].changed());
        let added_to: BTreeSet<VarId> = changed.filter(|var| begins(&flat, *var)).collect();
        // What each statement needs to have run before it, and with it what that needs.
        let needs: Vec<BTreeSet<usize>> = (0..flat.len()).map(|i| needed(&flat, &effects, i)).collect();
        let tied = |i: usize, j: usize| {
            let mentions = |i: usize, var: VarId| needs[i].iter().any(|n| effects[*n].mentions(var));
            added_to.iter().any(|var| mentions(i, *var) && mentions(j, *var))
        };
        let mut sums: BTreeSet<usize> =
            (0..flat.len()).filter(|&i| acts(i) && sums_up(&flat[i], turn, &|var| begins(&flat, var))).collect();
        while let Some(more) =
            (0..flat.len()).find(|&i| acts(i) && !sums.contains(&i) && sums.iter().any(|&j| tied(i, j)))
        {
            sums.insert(more);
        }
        let others: BTreeSet<usize> = (0..flat.len()).filter(|i| acts(*i) && !sums.contains(i)).collect();
        let with_needs = |acting: &BTreeSet<usize>| -> BTreeSet<usize> {
            acting.iter().flat_map(|i| needs[*i].iter().copied()).collect()
        };
        let (others, sums) = (with_needs(&others), with_needs(&sums));
        let twice = others.intersection(&sums).all(|i| flat[*i].begun().is_some_and(|b| is_cheap(&b.value)));
        if others.is_empty() || sums.is_empty() || !twice {
            return whole();
        }
        let part =
            |kept: &BTreeSet<usize>| Block { stmts: kept.iter().map(|i| flat[*i].clone()).collect(), span: body.span };
        vec![part(&others), part(&sums)]
    }
}

#[derive(Debug)]
struct Found {
    plain: bool,
    added: BTreeSet<VarId>,
    read: BTreeSet<VarId>,
    local: BTreeSet<VarId>,
}

impl Default for Found {
    fn default() -> Found {
        Found { plain: true, added: BTreeSet::new(), read: BTreeSet::new(), local: BTreeSet::new() }
    }
}

/// The statements that have to run for the one at `i`: those that begin or change what it mentions, and itself.
fn needed(stmts: &[Stmt], effects: &[Effects], i: usize) -> BTreeSet<usize> {
    let (mut found, mut open) = (BTreeSet::from([i]), vec![i]);
    while let Some(at) = open.pop() {
        for before in (0..at).filter(|before| stmts[*before].begun().is_some()) {
            let vars = stmts[before].begun().map_or(Vec::new(), |b| b.pattern.bindings());
            if vars.iter().any(|var| effects[at].mentions(*var)) && found.insert(before) {
                open.push(before);
            }
        }
    }
    found
}

/// Whether the variable begins in one of the statements.
fn begins(stmts: &[Stmt], var: VarId) -> bool {
    stmts.iter().filter_map(Stmt::begun).any(|b| b.pattern.bindings().contains(&var))
}

/// Whether a statement of a turn adds into a place that the next turn adds into too, or has a loop inside that does.
fn sums_up(stmt: &Stmt, turn: VarId, local: &dyn Fn(VarId) -> bool) -> bool {
    match stmt {
        Stmt::Update(s) => !local(s.target.root) && !s.target.indices().any(|index| index.mentions(turn)),
        Stmt::For(s) => s.pattern.as_var().is_none_or(|turn| {
            let inside = flattened(&s.body);
            inside.iter().any(|stmt| sums_up(stmt, turn, &|var| begins(&inside, var)))
        }),
        Stmt::Flip(_)
        | Stmt::Map(_)
        | Stmt::Swap(_)
        | Stmt::Permute(_)
        | Stmt::Call(_)
        | Stmt::Begin(_)
        | Stmt::End(_)
        | Stmt::If(_)
        | Stmt::Match(_)
        | Stmt::While(_)
        | Stmt::Block(_)
        | Stmt::Conjugate(_)
        | Stmt::Unchecked(_)
        | Stmt::Inverse(_)
        | Stmt::Host(_)
        | Stmt::Compute(_)
        | Stmt::Uncompute(_) => false,
    }
}

/// Whether computing something twice costs next to nothing.
fn is_cheap(e: &Expr) -> bool {
    let mut cheap = true;
    e.walk(&mut |e| {
        cheap &= match &e.kind {
            ExprKind::Lit(_)
            | ExprKind::Var(_)
            | ExprKind::Path(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Ref(_)
            | ExprKind::RefMut(_) => true,
            ExprKind::Rule(rule, _) => !matches!(rule, Rule::Partial(_)),
            _ => false,
        }
    });
    cheap
}

/// The statements of a block and of the blocks in it that only hold registers.
fn flattened(block: &Block) -> Vec<Stmt> {
    let mut stmts = Vec::new();
    for stmt in &block.stmts {
        if let Stmt::Block(inner) = stmt {
            stmts.extend(flattened(inner));
        } else {
            stmts.push(stmt.clone());
        }
    }
    stmts
}

/// The iterator from front to back, where it only counts.
fn forward(iter: &Iter) -> Iter {
    match (&iter.source, iter.adapters.as_slice()) {
        (Source::Range { .. }, [Adapter::Rev]) => Iter { adapters: Vec::new(), ..iter.clone() },
        _ => iter.clone(),
    }
}
