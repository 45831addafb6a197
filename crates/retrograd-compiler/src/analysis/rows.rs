//! The rows of the Jacobian of a kernel: one for each number that a run changes, with the derivatives by what the run reads.
//!
//! A pullback adds what a run contributes to shadows that all runs share. In a Jacobian nothing is added up: each run keeps what it
//! contributes in places of its own, as many as it reads elements. So the two are the same program but for the indices of these shadows:
//!
//! ```text
//! grad_cameras[seen[i].0] += ..;     grad_cameras[0] += ..;
//! grad_x[i * 3 + k] += ..;           grad_x[k] += ..;
//! ```

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::kernel::Reaches;
use crate::ir::{BinaryOp, Expr, ExprKind, Mode, Param, Program, Role, Type, TypeKind, UnaryOp, VarId};
use crate::signature::numbers::Numbers;

/// How many rows there are at most: each is a sweep of its own.
const MOST: usize = 64;

/// The rows that a run of a kernel has to itself.
pub struct Rows {
    /// The pullback, in which element `k` of the shadow of what is only read is the k-th one that the run reads.
    pub core: Program,
    /// How many rows there are: one for each number that a run changes.
    pub count: usize,
    /// How many elements of each slice a run reads, by their shadows.
    pub elements: BTreeMap<VarId, usize>,
}

/// The elements of a slice that a run reads.
enum Elements {
    /// Those with these indices.
    At(Vec<Expr>),
    /// A row of so many.
    Row(usize),
}

impl Rows {
    /// Those of a kernel with that pullback, if each run has rows of one size. Elements come in the order in which `forward` reads them.
    pub fn of(pullback: &Program, forward: &Program) -> Option<Rows> {
        let run = pullback.params.first()?.var;
        let reaches = Reaches::of(pullback, run);
        let (mut count, mut changed, mut read) = (0, BTreeSet::new(), BTreeMap::new());
        let mut others = false;
        for (i, param) in pullback.params.iter().enumerate() {
            let shadow = pullback.params.get(i + 1).filter(|next| next.role == Role::Shadow);
            match (param.role, param.mode) {
                (Role::Value, Mode::Change) => {
                    changed.extend([param.var].into_iter().chain(shadow.map(|shadow| shadow.var)));
                    if shadow.is_some() {
                        count += numbers(element(pullback, param)?, &pullback.numbers)?;
                    }
                }
                (Role::Value, Mode::Borrow | Mode::Value) => match (shadow, element(pullback, param)) {
                    (Some(shadow), Some(_)) => {
                        read.insert(shadow.var, Elements::At(Vec::new()));
                    }
                    (Some(_), None) => others = true,
                    (None, _) => {}
                },
                (Role::Host | Role::Shadow | Role::NoShadow | Role::Seed | Role::Record, _) => {}
            }
        }
        let touches = reaches.touches();
        let own = touches.iter().filter(|touch| changed.contains(&touch.access.place.root));
        if !(1..=MOST).contains(&count)
            || (read.is_empty() && !others)
            || !{ own }.all(|touch| reaches.is_of_run(&touch.access))
        {
            return None;
        }
        let (read, failed) = (RefCell::new(read), Cell::new(false));
        let settled = || {
            pullback.body.rewritten(&|e| match &e.kind {
                ExprKind::Index(base, index) => {
                    let var = root(base)?;
                    let position = read.borrow_mut().get_mut(&var)?.position(index, run, &reaches);
                    failed.set(failed.get() || position.is_none());
                    Some(Expr::new(ExprKind::Index(Rc::clone(base), Rc::new(position?)), e.span))
                }
                // A part that is no element.
                ExprKind::Var(var) if read.borrow().contains_key(var) => {
                    failed.set(true);
                    None
                }
                _ => None,
            })
        };
        // Which elements there are is known behind the last of them.
        let _ = settled();
        let order = order(forward, run);
        read.borrow_mut().values_mut().for_each(|elements| elements.sort(&order));
        let body = settled();
        let sizes = read.into_inner().into_iter().map(|(var, elements)| match elements {
            Elements::At(all) => (var, all.len().max(1)),
            Elements::Row(size) => (var, size),
        });
        let core = Program { body, ..pullback.clone() };
        (!failed.get()).then(|| Rows { core, count, elements: sizes.collect() })
    }
}

/// The indices of elements that a kernel reads, in that order.
fn order(forward: &Program, run: VarId) -> Vec<Expr> {
    let reaches = Reaches::of(forward, run);
    let indices = reaches.touches().into_iter().filter_map(|touch| reaches.index_of(&touch.access));
    indices.collect()
}

impl Elements {
    /// Puts them in that order.
    fn sort(&mut self, order: &[Expr]) {
        if let Elements::At(known) = self {
            known.sort_by_key(|index| order.iter().position(|other| other == index).unwrap_or(order.len()));
        }
    }

    /// Where the element with that index stands among those that a run reads.
    fn position(&mut self, index: &Expr, run: VarId, reaches: &Reaches<'_>) -> Option<Expr> {
        let (span, resolved) = (index.span, reaches.resolved(index));
        if let Some(size) = reaches.size_of_row(&resolved).filter(|size| *size > 1) {
            match self {
                Elements::At(known) if known.is_empty() => *self = Elements::Row(size),
                Elements::Row(known) if *known == size => {}
                Elements::At(_) | Elements::Row(_) => return None,
            }
            let first = Expr::binary(BinaryOp::Mul, Expr::var(run, span), Expr::integer(size, span));
            return Some(Expr::binary(BinaryOp::Sub, index.clone(), first));
        }
        let Elements::At(known) = self else { return None };
        if !reaches.is_of_arguments(&resolved) {
            return None;
        }
        let position = known.iter().position(|other| *other == resolved).unwrap_or_else(|| {
            known.push(resolved);
            known.len() - 1
        });
        Some(Expr::integer(position, span))
    }
}

/// The variable that something is a part of, references looked through.
fn root(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Unary(UnaryOp::Deref, inner) => root(inner),
        _ => None,
    }
}

/// What a slice consists of.
fn element<'p>(program: &'p Program, param: &Param) -> Option<&'p Type> {
    match &program.var(param.var).ty.as_ref()?.pointee().kind {
        TypeKind::Slice(of) => Some(of),
        _ => None,
    }
}

/// Of how many numbers a value consists, if it consists of nothing else.
pub fn numbers(ty: &Type, known: &Numbers) -> Option<usize> {
    match &ty.kind {
        _ if known.is_number(ty) => Some(1),
        TypeKind::Array { of, len } => numbers(of, known)?.checked_mul(len.as_number()?),
        TypeKind::Tuple(all) => all.iter().map(|ty| numbers(ty, known)).sum(),
        TypeKind::Slice(_) | TypeKind::Named { .. } | TypeKind::Reference { .. } | TypeKind::Other => None,
    }
}
