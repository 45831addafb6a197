//! How long the locals of a block live, and what must be undone when.
//!
//! The `let mut`s of a block are its ancillas. A statement that changes only these is *computing*; it is undone
//! right after the last statement that mentions what it computed. A compound statement that changes other things
//! too is undone by its slice. Where that cannot be, the ancilla is *manual* and ends by `release!`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Context;
use super::effects::{Access, Effects};
use super::relation::{Changed, Relation};
use super::slice::{NoSlice, declared_inside};
use crate::ir::{BindingKind, Block, Expr, Stmt, VarId};
use crate::span::Span;

/// What a statement is to the ancillas of its block.
#[derive(Clone, Debug)]
pub enum Role {
    /// It changes none that is undone by itself.
    Using,
    /// It begins a local that ends by itself.
    Beginning,
    /// It changes nothing else.
    Computing,
    /// It changes other things too; this is the part of it that is undone.
    Mixed(Box<Stmt>),
}

/// Why an ancilla has to be released by hand.
#[derive(Clone, Debug)]
pub enum Manual {
    /// It is, in this statement.
    Released,
    /// This statement changes it together with other things.
    Together(Span),
    /// It is computed here from what the same statement changes there.
    Reads(Span, Span),
    /// A `#[compute]` block computes it here from what the rest of the block changes there.
    Compute(Span, Span),
}

/// The plan of a block.
#[derive(Debug)]
pub struct Plan {
    /// The role of each statement.
    pub roles: Vec<Role>,
    /// After which statement each is undone; meaningful for all roles but `Using`. The value of a function counts as
    /// the statement behind the last.
    pub undone: Vec<usize>,
    /// The last statement in which the user mentions the locals that each statement begins.
    pub mentioned: Vec<usize>,
    /// The ancillas that end by hand, and why.
    pub manual: BTreeMap<VarId, Manual>,
    /// What each statement reads and changes.
    pub effects: Vec<Effects>,
    /// The statements that change each variable.
    pub writers: Users,
    /// The locals that begin in this block.
    pub begun: BTreeSet<VarId>,
}

impl Plan {
    /// What is changed by the statements from `first` to `last`.
    pub fn changed(&self, first: usize, last: usize) -> Changed {
        Changed::by(&self.effects[first..=last])
    }

    /// For each statement, and for the value behind the last: the statements that are undone after it, in the order in which
    /// that happens.
    pub fn ends(&self) -> Vec<Vec<usize>> {
        let mut ends = vec![Vec::new(); self.roles.len() + 1];
        for i in (0..self.roles.len()).rev().filter(|i| !matches!(self.roles[*i], Role::Using)) {
            ends[self.undone[i]].push(i);
        }
        ends
    }

    /// The statements behind statement `i`, up to `end`, that change something that is read here.
    pub fn disturbers(&self, i: usize, end: usize, reads: &[Access]) -> impl Iterator<Item = usize> + use<> {
        let changing = of_these(&self.writers, reads.iter().map(|read| read.place.root));
        changing.into_iter().filter(move |later| (i + 1..=end).contains(later))
    }
}

/// The statements of a block that have to do with each variable.
pub type Users = HashMap<VarId, Vec<usize>>;

fn users(vars: impl IntoIterator<Item = impl Iterator<Item = VarId>>) -> Users {
    let mut users = Users::new();
    for (i, vars) in vars.into_iter().enumerate() {
        for var in vars {
            let known = users.entry(var).or_default();
            if known.last() != Some(&i) {
                known.push(i);
            }
        }
    }
    users
}

fn of_these(users: &Users, vars: impl Iterator<Item = VarId>) -> BTreeSet<usize> {
    vars.filter_map(|var| users.get(&var)).flatten().copied().collect()
}

/// Whether anything is read of a variable of which something is written.
pub fn same_root(writes: &[Access], reads: &[Access]) -> bool {
    writes.iter().any(|w| reads.iter().any(|r| r.place.root == w.place.root))
}

impl Context<'_> {
    /// Plans the lives of the locals of a block, whose value, if it has one, is `tail`.
    pub fn plan(&self, block: &Block, tail: Option<&Expr>) -> Plan {
        let stmts = &block.stmts;
        let effects: Vec<Effects> = stmts.iter().map(|stmt| self.effects(stmt)).collect();
        let (manual, roles) = self.roles(stmts);
        let mut last: HashMap<VarId, usize> = HashMap::new();
        for (i, effects) in effects.iter().enumerate() {
            last.extend(effects.mentioned().map(|var| (var, i)));
        }
        // The value of a function counts as the statement behind the last.
        let tail_reads = tail.map(|e| self.expr_reads(e)).unwrap_or_default();
        last.extend(tail_reads.iter().map(|read| (read.place.root, stmts.len())));
        let last_mention =
            |vars: &[VarId], begun: usize| vars.iter().filter_map(|var| last.get(var).copied()).fold(begun, usize::max);
        let begun: Vec<Vec<VarId>> = stmts
            .iter()
            .map(|stmt| stmt.begun().map(|binding| binding.pattern.bindings()).unwrap_or_default())
            .collect();
        // What is undone of each statement, and which locals of the block it begins or changes.
        let undoing: Vec<Effects> = stmts
            .iter()
            .enumerate()
            .map(|(i, _)| match &roles[i] {
                Role::Mixed(slice) => self.effects(slice),
                Role::Using | Role::Beginning | Role::Computing => effects[i].clone(),
            })
            .collect();
        let all: BTreeSet<VarId> = begun.iter().flatten().copied().collect();
        let made: Vec<Vec<VarId>> = (0..stmts.len())
            .map(|i| match &roles[i] {
                Role::Using | Role::Beginning => begun[i].clone(),
                Role::Computing | Role::Mixed(_) => {
                    undoing[i].changed().into_iter().filter(|var| all.contains(var)).collect()
                }
            })
            .collect();
        let mentioned: Vec<usize> = (0..stmts.len()).map(|i| last_mention(&made[i], i)).collect();
        let writers = users(effects.iter().map(|effects| effects.changed().into_iter()));
        let mut plan = Plan { roles, undone: mentioned.clone(), mentioned, manual, effects, writers, begun: all };
        let mentioners = users(undoing.iter().map(Effects::mentioned));
        while self.extend(&mut plan, &undoing, &made, &mentioners) {}
        plan
    }

    /// Moves ends of life back until everything that an undoing needs is still there. Says whether it moved one.
    fn extend(&self, plan: &mut Plan, undoing: &[Effects], made: &[Vec<VarId>], mentioners: &Users) -> bool {
        let mut moved = false;
        let undone = |plan: &Plan, i: usize| !matches!(plan.roles[i], Role::Using);
        for i in (0..plan.roles.len()).rev() {
            if !undone(plan, i) {
                continue;
            }
            let using = of_these(mentioners, made[i].iter().copied());
            let changing = of_these(&plan.writers, undoing[i].reads.iter().map(|read| read.place.root));
            for &later in using.union(&changing).filter(|later| **later > i) {
                if !undone(plan, later) || plan.undone[later] <= plan.undone[i] {
                    continue;
                }
                // What works with what this made is undone before this is ..
                let uses = using.contains(&later);
                // .. and so is what changes what this is computed from, if it comes before this is undone.
                if uses || later <= plan.undone[i] && self.changes_source(plan, &undoing[i], i, later) {
                    plan.undone[i] = plan.undone[later];
                    moved = true;
                }
            }
        }
        moved
    }

    /// Whether a later computing statement changes what statement `i` reads.
    fn changes_source(&self, plan: &Plan, undoing: &Effects, i: usize, later: usize) -> bool {
        let computes = matches!(plan.roles[later], Role::Computing | Role::Mixed(_));
        if !computes || !same_root(&plan.effects[later].writes, &undoing.reads) {
            return false;
        }
        let changed = plan.changed(i, later);
        let disturbs =
            |write| undoing.reads.iter().any(|read| self.disturbs_over(write, read, &changed) != Relation::Disjoint);
        plan.effects[later].writes.iter().any(disturbs)
    }

    /// Which ancillas are manual, and what each statement is to the others.
    fn roles(&self, stmts: &[Stmt]) -> (BTreeMap<VarId, Manual>, Vec<Role>) {
        let mut ancillas = BTreeSet::new();
        let mut manual = BTreeMap::new();
        for stmt in stmts {
            if let Some(b) = stmt.begun().filter(|b| b.kind == BindingKind::Ancilla) {
                ancillas.extend(b.pattern.bindings());
            }
            if let Some(b) = stmt.ended() {
                manual.extend(b.pattern.bindings().into_iter().map(|v| (v, Manual::Released)));
            }
        }
        loop {
            let before = manual.len();
            let roles = stmts.iter().map(|stmt| self.role(stmt, &ancillas, &mut manual)).collect();
            if manual.len() == before {
                return (manual, roles);
            }
        }
    }

    fn role(&self, stmt: &Stmt, ancillas: &BTreeSet<VarId>, manual: &mut BTreeMap<VarId, Manual>) -> Role {
        if let Some(binding) = stmt.begun() {
            return match binding.pattern.bindings().iter().any(|var| manual.contains_key(var)) {
                true => Role::Using,
                false => Role::Beginning,
            };
        }
        if stmt.ended().is_some() {
            return Role::Using;
        }
        let inside = declared_inside(stmt);
        let changed = self.net_effects(stmt).changed();
        let (automatic, other): (Vec<VarId>, Vec<VarId>) = changed
            .into_iter()
            .filter(|var| !inside.contains(var))
            .partition(|var| ancillas.contains(var) && !manual.contains_key(var));
        if automatic.is_empty() {
            return Role::Using;
        }
        if other.is_empty() {
            return Role::Computing;
        }
        if stmt.blocks().is_empty() {
            manual.extend(automatic.into_iter().map(|var| (var, Manual::Together(stmt.span()))));
            return Role::Using;
        }
        let targets: BTreeSet<VarId> = automatic.iter().copied().collect();
        let failure = match self.slice(stmt, &targets) {
            Ok(slice) => return Role::Mixed(Box::new(slice)),
            Err(failure) => failure,
        };
        // Of several ancillas perhaps only some cannot be undone by themselves.
        let before = manual.len();
        for var in &automatic {
            if let Err(failure) = self.slice(stmt, &BTreeSet::from([*var])) {
                manual.insert(*var, self.why(stmt, failure));
            }
        }
        if manual.len() == before {
            let why = self.why(stmt, failure);
            manual.extend(automatic.into_iter().map(|var| (var, why.clone())));
        }
        Role::Using
    }

    fn why(&self, stmt: &Stmt, failure: NoSlice) -> Manual {
        if let Some(why) = self.disturbed_compute(stmt) {
            return why;
        }
        match failure {
            NoSlice::Together(span) => Manual::Together(span),
            NoSlice::Reads(read, write) => Manual::Reads(read, write),
        }
    }

    /// A `#[compute]` block that works with what the rest of its block changes.
    fn disturbed_compute(&self, stmt: &Stmt) -> Option<Manual> {
        if let Stmt::Conjugate(c) = stmt {
            return self.clash(c).map(|(used, write)| Manual::Compute(used.span, write.span));
        }
        stmt.blocks().into_iter().flat_map(|b| &b.stmts).find_map(|s| self.disturbed_compute(s))
    }
}
