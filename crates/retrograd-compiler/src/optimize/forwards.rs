//! Loops whose turns do not depend on each other run forwards, and apart where that helps.
//!
//! The adjoint of a loop runs from its end. Where no turn restores a value and what is read of shadows is not what is added to,
//! the turns only add: any order is right, and from front to back memory is read as it lies. If such a loop adds into one
//! place in every turn (a sum) and into others one after the other, it is split: the sum needs its order, the rest can be done
//! several turns at once. The order of every sum is fixed by the program: from the first turn to the last.

use std::collections::BTreeSet;

use crate::analysis::Context;
use crate::ir::{
    Adapter, Arm, Block, For, If, Iter, Match, Place, Program, Run, Source, Stmt, UpdateOp, VarId, VarKind, While,
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
            match stmt {
                Stmt::For(s) => self.for_loop(s, &mut stmts),
                Stmt::If(s) => stmts.push(Stmt::If(If {
                    then: self.block(&s.then),
                    otherwise: s.otherwise.as_ref().map(|block| self.block(block)),
                    ..s.clone()
                })),
                Stmt::Match(s) => {
                    let arms = s.arms.iter().map(|arm| Arm { body: self.block(&arm.body), ..arm.clone() }).collect();
                    stmts.push(Stmt::Match(Match { arms, ..s.clone() }));
                }
                Stmt::While(s) => stmts.push(Stmt::While(While { body: self.block(&s.body), ..s.clone() })),
                Stmt::Block(s) => stmts.push(Stmt::Block(self.block(s))),
                Stmt::Update(_)
                | Stmt::Flip(_)
                | Stmt::Map(_)
                | Stmt::Swap(_)
                | Stmt::Permute(_)
                | Stmt::Call(_)
                | Stmt::Begin(_)
                | Stmt::End(_)
                | Stmt::Conjugate(_)
                | Stmt::Unchecked(_)
                | Stmt::Inverse(_)
                | Stmt::Host(_)
                | Stmt::Compute(_)
                | Stmt::Uncompute(_) => stmts.push(stmt.clone()),
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
                    b.value.walk(&mut |e| {
                        runs |= matches!(e.kind, crate::ir::ExprKind::Companion { run: Run::Adjoint, .. })
                    });
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

    /// The body in two, if it adds into one place in every turn and into another one in each: registers go with both.
    fn split(&self, body: &Block, turn: Option<VarId>) -> Vec<Block> {
        let Some(turn) = turn else { return vec![body.clone()] };
        let flat = flattened(body);
        let in_turn = |place: &Place| place.indices().any(|index| index.mentions(turn));
        let add = |stmt: &Stmt| if let Stmt::Update(s) = stmt { Some(in_turn(&s.target)) } else { None };
        let simple = flat.iter().all(|stmt| add(stmt).is_some() || stmt.begun().is_some() || stmt.ended().is_some());
        let (sums, others) =
            (flat.iter().any(|stmt| add(stmt) == Some(false)), flat.iter().any(|stmt| add(stmt) == Some(true)));
        // A local that is added to inside ties its statements together.
        let begins = |var: VarId| flat.iter().any(|b| b.begun().is_some_and(|b| b.pattern.bindings().contains(&var)));
        let local = flat.iter().any(|stmt| matches!(stmt, Stmt::Update(s) if begins(s.target.root)));
        if !simple || !sums || !others || local {
            return vec![body.clone()];
        }
        let part = |of_turn: bool| {
            let kept: Vec<Stmt> =
                flat.iter().filter(|stmt| add(stmt).is_none_or(|own| own == of_turn)).cloned().collect();
            let stmts = (0..kept.len()).filter(|&i| needed(&kept, i)).map(|i| kept[i].clone()).collect();
            Block { stmts, span: body.span }
        };
        vec![part(true), part(false)]
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

/// Whether something behind a register reads it, over other registers too.
fn needed(stmts: &[Stmt], i: usize) -> bool {
    let Some(binding) = stmts[i].begun() else { return true };
    let vars = binding.pattern.bindings();
    stmts[i + 1..].iter().enumerate().any(|(offset, stmt)| {
        let reads = if let Stmt::Update(s) = stmt {
            vars.iter().any(|v| s.operand.mentions(*v) || s.target.indices().any(|index| index.mentions(*v)))
        } else {
            stmt.begun().is_some_and(|b| vars.iter().any(|v| b.value.mentions(*v)))
        };
        reads && needed(stmts, i + 1 + offset)
    })
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
