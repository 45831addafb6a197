//! An array of adjoints of which each turn of one loop uses an element of its own is one element, made anew in every turn.
//!
//! ```text
//! let mut grad_q = zero(&q);                      for k in 0..n {
//! for k in 0..n {                                     let mut grad_q_k = zero(&q[k]);
//!     grad_q[k] += a * q[k];             becomes       grad_q_k += a * q[k];
//!     *x += grad_q[k] * b;                             *x += grad_q_k * b;
//! }                                               }
//! ```
//!
//! The element can stay in registers, and without the array the turns depend on each other no more. The loop has to stay
//! within the array: it goes from 0 to the length that the array was made with.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::analysis::Context;
use crate::analysis::effects::Access;
use crate::ir::{
    Adapter, Binding, BindingKind, Block, Expr, ExprKind, For, MacroArgs, Pattern, Program, Rule, Source, Stmt, Var,
    VarId, VarKind,
};

/// Contracts arrays of adjoints to elements.
pub fn contract(program: &mut Program) {
    if !makes_arrays(&program.body) {
        return;
    }
    let (body, vars) = {
        let context = Context::new(program);
        let changed = context.block_effects(&program.body).writes;
        let mut pass = Pass { context: &context, changed, vars: program.vars.clone() };
        (pass.block(&program.body), pass.vars)
    };
    (program.body, program.vars) = (body, vars);
}

struct Pass<'c, 'p> {
    context: &'c Context<'p>,
    /// What the program changes somewhere.
    changed: Vec<Access>,
    /// The variables of the program, and the elements.
    vars: Vec<Var>,
}

impl Pass<'_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        let mut stmts: Vec<Option<Stmt>> =
            block.stmts.iter().map(|stmt| Some(stmt.map_blocks(&mut |b| self.block(b)))).collect();
        // Arrays that are made here, the statements that mention their adjoints, and how many elements there are.
        let made = stmts.iter().flatten().filter_map(Stmt::begun);
        let lengths: BTreeMap<VarId, Expr> =
            made.filter_map(|b| Some((b.pattern.as_var()?, length(&b.value)?.clone()))).collect();
        let shadows = stmts.iter().flatten().filter_map(|stmt| shadow_of(stmt.begun()?));
        let mut users: BTreeMap<VarId, Vec<usize>> =
            shadows.filter(|(array, _)| lengths.contains_key(array)).map(|(_, shadow)| (shadow, Vec::new())).collect();
        if !users.is_empty() {
            let context = self.context.with(&self.vars);
            for (i, stmt) in stmts.iter().flatten().enumerate() {
                for var in context.effects(stmt).mentioned().collect::<BTreeSet<VarId>>() {
                    users.entry(var).and_modify(|all| all.push(i));
                }
            }
        }
        for at in 0..stmts.len() {
            if let Some((user, turns)) = self.contracted(&stmts, at, &users, &lengths) {
                stmts[user] = Some(turns);
                stmts[at] = None;
            }
        }
        Block { stmts: stmts.into_iter().flatten().collect(), span: block.span }
    }

    /// The loop that uses the array of adjoints which begins at `at`, with elements in its place.
    fn contracted(
        &mut self,
        stmts: &[Option<Stmt>],
        at: usize,
        users: &BTreeMap<VarId, Vec<usize>>,
        lengths: &BTreeMap<VarId, Expr>,
    ) -> Option<(usize, Stmt)> {
        let (array, shadow) = shadow_of(stmts[at].as_ref()?.begun()?)?;
        let [user] = users.get(&shadow)?.as_slice() else { return None };
        let Some(Stmt::For(s)) = &stmts[*user] else { return None };
        let turn = s.pattern.as_var()?;
        let reshaped = self.changed.iter().any(|write| write.place.root == array && write.shape);
        if reshaped || !self.goes_through(s, lengths.get(&array)?) {
            return None;
        }
        let span = s.span;
        let element = VarId(self.vars.len());
        let is_own = |e: &Expr| matches!(&e.kind, ExprKind::Index(a, i) if a.kind == ExprKind::Var(shadow) && i.kind == ExprKind::Var(turn));
        let body = s.body.rewritten(&|e| is_own(e).then(|| Expr::var(element, e.span)));
        let name = format!("{}_{}", self.vars[shadow.0].written, self.vars[turn.0].written);
        self.vars.push(Var::added(&name, VarKind::Shadow { reference: false }, span));
        if self.context.with(&self.vars).block_effects(&body).mentions(shadow) {
            self.vars.pop();
            return None;
        }
        let index = |of: VarId| {
            let kind = ExprKind::Index(Rc::new(Expr::var(of, span)), Rc::new(Expr::var(turn, span)));
            Expr::new(kind, span)
        };
        let begin = Stmt::Begin(Binding {
            kind: BindingKind::Ancilla,
            pattern: Pattern::bind(element, span),
            ty: None,
            value: Expr::rule(Rule::Zero, vec![index(array)], span),
            constant: false,
            span,
        });
        let body = Block { stmts: std::iter::once(begin).chain(body.stmts).collect(), span: body.span };
        Some((*user, Stmt::For(s.with_body(body))))
    }

    /// Whether the loop counts from 0 to a length that is always the same, in either direction.
    fn goes_through(&self, s: &For, length: &Expr) -> bool {
        let Source::Range { start, end, inclusive: false } = &s.iter.source else { return false };
        let zero = matches!(&start.kind, ExprKind::Lit(literal) if literal.is_integer(0));
        let changes = |read: &Access| {
            self.changed.iter().any(|write| write.place.root == read.place.root && (write.shape || !read.shape))
        };
        let fixed = !self.context.expr_reads(end).iter().any(changes);
        zero && end == length && fixed && matches!(s.iter.adapters.as_slice(), [] | [Adapter::Rev])
    }
}

/// The variable whose adjoints begin here, as zeros, and the variable that holds them.
fn shadow_of(binding: &Binding) -> Option<(VarId, VarId)> {
    let ExprKind::Rule(Rule::Zero, args) = &binding.value.kind else { return None };
    match args.as_slice() {
        [Expr { kind: ExprKind::Var(array), .. }] => Some((*array, binding.pattern.as_var()?)),
        _ => None,
    }
}

/// Whether an array is made somewhere in a block, of equal elements.
fn makes_arrays(block: &Block) -> bool {
    block.any(&|stmt| stmt.begun().is_some_and(|binding| length(&binding.value).is_some()))
}

/// The length of an array that is made of equal elements.
fn length(value: &Expr) -> Option<&Expr> {
    match &value.kind {
        ExprKind::Repeat(_, n) | ExprKind::Macro { args: MacroArgs::Repeat(_, n), .. } => Some(n),
        _ => None,
    }
}
