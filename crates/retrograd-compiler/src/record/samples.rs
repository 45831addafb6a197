//! Samples of what locals were on the way: checked builds compare locals of recorded programs inside of loops, too, and where an assignment
//! had given them a new value.
//!
//! ```text
//! for i in 0..n {          open; for i in 0..n { turn; keep t; ..           undone by   reopen; for i in (0..n).rev() { ..
//!     t += f;                  t += f;                                                      t -= f; compare t; unturn;
//! }                        } shut;                                                      } unopen;
//! t = g;                   t = g; open; turn; keep t; shut;                             reopen; compare t; unturn; unopen; t = restore();
//! ```
//!
//! A record has them beside what it keeps, for at most eight iterations of each loop. A local is compared where all that restores
//! it is kept (`restored`); so both ways are looked at when `optimize::demand` has decided what they do.

mod insert;
mod restored;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;

use crate::analysis::Context;
use crate::analysis::effects::viewed;
use crate::ir::{
    ArgKind, Assign, Binding, BindingKind, Block, Call, Callee, Checks, Expr, ExprKind, Iter, LiteralKind, Program,
    Records, Run, Stmt, Type, Update, UpdateOp, Var, VarId, VarKind,
};
use crate::signature::numbers::is_discrete;
use crate::span::Span;

pub use insert::with_samples;
pub use restored::restored;

/// Where locals of a program are sampled.
#[derive(Debug, Default)]
pub struct Points {
    loops: Vec<Head>,
    points: Vec<Point>,
    /// The loops by where they stand.
    loops_at: BTreeMap<Where, usize>,
    /// The points by where what they stand behind does, or its target.
    points_at: BTreeMap<Where, Vec<usize>>,
}

/// Where something stands: its first token, and its last.
type Where = [usize; 4];

fn at(span: Span) -> Where {
    let (from, to) = (span.first.start(), span.last.end());
    [from.line, from.column, to.line, to.column]
}

/// A loop, on the way there.
#[derive(Debug)]
struct Head {
    span: Span,
    kind: HeadKind,
    /// The points in front of its iterations, and those inside.
    points: Vec<usize>,
}

#[derive(Debug)]
enum HeadKind {
    For { iter: Box<Iter> },
    Loop,
    While { pre: Expr },
}

/// A local, and where it is sampled.
#[derive(Debug)]
struct Point {
    var: VarId,
    at: At,
    /// Its `let`, the assignment or the push.
    made: Stmt,
}

#[derive(Debug)]
enum At {
    /// In front of each iteration of this loop.
    Iterations(usize),
    /// Behind an assignment or a push, in this loop.
    Assigned(Option<usize>),
}

impl Head {
    fn of(stmt: &Stmt) -> Option<Head> {
        let kind = match stmt {
            Stmt::For(s) if s.part.is_none() => HeadKind::For { iter: s.iter.clone() },
            Stmt::Loop(s) if s.part.is_none() => HeadKind::Loop,
            Stmt::While(s) if s.pre != s.post => HeadKind::While { pre: s.pre.clone() },
            _ => return None,
        };
        Some(Head { span: stmt.span(), kind, points: Vec::new() })
    }

    /// Whether the statement is this loop, on the way there.
    fn is_there(&self, stmt: &Stmt) -> bool {
        let there = match (&self.kind, stmt) {
            (HeadKind::For { iter }, Stmt::For(s)) => s.is_in_order_of(iter),
            (HeadKind::Loop, Stmt::Loop(_)) => true,
            (HeadKind::While { pre }, Stmt::While(s)) => s.pre == *pre,
            _ => false,
        };
        there && self.span.is_at(stmt.span())
    }

    /// Whether the statement is this loop on the way back, in the order in which it is undone.
    fn is_back(&self, stmt: &Stmt) -> bool {
        let back = match (&self.kind, stmt) {
            (HeadKind::For { iter }, Stmt::For(s)) => !s.is_in_order_of(iter),
            (HeadKind::Loop, Stmt::For(_)) => true,
            (HeadKind::While { pre }, Stmt::While(s)) => s.pre != *pre,
            _ => false,
        };
        back && self.span.is_at(stmt.span())
    }
}

impl Points {
    /// The points of a program with a record, if it makes checks.
    pub fn of(prepared: &Program) -> Points {
        if prepared.checks == Checks::Never || prepared.records != Records::Lossy {
            return Points::default();
        }
        let context = Context::new(prepared);
        let mut drifting = BTreeSet::new();
        prepared.body.walk(&mut |stmt| {
            if rounds(stmt) {
                drifting.extend(context.own_effects(stmt).changed());
            }
        });
        let integers = integers(&prepared.body);
        drifting.retain(|var| is_followed(prepared.var(*var)) && !integers.contains(var));
        let mut search = Search { context: &context, drifting, found: Points::default() };
        search.block(&prepared.body, &mut Vec::new(), None);
        search.found.only_clear(&prepared.body)
    }

    /// Without those of which the source does not say where they are: all that a macro wrote may stand in one place.
    fn only_clear(mut self, body: &Block) -> Points {
        let (mut loops, mut made) = (BTreeMap::new(), BTreeMap::new());
        body.walk(&mut |stmt| match stmt {
            Stmt::For(_) | Stmt::Loop(_) | Stmt::While(_) => *loops.entry(at(stmt.span())).or_insert(0) += 1,
            _ => made_anew(stmt).into_iter().for_each(|var| *made.entry((at(stmt.span()), var)).or_insert(0) += 1),
        });
        let is_clear = |number: &usize| loops[&at(self.loops[*number].span)] == 1;
        self.points.retain(|point| match &point.at {
            At::Iterations(number) => is_clear(number),
            At::Assigned(inside) => inside.iter().all(is_clear) && made[&(at(point.made.span()), point.var)] == 1,
        });
        self.loops_at = self.loops.iter().enumerate().map(|(i, head)| (at(head.span), i)).collect();
        for (i, point) in self.points.iter().enumerate() {
            let (At::Iterations(number) | At::Assigned(Some(number))) = point.at else { continue };
            self.loops[number].points.push(i);
        }
        for (i, point) in self.points.iter().enumerate() {
            let target = if let Stmt::Assign(s) = &point.made { Some(s.target.span) } else { None };
            let spans: BTreeSet<Where> = target.into_iter().chain([point.made.span()]).map(at).collect();
            spans.into_iter().for_each(|at| self.points_at.entry(at).or_default().push(i));
        }
        self
    }

    /// The loop that stands where a statement does.
    fn head(&self, stmt: &Stmt) -> Option<(usize, &Head)> {
        let number = *self.loops_at.get(&at(stmt.span()))?;
        Some((number, &self.loops[number]))
    }

    /// The points that stand behind what is there.
    fn at(&self, span: Span) -> impl Iterator<Item = (usize, &Point)> {
        self.points_at.get(&at(span)).into_iter().flatten().map(|&i| (i, &self.points[i]))
    }

    fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The points behind an assignment or a push.
    fn assigned_by(&self, stmt: &Stmt) -> impl Iterator<Item = (usize, &Point)> {
        self.at(stmt.span()).filter(move |(_, point)| is_made_by(point, stmt))
    }

    /// The points behind an assignment or a push that a statement undoes.
    fn undone_by(&self, stmt: &Stmt) -> impl Iterator<Item = (usize, &Point)> {
        let here = move |point: &Point| match (&point.made, stmt) {
            (Stmt::Assign(made), Stmt::Restore(s)) => s.place.root == point.var && s.place.span.is_at(made.target.span),
            // Of a value that does not come back there is an empty block.
            (Stmt::Assign(made), Stmt::Block(s)) if s.stmts.is_empty() => made.target.span.is_at(s.span),
            (made @ (Stmt::Assign(_) | Stmt::Call(_)), Stmt::Block(s)) => {
                made.span().is_at(s.span) && !s.stmts.is_empty() && !s.any(&|stmt| is_made_by(point, stmt))
            }
            (Stmt::Call(made), Stmt::Call(s)) => made.inverse != s.inverse && made.span.is_at(s.span),
            _ => false,
        };
        self.at(stmt.span()).filter(move |(_, point)| here(point))
    }
}

/// Whether a statement is the assignment or the push behind which a local is sampled.
fn is_made_by(point: &Point, stmt: &Stmt) -> bool {
    match (&point.made, stmt) {
        (Stmt::Assign(made), Stmt::Assign(s)) => s.target.root == point.var && made.span.is_at(s.span),
        (Stmt::Call(made), Stmt::Call(s)) => (made.run, made.inverse) == (s.run, s.inverse) && made.span.is_at(s.span),
        _ => false,
    }
}

/// The local that a statement gives a value which it has not had: all of it, or an element behind the others.
fn made_anew(stmt: &Stmt) -> Option<VarId> {
    let place = match stmt {
        Stmt::Assign(s) => &s.target,
        Stmt::Call(s) => match (s.moves()?, s.args.first().map(|arg| &arg.kind)) {
            ("append" | "insert_at", Some(ArgKind::Change(place))) => place,
            _ => return None,
        },
        _ => return None,
    };
    place.path.is_empty().then_some(place.root)
}

/// Such a statement as the user wrote it.
fn as_written(stmt: &Stmt) -> Stmt {
    match stmt {
        Stmt::Assign(s) => Stmt::Assign(Assign { kept: None, ..s.clone() }),
        Stmt::Call(s) => {
            let name = if s.moves() == Some("append") { "push" } else { "insert" };
            let callee = Callee::Method { name: Ident::new(name, s.span.first), turbofish: None };
            Stmt::Call(Call { callee, run: Run::Values, ..s.clone() })
        }
        _ => stmt.clone(),
    }
}

struct Search<'c, 'p> {
    context: &'c Context<'p>,
    /// Locals that something changes which is undone up to rounding.
    drifting: BTreeSet<VarId>,
    found: Points,
}

impl Search<'_, '_> {
    /// `living` are the locals that have begun since the loop began; `inside` is its number. What is run again has no samples: it is not
    /// undone from where it ended.
    fn block(&mut self, block: &Block, living: &mut Vec<Binding>, inside: Option<usize>) {
        let outer = living.len();
        for stmt in &block.stmts {
            if let Some(var) = made_anew(stmt).filter(|var| self.drifting.contains(var)) {
                let made = stmt.clone();
                self.found.points.push(Point { var, at: At::Assigned(inside), made });
            }
            match stmt {
                // What has no value yet has nothing to come back to.
                Stmt::Begin(b) if b.kind == BindingKind::Ancilla && !matches!(b.value.kind, ExprKind::Rule(..)) => {
                    living.push(b.clone());
                }
                Stmt::For(_) | Stmt::Loop(_) | Stmt::While(_) => {
                    let Some(head) = Head::of(stmt) else { continue };
                    let number = self.found.loops.len();
                    self.found.loops.push(head);
                    // What an iteration changes through views cannot be looked at beside them.
                    let viewed: Vec<VarId> = match stmt {
                        Stmt::For(s) => viewed(&s.iter).into_iter().map(|place| place.root).collect(),
                        _ => Vec::new(),
                    };
                    for binding in living.iter() {
                        if let Some(var) = binding.pattern.as_var()
                            && !viewed.contains(&var)
                            && self.drifts(stmt, var)
                        {
                            let made = Stmt::Begin(binding.clone());
                            self.found.points.push(Point { var, at: At::Iterations(number), made });
                        }
                    }
                    stmt.blocks().into_iter().for_each(|block| self.block(block, &mut Vec::new(), Some(number)));
                }
                Stmt::If(_) | Stmt::Match(_) | Stmt::Block(_) => {
                    stmt.blocks().into_iter().for_each(|block| self.block(block, living, inside));
                }
                _ => {}
            }
        }
        living.truncate(outer);
    }

    /// Whether something in a statement changes a local that is undone up to rounding.
    fn drifts(&self, stmt: &Stmt, var: VarId) -> bool {
        self.drifting.contains(&var)
            && stmt.any(&|stmt| rounds(stmt) && self.context.own_effects(stmt).changed().contains(&var))
    }
}

/// Whether a local may be compared.
fn is_followed(var: &Var) -> bool {
    let discrete = var.ty.as_ref().and_then(Type::as_name).is_some_and(is_discrete);
    var.kind == VarKind::Ancilla && !var.unchecked && !discrete
}

/// The locals that visibly begin as integers: counters, which come back.
fn integers(block: &Block) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    block.walk(&mut |stmt| {
        if let Stmt::Begin(b) = stmt
            && matches!(&b.value.kind, ExprKind::Lit(literal) if matches!(literal.kind, LiteralKind::Integer(_)))
        {
            found.extend(b.pattern.bindings());
        }
    });
    found
}

/// Whether a statement is undone up to rounding.
fn rounds(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Update(Update { op, kept, .. }) => *op != UpdateOp::Xor && kept.is_none(),
        Stmt::Map(_) => true,
        Stmt::Call(s) => s.moves().is_none(),
        _ => false,
    }
}

/// The numbers of some points.
pub type Numbers = BTreeSet<usize>;
