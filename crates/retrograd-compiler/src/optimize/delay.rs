//! Sums into neighbouring elements of one shadow become sums into one element of it.
//!
//! ```text
//! for i in 1..n - 1 {                             let mut late = 0.0;
//!     grad_u[i] += a;                             for i in 1..n - 1 {
//!     grad_u[i - 1] += b;            becomes          let first = a;
//! }                                                   let second = b;
//!                                                     grad_u[i - 1] += late;
//!                                                     grad_u[i - 1] += second;
//!                                                     late = first;
//!                                                 }
//!                                                 if 1 < n - 1 {
//!                                                     grad_u[n - 2] += late;
//!                                                 }
//! ```
//!
//! The adjoint of a stencil adds to elements around each point, and what one iteration writes the next one reads again. So terms wait
//! in registers until the loop comes to the element for the last time: then each iteration has an element of its own. Nothing else in
//! the loop may see the elements, so nothing sees that their terms come later. Those that waited longest are added first, as the loop
//! would have done. All are added at the end of an iteration, because LLVM vectorises only what reads such registers after they are known.

use super::added::{is_sum, only_added_to, with_views};
use super::numbers::NumberPlaces;
use super::ranged::Ranged;
use crate::analysis::Context;
use crate::analysis::effects::{Access, head_reads};
use crate::ir::{
    Assign, BinaryOp, Binding, BindingKind, Block, Expr, ExprKind, For, Pattern, Place, Program, Projection, Rule,
    Stmt, Update, Var, VarId, VarKind,
};
use crate::span::Span;

/// How many terms may wait: so many registers there are.
const REGISTERS: usize = 12;

/// Delays sums into neighbouring elements.
pub fn delay(program: &mut Program) {
    if !program.run.is_adjoint() {
        return;
    }
    let views = with_views(program);
    let (body, vars) = {
        let context = Context::new(program);
        let vars = program.vars.clone();
        let mut pass = Pass { context: &context, numbers: NumberPlaces::of(program), views, vars };
        (pass.block(&program.body), pass.vars)
    };
    (program.body, program.vars) = (body, vars);
}

struct Pass<'c, 'p> {
    context: &'c Context<'p>,
    numbers: NumberPlaces<'p>,
    /// The variables of the program, and the terms that wait.
    vars: Vec<Var>,
    /// The same with views of shadows as such.
    views: Vec<Var>,
}

/// Sums into elements of one shadow that lie beside each other.
struct Group {
    /// By how much their indices grow from one number of the loop to the next.
    growth: i128,
    /// The sums, and how far their elements are from that of the first.
    sums: Vec<(Sum, i128)>,
}

/// A sum, and which one of its loop it is.
#[derive(Clone)]
struct Sum {
    number: usize,
    update: Update,
}

/// Sums into one element that were sums into several.
struct Delayed {
    /// The element that the loop does not come back to.
    target: Place,
    /// By how much its index grows from one iteration to the next.
    onwards: i128,
    /// The sums, those that wait longest first.
    terms: Vec<Term>,
}

/// A term of a sum.
struct Term {
    sum: Sum,
    /// What holds it: in its own iteration, and in those that it waits for.
    held: Vec<VarId>,
}

impl Pass<'_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            match stmt.map_blocks(&mut |block| self.block(block)) {
                Stmt::For(s) => stmts.push(self.turns(&s).unwrap_or(Stmt::For(s))),
                stmt => stmts.push(stmt),
            }
        }
        Block { stmts, span: block.span }
    }

    fn turns(&mut self, s: &For) -> Option<Stmt> {
        let turns = Ranged::of(s)?;
        let groups = self.groups(s);
        if groups.is_empty() || self.changes_its_ends(s) {
            return None;
        }
        let delayed: Vec<Delayed> = groups.into_iter().filter_map(|group| self.delayed(group, &turns)).collect();
        let terms = || delayed.iter().flat_map(|delayed| &delayed.terms);
        let begins = terms().flat_map(|term| &term.held[1..]).map(|late| begin(*late, Rule::Neutral, s.span));
        let mut body: Vec<Stmt> = terms().map(|term| begin(term.held[0], Rule::Later, s.span)).collect();
        body.extend(later(&s.body, &terms().collect::<Vec<_>>(), &mut 0).stmts);
        body.extend(delayed.iter().flat_map(Delayed::turn));
        let body = Block { stmts: body, span: s.body.span };
        let ends = Block { stmts: delayed.iter().flat_map(|delayed| delayed.end(&turns)).collect(), span: s.span };
        let flush = turns.if_any(ends);
        let stmts = begins.chain([Stmt::For(For { body, ..s.clone() }), flush]).collect();
        Some(Stmt::Block(Block { stmts, span: s.span }))
    }

    /// Whether the range would be another one behind the loop.
    fn changes_its_ends(&self, s: &For) -> bool {
        let context = self.context.with(&self.views);
        let changed = context.block_effects(&s.body).writes;
        let changes =
            |read: &Access| changed.iter().any(|w| w.place.root == read.place.root && (w.shape || !read.shape));
        head_reads(&s.iter).into_iter().any(|e| context.expr_reads(e).iter().any(changes))
    }

    /// The sums of an iteration into elements beside each other, of shadows that the loop only adds to.
    fn groups(&self, s: &For) -> Vec<Group> {
        let context = self.context.with(&self.views);
        let added = only_added_to(&context, &s.body);
        let mut sums = Vec::new();
        straight(&s.body, &mut sums);
        let mut groups: Vec<Group> = Vec::new();
        for (number, update) in sums.into_iter().enumerate() {
            if !added.contains(&update.target.root) || !self.numbers.is_number(&self.vars, &update.target) {
                continue;
            }
            let sum = Sum { number, update: update.clone() };
            let beside = groups.iter_mut().find_map(|group| {
                let (growth, shift) = context.shift(s, &group.sums[0].0.update.target, &update.target)?;
                (shift % growth == 0).then_some((group, shift))
            });
            if let Some((group, shift)) = beside {
                group.sums.push((sum, shift));
            } else if let Some((growth, shift)) = context.shift(s, &update.target, &update.target) {
                groups.push(Group { growth, sums: vec![(sum, shift)] });
            }
        }
        let waiting = |group: &Group| {
            let last = group.sums.iter().map(|(_, shift)| shift / group.growth);
            let (least, most) = (last.clone().min().unwrap_or(0), last.clone().max().unwrap_or(0));
            let terms = |from: i128| last.clone().map(|turn| (turn - from).unsigned_abs()).sum::<u128>();
            if least == most { 0 } else { terms(least).max(terms(most)) }
        };
        groups.retain(|group| (1..=REGISTERS as u128).contains(&waiting(group)));
        groups
    }

    /// What becomes of the sums of a group.
    fn delayed(&mut self, Group { growth, sums }: Group, turns: &Ranged<'_>) -> Option<Delayed> {
        let onwards = if turns.falling { -growth } else { growth };
        let (last, least) = sums.iter().min_by_key(|(_, shift)| shift / onwards).cloned()?;
        let mut terms = Vec::new();
        for (sum, shift) in sums {
            let wait = usize::try_from((shift - least) / onwards).ok()?;
            let roles = std::iter::once("term").chain(std::iter::repeat_n("late", wait));
            let held = roles.map(|role| self.declare(role, sum.update.span)).collect();
            terms.push(Term { sum, held });
        }
        terms.sort_by_key(|term| std::cmp::Reverse(term.held.len()));
        Some(Delayed { target: last.update.target, onwards, terms })
    }

    fn declare(&mut self, role: &str, span: Span) -> VarId {
        let name = format!("{role}_{}", self.vars.len());
        let var = Var::added(&name, VarKind::Shadow { reference: false }, span);
        self.views.push(var.clone());
        self.vars.push(var);
        VarId(self.vars.len() - 1)
    }
}

impl Delayed {
    /// What an iteration ends with: terms that have waited are added, and all others go on waiting.
    fn turn(&self) -> Vec<Stmt> {
        let read = |var: VarId, term: &Term| Expr::var(var, term.sum.update.span);
        let oldest = |term: &Term| term.held.last().map(|var| add(term, self.target.clone(), read(*var, term)));
        let mut stmts: Vec<Stmt> = self.terms.iter().filter_map(oldest).collect();
        for term in &self.terms {
            stmts.extend(term.held.windows(2).rev().map(|pair| assign(pair[1], read(pair[0], term))));
        }
        stmts
    }

    /// What is added behind the loop.
    fn end(&self, turns: &Ranged<'_>) -> Vec<Stmt> {
        let last = match (turns.falling, turns.inclusive) {
            (true, _) => turns.start.clone(),
            (false, true) => turns.end.clone(),
            (false, false) => offset(turns.end, -1),
        };
        let in_last = |e: &Expr| e.rewritten(&|e| (e.kind == ExprKind::Var(turns.turn)).then(|| last.clone()));
        let place = |turn: i128| {
            let path = self.target.path.iter().map(|step| match step {
                Projection::Index(index) if index.mentions(turns.turn) => {
                    Projection::Index(offset(&in_last(index), turn * self.onwards))
                }
                step => step.clone(),
            });
            Place { path: path.collect(), ..self.target.clone() }
        };
        let mut stmts = Vec::new();
        for term in &self.terms {
            let waiting = (1..).zip(term.held[1..].iter().rev());
            stmts.extend(waiting.map(|(turn, late)| add(term, place(turn), Expr::var(*late, term.sum.update.span))));
        }
        stmts
    }
}

/// The body of a loop, with terms held until its end; `number` is that of the next sum.
fn later(block: &Block, terms: &[&Term], number: &mut usize) -> Block {
    let stmts = block.stmts.iter().map(|stmt| match stmt {
        Stmt::Block(inner) => Stmt::Block(later(inner, terms, number)),
        Stmt::Update(s) if is_sum(s) => {
            let term = terms.iter().find(|term| term.sum.number == *number);
            *number += 1;
            term.map_or_else(|| stmt.clone(), |term| assign(term.held[0], s.operand.clone()))
        }
        _ => stmt.clone(),
    });
    Block { stmts: stmts.collect(), span: block.span }
}

fn assign(var: VarId, value: Expr) -> Stmt {
    let span = value.span;
    Stmt::Assign(Assign { target: Place::var(var, span), value, kept: None, reread: false, span })
}

/// `e + by`, with one number in it for all that are added to something.
fn offset(e: &Expr, by: i128) -> Expr {
    let number = |e: &Expr| match &e.kind {
        ExprKind::Lit(literal) => i128::try_from(literal.as_integer()?).ok(),
        _ => None,
    };
    if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &e.kind
        && let Some(n) = number(b)
    {
        return offset(a, if *op == BinaryOp::Add { by + n } else { by - n });
    }
    let integer = |n: i128| usize::try_from(n.unsigned_abs()).map(|n| Expr::integer(n, e.span));
    match (number(e).map(|n| n + by), integer(by)) {
        (Some(n), _) if n >= 0 && integer(n).is_ok() => integer(n).unwrap_or_else(|_| e.clone()),
        (_, Ok(distance)) if by != 0 => {
            let op = if by > 0 { BinaryOp::Add } else { BinaryOp::Sub };
            Expr::binary(op, e.clone(), distance)
        }
        _ => e.clone(),
    }
}

/// The sums of an iteration that run whatever happens in it.
fn straight<'s>(block: &'s Block, sums: &mut Vec<&'s Update>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Update(s) if is_sum(s) => sums.push(s),
            Stmt::Block(inner) => straight(inner, sums),
            _ => {}
        }
    }
}

fn begin(var: VarId, rule: Rule, span: Span) -> Stmt {
    Stmt::Begin(Binding {
        kind: BindingKind::Ancilla,
        pattern: Pattern::bind(var, span),
        ty: None,
        value: Expr::rule(rule, Vec::new(), span),
        constant: false,
        span,
    })
}

/// The sum of a term, or of one that waited, into another place.
fn add(term: &Term, target: Place, operand: Expr) -> Stmt {
    Stmt::Update(Update { target, operand, written: None, ..term.sum.update.clone() })
}
