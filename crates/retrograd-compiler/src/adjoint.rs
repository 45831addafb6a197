//! The adjoint of a program: the program backwards, carrying adjoints.
//!
//! The run is strictly the program in reverse. Each statement gives back the values that it changed, and takes the adjoint
//! of what it made to the adjoints of what it read:
//!
//! ```text
//! y += e     y -= e;  r̄ += Dᵀȳ
//! y *= e     y /= e;  r̄ += Dᵀ(yȳ);  ȳ *= e
//! y = m(y)   y = m⁻¹(y);  ȳ *= m′(y)
//! let x = e  r̄ += Dᵀx̄, and x̄ = 0 where the life of x ends
//! ```
//!
//! What a program computes into ancillas is undone by it after their last use. Backwards this comes first: the ancillas are
//! computed again, on values alone, because their adjoints are still zero.

mod calls;
mod records;
mod sums;
mod updates;
mod witness;

pub(crate) use updates::map_partial;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::analysis::Context;
use crate::analysis::need::After;
use crate::analysis::witness::copies;
use crate::derivative::backward::end_of_let;
use crate::derivative::{Alias, Expression, Shadows, cloned};
use crate::diagnostics::Diagnostics;
use crate::invert::{invert, invert_stmt, repeated, way_back};
use crate::ir::{
    Binding, BindingKind, Block, Checks, Condition, Expr, ExprKind, Flip, FlipOp, For, If, Kind, Pattern, Permute,
    Place, Program, Records, Rule, Run, Stmt, Swap, Type, TypeKind, VarId, VarKind, While,
};
use crate::lower::{Hosts, values};
use crate::passes::Pass;
use crate::record::again;
use crate::span::Span;
use witness::Life;

/// An adjoint run.
#[derive(Debug)]
pub struct Adjoint {
    /// The program that runs backwards with adjoints. A function has its seed as the last parameter, and its value as result.
    pub program: Program,
    /// How many statements of a function run forwards first.
    pub forwards: usize,
}

/// The program that runs backwards with adjoints.
pub fn adjoint(program: &Program, diagnostics: &Diagnostics) -> Adjoint {
    let context = Context::new(program);
    let shadows = Shadows::new(program, Run::Adjoint, diagnostics);
    let recorded = program.records != Records::Nothing;
    let once = match program.passes.has(Pass::Once) && !recorded {
        true => context.added_to_once(&program.body, &program.numbers),
        false => BTreeSet::new(),
    };
    let mut stage = Stage {
        context: &context,
        shadows,
        zero: BTreeSet::new(),
        unbegun: Vec::new(),
        once,
        sums: HashMap::new(),
        watching: program.checks != Checks::Never,
        recorded,
        has_determinant: program.kind == Kind::Procedure && !recorded,
        measured: HashMap::new(),
        copies: copies(&program.vars, &program.body),
        depth: 0,
        changed: context.block_effects(&program.body).changed().into_iter().collect(),
        lives: HashMap::new(),
        seed: None,
    };
    let span = program.body.span;
    let mut stmts = Vec::new();
    let mut result = None;
    let mut last = Vec::new();
    let mut forwards = 0;
    if let (Kind::Function, Some(value)) = (program.kind, &program.result) {
        let adjoint = stage.shadows.declare("seed", VarKind::Shadow { reference: false }, span);
        stage.shadows.vars[adjoint.0].ty = program.output.clone();
        if program.passes.has(Pass::Sums) && !recorded {
            stage.find_sums(program, value);
        }
        if recorded {
            stmts.extend(values(&context, &program.body, After::Everything, Hosts::Rest).stmts);
            forwards = stmts.len();
            stage.outlive(program, &mut stmts);
        }
        stmts.extend(stage.stmts(&program.ending));
        let begun = stage.begin_as_seed(value, program.output.as_ref(), adjoint, &mut stmts);
        stage.begin_adjoints(|_| true, &mut stmts);
        stage.seed = Some(adjoint);
        let mut expression = Expression::new(&mut stage.shadows);
        let root = expression.node(value);
        // A value that was given on the way has its adjoint there.
        let given = matches!(value.kind, ExprKind::Rule(Rule::Given, _));
        let after = if given || begun { Vec::new() } else { expression.adjoint(root, Expr::var(adjoint, span)) };
        let (computed, late) = match expression.late(root, &stage.sums) {
            Some(late) => (late, true),
            None => (expression.value(root), false),
        };
        stmts.append(&mut expression.before);
        let (kept, mut keep) = stage.shadows.register("result", computed);
        if let Stmt::Begin(binding) = &mut keep {
            binding.ty = program.output.clone();
        }
        // What the value is read from may be undone before the function ends, or come from the adjoint run itself.
        let fresh = after.iter().any(|stmt| stmt.begun().is_some_and(|b| mentions(&keep, b)));
        match (late, fresh) {
            (true, _) => {
                stmts.extend(after);
                last.push(keep);
            }
            (false, true) => {
                stmts.extend(after);
                stmts.push(keep);
            }
            (false, false) => {
                if let (Stmt::Begin(binding), Some(ty)) = (&mut keep, &program.output)
                    && !program.numbers.has_one_shape(ty)
                {
                    let seed = Expr::borrow(Expr::var(adjoint, span), span);
                    binding.value = Expr::rule(Rule::Fitting, vec![binding.value.clone(), seed], span);
                }
                stmts.push(keep);
                stmts.extend(after);
            }
        }
        result = Some(kept);
    }
    stmts.extend(stage.stmts(&program.body));
    stmts.extend(last);
    let (body, ending) = (Block { stmts, span }, Block { stmts: Vec::new(), span });
    let params = stage.shadows.parameters(&program.params, stage.seed);
    let (run, vars) = (Run::Adjoint, stage.shadows.vars);
    Adjoint { program: Program { run, params, ending, result, ..program.with(vars, body) }, forwards }
}

/// Whether a register is made of what a binding begins.
fn mentions(stmt: &Stmt, binding: &Binding) -> bool {
    let Some(made) = stmt.begun() else { return false };
    binding.pattern.bindings().iter().any(|var| made.value.mentions(*var))
}

fn begins_inside(block: &Block, var: VarId) -> bool {
    block.any(&|stmt| stmt.begun().or(stmt.ended()).is_some_and(|b| b.pattern.bindings().contains(&var)))
}

struct Stage<'c, 'p, 'd> {
    context: &'c Context<'p>,
    shadows: Shadows<'d>,
    /// Locals whose adjoint is still zero: nothing has mentioned them since they began.
    zero: BTreeSet<VarId>,
    /// Locals whose adjoint is yet to begin, where it is first used: in the shape that the local has by then.
    unbegun: Vec<(VarId, Span)>,
    /// Locals that hold what was added to them.
    once: BTreeSet<VarId>,
    /// Sums that only the value of a function reads: they are computed once more while the adjoints run, not before.
    sums: HashMap<VarId, VarId>,
    /// Whether what is restored is compared with what it was.
    watching: bool,
    /// How many blocks there are around the statements.
    depth: usize,
    /// What the program changes somewhere.
    changed: BTreeSet<VarId>,
    /// The locals that are computed forwards, and what they were on the way.
    lives: HashMap<VarId, Life>,
    /// The adjoint of the value of a function.
    seed: Option<VarId>,
    /// Whether the program keeps a record: its locals are not computed again.
    recorded: bool,
    /// Whether it is a procedure of which there is a determinant.
    has_determinant: bool,
    /// The locals of such a program that are compared where they began, and how large they were at the end.
    measured: HashMap<VarId, VarId>,
    /// What they began with, where the record has a copy.
    copies: BTreeMap<VarId, VarId>,
}

impl Stage<'_, '_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        self.depth += 1;
        let stmts = self.stmts(block);
        let depth = self.depth;
        self.lives.retain(|_, life| life.depth < depth);
        self.depth -= 1;
        Block { stmts, span: block.span }
    }

    fn stmts(&mut self, block: &Block) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for stmt in block.stmts.iter().rev() {
            self.stmt(stmt, &mut stmts);
        }
        stmts
    }

    fn stmt(&mut self, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        // What the program undoes here is computed again. On values alone, as long as what it changes has no adjoint; where an
        // inverse brings an ancilla back to an earlier value, between two uses of it, the adjoints take part.
        if let Stmt::Uncompute(s) = stmt
            && let changed = self.context.block_effects(&s.body).changed()
            && changed.iter().all(|var| self.has_zero(*var, &s.body))
        {
            self.before_computing(&changed, s.body.span, stmts);
            stmts.extend(values(self.context, &invert(&s.body), After::Everything, Hosts::Rest).stmts);
            self.after_computing(&changed, s.body.span, stmts);
            return;
        }
        if !matches!(stmt, Stmt::End(_) | Stmt::Keep(_)) {
            let effects = self.context.effects(stmt);
            for access in effects.reads.iter().chain(&effects.writes).filter(|access| !access.shape) {
                self.zero.remove(&access.place.root);
            }
            effects.changed().iter().for_each(|var| {
                self.zero.remove(var);
            });
            let own = stmt.begun().map_or(Vec::new(), |binding| binding.pattern.bindings());
            let reads = effects.reads.iter().filter(|access| !access.shape);
            let used: BTreeSet<VarId> =
                reads.chain(&effects.writes).map(|access| access.place.root).chain(own).collect();
            self.begin_adjoints(|var| used.contains(&var), stmts);
        }
        let computed = self.computed_by(stmt);
        self.before_computing(&computed, stmt.span(), stmts);
        self.undo(stmt, stmts);
        self.after_computing(&computed, stmt.span(), stmts);
        self.after_restoring(stmt, &computed, stmts);
    }

    /// The adjoint of a statement.
    fn undo(&mut self, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Update(s) => self.update(s, stmts),
            Stmt::Flip(s) => {
                stmts.push(invert_stmt(stmt));
                if s.op == FlipOp::Neg && self.shadows.is_active(s.target.root) {
                    let target = self.shadows.shadow_place(&s.target);
                    stmts.push(Stmt::Flip(Flip { target, ..s.clone() }));
                }
            }
            Stmt::Map(s) => self.map(s, stmts),
            Stmt::Swap(s) => {
                stmts.push(stmt.clone());
                // Of one type: where one of them is an integer, both are.
                if self.shadows.is_active(s.a.root) && self.shadows.is_active(s.b.root) {
                    let (a, b) = (self.shadows.shadow_place(&s.a), self.shadows.shadow_place(&s.b));
                    stmts.push(Stmt::Swap(Swap { a, b, named: None, span: s.span }));
                }
            }
            Stmt::Permute(s) => {
                let back = invert_stmt(stmt);
                if let Stmt::Permute(back) = &back
                    && self.shadows.is_active(s.target.root)
                {
                    let target = self.shadows.shadow_place(&s.target);
                    stmts.push(Stmt::Permute(Permute { target, ..back.clone() }));
                }
                stmts.push(back);
            }
            Stmt::Call(s) => self.call(s, stmts),
            Stmt::Begin(s) => self.end_of_life(s, stmt, stmts),
            Stmt::End(s) => self.begin_of_life(s, stmt, stmts),
            Stmt::If(s) => {
                let condition = match &s.condition {
                    Condition { pre, post: Some(post) } => Condition { pre: post.clone(), post: Some(pre.clone()) },
                    Condition { pre, post: None } => Condition { pre: pre.clone(), post: None },
                };
                let then = self.block(&s.then);
                let otherwise = s.otherwise.as_ref().map(|block| self.block(block));
                stmts.push(Stmt::If(If { condition, then, otherwise, span: s.span }));
            }
            Stmt::Match(s) => {
                let arms = s
                    .arms
                    .iter()
                    .map(|arm| {
                        Expression::new(&mut self.shadows).bound(&s.scrutinee, &arm.pattern);
                        arm.with_body(self.block(&arm.body))
                    })
                    .collect();
                stmts.push(Stmt::Match(s.with_arms(arms)));
            }
            Stmt::While(s) => {
                let body = self.block(&s.body);
                stmts.push(Stmt::While(While { pre: s.post.clone(), post: s.pre.clone(), body, span: s.span }));
            }
            Stmt::For(s) => self.for_loop(s, stmts),
            Stmt::Block(s) => {
                let body = self.block(s);
                stmts.push(Stmt::Block(body));
            }
            Stmt::Conjugate(s) => {
                for part in [&invert(&s.compute), &s.rest, &s.compute] {
                    let body = self.block(part);
                    stmts.push(Stmt::Block(body));
                }
            }
            Stmt::Unchecked(s) => {
                let mut inside = Vec::new();
                let watching = std::mem::replace(&mut self.watching, false);
                self.undo(s, &mut inside);
                self.watching = watching;
                stmts.extend(inside.into_iter().map(|s| Stmt::Unchecked(Box::new(s))));
            }
            Stmt::Inverse(s) => self.stmt(&invert_stmt(s), stmts),
            Stmt::Assign(s) => self.assign(s, stmts),
            Stmt::Recompute(s) => {
                let undone = self.block(&s.body);
                stmts.extend(again(s, undone));
            }
            Stmt::Loop(s) => {
                let body = self.block(&s.body);
                stmts.push(Stmt::For(repeated(s, body)));
            }
            Stmt::Keep(s) => {
                stmts.push(invert_stmt(stmt));
                let begun = s.local.as_ref().filter(|local| !local.constant).map(|local| local.pattern.bindings());
                for var in begun.unwrap_or_default().into_iter().filter(|var| self.shadows.is_active(*var)) {
                    self.unbegun.push((var, s.place.span));
                }
                s.local.iter().for_each(|local| self.measure(local, stmts));
            }
            Stmt::Give(s) => {
                let Some(seed) = self.seed else { return };
                let mut expression = Expression::new(&mut self.shadows);
                let root = expression.node(&s.value);
                let after = expression.adjoint(root, cloned(Expr::var(seed, s.span)));
                let inside = expression.before.into_iter().chain(after).collect();
                stmts.push(Stmt::Block(Block { stmts: inside, span: s.span }));
            }
            Stmt::Host(_) | Stmt::Check(_) | Stmt::Restore(_) | Stmt::Exit(_) => {}
            Stmt::Uncompute(s) if s.kept => unreachable!("`record::private` leaves what is used before it is recorded"),
            Stmt::Compute(s) | Stmt::Uncompute(s) => stmts.extend(self.block(&s.body).stmts),
        }
    }

    /// Begins the adjoints of locals that are used now, with zeros in the shapes that these have: what was computed into them on values
    /// alone may have changed their shapes.
    fn begin_adjoints(&mut self, used: impl Fn(VarId) -> bool, stmts: &mut Vec<Stmt>) {
        let (now, later) = std::mem::take(&mut self.unbegun).into_iter().partition(|(var, _)| used(*var));
        self.unbegun = later;
        let now: Vec<(VarId, Span)> = now;
        stmts.extend(now.into_iter().map(|(var, span)| self.shadows.zero(var, span)));
    }

    /// The adjoint of an array that is the value of a recorded function begins as the seed, instead of as zeros to which that is added.
    fn begin_as_seed(&mut self, value: &Expr, output: Option<&Type>, seed: VarId, stmts: &mut Vec<Stmt>) -> bool {
        let (ExprKind::Var(var), Some(TypeKind::Array { of, .. })) = (&value.kind, output.map(|ty| &ty.kind)) else {
            return false;
        };
        let Some(at) = self.unbegun.iter().position(|(unbegun, _)| unbegun == var) else { return false };
        if !self.recorded || !self.shadows.numbers.has_one_shape(of) {
            return false;
        }
        let (var, span) = self.unbegun.remove(at);
        let pattern = Pattern::bind(self.shadows.shadow(var), span);
        let (kind, value) = (BindingKind::Ancilla, Expr::var(seed, span));
        stmts.push(Stmt::Begin(Binding { kind, pattern, ty: None, value, constant: false, span }));
        true
    }

    /// Whether the adjoint of a variable is still zero, or has not even begun because the variable lives inside.
    fn has_zero(&self, var: VarId, block: &Block) -> bool {
        self.zero.contains(&var) || !self.shadows.is_active(var) || begins_inside(block, var)
    }

    fn begin_of_life(&mut self, s: &Binding, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        stmts.push(invert_stmt(stmt));
        if let Alias::Name(shadow) = self.shadows.alias(s) {
            let names = s.pattern.bindings().into_iter().map(|var| Place::var(var, s.span));
            let base = match &s.value.kind {
                ExprKind::Method { receiver, .. } => receiver.as_place(),
                _ => s.value.as_place(),
            };
            let places = names.chain(base).map(|place| self.shadows.resolved(&place).root);
            let named: BTreeSet<VarId> = places.collect();
            self.begin_adjoints(|var| named.contains(&var), stmts);
            stmts.extend(shadow);
            return;
        }
        if s.constant {
            return;
        }
        self.zero.extend(s.pattern.bindings());
        self.watch(s);
        if s.kind == BindingKind::Manual {
            self.measure(s, stmts);
        }
        if let Some(sum) = s.pattern.as_var().and_then(|var| self.sums.get(&var).copied()) {
            let pattern = Pattern::bind(sum, s.span);
            stmts.push(Stmt::Begin(Binding { kind: BindingKind::Ancilla, pattern, ..s.clone() }));
        }
        for var in s.pattern.bindings() {
            if self.shadows.is_active(var) {
                self.unbegun.push((var, s.span));
            }
        }
    }

    fn end_of_life(&mut self, s: &Binding, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        if !self.shadows.alias(s).is_name() {
            let flowing = end_of_let(&mut self.shadows, s);
            stmts.extend(flowing);
        }
        // In checked builds what the user gives back is compared more strictly first.
        stmts.push(invert_stmt(stmt));
        // Behind the last use of the adjoint, which the comparison would drive out of its register.
        self.compare(s, stmts);
    }

    fn for_loop(&mut self, s: &For, stmts: &mut Vec<Stmt>) {
        let Some(indexed) = self.shadows.indexed(s) else {
            let body = self.block(&s.body);
            let back = invert_stmt(&Stmt::For(s.with_body(Block { stmts: Vec::new(), span: s.span })));
            if let Stmt::For(back) = back {
                stmts.push(Stmt::For(For { body, ..back }));
            }
            return;
        };
        let mut body: Vec<Stmt> = indexed.names;
        body.extend(self.block(&s.body).stmts);
        let iter = if s.part.is_some() { indexed.iter } else { way_back(&indexed.iter, s.early.as_deref()) };
        let body = Block { stmts: body, span: s.body.span };
        let turns = For::new(indexed.pattern, iter, body, s.span);
        let turns = Stmt::For(For { unroll: s.unroll, part: s.part, numbered: true, ..turns });
        let inside = indexed.before.into_iter().chain([turns]).collect();
        stmts.push(Stmt::Block(Block { stmts: inside, span: s.span }));
    }
}
