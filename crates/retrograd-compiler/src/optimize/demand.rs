//! What nobody demands is not computed: values that no derivative, condition, index or result needs are neither restored
//! nor computed again, and registers that nobody reads are not filled.
//!
//! The pass goes backwards through a derivative program with the set of variables whose values are still needed. Shadows
//! are results, and so is what a procedure gives back; a local is needed only as far as something needed reads it. Which
//! *element* of an array is needed is asked from one turn of a loop to the next only: elsewhere a variable is needed as a whole
//! or not at all.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::covered::{Lengths, covered};
use super::restored::{Checks, Fates, compared};
use super::shapes::{begun_later, begun_repeated, reshaped};
use crate::analysis::Context;
use crate::analysis::effects::{Access, Effects};
use crate::ir::{
    ArgKind, Arm, Assign, Binding, BindingKind, Block, Check, Expr, ExprKind, For, Form, If, Keep, Loop, Mode, Place,
    Program, Restored, Rule, Run, Slot, Stmt, Update, VarId, VarKind,
};
use crate::lower::Hosts;

/// Leaves out of a derivative program what nobody demands. `kept` is what other runs ask back of the record: what they take, this one takes
/// too. It comes back with what is asked back here. Where host statements run, calls may hold some.
pub fn demand(program: &mut Program, kept: BTreeMap<usize, Form>, hosts: Hosts) -> BTreeMap<usize, Form> {
    demanded(program, kept, hosts, false)
}

/// The same for the way back of a program with a record on values alone: there is no more in the record than the others ask for.
pub fn demand_of_record(program: &mut Program, kept: BTreeMap<usize, Form>) {
    demanded(program, kept, Hosts::Rest, true);
}

fn demanded(program: &mut Program, kept: BTreeMap<usize, Form>, hosts: Hosts, filled: bool) -> BTreeMap<usize, Form> {
    let mut live: Live = program.params.iter().filter(|p| p.mode == Mode::Change).map(|p| p.var).collect();
    let (body, kept) = {
        let context = Context::new(program);
        let reshaped = reshaped(&context, &program.body, &program.numbers);
        let mut later = Live::new();
        begun_later(&program.body, &mut later);
        let mut lengths = Lengths::new();
        begun_repeated(&program.body, &mut lengths);
        let (kept, unread, around) = (RefCell::new(kept), RefCell::default(), RefCell::default());
        let compared = compared(&program.body);
        let pass = Pass { context: &context, hosts, filled, compared, reshaped, later, lengths, kept, unread, around };
        if let Some(result) = &program.result {
            pass.read(result, &mut live);
        }
        (pass.block(&program.body, &mut live).0, pass.kept.into_inner())
    };
    program.body = body;
    kept
}

/// The variables whose values are needed.
type Live = BTreeSet<VarId>;

struct Pass<'c, 'p> {
    context: &'c Context<'p>,
    /// Whether host statements run.
    hosts: Hosts,
    /// Whether it is decided what the record keeps.
    filled: bool,
    /// Locals that some check compares.
    compared: Live,
    /// Locals that may get another shape on the way.
    reshaped: Live,
    /// Locals that begin without a value: they have a shape only once they get one.
    later: Live,
    /// How long locals are that begin as so many equal elements.
    lengths: Lengths,
    /// What is asked back from the record, by the number of the slot: the way back is gone through first.
    kept: RefCell<BTreeMap<usize, Form>>,
    /// Locals of which the loops around the statement read nothing that they have changed, and nothing behind them does.
    unread: RefCell<Live>,
    /// What is needed where each of the loops around the statement goes on: with its next iteration, or behind it.
    around: RefCell<Vec<Live>>,
}

impl Pass<'_, '_> {
    /// The block as far as anything needs it, and what it does to the locals that are compared.
    fn block(&self, block: &Block, live: &mut Live) -> (Block, Fates) {
        let mut stmts: Vec<Stmt> = Vec::new();
        let mut checks = Checks::default();
        let mut fates = Fates::default();
        for stmt in block.stmts.iter().rev() {
            if let Stmt::Check(Check::Restored(check)) = stmt {
                checks.meet(check, stmts.len(), &mut |made| self.witness(made, live));
                continue;
            }
            if let Some(var) = stmt.begun().and_then(|b| b.pattern.as_var()) {
                checks.measured(var, &mut |made| self.witness(made, live));
            }
            let (kept, own) = self.stmt(stmt, live);
            if let Some(Stmt::Restore(Keep { place, slot: Slot { form: Form::Shape, .. }, .. })) = &kept {
                checks.without_witness(place.root);
            }
            checks.follow(&own, &mut |made| self.witness(made, live));
            fates.behind(&own);
            stmts.extend(kept.or_else(|| self.trace(stmt)));
        }
        checks.insert_into(&mut stmts, &mut |made| self.witness(made, live));
        stmts.reverse();
        (Block { stmts, span: block.span }, fates)
    }

    /// What stands where an overwritten value would come back: samples are compared in front of that.
    fn trace(&self, stmt: &Stmt) -> Option<Stmt> {
        match stmt {
            Stmt::Restore(Keep { place, local: None, .. }) if self.filled => {
                Some(Stmt::Block(Block { stmts: Vec::new(), span: place.span }))
            }
            _ => None,
        }
    }

    /// A check that is made needs what it compares with.
    fn witness(&self, check: &Restored, live: &mut Live) {
        self.read(check.expected.expr(), live);
        live.insert(check.scale);
    }

    /// The statement, if anything needs it, and what it does to the locals that are compared.
    fn stmt(&self, stmt: &Stmt, live: &mut Live) -> (Option<Stmt>, Fates) {
        if let Stmt::Unchecked(s) = stmt {
            let (kept, fates) = self.stmt(s, live);
            return (kept.map(|s| Stmt::Unchecked(Box::new(s))), fates);
        }
        let mut inside = Fates::default();
        let kept = self.kept(stmt, live, &mut inside);
        inside.behind(&Fates::of(self.context, &self.compared, stmt, kept.as_ref()));
        (kept, inside)
    }

    /// The statement, if anything needs it; then what it reads is needed too. What the blocks in it do goes to `inside`.
    fn kept(&self, stmt: &Stmt, live: &mut Live, inside: &mut Fates) -> Option<Stmt> {
        match stmt {
            Stmt::Update(s) => self.update(s, live),
            Stmt::Flip(s) => self.change(stmt, &[&s.target], live),
            Stmt::Map(s) => self.change(stmt, &[&s.target], live),
            Stmt::Swap(s) => self.change(stmt, &[&s.a, &s.b], live),
            Stmt::Permute(s) => self.change(stmt, &[&s.target], live),
            Stmt::Call(s) => {
                let changed: Vec<&Place> = s
                    .args
                    .iter()
                    .filter_map(|arg| match &arg.kind {
                        ArgKind::Change(place) => Some(place),
                        ArgKind::Borrow(_) | ArgKind::Value(_) | ArgKind::Host(_) => None,
                    })
                    .collect();
                if s.run == Run::Values && self.hosts == Hosts::Rest {
                    return self.change(stmt, &changed, live);
                }
                // A derivative run reads what it is given back, values and shadows alike.
                self.needed(&self.context.effects(stmt), live);
                changed.iter().for_each(|place| self.need(place, live));
                Some(stmt.clone())
            }
            Stmt::Begin(b) => self.begin(b, live),
            Stmt::End(b) => {
                // A check that the user wrote is made.
                if b.kind == BindingKind::Manual {
                    self.needed(&self.context.effects(stmt), live);
                    live.extend(b.pattern.bindings());
                }
                Some(stmt.clone())
            }
            Stmt::If(s) => {
                let after = live.clone();
                let (mut then, mut otherwise) = self.branches(s, live, inside);
                if is_empty(&then) && otherwise.as_ref().is_none_or(is_empty) {
                    return None;
                }
                // The postcondition is read after the branches: what it reads they have to leave.
                let mut checked = after.clone();
                s.condition.post.iter().for_each(|e| self.read(e, &mut checked));
                if checked != after {
                    (then, otherwise) = self.branches(s, &mut checked, inside);
                    live.extend(checked);
                }
                self.read(&s.condition.pre, live);
                Some(Stmt::If(s.with_branches(then, otherwise)))
            }
            Stmt::Match(s) => {
                let after = live.clone();
                let mut ways = Vec::new();
                let arms: Vec<Arm> = s
                    .arms
                    .iter()
                    .map(|arm| {
                        let mut before = after.clone();
                        let (body, fates) = self.block(&arm.body, &mut before);
                        live.extend(before);
                        ways.push(fates);
                        arm.with_body(body)
                    })
                    .collect();
                *inside = ways.into_iter().reduce(Fates::or).unwrap_or_default();
                if arms.iter().all(|arm| is_empty(&arm.body)) {
                    return None;
                }
                self.read(&s.scrutinee, live);
                s.arms.iter().flat_map(|arm| &arm.guard).for_each(|e| self.read(e, live));
                Some(Stmt::Match(s.with_arms(arms)))
            }
            Stmt::While(s) => {
                // A turn that is left out would turn for ever.
                [&s.pre, &s.post].into_iter().for_each(|e| self.read(e, live));
                let body = self.turns(&s.body, live, &Live::new(), inside);
                Some(Stmt::While(s.with_body(body)))
            }
            Stmt::For(s) => {
                let own = if s.part.is_some() { Live::new() } else { self.context.own_elements(s) };
                let unread = self.unread_elements(s, live);
                self.unread.borrow_mut().extend(&unread);
                let counted = s.early.as_ref().is_some_and(|early| live.contains(&early.left));
                let mut before = live.clone();
                let mut body = self.turns(&s.body, &mut before, &own, inside);
                let idle = body.stmts.iter().all(is_idle) && !counted;
                if !idle && let Some(early) = &s.early {
                    // It counts wherever it runs.
                    live.insert(early.left);
                    self.read(&early.until, live);
                    body = self.turns(&s.body, live, &own, inside);
                } else if !idle {
                    *live = before;
                    // What is written as a whole may have been anything before.
                    let covered = covered(self.context, s, &self.lengths);
                    live.retain(|var| !covered.contains(var) || self.reshaped.contains(var));
                }
                self.unread.borrow_mut().retain(|var| !unread.contains(var));
                if idle {
                    return None;
                }
                // Nothing in front of the loop has its variables.
                s.pattern.bindings().iter().for_each(|var| {
                    live.remove(var);
                });
                self.needed(&self.context.own_effects(stmt), live);
                Some(Stmt::For(s.with_body(body)))
            }
            Stmt::Assign(s) => self.assign(s, live),
            Stmt::Keep(s) => {
                let slot = self.asked(s.slot)?;
                if slot.form != Form::Shape {
                    self.needed(&self.context.effects(stmt), live);
                }
                Some(Stmt::Keep(Keep { slot, ..s.clone() }))
            }
            Stmt::Restore(s) => self.restore(s, stmt, live),
            Stmt::Give(s) => {
                if !live.contains(&s.result) {
                    return None;
                }
                self.read(&s.value, live);
                Some(stmt.clone())
            }
            Stmt::Loop(s) => {
                let count = s.count.filter(|count| live.contains(count));
                let mut idle = live.clone();
                if count.is_none() && self.turns(&s.body, &mut idle, &Live::new(), inside).stmts.iter().all(is_idle) {
                    return None;
                }
                s.condition.iter().chain(&s.until).for_each(|e| self.read(e, live));
                live.extend(s.part);
                let body = self.turns(&s.body, live, &Live::new(), inside);
                Some(Stmt::Loop(Loop { count, ..s.with_body(body) }))
            }
            Stmt::Exit(_) => {
                // It goes on where some loop around it does, and not with what stands behind it.
                live.extend(self.around.borrow().iter().flatten());
                self.needed(&self.context.effects(stmt), live);
                Some(stmt.clone())
            }
            Stmt::Block(s) => {
                let (body, fates) = self.block(s, live);
                *inside = fates;
                (!is_empty(&body)).then_some(Stmt::Block(body))
            }
            Stmt::Unchecked(_) | Stmt::Check(_) => {
                unreachable!("`stmt` looks inside, and `block` decides about checks")
            }
            // Derivative programs have none of these, and in others they are as they were written.
            Stmt::Recompute(_)
            | Stmt::Conjugate(_)
            | Stmt::Inverse(_)
            | Stmt::Host(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => {
                let effects = self.context.effects(stmt);
                live.extend(effects.changed());
                self.needed(&effects, live);
                Some(stmt.clone())
            }
        }
    }

    fn branches(&self, s: &If, live: &mut Live, inside: &mut Fates) -> (Block, Option<Block>) {
        let mut otherwise_live = live.clone();
        let (then, first) = self.block(&s.then, live);
        let (otherwise, second) = s.otherwise.as_ref().map(|block| self.block(block, &mut otherwise_live)).unzip();
        live.extend(otherwise_live);
        *inside = first.or(second.unwrap_or_default());
        (then, otherwise)
    }

    /// The body of a loop: what one turn needs, the turn before must leave. Not so an array of which no turn changes what a later
    /// one touches.
    fn turns(&self, body: &Block, live: &mut Live, own: &Live, inside: &mut Fates) -> Block {
        loop {
            let mut before = live.clone();
            self.around.borrow_mut().push(live.clone());
            let (kept, fates) = self.block(body, &mut before);
            self.around.borrow_mut().pop();
            let known = live.len();
            live.extend(before.difference(own));
            if live.len() == known {
                live.extend(before);
                // It may turn not even once.
                *inside = fates.or(Fates::default());
                return kept;
            }
        }
    }

    /// The locals of which nothing reads what a loop changes; `live` is what is needed behind it. A condition that may end the loop
    /// reads at other times than the turns.
    fn unread_elements(&self, s: &For, live: &Live) -> Live {
        if s.early.is_some() || s.part.is_some() {
            return Live::new();
        }
        let mut unread = self.context.unread_elements(s);
        let known = self.unread.borrow();
        unread.retain(|var| !self.is_needed(*var, live) && !known.contains(var));
        unread
    }

    /// An update is needed for what it changes, or for what that was, if the record takes it.
    fn update(&self, s: &Update, live: &mut Live) -> Option<Stmt> {
        let kept = s.kept.and_then(|slot| self.asked(slot));
        let stmt = Stmt::Update(Update { kept, ..s.clone() });
        if kept.is_some() {
            self.need(&s.target, live);
        }
        self.change(&stmt, &[&s.target], live)
    }

    /// The slot with as much as is asked back of it, if anything is.
    fn asked(&self, slot: Slot) -> Option<Slot> {
        self.kept.borrow().get(&slot.number).map(|form| Slot { form: *form, ..slot })
    }

    /// An assignment is needed for the new value, or for the old one that the record takes; and to what has no shape without it.
    fn assign(&self, s: &Assign, live: &mut Live) -> Option<Stmt> {
        let kept = s.kept.and_then(|slot| self.asked(slot));
        let root = self.context.root(&s.target);
        if kept.is_none() && !self.is_needed(root, live) && !self.later.contains(&root) {
            return None;
        }
        let whole = s.target.path.is_empty() && root == s.target.root;
        let stmt = Stmt::Assign(Assign { kept, ..s.clone() });
        if whole {
            live.remove(&root);
        }
        self.read(&s.value, live);
        s.target.indices().for_each(|index| self.read(index, live));
        if !whole || kept.is_some_and(|slot| slot.form == Form::Whole) {
            live.insert(root);
        }
        Some(stmt)
    }

    /// What comes back from the record, if anything asks for it; of what anything asks the shape of, the shape.
    fn restore(&self, s: &Keep, stmt: &Stmt, live: &mut Live) -> Option<Stmt> {
        let root = self.context.root(&s.place);
        let register = self.context.vars[root.0].kind == VarKind::Register;
        let whole = if s.slot.form == Form::Shape { Form::Whole } else { s.slot.form };
        let form = match (live.contains(&root), s.local.is_some()) {
            (true, _) => whole,
            (false, false) if self.reshaped.contains(&root) && whole == Form::InPlace => whole,
            // A local begins here, whatever is done with it.
            (false, true) if !register => Form::Shape,
            (false, false) if self.reshaped.contains(&root) => Form::Shape,
            (false, _) => self.asked(s.slot)?.form,
        };
        let form = match self.asked(s.slot) {
            Some(asked) if self.filled => asked.form,
            None if self.filled => return None,
            asked => asked.map_or(form, |asked| form.max(asked.form)),
        };
        self.kept.borrow_mut().insert(s.slot.number, form);
        if s.place.is_all() && root == s.place.root {
            live.remove(&root);
        }
        self.needed(&self.context.effects(stmt), live);
        Some(Stmt::Restore(Keep { slot: Slot { form, ..s.slot }, ..s.clone() }))
    }

    /// Whether the value of a variable is; that of a shadow always.
    fn is_needed(&self, var: VarId, live: &Live) -> bool {
        live.contains(&var) || matches!(self.context.vars[var.0].kind, VarKind::Shadow { .. })
    }

    /// A statement that changes places is needed if the value of one of them is.
    fn change(&self, stmt: &Stmt, places: &[&Place], live: &mut Live) -> Option<Stmt> {
        let needed = places.iter().any(|place| {
            let root = self.context.root(place);
            self.is_needed(root, live) && !self.unread.borrow().contains(&root)
        });
        if !needed {
            return None;
        }
        places.iter().for_each(|place| self.need(place, live));
        self.needed(&self.context.effects(stmt), live);
        Some(stmt.clone())
    }

    fn begin(&self, b: &Binding, live: &mut Live) -> Option<Stmt> {
        let stmt = Stmt::Begin(b.clone());
        let names = b.pattern.bindings();
        let register = names.iter().all(|var| self.context.vars[var.0].kind == VarKind::Register);
        if register && !runs(b) && !names.iter().any(|var| live.contains(var)) {
            return None;
        }
        names.iter().for_each(|var| {
            live.remove(var);
        });
        self.needed(&self.context.effects(&stmt), live);
        Some(stmt)
    }

    fn read(&self, e: &Expr, live: &mut Live) {
        self.all(&self.context.expr_reads(e), live);
    }

    fn needed(&self, effects: &Effects, live: &mut Live) {
        self.all(&effects.reads, live);
    }

    /// A register has to be filled even if only its shape is read; a local of the program begins anyway, and has the shape that it
    /// began with unless something changes that.
    fn all(&self, reads: &[Access], live: &mut Live) {
        for access in reads {
            let root = access.place.root;
            let changes = self.context.vars[root.0].kind == VarKind::Register || self.reshaped.contains(&root);
            if !access.shape || changes {
                live.insert(root);
            }
        }
    }

    /// A place that is changed for something: the rest of it is needed, and so is what it is a view of.
    fn need(&self, place: &Place, live: &mut Live) {
        live.insert(self.context.root(place));
    }
}

/// Whether a statement does nothing by itself.
fn is_idle(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Block(block) if is_empty(block)) || stmt.ended().or(stmt.begun()).is_some_and(|b| !runs(b))
}

/// Whether nothing is left of a block.
fn is_empty(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| matches!(stmt, Stmt::Block(block) if is_empty(block)))
}

/// Whether the value is computed by an adjoint run, which changes shadows.
fn runs(binding: &Binding) -> bool {
    let mut runs = false;
    binding.value.walk(&mut |e| {
        runs |= matches!(
            e.kind,
            ExprKind::Companion { run: Run::Adjoint | Run::Keep | Run::Spend, .. } | ExprKind::Rule(Rule::Taken, _)
        );
    });
    runs
}
