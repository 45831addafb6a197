//! Which of the checks of a local are made: the last one in front of which everything that restores the local is kept.
//!
//! `demand` goes through a block from its end. A check that it meets is open until it is known what became of the statements that
//! restore the local in front of it: the record may give the local back, or the run may have measured it there and begun to restore it.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::Context;
use crate::ir::{Block, Check, Form, Keep, Restored, Slot, Stmt, VarId};

/// The locals that some check compares.
pub(super) fn compared(block: &Block) -> BTreeSet<VarId> {
    let mut vars = BTreeSet::new();
    block.walk(&mut |stmt| {
        if let Stmt::Check(Check::Restored(check)) = stmt {
            vars.insert(check.var);
        }
    });
    vars
}

/// What statements have done to a local in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fate {
    /// Something has restored it up to rounding.
    rounded: bool,
    /// Something that would have restored it is left out: it is not what it was.
    spoiled: bool,
    /// The record has given it back as a whole, whatever it was before.
    settled: bool,
}

/// The same for all locals that are compared; those that are not there have not been touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fates(BTreeMap<VarId, Fate>);

impl Fates {
    /// What a statement does by itself, which is kept in that form or left out.
    pub(super) fn of(context: &Context<'_>, compared: &BTreeSet<VarId>, stmt: &Stmt, kept: Option<&Stmt>) -> Fates {
        if compared.is_empty() {
            return Fates::default();
        }
        let changed = context.own_effects(stmt).changed().into_iter().filter(|var| compared.contains(var));
        Fates(changed.map(|var| (var, Fate::of(var, kept))).collect())
    }

    /// The same with what has been done in front of it.
    pub(super) fn behind(&mut self, front: &Fates) {
        for (var, front) in &front.0 {
            let fate = self.0.entry(*var).or_default();
            *fate = fate.behind(*front);
        }
    }

    /// What has been done if either has run.
    pub(super) fn or(mut self, other: Fates) -> Fates {
        let always = |fates: &Fates, var: VarId| fates.0.get(&var).is_some_and(|fate: &Fate| fate.settled);
        let vars: BTreeSet<VarId> = self.0.keys().chain(other.0.keys()).copied().collect();
        for var in vars {
            let settled = always(&self, var) && always(&other, var);
            let second = other.0.get(&var).copied().unwrap_or_default();
            let fate = self.0.entry(var).or_default();
            *fate = Fate { rounded: fate.rounded | second.rounded, spoiled: fate.spoiled | second.spoiled, settled };
        }
        self
    }
}

impl Fate {
    fn of(var: VarId, kept: Option<&Stmt>) -> Fate {
        match kept {
            // Zeros of some shape are no value to compare.
            None | Some(Stmt::Restore(Keep { slot: Slot { form: Form::Shape, .. }, .. })) => {
                Fate { spoiled: true, ..Fate::default() }
            }
            // To the last bit.
            Some(Stmt::Restore(Keep { place, .. })) => {
                Fate { settled: place.is_all() && place.root == var, ..Fate::default() }
            }
            Some(_) => Fate { rounded: true, ..Fate::default() },
        }
    }

    fn behind(self, front: Fate) -> Fate {
        if self.settled {
            return self;
        }
        let (rounded, spoiled) = (self.rounded | front.rounded, self.spoiled | front.spoiled);
        Fate { rounded, spoiled, settled: front.settled }
    }
}

/// The checks of the locals of a block, while it is gone through from its end.
#[derive(Default)]
pub(super) struct Checks<'b> {
    /// Those that are not decided.
    open: BTreeMap<VarId, Open<'b>>,
    /// Those that are made, and behind how many statements from the end.
    made: BTreeMap<VarId, (usize, &'b Restored)>,
}

/// A check that is not decided.
struct Open<'b> {
    check: &'b Restored,
    /// How many statements there are behind it.
    at: usize,
    /// What the statements in front of it have done to its local.
    fate: Fate,
}

impl<'b> Checks<'b> {
    /// A check with so many statements behind it. The one behind it, which nothing has restored the local in front of, is decided.
    pub(super) fn meet(&mut self, check: &'b Restored, at: usize, made: &mut dyn FnMut(&Restored)) {
        self.decide(check.var, made);
        if !self.made.contains_key(&check.var) {
            self.open.insert(check.var, Open { check, at, fate: Fate::default() });
        }
    }

    /// The register in which a local is measured begins: in front of it nothing is restored.
    pub(super) fn measured(&mut self, scale: VarId, made: &mut dyn FnMut(&Restored)) {
        let var = self.open.values().find(|open| open.check.scale == scale).map(|open| open.check.var);
        var.into_iter().for_each(|var| self.decide(var, made));
    }

    /// Of a local the record gives back the shape alone: nothing can be compared with it.
    pub(super) fn without_witness(&mut self, var: VarId) {
        self.open.retain(|_, open| !open.check.expected.expr().mentions(var));
    }

    /// What a statement in front of the open checks has done.
    pub(super) fn follow(&mut self, fates: &Fates, made: &mut dyn FnMut(&Restored)) {
        for (var, front) in &fates.0 {
            let Some(open) = self.open.get_mut(var) else { continue };
            open.fate = open.fate.behind(*front);
            if open.fate.settled {
                self.decide(*var, made);
            }
        }
    }

    /// A check is made if all that restores its local is kept, and some of that rounds; one is enough. It does not demand that
    /// the local is restored.
    fn decide(&mut self, var: VarId, made: &mut dyn FnMut(&Restored)) {
        if let Some(Open { check, at, fate }) = self.open.remove(&var)
            && fate.rounded
            && !fate.spoiled
        {
            made(check);
            self.made.insert(var, (at, check));
        }
    }

    /// Decides all, and puts those that are made where they were, into statements in reverse order.
    pub(super) fn insert_into(mut self, stmts: &mut Vec<Stmt>, made: &mut dyn FnMut(&Restored)) {
        let open: Vec<VarId> = self.open.keys().copied().collect();
        open.into_iter().for_each(|var| self.decide(var, made));
        let mut made: Vec<(usize, &Restored)> = self.made.into_values().collect();
        made.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        for (at, check) in made {
            stmts.insert(at, Stmt::Check(Check::Restored(check.clone())));
        }
    }
}
