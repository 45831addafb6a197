//! Calls of reversible procedures and methods, swaps and permutations.

use quote::ToTokens;
use syn::Expr as Syn;

use super::overwrite::bare;
use super::path::{expr_path, turbofish};
use super::{Parser, last_two};
use crate::ir::{Arg, ArgKind, Call, Callee, Expr, Mode, Permutation, Permute, Place, Run, Stmt, Swap, VarKind};
use crate::span::Span;

impl Parser<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall, span: Span) -> Option<Stmt> {
        let Syn::Path(path) = bare(&call.func) else {
            self.error(
                span,
                "only a procedure named by its path can be called backwards: `g(..)`, `module::g(..)` or `Type::g(..)`",
            );
            return None;
        };
        if let Some(ident) = path.path.get_ident()
            && self.names.lookup(ident).is_some()
        {
            self.error(
                span,
                format!("`{ident}` is a local, and a closure has no inverse; make it a `#[reversible]` procedure"),
            );
            return None;
        }
        if let Some(ident) = path.path.get_ident() {
            self.names.free.insert(ident.to_string());
        }
        let (last, before) = last_two(&path.path);
        let name = last.map(ToString::to_string).unwrap_or_default();
        if call.args.len() == 2 && is_swap(path) {
            return self.swap(call, path, span);
        }
        if before.is_none_or(|b| b == "mem")
            && let Some(hint) = LOSSY_FUNCTIONS.iter().find(|(lossy, _)| *lossy == name).map(|(_, hint)| hint)
        {
            self.error(
                span,
                format!("`{}` discards a value and cannot be undone; {hint}", crate::ir::text(call.to_token_stream())),
            );
            return None;
        }
        if is_of_a_container(path) {
            self.error(
                span,
                format!("`{name}` of a vector or slice is known as a method, not by its path; write `x.{name}(..)`"),
            );
            return None;
        }
        let args = call.args.iter().map(|arg| self.arg(arg)).collect::<Vec<_>>();
        let args = args.into_iter().collect::<Option<Vec<_>>>()?;
        let (callee, inverse) = callee(path);
        if let (Callee::Associated(_), Some(host)) = (&callee, first_host(&args)) {
            self.forbid_host(host, span);
            return None;
        }
        self.complete(Call { callee, inverse, run: Run::Values, args, span })
    }

    /// A call that changes nothing has no effect that a reversible program could keep.
    fn complete(&mut self, call: Call) -> Option<Stmt> {
        let changes = call.args.iter().any(|arg| matches!(arg.kind, ArgKind::Change(_) | ArgKind::Host(_)));
        if !changes {
            self.error(
                call.span,
                "this call changes none of its arguments, so its value is lost; add it to something, `y += f(x);`, pass what \
                 it changes by `&mut`, or mark it `#[host]` if it is called for a side effect",
            );
            return None;
        }
        Some(Stmt::Call(call))
    }

    pub(super) fn method_call(&mut self, call: &syn::ExprMethodCall, span: Span) -> Option<Stmt> {
        let name = call.method.to_string();
        let by_value = !call.args.iter().any(|arg| self.is_changed(arg));
        let permutation = match (name.as_str(), call.args.len()) {
            ("swap", 2) if by_value => {
                let (i, j) = (self.expr(&call.args[0]), self.expr(&call.args[1]));
                Some(Permutation::Swap(i?, j?))
            }
            ("reverse", 0) => Some(Permutation::Reverse),
            ("rotate_left", 1) if by_value => Some(Permutation::RotateLeft(self.expr(&call.args[0])?)),
            ("rotate_right", 1) if by_value => Some(Permutation::RotateRight(self.expr(&call.args[0])?)),
            _ => None,
        };
        if let Some(permutation) = permutation {
            let target = self.target(&call.receiver)?;
            return Some(Stmt::Permute(Permute { target, permutation, span }));
        }
        if let Some((_, hint)) = LOSSY_METHODS.iter().find(|(lossy, _)| *lossy == name)
            && by_value
        {
            let (call, method) = (crate::ir::text(call.to_token_stream()), &call.method);
            self.error(
                span,
                format!("`{call}` {hint}; a reversible method of your own is called by its type, `Type::{method}(&mut x, ..);`"),
            );
            return None;
        }
        let receiver = self.receiver(&call.receiver);
        let args = call.args.iter().map(|arg| self.arg(arg)).collect::<Vec<_>>();
        let args = std::iter::once(receiver).chain(args).collect::<Option<Vec<_>>>()?;
        let (bare, inverse) = match name.strip_prefix("uncall_") {
            Some(bare) => (syn::Ident::new(bare, call.method.span()), true),
            None => (call.method.clone(), false),
        };
        if let Some(host) = first_host(&args) {
            self.forbid_host(host, span);
            return None;
        }
        let callee = Callee::Method { name: bare, turbofish: call.turbofish.as_ref().map(turbofish) };
        self.complete(Call { callee, inverse, run: Run::Values, args, span })
    }

    /// The receiver is changed unless it is written `(&x)` or cannot be changed.
    fn receiver(&mut self, e: &Syn) -> Option<Arg> {
        let span = Span::of(e);
        match e {
            Syn::Paren(inner) => self.receiver(&inner.expr),
            Syn::Group(inner) => self.receiver(&inner.expr),
            Syn::Reference(r) if r.mutability.is_none() => {
                let kind = self.borrowed(&r.expr)?;
                Some(Arg { kind, span })
            }
            Syn::Reference(r) => Some(Arg { kind: ArgKind::Change(self.target(&r.expr)?), span }),
            _ => {
                let place = self.place(e)?;
                let kind = match self.var(place.root).kind {
                    VarKind::Param(Mode::Borrow | Mode::Value)
                    | VarKind::Let
                    | VarKind::Bound
                    | VarKind::Part(_)
                    | VarKind::Register
                    | VarKind::Shadow { .. } => ArgKind::Borrow(place),
                    VarKind::Param(Mode::Change) | VarKind::Ancilla | VarKind::View(_) => ArgKind::Change(place),
                    VarKind::Host => {
                        self.forbid_host(place.root, span);
                        return None;
                    }
                };
                Some(Arg { kind, span })
            }
        }
    }

    fn arg(&mut self, e: &Syn) -> Option<Arg> {
        let span = Span::of(e);
        let kind = match e {
            Syn::Paren(inner) => return self.arg(&inner.expr),
            Syn::Group(inner) => return self.arg(&inner.expr),
            Syn::Reference(r) if r.mutability.is_some() => {
                if let Syn::Path(path) = &*r.expr
                    && let Some(var) = path.path.get_ident().and_then(|i| self.names.lookup(i))
                    && self.var(var).kind == VarKind::Host
                {
                    ArgKind::Host(var)
                } else {
                    ArgKind::Change(self.target(&r.expr)?)
                }
            }
            Syn::Reference(r) => self.borrowed(&r.expr)?,
            Syn::Path(path) => match path.path.get_ident().and_then(|i| self.names.resolve(i)) {
                Some(var) if self.closures.contains_key(&var) => ArgKind::Value(self.expr(e)?),
                Some(var) => match self.var(var).kind {
                    // Rule 6: a bare name of type `&mut` counts as changed.
                    VarKind::Param(Mode::Change) | VarKind::View(_) => ArgKind::Change(Place::var(var, span)),
                    VarKind::Host => ArgKind::Host(var),
                    _ => ArgKind::Value(Expr::var(var, span)),
                },
                None => ArgKind::Value(self.expr(e)?),
            },
            _ => ArgKind::Value(self.expr(e)?),
        };
        Some(Arg { kind, span })
    }

    /// Whether an argument is passed by `&mut`, also as a bare name.
    fn is_changed(&self, e: &Syn) -> bool {
        match bare(e) {
            Syn::Reference(r) => r.mutability.is_some(),
            Syn::Path(path) => {
                let var = path.path.get_ident().and_then(|i| self.names.lookup(i));
                var.is_some_and(|var| self.var(var).kind.is_mutable_reference())
            }
            _ => false,
        }
    }

    fn borrowed(&mut self, e: &Syn) -> Option<ArgKind> {
        let value = self.expr(e)?;
        Some(match value.as_place() {
            Some(place) => ArgKind::Borrow(place),
            None => {
                let span = value.span;
                ArgKind::Value(Expr::borrow(value, span))
            }
        })
    }

    fn swap(&mut self, call: &syn::ExprCall, path: &syn::ExprPath, span: Span) -> Option<Stmt> {
        let mut places = Vec::new();
        for arg in &call.args {
            match self.arg(arg)?.kind {
                ArgKind::Change(place) => places.push(place),
                ArgKind::Borrow(_) | ArgKind::Value(_) | ArgKind::Host(_) => {
                    self.error(Span::of(arg), "`swap` exchanges two places: `swap(&mut a, &mut b);`");
                    return None;
                }
            }
        }
        let b = places.pop()?;
        let a = places.pop()?;
        Some(Stmt::Swap(Swap { a, b, named: Some(expr_path(path)), span }))
    }
}

/// Whether a path is one by which the `swap` of the standard library is called, or that of retrograd. rustc checks that it means
/// these; any other path is one to a procedure.
fn is_swap(path: &syn::ExprPath) -> bool {
    const KNOWN: &[&str] =
        &["swap", "mem::swap", "std::mem::swap", "core::mem::swap", "ops::swap", "retrograd::ops::swap"];
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    path.qself.is_none() && KNOWN.contains(&names.join("::").as_str())
}

/// Whether a path is one to a method of vectors or slices that changes them: they have no companions.
fn is_of_a_container(path: &syn::ExprPath) -> bool {
    if let Some(syn::QSelf { ty, position: 0, .. }) = &path.qself {
        return matches!(**ty, syn::Type::Slice(_) | syn::Type::Array(_));
    }
    let (Some(name), Some(of)) = last_two(&path.path) else { return false };
    let permutes = ["swap", "reverse", "rotate_left", "rotate_right"];
    let changes = LOSSY_METHODS.iter().map(|(lossy, _)| lossy).chain(&permutes).any(|method| name == method);
    changes && (of == "Vec" || of == "VecDeque")
}

/// Whether a call hands a host parameter on: only procedures say which of their own are host parameters.
fn first_host(args: &[Arg]) -> Option<crate::ir::VarId> {
    args.iter().find_map(|arg| match arg.kind {
        ArgKind::Host(var) => Some(var),
        ArgKind::Change(_) | ArgKind::Borrow(_) | ArgKind::Value(_) => None,
    })
}

/// `g`, `g::uncall`, `Type::g` or `Type::uncall_g`
fn callee(path: &syn::ExprPath) -> (Callee, bool) {
    let mut path = expr_path(path);
    let last = path.last().clone();
    if path.is_associated() {
        let text = last.to_string();
        let bare = text.strip_prefix("uncall_").map(|bare| syn::Ident::new(bare, last.span()));
        let inverse = bare.is_some();
        if let (Some(bare), Some(segment)) = (bare, path.segments.last_mut()) {
            segment.name = bare;
        }
        return (Callee::Associated(path), inverse);
    }
    if last == "uncall" && path.segments.len() > 1 {
        let arguments = path.segments.pop().and_then(|segment| segment.arguments);
        if let Some(segment) = path.segments.last_mut() {
            segment.arguments = arguments;
        }
        return (Callee::Path(path), true);
    }
    (Callee::Path(path), false)
}

const LOSSY_FUNCTIONS: &[(&str, &str)] = &[
    ("drop", "an ancilla ends by itself, or by `release!(x == e);`"),
    ("forget", "an ancilla ends by itself, or by `release!(x == e);`"),
    ("replace", "write `swap(&mut a, &mut b);`, or keep the value, with `#[record]` in front of it"),
    (
        "take",
        "write `swap(&mut a, &mut b);` with a `b` that is empty, or keep the value, with `#[record]` in front of it",
    ),
];

const LOSSY_METHODS: &[(&str, &str)] = &[
    ("clear", CLEARS),
    ("truncate", CLEARS),
    (
        "fill",
        "discards what was there and cannot be undone; `swap` with a slice that is filled, or keep it, with `#[record]`",
    ),
    ("sort", SORTS),
    ("sort_by", SORTS),
    ("sort_by_key", SORTS),
    ("sort_by_cached_key", SORTS),
    ("sort_unstable", SORTS),
    ("sort_unstable_by", SORTS),
    ("sort_unstable_by_key", SORTS),
    ("copy_from_slice", COPIES),
    ("clone_from_slice", COPIES),
    (
        "resize",
        "discards or adds elements and cannot be undone; begin with the right size, or keep what is discarded, with `#[record]`",
    ),
    (
        "push",
        "adds a copy that its undoing would have to discard; `stack.push(&mut x);` moves a variable onto a `Stack`, and with `#[record]` \
         vectors may grow",
    ),
    (
        "pop",
        "discards what it returns; `stack.pop(&mut x);` moves the top of a `Stack` into a variable that is zero, and with `#[record]` \
         vectors may shrink",
    ),
    (
        "insert",
        "may discard what was there, and its undoing would; use `Slots` with `allocate` and `free`, or `#[record]`, with which vectors \
         may grow",
    ),
    ("remove", REMOVES),
    ("swap_remove", REMOVES),
    ("extend_from_slice", GROWS),
    ("extend", GROWS),
    ("append", GROWS),
    ("drain", DRAINS),
    ("retain", DRAINS),
    ("dedup", DRAINS),
];

const CLEARS: &str = "discards what was there and cannot be undone; move it onto a `Stack` with `stack.push(&mut x);`, or keep it, \
                      with `#[record]`";
const SORTS: &str = "forgets the order that was there and cannot be undone; keep that order, with `#[record]` in front of it or \
                     `#[reversible(record)]` on the function";
const COPIES: &str = "discards what was there and cannot be undone; add the other slice element by element, `swap` the two, or keep what was there, \
     with `#[record]`";
const REMOVES: &str = "discards what was there and cannot be undone; use `Slots` with `allocate` and `free`, or keep it, with `#[record]`";
const GROWS: &str =
    "adds elements that its undoing would have to discard; use a `Stack`, or `push` them one by one, with `#[record]`";
const DRAINS: &str = "discards what was there and cannot be undone; use a `Stack`, or write a loop with `push` and `remove`, with `#[record]`";
