//! The inverse of a program. An involution: inverted twice, a program is itself again.

use crate::ir::{
    Adapter, Block, Call, Compute, Condition, Conjugate, Early, Elementary, Expr, For, Host, HostKind, If, Iter, Keep,
    Loop, Map, MapFn, Pattern, PatternKind, Permutation, Permute, Source, Stmt, Update, UpdateOp, While,
};

use crate::record::{again, as_before, has_hosts};

/// The inverse of `A; B` is `B⁻¹; A⁻¹`.
pub fn invert(block: &Block) -> Block {
    Block { stmts: block.stmts.iter().rev().map(invert_stmt).collect(), span: block.span }
}

/// The inverse of one statement.
pub fn invert_stmt(stmt: &Stmt) -> Stmt {
    match stmt {
        Stmt::Update(s) => match s.kept {
            Some(slot) => Stmt::Restore(Keep { place: s.target.clone(), local: None, slot }),
            None => Stmt::Update(Update { op: opposite(s.op), ..s.clone() }),
        },
        Stmt::Flip(s) => Stmt::Flip(s.clone()),
        Stmt::Map(s) => Stmt::Map(Map { function: invert_map(&s.function), ..s.clone() }),
        Stmt::Swap(s) => Stmt::Swap(s.clone()),
        Stmt::Permute(s) => Stmt::Permute(Permute { permutation: invert_permutation(&s.permutation), ..s.clone() }),
        Stmt::Call(s) => Stmt::Call(Call { inverse: !s.inverse, ..s.clone() }),
        // Nothing that the value reads has changed in between, or `release!` says what it is by then.
        Stmt::Begin(s) => Stmt::End(s.clone()),
        Stmt::End(s) => Stmt::Begin(s.clone()),
        Stmt::If(s) => Stmt::If(If {
            condition: match &s.condition {
                Condition { pre, post: Some(post) } => Condition { pre: post.clone(), post: Some(pre.clone()) },
                // check::control has shown that neither branch changes what the condition reads.
                Condition { pre, post: None } => Condition { pre: pre.clone(), post: None },
            },
            then: invert(&s.then),
            otherwise: s.otherwise.as_ref().map(invert),
            span: s.span,
        }),
        Stmt::Match(s) => {
            let arms = s.arms.iter().map(|arm| arm.with_body(invert(&arm.body))).collect();
            Stmt::Match(s.with_arms(arms))
        }
        // `post` is false on entry and true after each turn, so the way back turns while it holds.
        Stmt::While(s) => {
            Stmt::While(While { pre: s.post.clone(), post: s.pre.clone(), body: invert(&s.body), span: s.span })
        }
        // The same elements in reverse; check::control has shown that the body changes neither end. A part that is undone is one iteration.
        Stmt::For(s) => Stmt::For(For {
            iter: if s.part.is_some() { s.iter.clone() } else { Box::new(way_back(&s.iter, s.early.as_deref())) },
            early: None,
            ..s.with_body(invert(&s.body))
        }),
        // What was overwritten comes back from the record.
        Stmt::Assign(s) => match s.kept {
            Some(slot) => Stmt::Restore(Keep { place: s.target.clone(), local: None, slot }),
            None => Stmt::Block(Block { stmts: Vec::new(), span: s.span }),
        },
        Stmt::Loop(s) => Stmt::For(repeated(s, invert(&s.body))),
        Stmt::Recompute(s) => {
            let stmts = match has_hosts(&s.body) {
                true => again(s, invert(&s.body)),
                false => as_before(s),
            };
            Stmt::Block(Block { stmts, span: s.span })
        }
        Stmt::Keep(s) => Stmt::Restore(s.clone()),
        Stmt::Restore(s) => Stmt::Keep(s.clone()),
        Stmt::Exit(_) | Stmt::Give(_) => stmt.clone(),
        Stmt::Block(s) => Stmt::Block(invert(s)),
        // (A; B; A⁻¹)⁻¹ = A; B⁻¹; A⁻¹
        Stmt::Conjugate(s) => Stmt::Conjugate(Conjugate { rest: invert(&s.rest), ..s.clone() }),
        Stmt::Unchecked(s) => Stmt::Unchecked(Box::new(invert_stmt(s))),
        Stmt::Inverse(s) => (**s).clone(),
        Stmt::Host(s) => Stmt::Host(Host {
            kind: match s.kind {
                HostKind::Both => HostKind::Both,
                HostKind::Assert(forward) => HostKind::Assert(!forward),
            },
            ..s.clone()
        }),
        Stmt::Check(s) => Stmt::Check(s.clone()),
        Stmt::Compute(s) => Stmt::Uncompute(invert_compute(s)),
        Stmt::Uncompute(s) => Stmt::Compute(invert_compute(s)),
    }
}

fn invert_compute(compute: &Compute) -> Compute {
    let body = if compute.kept { compute.body.clone() } else { invert(&compute.body) };
    compute.with_body(body)
}

fn opposite(op: UpdateOp) -> UpdateOp {
    match op {
        UpdateOp::Add => UpdateOp::Sub,
        UpdateOp::Sub => UpdateOp::Add,
        UpdateOp::Mul => UpdateOp::Div,
        UpdateOp::Div => UpdateOp::Mul,
        UpdateOp::Xor => UpdateOp::Xor,
    }
}

/// The inverse of a bijection.
pub fn invert_map(function: &MapFn) -> MapFn {
    match function {
        MapFn::Method(function) => MapFn::Method(inverse_method(*function).unwrap_or(*function)),
        MapFn::Function { path, inverse } => MapFn::Function { path: path.clone(), inverse: !inverse },
    }
}

fn invert_permutation(permutation: &Permutation) -> Permutation {
    match permutation {
        Permutation::Swap(i, j) => Permutation::Swap(i.clone(), j.clone()),
        Permutation::Reverse => Permutation::Reverse,
        Permutation::RotateLeft(k) => Permutation::RotateRight(k.clone()),
        Permutation::RotateRight(k) => Permutation::RotateLeft(k.clone()),
    }
}

/// As many iterations as were counted.
pub(crate) fn repeated(s: &Loop, body: Block) -> For {
    let end = match s.count {
        Some(count) => Expr::var(count, s.span),
        None => Expr::integer(0, s.span),
    };
    let source = Source::Range { start: Expr::integer(0, s.span), end, inclusive: false };
    let iter = Iter { source, adapters: Vec::new(), span: s.span };
    let pattern = Pattern { kind: PatternKind::Wild, span: s.span };
    For::new(pattern, iter, body, s.span)
}

/// The elements that a loop went through, from the last to the first.
pub(crate) fn way_back(iter: &Iter, early: Option<&Early>) -> Iter {
    let mut iter = reverse(iter);
    iter.adapters.extend(early.map(|early| Adapter::Skip(Expr::var(early.left, iter.span))));
    iter
}

/// The same elements from the other end.
fn reverse(iter: &Iter) -> Iter {
    let mut iter = iter.clone();
    if iter.adapters.last() == Some(&Adapter::Rev) {
        iter.adapters.pop();
    } else {
        iter.adapters.push(Adapter::Rev);
    }
    iter
}

/// The function that undoes `y = y.name()`, if there is one.
pub fn inverse_method(function: Elementary) -> Option<Elementary> {
    use Elementary::*;
    Some(match function {
        Exp => Ln,
        Ln => Exp,
        ExpM1 => Ln1p,
        Ln1p => ExpM1,
        Sinh => Asinh,
        Asinh => Sinh,
        Tanh => Atanh,
        Atanh => Tanh,
        Cbrt => Cube,
        Cube => Cbrt,
        Recip => Recip,
        Conj => Conj,
        _ => return None,
    })
}
