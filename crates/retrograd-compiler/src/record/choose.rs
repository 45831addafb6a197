//! What has two ways back takes the one for which the record keeps less.
//!
//! A sum is undone by taking off what was added, or by the record: that is cheaper where what was added would be kept for nothing else.
//! The derivative through an assignment may need the new value: it is computed again, or read from the target before that is restored.
//!
//! ```text
//! let k = f(&s);     let k = f(&s);
//! s += k;            s += k, and the record takes what s was
//! keep k
//! ```

use std::collections::BTreeSet;

use super::split::greatest;
use crate::analysis::Context;
use crate::analysis::effects::Effects;
use crate::analysis::types::of_place;
use crate::derivative::rules;
use crate::ir::{Activity, Assign, Block, Form, Keep, Place, Program, Slot, Stmt, Update, UpdateOp, VarId, VarKind};

/// How many values an array is taken to have, and how many iterations a loop: what matters is that it is more than one.
const MANY: u64 = 8;

/// More statements than these all take one way or all the other.
const TRIED: usize = 12;

/// The program with the ways back for which its record keeps least. `derived` has the run that fills the record, and whatever else
/// comes out.
pub fn cheapest<D>(prepared: Program, derived: impl Fn(&Program) -> (Program, D)) -> (Program, Program, D) {
    let assigned = count(&prepared, Way::Reread);
    let summed = count(&prepared, Way::Kept);
    let derive = |reread: &BTreeSet<usize>, kept: &BTreeSet<usize>| {
        let program = with(&with(&prepared, Way::Reread, reread), Way::Kept, kept);
        let (keep, rest) = derived(&program);
        Trial { weight: weight(&keep), program, keep, rest }
    };
    // To read a value is cheaper than to compute it, where nothing more is kept for that; to take off what was added is cheaper than
    // to keep what was there.
    let (none, mut reread) = (BTreeSet::new(), (0..assigned).collect());
    let mut best = derive(&reread, &none);
    best = fewer(best, &mut reread, |less, now| less < now, |reread| derive(reread, &none));
    if summed > 0 && best.weight > 0 {
        let mut kept = (0..summed).collect();
        let all = derive(&reread, &kept);
        let least = fewer(all, &mut kept, |less, now| less <= now, |kept| derive(&reread, kept));
        if least.weight < best.weight {
            best = least;
        }
    }
    (best.program, best.keep, best.rest)
}

struct Trial<D> {
    weight: u64,
    program: Program,
    keep: Program,
    rest: D,
}

/// Leaves out of a choice, one after the other, what is better left out.
fn fewer<D>(
    mut best: Trial<D>,
    chosen: &mut BTreeSet<usize>,
    is_better: impl Fn(u64, u64) -> bool,
    derive: impl Fn(&BTreeSet<usize>) -> Trial<D>,
) -> Trial<D> {
    if chosen.len() > TRIED {
        return best;
    }
    for i in chosen.clone() {
        chosen.remove(&i);
        let trial = derive(chosen);
        if is_better(trial.weight, best.weight) {
            best = trial;
        } else {
            chosen.insert(i);
        }
    }
    best
}

/// A way back that a statement may take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The new value of an assignment is read from the target.
    Reread,
    /// What a sum was comes from the record.
    Kept,
}

impl Way {
    /// Whether a statement may take it.
    fn is_open(self, program: &Program, stmt: &Stmt) -> bool {
        let is_active = |place: &Place| program.var(place.root).activity == Activity::Active;
        match (self, stmt) {
            (Way::Reread, Stmt::Assign(s)) => is_active(&s.target) && rules::asks_for_value(&s.value),
            (Way::Kept, Stmt::Update(s)) => {
                s.kept.is_none() && is_active(&s.target) && matches!(s.op, UpdateOp::Add | UpdateOp::Sub)
            }
            _ => false,
        }
    }
}

/// How many statements may take a way.
fn count(program: &Program, way: Way) -> usize {
    fn inside(program: &Program, way: Way, block: &Block) -> usize {
        let of = |stmt: &Stmt| {
            let inner: usize = stmt.blocks().into_iter().map(|block| inside(program, way, block)).sum();
            usize::from(way.is_open(program, stmt)) + inner
        };
        block.stmts.iter().map(of).sum()
    }
    inside(program, way, &program.body)
}

/// The program with the chosen ones of these statements taking that way.
fn with(program: &Program, way: Way, chosen: &BTreeSet<usize>) -> Program {
    let slot = greatest(&program.body) + 1;
    let body = Taking { program, way, chosen, slot, met: 0 }.block(&program.body);
    program.with_body(body)
}

struct Taking<'p> {
    program: &'p Program,
    way: Way,
    chosen: &'p BTreeSet<usize>,
    /// The first number of a slot that is free.
    slot: usize,
    met: usize,
}

impl Taking<'_> {
    fn block(&mut self, block: &Block) -> Block {
        Block { stmts: block.stmts.iter().map(|stmt| self.stmt(stmt)).collect(), span: block.span }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        if !self.way.is_open(self.program, stmt) {
            return stmt.map_blocks(&mut |block| self.block(block));
        }
        let chosen = self.chosen.contains(&self.met);
        let slot = Slot { number: self.slot + self.met, form: Form::Whole };
        self.met += 1;
        match stmt {
            Stmt::Assign(s) => Stmt::Assign(Assign { reread: chosen, ..s.clone() }),
            Stmt::Update(s) => Stmt::Update(Update { kept: chosen.then_some(slot), ..s.clone() }),
            _ => stmt.clone(),
        }
    }
}

/// How much a run keeps, roughly.
fn weight(program: &Program) -> u64 {
    let Effects { reads, writes, .. } = Context::new(program).block_effects(&program.body);
    let parts = reads.into_iter().chain(writes).filter(|access| access.place.indices().next().is_some());
    let indexed = parts.map(|access| access.place.root).collect();
    weight_of(program, &indexed, &program.body)
}

fn weight_of(program: &Program, indexed: &BTreeSet<VarId>, block: &Block) -> u64 {
    let size = |place: &Place| match of_place(&program.vars, place) {
        _ if program.var(place.root).kind == VarKind::Register => 0,
        Some(ty) if program.numbers.is_plain_number(ty) => 1,
        None if !place.path.is_empty() || !indexed.contains(&place.root) => 1,
        _ => MANY,
    };
    let of = |stmt: &Stmt| {
        let own = match stmt {
            Stmt::Assign(Assign { target: place, kept: Some(Slot { form: Form::Whole, .. }), .. })
            | Stmt::Update(Update { target: place, kept: Some(Slot { form: Form::Whole, .. }), .. })
            | Stmt::Keep(Keep { place, slot: Slot { form: Form::Whole | Form::InPlace, .. }, .. }) => size(place),
            _ => 0,
        };
        let inside: u64 = stmt.blocks().into_iter().map(|block| weight_of(program, indexed, block)).sum();
        let times = if matches!(stmt, Stmt::For(_) | Stmt::While(_) | Stmt::Loop(_)) { MANY } else { 1 };
        inside.saturating_mul(times).saturating_add(own)
    };
    block.stmts.iter().map(of).fold(0, u64::saturating_add)
}
