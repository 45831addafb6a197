//! What is overwritten, and what a block ends with, goes to the record.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::again::is_view;
use super::called::{program_called, with_parts};
use crate::analysis::Context;
use crate::analysis::activity::active;
use crate::analysis::effects::Effects;
use crate::analysis::relation::Relation;
use crate::invert::invert;
use crate::ir::{
    Activity, Arg, ArgKind, Arm, Assign, BinaryOp, Binding, BindingKind, Block, Call, Callee, Checks, Compute,
    Condition, Expr, ExprKind, Flip, For, Form, Give, If, Keep, Kind, Loop, Match, MatchArm, Mode, Pattern,
    Permutation, Permute, Place, Program, Projection, Records, Run, Slot, Stmt, Swap, Update, UpdateOp, Var, VarId,
    VarKind,
};
use crate::signature::numbers::Numbers;
use crate::span::Span;

/// The program with its records.
pub(super) fn prepare(program: &Program, lifts: bool, slots: usize) -> Program {
    let context = Context::new(program);
    let mut stage = Prepare::new(&context, program, lifts, slots);
    stage.exactly = stage.read_exactly(&program.body, program.result.as_ref());
    stage.rounded = stage.undone_by_rounding(&program.body);
    stage.drifting = stage.may_drift(&program.body);
    let (mut stmts, ending) = stage.lives(&program.body, stage.function, program.result.as_ref());
    let mut hoisted = Hoisted::default();
    let result = program.result.as_ref().map(|e| stage.lifted(e, &mut hoisted));
    stmts.append(&mut hoisted.before);
    let span = program.body.span;
    let (body, ending) = (Block { stmts, span }, Block { stmts: ending, span });
    Program { ending, result, ..program.with(stage.vars, body) }
}

pub(super) struct Prepare<'c, 'p> {
    pub(super) context: &'c Context<'p>,
    /// The variables of the program, and the registers that are added.
    pub(super) vars: Vec<Var>,
    pub(super) numbers: &'c Numbers,
    slots: usize,
    /// What the program changes somewhere.
    pub(super) changed: BTreeSet<VarId>,
    /// The elements that it changes.
    pub(super) parted: Vec<Rc<Place>>,
    /// Whether the program is a function: nothing undoes it but its adjoint.
    pub(super) function: bool,
    /// Whether functions that are called run once, and the record keeps what their way back asks for.
    pub(super) lifts: bool,
    /// Whether all comes back to the last bit.
    pub(super) all: bool,
    /// Whether the record keeps what statements decide.
    pub(super) keeps: bool,
    /// Locals that begin as integers.
    pub(super) integers: BTreeSet<VarId>,
    /// What has to come back to the last bit, because a statement that is run again reads it, or a decision.
    pub(super) exactly: BTreeSet<VarId>,
    /// Whether locals are compared with what they were.
    pub(super) compares: bool,
    /// What is undone up to rounding somewhere.
    pub(super) rounded: BTreeSet<VarId>,
    /// The locals among it that are compared.
    pub(super) drifting: BTreeSet<VarId>,
}

/// Values that a statement reads and changes: they are computed before it, and kept behind it.
#[derive(Default)]
pub(super) struct Hoisted {
    pub(super) before: Vec<Stmt>,
    /// What stands right behind the statement.
    behind: Vec<Stmt>,
    pub(super) after: Vec<Stmt>,
}

impl Hoisted {
    /// The statement with what stands around it, in a block of its own if that is anything.
    fn around(self, stmt: Stmt) -> Stmt {
        if self.before.is_empty() {
            return stmt;
        }
        let span = stmt.span();
        let behind = self.behind.into_iter().chain(self.after.into_iter().rev());
        let stmts = self.before.into_iter().chain([stmt]).chain(behind).collect();
        Stmt::Block(Block { stmts, span })
    }
}

impl<'c, 'p> Prepare<'c, 'p> {
    /// What is known of a program without going through it.
    pub(super) fn new(context: &'c Context<'p>, program: &'c Program, lifts: bool, slots: usize) -> Prepare<'c, 'p> {
        let effects = context.block_effects(&program.body);
        let changed = effects.changed().into_iter().collect();
        let written = effects.writes.into_iter().map(|write| write.place);
        let mut stage = Prepare {
            context,
            vars: program.vars.clone(),
            numbers: &program.numbers,
            slots,
            changed,
            parted: written.filter(|place| place.indices().next().is_some()).collect(),
            function: program.kind == Kind::Function,
            lifts,
            all: program.records == Records::All,
            keeps: true,
            compares: program.checks != Checks::Never,
            integers: BTreeSet::new(),
            exactly: BTreeSet::new(),
            rounded: BTreeSet::new(),
            drifting: BTreeSet::new(),
        };
        stage.integers = stage.begun_as_integers(&program.body);
        stage
    }

    pub(super) fn block(&mut self, block: &Block) -> Block {
        Block { stmts: self.lives(block, false, None).0, span: block.span }
    }

    /// The statements of a block, each local ending behind its last use. Of the outermost block of a function only names for places end;
    /// what they end with stands behind the value of the function.
    fn lives(&mut self, block: &Block, outermost: bool, tail: Option<&Expr>) -> (Vec<Stmt>, Vec<Stmt>) {
        let effects: Vec<Effects> = block.stmts.iter().map(|stmt| self.context.effects(stmt)).collect();
        let behind = block.stmts.len();
        let ends = self.ends(block, &effects, outermost, tail);
        let (mut stmts, mut ending) = (Vec::new(), Vec::new());
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                Stmt::Begin(binding) => self.begin(binding, outermost, &mut stmts),
                _ => self.stmt(stmt, &mut stmts),
            }
            stmts.extend(ends[i].iter().cloned());
        }
        ending.extend(ends[behind].iter().cloned());
        (stmts, ending)
    }

    /// What ends behind each statement, and behind the value.
    fn ends(&mut self, block: &Block, effects: &[Effects], outermost: bool, tail: Option<&Expr>) -> Vec<Vec<Stmt>> {
        let behind = block.stmts.len();
        let mut ends: Vec<Vec<Stmt>> = vec![Vec::new(); behind + 1];
        // What a local that is computed again is made of has to live as long as it does.
        let mut needed: Vec<(VarId, usize)> = Vec::new();
        for (i, stmt) in block.stmts.iter().enumerate().rev() {
            let Some(binding) = stmt.begun() else { continue };
            let names = binding.pattern.bindings();
            // A register of this stage ends where the statement says that it is for.
            if names.iter().any(|var| self.vars[var.0].kind == VarKind::Register) {
                continue;
            }
            let mentions = |effects: &Effects| names.iter().any(|var| effects.mentions(*var));
            let used = effects.iter().rposition(mentions).unwrap_or(i).max(i);
            let by_tail = tail.is_some_and(|e| names.iter().any(|var| e.mentions(*var)));
            let asked = needed.iter().filter(|(var, _)| names.contains(var)).map(|(_, at)| *at).max();
            let last = if by_tail { behind } else { used.max(asked.unwrap_or(i)) };
            let reference = is_reference(&self.vars, binding);
            if outermost && !reference && !is_view(&binding.value) {
                continue;
            }
            if reference || self.can_be_computed_again(binding, effects, i, last) {
                let reads = self.context.binding_reads(binding);
                needed
                    .extend(reads.iter().flat_map(|read| [read.place.root, read.written.root]).map(|var| (var, last)));
                ends[last].push(Stmt::End(binding.clone()));
                continue;
            }
            if let Some((counting, read)) = self.counted_again(block, binding, effects, i..last + 1) {
                needed.extend(read.into_iter().map(|var| (var, last)));
                let body = invert(&Block { stmts: counting, span: binding.span });
                ends[last].push(Stmt::Uncompute(Compute { body, slice: true, kept: false }));
                ends[last].push(Stmt::End(binding.clone()));
                continue;
            }
            for var in names.into_iter().rev() {
                let (ty, kind) = (self.vars[var.0].ty.clone(), binding.kind);
                let local = Binding { kind, pattern: Pattern::bind(var, binding.span), ty, ..binding.clone() };
                ends[last].push(self.keep(var, Some(local), binding.span));
            }
        }
        ends
    }

    /// A local that begins with the value of a call, or with what is made of such.
    fn begin(&mut self, binding: &Binding, outermost: bool, stmts: &mut Vec<Stmt>) {
        let mut hoisted = Hoisted::default();
        // Nothing runs to name a place; and what comes back from a call through which nothing flows is kept like any other value.
        let flows = |var: &VarId| self.vars[var.0].activity == Activity::Active;
        let flows = !binding.constant && binding.pattern.bindings().iter().any(flows);
        let names = binding.kind == BindingKind::View || is_reference(&self.vars, binding);
        let value = match self.program_called(&binding.value) {
            _ if names || !flows || self.is_run_again(binding) => binding.value.clone(),
            Some((callee, args)) => self.called(callee, &args, binding.value.span, &mut hoisted),
            None => self.lifted(&binding.value, &mut hoisted),
        };
        stmts.append(&mut hoisted.before);
        stmts.push(Stmt::Begin(Binding { value, ..binding.clone() }));
        stmts.append(&mut hoisted.behind);
        self.keep_witness(binding, outermost, stmts);
        if !outermost {
            stmts.extend(hoisted.after.into_iter().rev());
        }
    }

    /// The function that an expression calls, if it runs once, and what it is given.
    fn program_called(&self, e: &Expr) -> Option<(Callee, Vec<Expr>)> {
        if self.lifts { program_called(&self.vars, self.numbers, e) } else { None }
    }

    /// The call, by the run that fills the record.
    fn called(&mut self, callee: Callee, args: &[Expr], span: Span, hoisted: &mut Hoisted) -> Expr {
        let args: Vec<Expr> = args.iter().map(|arg| self.lifted(arg, hoisted)).collect();
        let passed = args.iter().flat_map(|arg| self.passed_in(arg)).collect();
        hoisted.behind = self.kept_if_decided(passed, span, hoisted);
        Expr::new(ExprKind::Companion { callee: Box::new(callee), run: Run::Keep, args }, span)
    }

    /// The expression with calls in front of it that are made whatever it is.
    fn lifted(&mut self, e: &Expr, hoisted: &mut Hoisted) -> Expr {
        if let Some((callee, args)) = self.program_called(e) {
            let value = self.called(callee, &args, e.span, hoisted);
            let var = self.register("called", e.span);
            (self.vars[var.0].kind, self.vars[var.0].activity) = (VarKind::Let, Activity::Active);
            let begin = begun(var, BindingKind::Let, value);
            hoisted.after.push(self.keep(var, Some(begin.clone()), e.span));
            hoisted.before.push(Stmt::Begin(begin));
            let behind = std::mem::take(&mut hoisted.behind);
            hoisted.before.extend(behind);
            return Expr::var(var, e.span);
        }
        with_parts(e, &mut |part| self.lifted(part, hoisted))
    }

    pub(super) fn slot(&mut self) -> Slot {
        self.slots += 1;
        Slot { number: self.slots, form: Form::Whole }
    }

    pub(super) fn keep(&mut self, var: VarId, local: Option<Binding>, span: Span) -> Stmt {
        Stmt::Keep(Keep { place: Place::var(var, span), local: local.map(Box::new), slot: self.slot() })
    }

    /// Whether a variable is an argument that is never changed.
    pub(super) fn is_given(&self, var: VarId) -> bool {
        matches!(self.vars[var.0].kind, VarKind::Param(_)) && !self.changed.contains(&var)
    }

    /// Whether an expression has the same value on the way back, to the last bit.
    pub(super) fn is_at_hand(&self, e: &Expr) -> bool {
        self.context.expr_reads(e).iter().all(|read| {
            let root = read.place.root;
            !self.changed.contains(&root)
                && (self.is_given(root) || self.vars[root.0].activity != Activity::Active)
                && self.vars[root.0].kind != VarKind::Register
        })
    }

    pub(super) fn register(&mut self, name: &str, span: Span) -> VarId {
        self.vars.push(Var::added(&format!("{name}_{}", self.vars.len()), VarKind::Register, span));
        VarId(self.vars.len() - 1)
    }

    /// The value of an expression in a register, which the record takes afterwards.
    fn hoist(&mut self, e: &Expr, name: &str, hoisted: &mut Hoisted) -> Expr {
        let register = self.kept_register(e, name, hoisted);
        if let ExprKind::Var(var) = register.kind
            && active(&self.vars, e)
        {
            (self.vars[var.0].kind, self.vars[var.0].activity) = (VarKind::Let, Activity::Active);
        }
        register
    }

    /// The same for a value through which nothing flows.
    pub(super) fn kept_register(&mut self, e: &Expr, name: &str, hoisted: &mut Hoisted) -> Expr {
        let var = self.register(name, e.span);
        self.vars[var.0].range = crate::analysis::index::may_be_range(&self.vars, e);
        let begin = begun(var, BindingKind::Let, e.clone());
        hoisted.after.push(self.keep(var, Some(begin.clone()), e.span));
        hoisted.before.push(Stmt::Begin(begin));
        Expr::var(var, e.span)
    }

    /// The expression itself, or its value from before, if the statement changes what it reads.
    fn steady(&mut self, e: &Expr, effects: &Effects, hoisted: &mut Hoisted) -> Expr {
        let vars = self.vars.clone();
        let reads = self.context.with(&vars).expr_reads(e);
        let disturbed = reads
            .iter()
            .any(|read| effects.writes.iter().any(|write| self.context.disturbs(write, read) != Relation::Disjoint));
        if disturbed { self.hoist(e, "steady", hoisted) } else { e.clone() }
    }

    fn steady_place(&mut self, place: &Place, effects: &Effects, hoisted: &mut Hoisted) -> Place {
        let path = place.path.iter().map(|step| match step {
            Projection::Index(index) => Projection::Index(self.steady_index(index, effects, hoisted)),
            other => other.clone(),
        });
        Place { path: path.collect(), ..place.clone() }
    }

    /// The ends of a range one by one: it is seen then that it is one.
    fn steady_index(&mut self, index: &Expr, effects: &Effects, hoisted: &mut Hoisted) -> Expr {
        match &index.kind {
            ExprKind::Range { .. } => index.map_children(&mut |end| self.steady(end, effects, hoisted)),
            _ => self.steady(index, effects, hoisted),
        }
    }

    fn stmt(&mut self, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        let mut hoisted = Hoisted::default();
        let written = match stmt {
            Stmt::Assign(s) if self.vars[s.target.root.0].kind == VarKind::Register => stmt.clone(),
            Stmt::Assign(s) => {
                let effects = self.context.own_effects(stmt);
                let target = self.steady_place(&s.target, &effects, &mut hoisted);
                let value = self.lifted(&s.value, &mut hoisted);
                Stmt::Assign(Assign { target, value, kept: Some(self.slot()), ..s.clone() })
            }
            Stmt::Give(s) => {
                let value = self.lifted(&s.value, &mut hoisted);
                Stmt::Give(Give { value, ..s.clone() })
            }
            Stmt::Update(s) => self.update(s, stmt, &mut hoisted),
            Stmt::Map(_) => {
                stmts.extend(self.kept_exactly(stmt));
                stmt.clone()
            }
            Stmt::Flip(s) => {
                let effects = self.context.own_effects(stmt);
                Stmt::Flip(Flip { target: self.steady_place(&s.target, &effects, &mut hoisted), ..s.clone() })
            }
            Stmt::Begin(_) | Stmt::End(_) | Stmt::Host(_) => stmt.clone(),
            Stmt::Swap(s) => {
                let effects = self.context.own_effects(stmt);
                let a = self.steady_place(&s.a, &effects, &mut hoisted);
                let b = self.steady_place(&s.b, &effects, &mut hoisted);
                Stmt::Swap(Swap { a, b, ..s.clone() })
            }
            Stmt::Permute(s) => {
                let effects = self.context.own_effects(stmt);
                let target = self.steady_place(&s.target, &effects, &mut hoisted);
                let mut steady = |e: &Expr| self.steady(e, &effects, &mut hoisted);
                let permutation = match &s.permutation {
                    Permutation::Swap(i, j) => Permutation::Swap(steady(i), steady(j)),
                    Permutation::Reverse => Permutation::Reverse,
                    Permutation::RotateLeft(k) => Permutation::RotateLeft(steady(k)),
                    Permutation::RotateRight(k) => Permutation::RotateRight(steady(k)),
                };
                Stmt::Permute(Permute { target, permutation, span: s.span })
            }
            Stmt::Call(s) => {
                let effects = self.context.own_effects(stmt);
                let args = s.args.iter().map(|arg| {
                    let kind = match &arg.kind {
                        ArgKind::Change(place) => ArgKind::Change(self.steady_place(place, &effects, &mut hoisted)),
                        ArgKind::Borrow(place) => ArgKind::Borrow(self.steady_place(place, &effects, &mut hoisted)),
                        ArgKind::Value(e) => {
                            let e = self.lifted(e, &mut hoisted);
                            ArgKind::Value(self.steady(&e, &effects, &mut hoisted))
                        }
                        ArgKind::Host(var) => ArgKind::Host(*var),
                    };
                    Arg { kind, span: arg.span }
                });
                let args: Vec<Arg> = args.collect();
                stmts.extend(self.kept_exactly(stmt));
                let passed = args.iter().filter(|_| s.moves().is_none()).flat_map(|arg| self.passed_as(arg)).collect();
                hoisted.behind = self.kept_if_decided(passed, s.span, &mut hoisted);
                Stmt::Call(Call { args, run: Run::Keep, ..s.clone() })
            }
            Stmt::If(s) => {
                let then = self.block(&s.then);
                let otherwise = s.otherwise.as_ref().map(|block| self.block(block));
                let pre = match s.condition.post.is_some() || self.is_at_hand(&s.condition.pre) {
                    true => s.condition.pre.clone(),
                    false => self.hoist(&s.condition.pre, "taken", &mut hoisted),
                };
                let condition = Condition { pre, post: s.condition.post.clone() };
                Stmt::If(If { condition, then, otherwise, span: s.span })
            }
            Stmt::Match(s) => self.matched(s, &mut hoisted),
            Stmt::While(s) => Stmt::While(s.with_body(self.block(&s.body))),
            Stmt::Loop(s) => {
                let body = self.block(&s.body);
                let count = self.counter("count", s.span, &mut hoisted);
                Stmt::Loop(Loop { count: Some(count), ..s.with_body(body) })
            }
            Stmt::For(s) => self.for_loop(s, &mut hoisted),
            Stmt::Recompute(s) => self.recompute(s, &mut hoisted),
            Stmt::Block(s) => Stmt::Block(self.block(s)),
            Stmt::Unchecked(s) => {
                let mut inner = Vec::new();
                self.stmt(s, &mut inner);
                stmts.extend(inner.into_iter().map(|stmt| Stmt::Unchecked(Box::new(stmt))));
                return;
            }
            Stmt::Exit(_) => unreachable!("`exits` has replaced it"),
            Stmt::Conjugate(_)
            | Stmt::Inverse(_)
            | Stmt::Check(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => stmt.clone(),
        };
        stmts.push(hoisted.around(written));
    }

    /// An update is undone by the opposite one, unless its operand may read what it changes.
    fn update(&mut self, s: &Update, stmt: &Stmt, hoisted: &mut Hoisted) -> Stmt {
        let effects = self.context.own_effects(stmt);
        let target = self.steady_place(&s.target, &effects, hoisted);
        let write = self.context.access(&s.target, false);
        let reads = self.context.expr_reads(&s.operand);
        let operand = self.lifted(&s.operand, hoisted);
        if reads.iter().all(|read| self.context.disturbs(&write, read) == Relation::Disjoint) {
            let kept = (self.exactly.contains(&write.place.root) && self.rounds(s)).then(|| self.slot());
            return Stmt::Update(Update { target, operand, kept, ..s.clone() });
        }
        let op = match s.op {
            UpdateOp::Add => BinaryOp::Add,
            UpdateOp::Sub => BinaryOp::Sub,
            UpdateOp::Mul => BinaryOp::Mul,
            UpdateOp::Div => BinaryOp::Div,
            UpdateOp::Xor => BinaryOp::BitXor,
        };
        let kind = ExprKind::Binary(op, Rc::new(target.to_expr()), Rc::new(operand));
        let value = Expr::new(kind, s.span);
        Stmt::Assign(Assign { target, value, kept: Some(self.slot()), reread: false, span: s.span })
    }

    /// A register that counts, from zero.
    pub(super) fn counter(&mut self, name: &str, span: Span, hoisted: &mut Hoisted) -> VarId {
        let var = self.register(name, span);
        self.count_in(var, span, hoisted);
        var
    }

    fn count_in(&mut self, var: VarId, span: Span, hoisted: &mut Hoisted) {
        let begin = begun(var, BindingKind::Ancilla, Expr::integer(0, span));
        hoisted.after.push(self.keep(var, Some(begin.clone()), span));
        hoisted.before.push(Stmt::Begin(begin));
    }

    fn for_loop(&mut self, s: &For, hoisted: &mut Hoisted) -> Stmt {
        let body = self.block(&s.body);
        if let Some(early) = &s.early {
            self.count_in(early.left, s.span, hoisted);
        }
        Stmt::For(s.with_body(body))
    }

    /// Where a guard could be another one on the way back, the record keeps which arm was taken.
    fn matched(&mut self, s: &Match, hoisted: &mut Hoisted) -> Stmt {
        let arms = s.arms.iter().map(|arm| arm.with_body(self.block(&arm.body))).collect();
        let guards = || s.arms.iter().filter_map(|arm| arm.guard.as_ref());
        if guards().all(|guard| self.is_at_hand(guard)) {
            return Stmt::Match(s.with_arms(arms));
        }
        let number = |i: usize| Expr::integer(i, s.span);
        let chosen = s.arms.iter().enumerate().map(|(i, arm)| MatchArm {
            pattern: arm.pattern.clone(),
            guard: arm.guard.clone(),
            value: number(i),
        });
        let kind = ExprKind::Match { scrutinee: Rc::new(s.scrutinee.clone()), arms: chosen.collect() };
        let taken = self.kept_register(&Expr::new(kind, s.span), "taken", hoisted);
        let arms = arms.into_iter().enumerate().map(|(i, arm): (usize, Arm)| {
            let is_taken = ExprKind::Binary(BinaryOp::Eq, Rc::new(taken.clone()), Rc::new(number(i)));
            Arm { guard: arm.guard.is_some().then(|| Expr::new(is_taken, s.span)), ..arm }
        });
        Stmt::Match(s.with_arms(arms.collect()))
    }
}

/// Whether a local is a name for a place, and has no memory of its own.
pub(super) fn is_reference(vars: &[Var], binding: &Binding) -> bool {
    fn refers(vars: &[Var], e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Ref(_) | ExprKind::RefMut(_) => true,
            ExprKind::Var(var) => {
                matches!(vars[var.0].kind, VarKind::Param(Mode::Change | Mode::Borrow) | VarKind::View(_))
            }
            ExprKind::Tuple(all) => !all.is_empty() && all.iter().all(|e| refers(vars, e)),
            _ => false,
        }
    }
    binding.kind == BindingKind::View
        || binding.kind == BindingKind::Let
            && (refers(vars, &binding.value) || binding.pattern.as_var().is_none() && binding.value.is_place())
}

pub(super) fn begun(var: VarId, kind: BindingKind, value: Expr) -> Binding {
    let span = value.span;
    Binding { kind, pattern: Pattern::bind(var, span), ty: None, value, constant: false, span }
}
