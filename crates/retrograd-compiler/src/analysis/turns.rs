//! Arrays of which no turn of a loop changes what a later turn touches.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::{Access, Effects};
use super::index::{BlockOfTurn, may_be_range};
use super::relation::Changed;
use super::slice::declared_inside;
use super::{Context, counter};
use crate::ir::{Adapter, Block, Expr, ExprKind, For, Place, Projection, Stmt, Update, VarId};

impl Context<'_> {
    /// The variables of which no turn changes an element that a later turn touches: each has elements of its own, as `v[k]`; or
    /// the loop goes away from what it changes, as `v[k + 1] -= v[k]` does where `k` falls; or what it changes and what it reads are
    /// apart, as `v[t + 1][k]` and `v[t][k]` are.
    pub fn own_elements(&self, s: &For) -> BTreeSet<VarId> {
        let Some(turns) = Turns::of(self, s) else { return BTreeSet::new() };
        let effects = self.block_effects(&s.body);
        let mut touched = touched(&effects);
        touched.retain(|_, touched| touched.pairs(|_| true).all(|(write, place)| turns.leave_behind(write, place)));
        touched.into_keys().collect()
    }

    /// The variables of which no turn reads an element that the loop has changed by then, in this turn or an earlier one, as that
    /// with `v[k + 1] -= v[k]` where `k` falls. Without all that changes them, the loop reads the same. What changes them changes
    /// nothing else.
    pub fn unread_elements(&self, s: &For) -> BTreeSet<VarId> {
        let Some(turns) = Turns::of(self, s) else { return BTreeSet::new() };
        let (mut effects, mut mixed) = (Effects::default(), BTreeSet::new());
        self.changed_alone(&s.body, &mut effects, &mut mixed);
        let mut touched = touched(&effects);
        touched.retain(|var, touched| {
            let apart =
                |(write, read): (&Path<'_>, &Path<'_>)| turns.leave_behind(write, read) && turns.are_apart(write, read);
            !mixed.contains(var) && touched.pairs(|written| !written).all(apart)
        });
        touched.into_keys().collect()
    }

    /// Whether the turns of a loop may run in any order: no turn changes an element that another one touches. What all of them only add
    /// to may be added in any order, to rounding: the variables `added`.
    pub fn in_any_order(&self, s: &For, added: &BTreeSet<VarId>) -> bool {
        let Some(turns) = Turns::of(self, s) else { return false };
        let back = Turns { falling: !turns.falling, ..turns.clone() };
        let (effects, own) = (self.block_effects(&s.body), declared_inside(&Stmt::For(s.clone())));
        touched(&effects).iter().filter(|(var, _)| !own.contains(var) && !added.contains(var)).all(|(_, touched)| {
            touched
                .pairs(|_| true)
                .all(|(write, place)| turns.leave_behind(write, place) && back.leave_behind(write, place))
        })
    }

    /// Whether the first part of each turn of a loop may run before the second part of all earlier turns: it touches nothing that these have
    /// changed, and changes nothing that they have touched. What all of them only add to may be added in any order, to rounding: the
    /// variables `added`.
    pub fn may_alternate(&self, s: &For, first: &Effects, second: &Effects, added: &BTreeSet<VarId>) -> bool {
        let Some(turns) = Turns::of(self, s) else { return false };
        let own = declared_inside(&Stmt::For(s.clone()));
        let (first, second) = (touched(first), touched(second));
        let known = |var: &VarId| own.contains(var) || added.contains(var);
        first.iter().filter(|(var, _)| !known(var)).all(|(var, first)| {
            let Some(second) = second.get(var) else { return true };
            let mut changed_by_either = first.places.iter().flat_map(|(later, changed)| {
                let others = second.places.iter().filter(move |(_, written)| *changed || *written);
                others.map(move |(earlier, _)| (earlier, later))
            });
            changed_by_either.all(|(earlier, later)| turns.leave_behind(earlier, later))
        })
    }

    /// Says which places no turn of a loop touches an element of, if it is the same element in all turns.
    pub fn apart_in_all_turns(&self, s: &For, steady: &Place) -> Option<impl Fn(&Place) -> bool> {
        let turns = Turns::of(self, s)?;
        steady.indices().all(|index| turns.is_fixed(index)).then(|| {
            let element: Vec<Projection> = steps(steady).cloned().collect();
            move |place: &Place| {
                let (element, other): (Path<'_>, Path<'_>) = (element.iter().collect(), steps(place).collect());
                turns.indices(&element, &other).any(|(a, b)| turns.context.visibly_different(a, b))
            }
        })
    }

    /// By how much the index of an element grows from one number of a turn to the next, and how far that of another element is from it
    /// in the same turn, if this index is all that they differ in, and all that depends on the turn.
    pub fn shift(&self, s: &For, element: &Place, other: &Place) -> Option<(i128, i128)> {
        let turns = Turns::of(self, s)?;
        let steps = || element.path.iter().zip(&other.path);
        let moves = |step: &Projection| matches!(step, Projection::Index(index) if !turns.is_fixed(index));
        let mut moving = steps().filter(|(step, _)| moves(step));
        let (Some((Projection::Index(index), Projection::Index(at))), None) = (moving.next(), moving.next()) else {
            return None;
        };
        let alike = element.root == other.root && element.path.len() == other.path.len();
        let seen = steps().all(|(a, b)| moves(a) || a == b && *a != Projection::Some);
        let distance = || self.distance(index, at, turns.turn);
        (alike && seen && !turns.varies(index)).then(distance)?
    }

    /// What a block reads and changes, but not what a statement reads of the variable that it changes; and the variables that are
    /// changed by more than statements that change one place, and keep nothing of it.
    fn changed_alone(&self, block: &Block, effects: &mut Effects, mixed: &mut BTreeSet<VarId>) {
        for stmt in &block.stmts {
            let mut own = self.own_effects(stmt);
            match stmt {
                Stmt::Update(Update { kept: None, .. }) | Stmt::Flip(_) | Stmt::Map(_) => {
                    let changed = own.changed();
                    own.reads.retain(|read| !changed.contains(&read.place.root));
                }
                // What begins or ends here is read where it ends, whatever its elements are.
                Stmt::Begin(b) | Stmt::End(b) => mixed.extend(b.pattern.bindings().into_iter().chain(own.changed())),
                Stmt::Update(_)
                | Stmt::Swap(_)
                | Stmt::Permute(_)
                | Stmt::Call(_)
                | Stmt::If(_)
                | Stmt::Match(_)
                | Stmt::While(_)
                | Stmt::For(_)
                | Stmt::Loop(_)
                | Stmt::Recompute(_)
                | Stmt::Block(_)
                | Stmt::Conjugate(_)
                | Stmt::Unchecked(_)
                | Stmt::Inverse(_)
                | Stmt::Host(_)
                | Stmt::Check(_)
                | Stmt::Assign(_)
                | Stmt::Keep(_)
                | Stmt::Restore(_)
                | Stmt::Give(_)
                | Stmt::Exit(_)
                | Stmt::Compute(_)
                | Stmt::Uncompute(_) => mixed.extend(own.changed()),
            }
            effects.reads.extend(own.reads);
            effects.writes.extend(own.writes);
            stmt.blocks().into_iter().for_each(|block| self.changed_alone(block, effects, mixed));
        }
    }
}

/// The steps to an element, without references.
type Path<'a> = Vec<&'a Projection>;

fn steps(place: &Place) -> impl Iterator<Item = &Projection> {
    place.path.iter().filter(|step| !matches!(step, Projection::Deref))
}

fn touched(effects: &Effects) -> BTreeMap<VarId, Touched<'_>> {
    let mut touched: BTreeMap<VarId, Touched<'_>> = BTreeMap::new();
    for access in effects.reads.iter().filter(|access| !access.shape) {
        touched.entry(access.place.root).or_default().add(access, false);
    }
    for access in &effects.writes {
        touched.entry(access.place.root).or_default().add(access, true);
    }
    touched
}

/// The counters of all loops in a block.
fn counted_inside(block: &Block, counters: &mut BTreeSet<VarId>) {
    block.walk(&mut |stmt| {
        if let Stmt::For(s) = stmt {
            counters.extend(s.pattern.bindings());
        }
    });
}

/// The elements of an array that a turn touches, and which of them it changes.
#[derive(Default)]
struct Touched<'a> {
    places: Vec<(Path<'a>, bool)>,
}

impl<'a> Touched<'a> {
    fn add(&mut self, access: &'a Access, written: bool) {
        let place = (steps(&access.place).collect(), written);
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    /// Each place that is changed with each of certain others.
    fn pairs(&self, with: impl Fn(bool) -> bool + Copy) -> impl Iterator<Item = (&Path<'a>, &Path<'a>)> {
        let written = self.places.iter().filter(|(_, written)| *written);
        let others = move || self.places.iter().filter(move |(_, written)| with(*written));
        written.flat_map(move |(write, _)| others().map(move |(place, _)| (write, place)))
    }
}

/// The turns of a loop.
#[derive(Clone)]
struct Turns<'c, 'p> {
    context: &'c Context<'p>,
    /// What counts them.
    turn: VarId,
    /// What a turn changes or declares, and the counters of loops in it: another turn may have other values of these.
    changed: Changed,
    inner: BTreeSet<VarId>,
    /// Whether the loop counts down.
    falling: bool,
}

impl<'c, 'p> Turns<'c, 'p> {
    fn of(context: &'c Context<'p>, s: &For) -> Option<Turns<'c, 'p>> {
        let turn = counter(s)?;
        let changed = Changed::by([&context.block_effects(&s.body)]).and(declared_inside(&Stmt::For(s.clone())));
        let mut inner = BTreeSet::new();
        counted_inside(&s.body, &mut inner);
        let falling = s.iter.adapters.iter().filter(|adapter| matches!(adapter, Adapter::Rev)).count() % 2 == 1;
        Some(Turns { context, turn, changed, inner, falling })
    }

    /// Whether no turn touches at `place` what an earlier one has changed at `write`.
    fn leave_behind(&self, write: &Path<'_>, place: &Path<'_>) -> bool {
        self.indices(write, place).any(|(written, touched)| self.is_behind(written, touched))
    }

    /// Whether no turn touches at `place` what it changes at `write` itself.
    fn are_apart(&self, write: &Path<'_>, place: &Path<'_>) -> bool {
        self.indices(write, place).any(|(written, touched)| self.differs(written, touched))
    }

    /// The pairs of indices that two places have into the same array, as far as that can be seen: behind a range, or where
    /// one of them goes on in another way, it cannot.
    fn indices<'a>(
        &self,
        a: &'a [&'a Projection],
        b: &'a [&'a Projection],
    ) -> impl Iterator<Item = (&'a Expr, &'a Expr)> {
        let vars = self.context.vars;
        let mut seen = true;
        a.iter()
            .zip(b)
            .map_while(move |(a, b)| match (a, b) {
                _ if !seen => None,
                (Projection::Index(a), Projection::Index(b)) => {
                    seen = !may_be_range(vars, a) && !may_be_range(vars, b);
                    Some(Some((a, b)))
                }
                (Projection::Field(a), Projection::Field(b)) if a == b => Some(None),
                _ => None,
            })
            .flatten()
    }

    /// Whether an index that a turn changes something at is none that a later turn touches something at.
    fn is_behind(&self, written: &Expr, touched: &Expr) -> bool {
        if let (Some(written), Some(touched)) = (self.block(written, self.turn), self.block(touched, self.turn))
            && written.size == touched.size
        {
            return match self.falling {
                true => touched.ahead <= written.ahead,
                false => touched.ahead >= written.ahead,
            };
        }
        if !self.varies(written)
            && let Some((factor, distance)) = self.context.distance(written, touched, self.turn)
        {
            // From one turn to the next the index grows by `factor`, or falls by it.
            let step = if self.falling { -factor } else { factor };
            return if step > 0 { distance > -step } else { distance < -step };
        }
        self.differs_always(written, touched)
    }

    /// Whether an index that a turn changes something at is none that it touches something at.
    fn differs(&self, written: &Expr, touched: &Expr) -> bool {
        if let (Some(written), Some(touched)) = (self.block(written, self.turn), self.block(touched, self.turn))
            && written.size == touched.size
        {
            return written.ahead != touched.ahead;
        }
        let distance = || self.context.distance(written, touched, self.turn).is_some_and(|(_, distance)| distance != 0);
        !self.varies(written) && distance() || self.differs_always(written, touched)
    }

    /// Whether an index is never another one, whatever the turns are.
    fn differs_always(&self, written: &Expr, touched: &Expr) -> bool {
        if self.is_fixed(written) && self.is_fixed(touched) {
            return self.context.visibly_different(written, touched);
        }
        let mut counters = BTreeSet::new();
        written.walk(&mut |e| {
            if let ExprKind::Var(var) = e.kind
                && var != self.turn
                && self.context.bounds.contains_key(&var)
                && !self.inner.contains(&var)
            {
                counters.insert(var);
            }
        });
        counters.into_iter().any(|outer| match (self.block(written, outer), self.block(touched, outer)) {
            (Some(written), Some(touched)) => written.size == touched.size && written.ahead != touched.ahead,
            _ => false,
        })
    }

    fn block(&self, index: &Expr, counter: VarId) -> Option<BlockOfTurn> {
        let known = index.kind == ExprKind::Var(counter) || !self.context.depends_on(index, &self.changed);
        known.then(|| self.context.block_of_turn(index, counter)).flatten()
    }

    /// Whether an index is the same in all turns.
    fn is_fixed(&self, index: &Expr) -> bool {
        !index.mentions(self.turn) && !self.varies(index)
    }

    /// Whether an index depends on more than the number of the turn.
    fn varies(&self, index: &Expr) -> bool {
        self.inner.iter().any(|var| index.mentions(*var)) || self.context.depends_on(index, &self.changed)
    }
}
