//! Runs on values that restore locals compare them with what they were: `f::uncall` and `f::unpushforward`.
//!
//! ```text
//! let mut t = x;                          let mut t = x;
//! Compute(for i { t *= c; })              for i { t *= c; }
//!                                         let scale = magnitude(&t);
//! for i.rev() { y -= t; t /= c; }         for i.rev() { y -= t; t /= c; }
//!                                         check!(t == x);
//! ```
//!
//! As in adjoint runs there is a check behind everything that restores a local, and `optimize::demand` decides which of them is
//! made: one of a local of which something uses a restored value.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::Context;
use crate::analysis::witness::{AtHand, copies, is_reference, kept};
use crate::derivative::let_register;
use crate::ir::{
    Binding, BindingKind, Block, Check, Checks, Expected, Expr, Keep, Pattern, Program, Restored, Rule, Stmt, Var,
    VarId, VarKind,
};
use crate::signature::numbers::Numbers;
use crate::span::Span;

/// What a run that restores knows about its program, and the registers that comparing adds to that.
pub(crate) struct Watch<'c, 'p> {
    context: &'c Context<'p>,
    numbers: &'c Numbers,
    changed: BTreeSet<VarId>,
    /// What locals began with, where a record has a copy.
    copies: BTreeMap<VarId, VarId>,
    added: RefCell<Vec<Var>>,
}

impl<'c, 'p> Watch<'c, 'p> {
    /// The locals of this program are compared, unless it makes no checks.
    pub(crate) fn new(context: &'c Context<'p>, program: &'c Program) -> Option<Watch<'c, 'p>> {
        let changed = || context.block_effects(&program.body).changed().into_iter().collect();
        let watched = program.checks != Checks::Never;
        watched.then(|| Watch {
            context,
            numbers: &program.numbers,
            changed: changed(),
            copies: copies(&program.vars, &program.body),
            added: RefCell::default(),
        })
    }

    /// The registers, which come behind the variables of the program.
    pub(crate) fn into_registers(self) -> Vec<Var> {
        self.added.into_inner()
    }

    fn register(&self, role: &str, value: Expr, stmts: &mut Vec<Stmt>) -> VarId {
        let mut added = self.added.borrow_mut();
        let var = VarId(self.context.vars.len() + added.len());
        added.push(Var::added(&format!("{role}_{}", var.0), VarKind::Register, value.span));
        stmts.push(let_register(Pattern::bind(var, value.span), value));
        var
    }

    fn magnitude(&self, var: VarId, span: Span, stmts: &mut Vec<Stmt>) -> VarId {
        self.register("scale", Expr::rule(Rule::Magnitude, vec![Expr::var(var, span)], span), stmts)
    }

    fn at_hand(&self, value: &Expr) -> Option<Expected> {
        self.asked(|hand| hand.witness(value))
    }

    /// What a local of a recorded program began with, if that is known.
    fn kept(&self, var: VarId, ended: &Binding) -> Option<Expected> {
        let copy = self.copies.get(&var).map(|&copy| Expected::Value(Expr::var(copy, ended.span)));
        copy.or_else(|| self.asked(|hand| hand.witness_made_again(&ended.value)))
    }

    fn asked<A>(&self, ask: impl FnOnce(&AtHand<'_, '_>) -> A) -> A {
        let is_reference = |var| is_reference(self.context.vars, var);
        let (context, numbers, changed) = (self.context, self.numbers, &self.changed);
        ask(&AtHand { context, numbers, changed, is_reference: &is_reference })
    }
}

/// The locals of a block, while it runs.
pub(super) struct Lives<'w, 'c, 'p> {
    watch: &'w Watch<'c, 'p>,
    lives: BTreeMap<VarId, Life>,
}

/// A local that undoes itself has a point for each statement that computes it. One that the user gives back has none: it begins
/// with what it ended with, and is restored from there.
struct Life {
    binding: Binding,
    points: Vec<Point>,
    scale: Option<VarId>,
}

struct Point {
    /// The statement in front of which the local was this.
    span: Span,
    expected: Expected,
}

impl<'w, 'c, 'p> Lives<'w, 'c, 'p> {
    pub(super) fn new(watch: &'w Watch<'c, 'p>) -> Self {
        Lives { watch, lives: BTreeMap::new() }
    }

    /// In front of a statement: witnesses of what it is about to compute, which is returned.
    pub(super) fn before(&mut self, stmt: &Stmt, stmts: &mut Vec<Stmt>) -> Vec<VarId> {
        let mut computed = self.changed(stmt);
        computed.retain(|var| self.is_computed(stmt, *var));
        for &var in &computed {
            let Some(life) = self.lives.get_mut(&var) else { continue };
            let initial = life.points.is_empty().then_some(&life.binding.value);
            let expected = initial.and_then(|value| self.watch.at_hand(value)).unwrap_or_else(|| {
                kept(&Expr::var(var, stmt.span()), initial, |copy| {
                    Expr::var(self.watch.register("witness", copy, stmts), stmt.span())
                })
            });
            life.points.push(Point { span: stmt.span(), expected });
        }
        computed
    }

    /// Behind it: how large the locals are that it has computed, and the comparison of those that it has restored.
    pub(super) fn after(&mut self, stmt: &Stmt, computed: &[VarId], stmts: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Begin(begun) => self.begin(begun, stmts),
            Stmt::End(ended) => self.end(ended, stmts),
            _ => {}
        }
        for var in self.changed(stmt) {
            let Some(life) = self.lives.get_mut(&var) else { continue };
            if computed.contains(&var) {
                life.scale = Some(self.watch.magnitude(var, stmt.span(), stmts));
                continue;
            }
            let point = life.points.pop().filter(|point| point.span.is_at(stmt.span()));
            let (Some(Point { expected, .. }), Some(scale)) = (point, life.scale) else {
                // What is not restored in the order in which it was computed is not followed any further.
                self.lives.remove(&var);
                continue;
            };
            let binding = Box::new(life.binding.clone());
            stmts.push(Stmt::Check(Check::Restored(Restored { var, expected, scale, binding })));
        }
    }

    fn begin(&mut self, begun: &Binding, stmts: &mut Vec<Stmt>) {
        let (BindingKind::Ancilla | BindingKind::Manual, Some(var)) = (begun.kind, begun.pattern.as_var()) else {
            return;
        };
        if self.watch.context.vars[var.0].unchecked {
            return;
        }
        let scale = match begun.kind {
            BindingKind::Manual => Some(self.watch.magnitude(var, begun.span, stmts)),
            BindingKind::Ancilla | BindingKind::Let | BindingKind::View => None,
        };
        self.lives.insert(var, Life { binding: begun.clone(), points: Vec::new(), scale });
    }

    /// In checked builds what the user gives back has been compared more strictly in front of this.
    fn end(&mut self, ended: &Binding, stmts: &mut Vec<Stmt>) {
        let life = ended.pattern.as_var().and_then(|var| Some((var, self.lives.remove(&var)?)));
        if let (BindingKind::Manual, Some((var, Life { scale: Some(scale), .. }))) = (ended.kind, life)
            && let Some(expected) = self.watch.at_hand(&ended.value)
        {
            let binding = Box::new(ended.clone());
            stmts.push(Stmt::Check(Check::Restored(Restored { var, expected, scale, binding })));
        }
    }

    /// The locals of the block that undo themselves and that a statement changes.
    fn changed(&self, stmt: &Stmt) -> Vec<VarId> {
        let undone = |var: &VarId| self.lives.get(var).is_some_and(|life| life.binding.kind == BindingKind::Ancilla);
        match self.lives.is_empty() {
            true => Vec::new(),
            false => self.watch.context.net_effects(stmt).changed().into_iter().filter(undone).collect(),
        }
    }

    /// Whether a statement computes a local that it changes. If not, it restores what its slice has computed.
    fn is_computed(&self, stmt: &Stmt, var: VarId) -> bool {
        match stmt {
            Stmt::Compute(_) => true,
            Stmt::Uncompute(_) => false,
            _ => !self.lives[&var].points.last().is_some_and(|point| point.span.is_at(stmt.span())),
        }
    }
}

/// The inverse of a program with a record, which compares locals with what they began with where that is at hand. `demand` leaves
/// out the comparisons of what only the record gives back.
pub(crate) fn recorded(inverse: &Program) -> Program {
    let context = Context::new(inverse);
    let Some(watch) = Watch::new(&context, inverse) else { return inverse.clone() };
    let body = watch.recorded_block(&inverse.body);
    let registers = watch.into_registers();
    inverse.with(inverse.vars.iter().cloned().chain(registers).collect(), body)
}

impl Watch<'_, '_> {
    fn recorded_block(&self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        let mut measured: BTreeMap<VarId, VarId> = BTreeMap::new();
        for stmt in &block.stmts {
            if let Stmt::End(ended) = stmt
                && let Some(var) = ended.pattern.as_var()
                && let Some(scale) = measured.remove(&var)
                && let Some(expected) = self.kept(var, ended)
            {
                let binding = Box::new(ended.clone());
                stmts.push(Stmt::Check(Check::Restored(Restored { var, expected, scale, binding })));
            }
            stmts.push(stmt.map_blocks(&mut |block| self.recorded_block(block)));
            if let Stmt::Restore(Keep { local: Some(local), .. }) = stmt
                && local.kind == BindingKind::Ancilla
                && let Some(var) = local.pattern.as_var().filter(|var| self.changed.contains(var))
                && self.context.vars[var.0].kind != VarKind::Register
                && !self.context.vars[var.0].unchecked
            {
                measured.insert(var, self.magnitude(var, local.span, &mut stmts));
            }
        }
        Block { stmts, span: block.span }
    }
}
