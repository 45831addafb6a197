//! What is decided of the sums of a kernel before it is written: which terms for neighbours can be computed by the neighbours themselves, and
//! where all runs are at the same time.

use std::collections::{BTreeSet, HashMap};

use crate::analysis::Context;
use crate::analysis::kernel::{Reach, Reaches, Shift};
use crate::ir::{
    BinaryOp, Binding, BindingKind, Block, Expr, ExprKind, Program, Rule, Source, Stmt, Type, Update, UpdateOp, VarId,
};

/// How large a term may be that several runs compute.
const LARGEST: usize = 200;

#[derive(Default)]
pub(super) struct Plan {
    /// Terms that depend on nothing that the kernel changes, by the statements that add them.
    direct: HashMap<usize, Direct>,
    /// What is added to where only some of the runs are.
    divergent: BTreeSet<VarId>,
}

/// A term as a function of the number of its run.
#[derive(Clone)]
pub(super) struct Direct {
    /// What holds where it is added, and what does not.
    pub(super) conditions: Vec<(Expr, bool)>,
    pub(super) operand: Expr,
}

/// What a local is.
#[derive(Clone, PartialEq)]
enum Value {
    Zero,
    Is(Expr),
}

/// What is known at a statement.
#[derive(Clone, Default)]
struct Known {
    locals: HashMap<VarId, Value>,
    conditions: Vec<(Expr, bool)>,
    /// Whether it is in a loop, or in a branch of which that is not known.
    hidden: bool,
    /// Whether only some of the runs get here.
    divergent: bool,
}

impl Plan {
    pub(super) fn of(core: &Program, reaches: &Reaches<'_>) -> Plan {
        let context = Context::new(core);
        let effects = context.block_effects(&core.body);
        let written = effects.writes.iter().map(|write| reaches.access(&write.place).place.root).collect();
        let mut planner = Planner { core, reaches, context, written, plan: Plan::default() };
        planner.block(&core.body, &mut Known::default());
        planner.plan
    }

    pub(super) fn direct(&self, s: &Update) -> Option<&Direct> {
        self.direct.get(&address(s))
    }

    /// Whether all runs are at the same statement wherever it is added to.
    pub(super) fn is_even(&self, var: VarId) -> bool {
        !self.divergent.contains(&var)
    }
}

/// Statements are told apart by where they are in the core.
fn address(s: &Update) -> usize {
    std::ptr::from_ref(s) as usize
}

struct Planner<'p> {
    core: &'p Program,
    reaches: &'p Reaches<'p>,
    context: Context<'p>,
    /// What some run changes.
    written: BTreeSet<VarId>,
    plan: Plan,
}

impl Planner<'_> {
    fn block(&mut self, block: &Block, known: &mut Known) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt, known));
    }

    fn stmt(&mut self, stmt: &Stmt, known: &mut Known) {
        if known.divergent {
            let writes = self.context.effects(stmt).writes;
            let roots = writes.iter().map(|write| self.reaches.access(&write.place).place.root);
            self.plan.divergent.extend(roots);
        }
        match stmt {
            Stmt::Update(s) => self.update(s, known),
            Stmt::Begin(s) => self.begin(s, known),
            Stmt::Block(s) => self.block(s, known),
            Stmt::Unchecked(s) => self.stmt(s, known),
            Stmt::If(s) => {
                let condition = self.value(&s.condition.pre, known);
                let even = self.reaches.is_even(&s.condition.pre);
                let mut after = known.clone();
                for (block, holds) in [(Some(&s.then), true), (s.otherwise.as_ref(), false)] {
                    let Some(block) = block else { continue };
                    let mut inside = known.clone();
                    inside.divergent |= !even;
                    match &condition {
                        Some(condition) => inside.conditions.push((condition.clone(), holds)),
                        None => inside.hidden = true,
                    }
                    self.block(block, &mut inside);
                    after.locals.retain(|var, value| inside.locals.get(var) == Some(value));
                }
                known.locals = after.locals;
            }
            Stmt::For(s) => {
                let even = match &s.iter.source {
                    Source::Range { start, end, .. } => self.reaches.is_even(start) && self.reaches.is_even(end),
                    _ => false,
                };
                self.hidden(&[&s.body], !even, known);
            }
            Stmt::Check(_) | Stmt::End(_) => {}
            Stmt::While(_) | Stmt::Match(_) => self.hidden(&stmt.blocks(), true, known),
            // What a kernel may also have changes locals, and does not ask for more than that they are forgotten.
            Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::Assign(_)
            | Stmt::Loop(_)
            | Stmt::Exit(_)
            | Stmt::Recompute(_)
            | Stmt::Conjugate(_)
            | Stmt::Inverse(_)
            | Stmt::Host(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => self.hidden(&stmt.blocks(), true, known),
        }
    }

    /// Statements of which only the divergence is followed.
    fn hidden(&mut self, blocks: &[&Block], divergent: bool, known: &mut Known) {
        for block in blocks {
            let divergent = known.divergent || divergent;
            self.block(block, &mut Known { hidden: true, divergent, ..Known::default() });
        }
        known.locals.clear();
    }

    fn begin(&mut self, s: &Binding, known: &mut Known) {
        let Some(var) = s.pattern.as_var().filter(|_| s.kind != BindingKind::View) else { return };
        // An integer has the type that is written, and no other.
        let written = s.ty.as_ref().or(self.core.var(var).ty.as_ref());
        let value = match &s.value.kind {
            ExprKind::Rule(Rule::Zero | Rule::PlainZero, _) => Some(Value::Zero),
            _ if written.is_some_and(|ty| !self.is_number(ty)) => None,
            _ => self.value(&s.value, known).map(Value::Is),
        };
        known.locals.extend(value.map(|value| (var, value)));
    }

    fn is_number(&self, ty: &Type) -> bool {
        ty.is("f64")
            || ty.is("f32")
            || self.core.numbers.parameters.first().is_some_and(|name| ty.is(&name.to_string()))
    }

    fn update(&mut self, s: &Update, known: &mut Known) {
        let operand = self.value(&s.operand, known);
        if self.core.params.iter().all(|param| param.var != s.target.root) {
            let local = known.locals.remove(&s.target.root).filter(|_| s.target.path.is_empty());
            let sign = match s.op {
                UpdateOp::Add => BinaryOp::Add,
                UpdateOp::Sub => BinaryOp::Sub,
                _ => return,
            };
            let value = match (local, operand) {
                (Some(Value::Zero), Some(e)) if s.op == UpdateOp::Add => e,
                (Some(Value::Is(a)), Some(b)) => Expr::binary(sign, a, b),
                _ => return,
            };
            known.locals.insert(s.target.root, Value::Is(value));
            return;
        }
        let access = self.reaches.access(&s.target);
        let single = matches!(self.reaches.shift(&access), Some(Shift::Elements(_)));
        if let Some(operand) = operand
            && !known.hidden
            && single
            && self.reaches.reach(&access) == Reach::Shifted
        {
            let direct = Direct { conditions: known.conditions.clone(), operand };
            self.plan.direct.insert(address(s), direct);
        }
    }

    /// An expression in terms of the number of the run and of what no run changes.
    fn value(&self, e: &Expr, known: &Known) -> Option<Expr> {
        let value = e.rewritten(&|e| match &e.kind {
            ExprKind::Var(var) => match known.locals.get(var)? {
                Value::Is(value) => Some(value.clone()),
                Value::Zero => None,
            },
            _ => None,
        });
        let (mut size, mut pure) = (0, true);
        value.walk(&mut |e| {
            size += 1;
            pure &= match &e.kind {
                ExprKind::Var(var) => {
                    self.core.params.iter().any(|param| param.var == *var) && !self.written.contains(var)
                }
                ExprKind::Companion { .. } | ExprKind::Block { .. } | ExprKind::Match { .. } | ExprKind::Let(..) => {
                    false
                }
                _ => true,
            };
        });
        (pure && size <= LARGEST).then_some(value)
    }
}
