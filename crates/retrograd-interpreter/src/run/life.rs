//! When what a block computes is undone.
//!
//! A name or an ancilla lives up to its last mention; what computes an ancilla is undone right behind that, the last first. Run
//! backwards, the same moment is its beginning: before a statement is undone, what would end behind it is computed.

use std::collections::BTreeSet;
use std::rc::Rc;

use retrograd_compiler::ir::{BindingKind, Block, Program, Stmt, VarId};

use super::uses::{Uses, Vars, inner};

/// The plan of a block.
#[derive(Debug)]
pub(crate) struct Plan {
    /// For each statement: what is computed again before it is undone, in that order.
    pub(crate) before: Vec<Vec<usize>>,
    /// What each statement is to the locals of the block.
    pub(crate) roles: Vec<Role>,
}

/// What a statement is to the locals of its block.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    /// Nothing, or it belongs to a local that the user gives back.
    Using,
    /// It begins a local that ends by itself.
    Beginning,
    /// It changes such locals alone.
    Computing,
    /// It changes other things too. What belongs to the locals is run by itself if only these may be changed.
    Mixed(Rc<BTreeSet<VarId>>),
}

impl Plan {
    pub(crate) fn of(program: &Program, block: &Block) -> Plan {
        let stmts = &block.stmts;
        let mut ended = Vars::new();
        let mut ancillas = Vars::new();
        for stmt in stmts {
            match stmt {
                Stmt::End(s) => ended.extend(s.pattern.bindings()),
                Stmt::Begin(s) if s.kind == BindingKind::Ancilla => ancillas.extend(s.pattern.bindings()),
                _ => {}
            }
        }
        ancillas.retain(|var| !ended.contains(var));
        let whole: Vec<Uses> = stmts.iter().map(|stmt| Uses::of(program, stmt)).collect();
        let roles: Vec<Role> =
            stmts.iter().zip(&whole).map(|(stmt, uses)| role(program, stmt, uses, &ancillas, &ended)).collect();
        // What is undone of each statement, and the locals that it makes.
        let undoing: Vec<Uses> = (0..stmts.len())
            .map(|i| match &roles[i] {
                Role::Mixed(only) => sliced(program, &stmts[i], only),
                Role::Using | Role::Beginning | Role::Computing => whole[i].clone(),
            })
            .collect();
        let made: Vec<Vars> = (0..stmts.len())
            .map(|i| match (&roles[i], &stmts[i]) {
                (Role::Beginning, Stmt::Begin(s)) => s.pattern.bindings().into_iter().collect(),
                (Role::Computing | Role::Mixed(_), _) => undoing[i].changes.intersection(&ancillas).copied().collect(),
                _ => Vars::new(),
            })
            .collect();
        let last = |vars: &Vars, from: usize| {
            let mentions = |at: &usize| whole[*at].mentions.iter().any(|var| vars.contains(var));
            (from..stmts.len()).rev().find(mentions).unwrap_or(from)
        };
        let mut undone: Vec<usize> = (0..stmts.len()).map(|i| last(&made[i], i)).collect();
        let is_undone = |i: usize| !matches!(roles[i], Role::Using);
        // What works with something is undone before that is; so is what changes what something was computed from.
        loop {
            let mut moved = false;
            for i in (0..stmts.len()).rev().filter(|i| is_undone(*i)) {
                for later in (i + 1..stmts.len()).filter(|later| is_undone(*later)) {
                    let uses = undoing[later].mentions.iter().any(|var| made[i].contains(var));
                    let changes = later <= undone[i]
                        && undoing[later].changes.iter().any(|var| undoing[i].mentions.contains(var));
                    if (uses || changes) && undone[later] > undone[i] {
                        undone[i] = undone[later];
                        moved = true;
                    }
                }
            }
            if !moved {
                break;
            }
        }
        let mut before = vec![Vec::new(); stmts.len()];
        for i in (0..stmts.len()).filter(|i| is_undone(*i)) {
            before[undone[i]].push(i);
        }
        Plan { before, roles }
    }
}

fn role(program: &Program, stmt: &Stmt, uses: &Uses, ancillas: &Vars, ended: &Vars) -> Role {
    match stmt {
        Stmt::Begin(s) => match s.pattern.bindings().iter().any(|var| ended.contains(var)) {
            true => Role::Using,
            false => Role::Beginning,
        },
        Stmt::End(_) => Role::Using,
        _ => {
            let own = inner(stmt);
            let changed: Vars = uses.changes.difference(&own).copied().collect();
            let mine: Vars = changed.intersection(ancillas).copied().collect();
            if mine.is_empty() {
                Role::Using
            } else if mine.len() == changed.len() {
                Role::Computing
            } else {
                Role::Mixed(Rc::new(needed(program, stmt, mine)))
            }
        }
    }
}

/// The variables that a part of a statement may change, if it is the part that these belong to: they and the locals inside that they need.
fn needed(program: &Program, stmt: &Stmt, mut needed: Vars) -> Vars {
    let own = inner(stmt);
    loop {
        let mentions = sliced(program, stmt, &needed).mentions;
        let more: Vec<VarId> = mentions.intersection(&own).copied().filter(|var| !needed.contains(var)).collect();
        if more.is_empty() {
            return needed;
        }
        needed.extend(more);
    }
}

/// What the part of a statement that changes only these has to do with variables.
fn sliced(program: &Program, stmt: &Stmt, only: &Vars) -> Uses {
    let mut uses = Uses::default();
    slice_into(program, stmt, only, &mut uses);
    uses
}

/// Whether anything of a statement is run, if only these may be changed.
pub(super) fn keeps(program: &Program, stmt: &Stmt, only: &Vars) -> bool {
    slice_into(program, stmt, only, &mut Uses::default())
}

fn slice_into(program: &Program, stmt: &Stmt, only: &Vars, uses: &mut Uses) -> bool {
    let mut add = |of: Uses| {
        uses.mentions.extend(of.mentions);
        uses.changes.extend(of.changes);
    };
    match stmt {
        Stmt::Begin(s) | Stmt::End(s) => {
            let kept = s.pattern.bindings().iter().any(|var| only.contains(var));
            if kept {
                add(Uses::of_head(program, stmt));
            }
            kept
        }
        // A `#[compute]` block is undone behind the rest: as a whole it changes nothing.
        Stmt::Conjugate(s) => {
            let kept = s.rest.stmts.iter().fold(false, |kept, stmt| slice_into(program, stmt, only, uses) | kept);
            if kept {
                for stmt in &s.compute.stmts {
                    uses.mentions.extend(Uses::of(program, stmt).mentions);
                }
            }
            kept
        }
        Stmt::Unchecked(inside) | Stmt::Inverse(inside) => slice_into(program, inside, only, uses),
        _ if stmt.blocks().is_empty() => {
            let own = Uses::of_head(program, stmt);
            let kept = !own.changes.is_empty() && own.changes.is_subset(only);
            if kept {
                add(own);
            }
            kept
        }
        _ => {
            let mut kept = false;
            for block in stmt.blocks() {
                for stmt in &block.stmts {
                    kept |= slice_into(program, stmt, only, uses);
                }
            }
            if kept {
                let own = Uses::of_head(program, stmt);
                uses.mentions.extend(own.mentions);
            }
            kept
        }
    }
}
