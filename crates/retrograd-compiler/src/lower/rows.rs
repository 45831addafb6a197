//! An innermost loop along neighbouring elements cuts them out of their arrays once.
//!
//! ```text
//! for k in (0..j).rev() {                             if 0 < j {
//!     grad_y[k] += adjoint * l[i * n + k];                let row = &l[i * n..i * n + j];
//! }                                        becomes        let row_2 = &mut grad_y[0..j];
//!                                                         for k in (0..j).rev() {
//!                                                             row_2[k] += adjoint * row[k];
//!                                                         }
//!                                                     }
//! ```
//!
//! An index into a row that is as long as the loop is compared with nothing, and LLVM vectorises only loops that compare nothing.
//! Elements that a loop changes are all in the row, or the array is not cut. Two rows of one array may overlap, which only a run can
//! tell: then the loop is there twice, as it was and with rows.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::touched::{always, is_simple};
use crate::analysis::Context;
use crate::analysis::effects::Access;
use crate::analysis::index::Linear;
use crate::analysis::relation::Changed;
use crate::analysis::slice::declared_inside;
use crate::analysis::types;
use crate::ir::{
    BinaryOp, Binding, BindingKind, Block, Condition, Expr, ExprKind, For, If, Iter, Path, Pattern, PatternKind, Place,
    Program, Projection, Rule, Run, Source, Stmt, TypeKind, Var, VarId, VarKind,
};
use crate::optimize::ranged::Ranged;
use crate::optimize::with_views;
use crate::span::Span;

/// How many rows of one array a loop may change.
const MOST: usize = 4;

/// Cuts rows out of arrays.
pub(super) fn rows(program: &mut Program) {
    let views = with_views(program);
    let (body, vars) = {
        let context = Context::new(program);
        let mut pass = Pass { context: context.with(&views), lists: lists(program), vars: program.vars.clone() };
        (pass.block(&program.body), pass.vars)
    };
    (program.body, program.vars) = (body, vars);
}

struct Pass<'c> {
    context: Context<'c>,
    /// Locals that visibly begin as vectors, and their shadows.
    lists: BTreeSet<VarId>,
    /// The variables of the program, and the rows.
    vars: Vec<Var>,
}

/// Elements of an array that lie next to each other, one for each iteration.
#[derive(Clone)]
struct Row {
    array: Place,
    /// The index of one of them, by the counter of the loop.
    index: Expr,
    ahead: Linear,
}

/// What a loop touches of a variable.
#[derive(Default)]
struct Touched {
    rows: Vec<Row>,
    changed: bool,
    /// Whether it touches more than rows.
    otherwise: bool,
}

/// A row with a name of its own.
struct Cut {
    row: Row,
    name: VarId,
}

impl Pass<'_> {
    fn block(&mut self, block: &Block) -> Block {
        let stmts = block.stmts.iter().map(|stmt| {
            let cut = if let Stmt::For(s) = stmt { self.along_rows(s) } else { None };
            cut.unwrap_or_else(|| stmt.map_blocks(&mut |block| self.block(block)))
        });
        Block { stmts: stmts.collect(), span: block.span }
    }

    fn along_rows(&mut self, s: &For) -> Option<Stmt> {
        let turns = Ranged::of(s).filter(|turns| is_simple(&s.body) && !turns.is_constant())?;
        let (mut whole, mut apart) = (Vec::new(), Vec::new());
        for touched in self.touched(s, turns.turn) {
            match touched.rows.as_slice() {
                [] => {}
                rows if !touched.changed => whole.extend(rows.iter().map(|row| (row.clone(), false))),
                [row] => whole.push((row.clone(), true)),
                rows => apart.push(rows.to_vec()),
            }
        }
        if whole.is_empty() && apart.is_empty() {
            return None;
        }
        let mut stmts = Vec::new();
        let loop_ = self.counting(s, &turns, &mut stmts);
        let cuts: Vec<Cut> =
            whole.into_iter().map(|(row, changed)| loop_.cut(self, row, changed, &mut stmts)).collect();
        let plain = loop_.over(self, &cuts);
        stmts.push(match apart.is_empty() {
            true => plain,
            false => self.where_apart(&loop_, cuts, apart, plain),
        });
        Some(turns.if_any(Block { stmts, span: s.span }))
    }

    /// What a loop touches by rows, or otherwise, of each variable. Rows are only those that every iteration touches.
    fn touched(&self, s: &For, turn: VarId) -> Vec<Touched> {
        let effects = self.context.block_effects(&s.body);
        let own = declared_inside(&Stmt::For(s.clone()));
        let changed = Changed::by([&effects]).and(own.iter().copied());
        let row = |place: &Place| if own.contains(&place.root) { None } else { self.row(place, turn, &changed) };
        let mut sure = Vec::new();
        always(&s.body, &mut |place| sure.extend(row(&place)));
        let mut all: Vec<(VarId, Touched)> = Vec::new();
        let mut note = |access: &Access, changes: bool| {
            let root = access.place.root;
            let at = all.iter().position(|(var, _)| *var == root).unwrap_or_else(|| {
                all.push((root, Touched::default()));
                all.len() - 1
            });
            let touched = &mut all[at].1;
            touched.changed |= changes;
            match row(&access.written).filter(|row| !access.shape && sure.iter().any(|other| row.is(other))) {
                Some(row) if touched.rows.iter().any(|other| row.is(other)) => {}
                Some(row) => touched.rows.push(row),
                None => touched.otherwise = true,
            }
        };
        effects.reads.iter().for_each(|access| note(access, false));
        effects.writes.iter().for_each(|access| note(access, true));
        let inside = self.changed_inside(&s.body);
        all.iter_mut().for_each(|(var, touched)| touched.changed |= inside.contains(var));
        let fits = |touched: &Touched| {
            let rows = &touched.rows;
            let neighbours =
                |a: &Row, b: &Row| a.ahead.clone().minus(b.ahead.clone()).is_none_or(|d| d.as_number().is_some());
            let pairs = || rows.iter().enumerate().flat_map(|(i, a)| rows[..i].iter().map(move |b| (a, b)));
            let apart = rows.len() <= MOST && pairs().all(|(a, b)| a.array == b.array && !neighbours(a, b));
            !touched.changed || !touched.otherwise && apart
        };
        all.into_iter().map(|(_, touched)| touched).filter(fits).collect()
    }

    /// The variables that expressions change: they take shadows, and hand them to the adjoint runs of functions.
    fn changed_inside(&self, block: &Block) -> BTreeSet<VarId> {
        let changed = RefCell::new(BTreeSet::new());
        let is_shadow = |var: VarId| matches!(self.vars[var.0].kind, VarKind::Shadow { .. });
        let change = |place: &Place| {
            changed.borrow_mut().insert(self.context.root(place));
        };
        block.rewritten(&|e| {
            match &e.kind {
                ExprKind::RefMut(inner) => inner.as_place().iter().for_each(change),
                ExprKind::Rule(Rule::Taken, args) => args.first().and_then(Expr::as_place).iter().for_each(change),
                ExprKind::Companion { run: Run::Adjoint | Run::Keep | Run::Spend, args, .. } => {
                    let places = args.iter().filter_map(Expr::as_place);
                    places.filter(|place| is_shadow(place.root)).for_each(|place| change(&place));
                }
                _ => {}
            }
            None
        });
        changed.into_inner()
    }

    /// The row that the place is an element of, if it is one: what it is counted from is the same in all iterations.
    fn row(&self, place: &Place, turn: VarId, changed: &Changed) -> Option<Row> {
        let fixed = |e: &Expr| !e.mentions(turn) && !self.context.depends_on(e, changed);
        let (at, index, ahead) = place.path.iter().enumerate().find_map(|(at, step)| match step {
            Projection::Index(index) => self.context.ahead_of_turn(index, turn).map(|ahead| (at, index, ahead)),
            Projection::Deref | Projection::Field(_) | Projection::Some => None,
        })?;
        let array = Place { root: place.root, path: place.path[..at].to_vec(), span: place.span };
        let steady = array.indices().all(fixed) && !self.context.depends_on(index, changed);
        let seen = !array.path.contains(&Projection::Some);
        (seen && steady && self.is_list(&array)).then(|| Row { array, index: index.clone(), ahead })
    }

    /// Whether a place visibly is a slice or a vector. The length of an array is known already.
    fn is_list(&self, place: &Place) -> bool {
        match types::of_place(&self.vars, place) {
            Some(ty) => matches!(ty.kind, TypeKind::Slice(_)) || ty.vec_element().is_some(),
            None => place.is_all() && self.lists.contains(&place.root),
        }
    }

    /// The loop as one that counts from zero, up to a number that is known in front of it.
    fn counting<'s>(&mut self, s: &'s For, turns: &Ranged<'s>, stmts: &mut Vec<Stmt>) -> Counting<'s> {
        let zero = matches!(&turns.start.kind, ExprKind::Lit(literal) if literal.is_integer(0));
        // What the ends of the loop read cannot be read any more while there are rows of it.
        let mut known = |role: &str, e: Expr| {
            if matches!(e.kind, ExprKind::Var(_) | ExprKind::Lit(_)) {
                return e;
            }
            let name = self.declare(role, VarKind::Let, s.span);
            stmts.push(begin(BindingKind::Let, name, e, s.span));
            Expr::var(name, s.span)
        };
        let start = known("start", turns.start.clone());
        let mut count = turns.end.clone();
        if turns.inclusive {
            count = Expr::binary(BinaryOp::Add, count, Expr::integer(1, s.span));
        }
        if !zero {
            count = Expr::binary(BinaryOp::Sub, count, start.clone());
        }
        let count = known("count", count);
        let number = if zero { turns.turn } else { self.declare("turn", VarKind::Bound, s.span) };
        Counting { s, turn: turns.turn, start, count, number }
    }

    /// The loop with rows of which only a run can tell that they do not overlap, and as it was where they do.
    fn where_apart(&mut self, loop_: &Counting<'_>, mut cuts: Vec<Cut>, apart: Vec<Vec<Row>>, plain: Stmt) -> Stmt {
        let span = loop_.s.span;
        let mut pairs: Vec<(Pattern, Expr)> = Vec::new();
        for rows in apart {
            let (mut array, mut names, mut firsts) = (rows[0].array.clone(), Vec::new(), Vec::new());
            if array.path.is_empty() && self.vars[array.root.0].kind.is_mutable_reference() {
                array = array.then(Projection::Deref);
            }
            for row in rows {
                firsts.push(loop_.first(&row));
                let name = self.declare_row(&row, true);
                names.push(Pattern::bind(name, span));
                cuts.push(Cut { row, name });
            }
            let callee = Rc::new(Expr::new(ExprKind::Path(Path::of_runtime("rows_apart", span.first)), span));
            let array = Expr::new(ExprKind::RefMut(Rc::new(array.to_expr())), span);
            let args = vec![array, Expr::new(ExprKind::Array(firsts), span), loop_.count.clone()];
            let some = Path::global(&["core", "option", "Option", "Some"], span.first);
            let names = Pattern { kind: PatternKind::Slice(names), span };
            let pattern = Pattern { kind: PatternKind::TupleStruct(some, vec![names]), span };
            pairs.push((pattern, Expr::new(ExprKind::Call { callee, args }, span)));
        }
        let (pattern, value) = match pairs.len() {
            1 => pairs.remove(0),
            _ => {
                let (patterns, values) = pairs.into_iter().unzip();
                (Pattern { kind: PatternKind::Tuple(patterns), span }, Expr::new(ExprKind::Tuple(values), span))
            }
        };
        let pre = Expr::new(ExprKind::Let(Box::new(pattern), Rc::new(value)), span);
        let block = |stmt| Block { stmts: vec![stmt], span };
        let then = block(loop_.over(self, &cuts));
        Stmt::If(If { condition: Condition { pre, post: None }, then, otherwise: Some(block(plain)), span })
    }

    /// The name of a row.
    fn declare_row(&mut self, row: &Row, changed: bool) -> VarId {
        let kind = match (&self.vars[row.array.root.0].kind, changed) {
            (VarKind::Shadow { .. }, _) => VarKind::Shadow { reference: true },
            (_, true) => VarKind::View(row.array.clone().then(Projection::Some)),
            (_, false) => VarKind::Let,
        };
        let name = self.declare("row", kind, row.array.span);
        self.vars[name.0].ty = types::of_place(&self.vars, &row.array).cloned();
        self.vars[name.0].activity = self.vars[row.array.root.0].activity;
        self.vars[name.0].in_row =
            Some(Rc::new(row.array.clone().then(Projection::Index(row.index.clone())).to_expr()));
        name
    }

    fn declare(&mut self, role: &str, kind: VarKind, span: Span) -> VarId {
        self.vars.push(Var::added(&format!("{role}_{}", self.vars.len()), kind, span));
        VarId(self.vars.len() - 1)
    }
}

impl Row {
    /// Whether it is the same one.
    fn is(&self, other: &Row) -> bool {
        self.array == other.array && self.ahead == other.ahead
    }
}

/// A loop that counts from zero.
struct Counting<'s> {
    s: &'s For,
    /// The counter of the loop as it was, and what it counted from.
    turn: VarId,
    start: Expr,
    /// How many iterations there are, and the number of each.
    count: Expr,
    number: VarId,
}

impl Counting<'_> {
    /// The index of the first element of a row.
    fn first(&self, row: &Row) -> Expr {
        let counter = |e: &Expr| e.kind == ExprKind::Var(self.turn);
        row.index.rewritten(&|e| match &e.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) if self.number == self.turn && counter(b) => Some((**a).clone()),
            _ if counter(e) => Some(self.start.clone()),
            _ => None,
        })
    }

    /// Begins a row.
    fn cut(&self, pass: &mut Pass<'_>, row: Row, changed: bool, stmts: &mut Vec<Stmt>) -> Cut {
        let (name, span) = (pass.declare_row(&row, changed), self.s.span);
        let first = self.first(&row);
        let end = match &first.kind {
            ExprKind::Lit(literal) if literal.is_integer(0) => self.count.clone(),
            _ => Expr::binary(BinaryOp::Add, first.clone(), self.count.clone()),
        };
        let range = ExprKind::Range { start: Some(Rc::new(first)), end: Some(Rc::new(end)), inclusive: false };
        let elements = row.array.clone().then(Projection::Index(Expr::new(range, span))).to_expr();
        stmts.push(match changed {
            true => begin(BindingKind::View, name, elements, span),
            false => begin(BindingKind::Let, name, Expr::borrow(elements, span), span),
        });
        Cut { row, name }
    }

    /// The loop over these rows.
    fn over(&self, pass: &Pass<'_>, cuts: &[Cut]) -> Stmt {
        let span = self.s.span;
        let element = |e: &Expr| {
            let ExprKind::Index(array, index) = &e.kind else { return None };
            let (array, ahead) = (array.as_place()?, pass.context.ahead_of_turn(index, self.turn)?);
            let cut = cuts.iter().find(|cut| cut.row.array == array && cut.row.ahead == ahead)?;
            let steps = match pass.vars[cut.name.0].kind {
                VarKind::Shadow { .. } => vec![Projection::Deref],
                _ => Vec::new(),
            };
            let number = Projection::Index(Expr::var(self.number, e.span));
            let row = Place { root: cut.name, path: steps, span: e.span };
            Some(row.then(number).to_expr())
        };
        let mut body = self.s.body.rewritten(&element);
        if self.number != self.turn {
            let value = Expr::binary(BinaryOp::Add, self.start.clone(), Expr::var(self.number, span));
            body.stmts.insert(0, begin(BindingKind::Let, self.turn, value, span));
        }
        let source = Source::Range { start: Expr::integer(0, span), end: self.count.clone(), inclusive: false };
        let iter = Box::new(Iter { source, ..(*self.s.iter).clone() });
        Stmt::For(For { pattern: Pattern::bind(self.number, span), iter, body, ..self.s.clone() })
    }
}

fn begin(kind: BindingKind, name: VarId, value: Expr, span: Span) -> Stmt {
    Stmt::Begin(Binding { kind, pattern: Pattern::bind(name, span), ty: None, value, constant: false, span })
}

/// The locals that visibly begin as vectors, and their shadows.
fn lists(program: &Program) -> BTreeSet<VarId> {
    let vectors = (0..program.vars.len()).filter(|i| program.vars[*i].vector).map(VarId);
    let mut lists: BTreeSet<VarId> = vectors.collect();
    program.body.walk(&mut |stmt| {
        if let Some(begun) = stmt.begun()
            && let (Some(var), ExprKind::Rule(Rule::Zero, of)) = (begun.pattern.as_var(), &begun.value.kind)
            && let [Expr { kind: ExprKind::Var(value), .. }] = of.as_slice()
            && lists.contains(value)
        {
            lists.insert(var);
        }
    });
    lists
}
