//! Pure expressions and places.

use std::rc::Rc;

use quote::quote_spanned;
use syn::{BinOp, Expr as Syn, UnOp};

use super::locals::{halves, needs_a_name};
use super::overwrite::bare;
use super::path::{expr_path, literal, member, path, turbofish};
use super::refusals::changes_its_receiver;
use super::{Parser, options};
use crate::ir::{
    Activity, BinaryOp, Expr, ExprKind, Known, MatchArm, Member, Method, Pattern, Place, Projection, Syntax, Type,
    UnaryOp, VarKind,
};
use crate::signature::numbers::is_float;
use crate::signature::types;
use crate::span::Span;

impl Parser<'_> {
    /// Reads an expression that must not change anything. `None`: an error was reported.
    pub(super) fn expr(&mut self, e: &Syn) -> Option<Expr> {
        self.names.enter_expression();
        let read = self.read_expr(e);
        self.names.leave_expression();
        read
    }

    fn read_expr(&mut self, e: &Syn) -> Option<Expr> {
        let span = Span::of(e);
        self.no_attributes(attributes(e));
        let kind = match e {
            Syn::Lit(e) => ExprKind::Lit(literal(&e.lit)),
            Syn::Path(e) => match e.path.get_ident() {
                Some(ident) if e.qself.is_none() => match self.names.resolve(ident) {
                    Some(var) if self.closures.contains_key(&var) => return self.closure_named(var, span),
                    Some(var) => {
                        self.forbid_host(var, span);
                        if let Some(first @ None) = self.later.get_mut(&var) {
                            *first = Some(span);
                        }
                        ExprKind::Var(var)
                    }
                    None => ExprKind::Path(expr_path(e)),
                },
                _ => ExprKind::Path(expr_path(e)),
            },
            Syn::Paren(e) => return self.expr(&e.expr),
            Syn::Group(e) => return self.expr(&e.expr),
            Syn::Unary(e) => {
                let op = match e.op {
                    UnOp::Neg(_) => UnaryOp::Neg,
                    UnOp::Not(_) => UnaryOp::Not,
                    UnOp::Deref(_) => UnaryOp::Deref,
                    _ => return self.unsupported(span, "this operator"),
                };
                ExprKind::Unary(op, self.boxed(&e.expr)?)
            }
            Syn::Binary(e) => match binary_op(&e.op) {
                Some(op) => {
                    let (left, right) = (self.boxed(&e.left), self.boxed(&e.right));
                    ExprKind::Binary(op, left?, right?)
                }
                None => return self.changes(span, "an update inside an expression"),
            },
            Syn::Assign(_) => return self.changes(span, "an assignment inside an expression"),
            Syn::Cast(e) => {
                let (value, ty) = (self.boxed(&e.expr)?, types::read(&e.ty));
                self.casts.push(ty.clone());
                ExprKind::Cast(value, ty)
            }
            Syn::Field(e) => match (self.expr(&e.base)?, member(&e.member)) {
                // A part of what is written part by part.
                (Expr { kind: ExprKind::Tuple(mut parts), .. }, Member::Index(i)) if i < parts.len() => {
                    return Some(parts.swap_remove(i));
                }
                (base, member) => ExprKind::Field(Rc::new(base), member),
            },
            Syn::Index(e) => {
                let (base, index) = (self.boxed(&e.expr), self.boxed(&e.index));
                ExprKind::Index(base?, index?)
            }
            Syn::Range(e) => ExprKind::Range {
                start: self.optional(e.start.as_deref())?,
                end: self.optional(e.end.as_deref())?,
                inclusive: matches!(e.limits, syn::RangeLimits::Closed(_)),
            },
            Syn::Reference(e) if e.mutability.is_none() => ExprKind::Ref(self.boxed(&e.expr)?),
            Syn::Reference(e) => {
                let place = crate::ir::text(quote::ToTokens::to_token_stream(&e.expr));
                self.error(
                    span,
                    format!(
                        "`&mut {place}` lets an expression change `{place}`, and what it changed could not be undone; \
                         `&mut` may stand in the arguments of a call statement, in the head of a loop, and in a view, \
                         `let v = &mut x[a..b];`"
                    ),
                );
                return None;
            }
            Syn::Tuple(e) => ExprKind::Tuple(self.list(e.elems.iter())?),
            Syn::Array(e) => ExprKind::Array(self.list(e.elems.iter())?),
            Syn::Repeat(e) => ExprKind::Repeat(self.boxed(&e.expr)?, self.boxed(&e.len)?),
            Syn::Struct(e) => {
                let fields = e
                    .fields
                    .iter()
                    .map(|field| {
                        self.no_attributes(&field.attrs);
                        Some((member(&field.member), self.expr(&field.expr)?))
                    })
                    .collect::<Option<_>>()?;
                ExprKind::Struct { path: Box::new(path(&e.path)), fields, rest: self.optional(e.rest.as_deref())? }
            }
            Syn::Call(e) if let Some(var) = self.names_closure(&e.func) => {
                let args = self.list(e.args.iter());
                return self.closure_called(var, args?, span);
            }
            Syn::Call(e) => {
                let (callee, args) = (self.boxed(&e.func), self.list(e.args.iter()));
                self.functions.extend(function_of_numbers(&e.func, e.args.len()));
                ExprKind::Call { callee: callee?, args: args? }
            }
            Syn::MethodCall(e) if let Some(cases) = options::by_cases(e, &self.names) => return self.expr(&cases),
            Syn::MethodCall(e) => {
                if changes_its_receiver(e, &self.names) {
                    let receiver = crate::ir::text(quote::ToTokens::to_token_stream(&e.receiver));
                    if e.method.to_string().contains("_mut") {
                        self.error(
                            span,
                            format!(
                                "`{}` hides a mutable reference to a part of `{receiver}` in a value; change that part itself, \
                                 `{receiver}[i] += ..;`, or make a view, `let v = &mut {receiver}[a..b];`",
                                e.method
                            ),
                        );
                        return None;
                    }
                    return self.changes(span, &format!("`{}` changes `{receiver}`; this", e.method));
                }
                let (receiver, args) = (self.boxed(&e.receiver), self.list(e.args.iter()));
                // `x.split_at(m)` is `(&x[..m], &x[m..])`.
                if let (Some(place), Some([middle])) = (receiver.as_ref()?.as_place(), args.as_deref())
                    && e.method == "split_at"
                {
                    let at = |kind| Expr::new(kind, span);
                    let half = |half| Rc::new(place.clone().then(Projection::Index(half)).to_expr());
                    let halves = halves(middle).map(|range| at(ExprKind::Ref(half(range))));
                    return Some(at(ExprKind::Tuple(halves.into())));
                }
                let method = Method::new(e.method.clone(), e.args.len());
                if matches!(method.known, Some(Known::Elementary(function)) if function.is_of_real()) {
                    self.methods.push(e.method.clone());
                }
                ExprKind::Method {
                    receiver: receiver?,
                    method,
                    turbofish: e.turbofish.as_ref().map(turbofish),
                    args: args?,
                }
            }
            Syn::Macro(e) => return self.expr_macro(&e.mac, span),
            Syn::If(e) => {
                self.names.enter();
                let condition = self.boxed(&e.cond);
                let then = self.expr_block(&e.then_branch);
                self.names.leave();
                let Some((_, otherwise)) = &e.else_branch else {
                    self.error(span, "an `if` without `else` has no value; write the `else` branch");
                    return None;
                };
                let otherwise = self.boxed(otherwise);
                ExprKind::If { condition: condition?, then: Rc::new(then?), otherwise: otherwise? }
            }
            Syn::Let(e) => {
                let value = self.boxed(&e.expr)?;
                ExprKind::Let(Box::new(self.arm_pattern(&e.pat, &VarKind::Bound)?), value)
            }
            Syn::Match(e) => self.expr_match(e)?,
            Syn::Block(e) if e.label.is_none() => return self.expr_block(&e.block),
            Syn::Closure(e) => return self.closure(e, span),
            Syn::Try(_) | Syn::Return(_) | Syn::Break(_) | Syn::Continue(_) => return self.early_exit(e, span),
            Syn::Unsafe(_) => return self.unseen(span),
            Syn::Async(_) | Syn::Await(_) | Syn::Yield(_) => return self.suspended(span),
            Syn::ForLoop(_) | Syn::While(_) | Syn::Loop(_) => {
                self.error(
                    span,
                    "a loop has no value that could be computed again; make it a statement that accumulates into an \
                     ancilla `let mut`, or use a reduction such as `x.iter().sum()`",
                );
                return None;
            }
            _ => return self.unsupported(span, "this expression"),
        };
        Some(Expr::new(kind, span))
    }

    /// Reads a place that is about to be changed.
    pub(super) fn place(&mut self, e: &Syn) -> Option<Place> {
        let span = Span::of(e);
        match e {
            Syn::Paren(e) => self.place(&e.expr),
            Syn::Group(e) => self.place(&e.expr),
            Syn::Path(path) => {
                let local = path.path.get_ident().and_then(|ident| self.names.resolve(ident));
                if local.is_none() {
                    self.error(
                        span,
                        format!(
                            "`{}` is not an argument or a local of this function; only these can be changed and \
                             changed back",
                            crate::ir::text(quote::ToTokens::to_token_stream(path))
                        ),
                    );
                }
                Some(Place::var(local?, span))
            }
            Syn::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let place = self.place(&unary.expr)?.then(Projection::Deref);
                Some(Place { span, ..place })
            }
            Syn::Field(field) => {
                let place = self.place(&field.base)?.then(Projection::Field(member(&field.member)));
                Some(Place { span, ..place })
            }
            Syn::Index(index) => {
                let (base, i) = (self.place(&index.expr), self.expr(&index.index));
                Some(Place { span, ..base?.then(Projection::Index(i?)) })
            }
            _ => {
                self.error(
                    span,
                    "only a place can be changed and changed back: a variable, a field `s.x`, an element `x[i]`, \
                     or what a reference points to, `*x`",
                );
                None
            }
        }
    }

    pub(super) fn boxed(&mut self, e: &Syn) -> Option<Rc<Expr>> {
        self.expr(e).map(Rc::new)
    }

    pub(super) fn optional(&mut self, e: Option<&Syn>) -> Option<Option<Rc<Expr>>> {
        match e {
            Some(e) => self.boxed(e).map(Some),
            None => Some(None),
        }
    }

    /// All of them are read, so that all errors are found.
    pub(super) fn list<'e>(&mut self, all: impl Iterator<Item = &'e Syn>) -> Option<Vec<Expr>> {
        all.map(|e| self.expr(e)).collect::<Vec<_>>().into_iter().collect()
    }

    fn expr_match(&mut self, e: &syn::ExprMatch) -> Option<ExprKind> {
        let scrutinee = self.boxed(&e.expr);
        let arms = e
            .arms
            .iter()
            .map(|arm| {
                self.no_attributes(&arm.attrs);
                self.names.enter();
                let read = self.guarded(&arm.pat, &VarKind::Bound);
                let value = self.expr(&arm.body);
                self.names.leave();
                let (pattern, guard) = read?;
                Some(MatchArm { pattern, guard, value: value? })
            })
            .collect::<Vec<_>>();
        Some(ExprKind::Match { scrutinee: scrutinee?, arms: arms.into_iter().collect::<Option<_>>()? })
    }

    /// A pattern with its guard, in the scope that is open.
    pub(super) fn guarded(&mut self, pat: &syn::Pat, kind: &VarKind) -> Option<(crate::ir::Pattern, Option<Expr>)> {
        match pat {
            syn::Pat::Guard(guarded) => {
                let pattern = self.arm_pattern(&guarded.pat, kind)?;
                Some((pattern, Some(self.expr(&guarded.guard)?)))
            }
            _ => Some((self.arm_pattern(pat, kind)?, None)),
        }
    }

    /// `{ let a = e; .. tail }` as an expression: lets without `mut`, and a value.
    fn expr_block(&mut self, block: &syn::Block) -> Option<Expr> {
        self.names.enter();
        let result = self.expr_block_inside(block);
        self.names.leave();
        result
    }

    fn expr_block_inside(&mut self, block: &syn::Block) -> Option<Expr> {
        let span = Span::of(block);
        let Some((syn::Stmt::Expr(tail, None), lets)) = block.stmts.split_last() else {
            self.error(span, "this block has no value; end it with an expression without `;`");
            return None;
        };
        let mut read = Vec::new();
        for stmt in lets {
            let syn::Stmt::Local(local) = stmt else {
                let what = match stmt {
                    syn::Stmt::Item(_) => "this item",
                    _ => "statements that change something",
                };
                self.error(
                    Span::of(stmt),
                    format!("a block inside an expression may only name values with `let`; move {what} out of the expression"),
                );
                return None;
            };
            let (pat, ty) = typed(&local.pat);
            if let syn::Pat::Ident(p) = pat
                && p.mutability.is_some()
            {
                self.error(
                    Span::of(stmt),
                    "an ancilla inside an expression has no statement after which it is undone; move this `let mut` \
                     in front of the statement",
                );
                return None;
            }
            let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
                self.error(Span::of(stmt), "a `let` needs a value: `let x = e;`");
                return None;
            };
            let (constant, others): (Vec<_>, Vec<_>) =
                local.attrs.iter().cloned().partition(|attribute| attribute.path().is_ident("constant"));
            self.no_attributes(&others);
            let value = self.expr(&init.expr)?;
            let value = match &ty {
                Some(ty) => value.of_type(ty),
                None => value,
            };
            let begin = read.len();
            // `let Point { x, y } = f(a);` is `let whole = f(a); let Point { x, y } = whole;`, as it is among statements.
            let (ty, value) = match needs_a_name(pat, &init.expr) {
                true => {
                    let whole = self.names.declare(&crate::hygiene::fresh("__whole"), ty.clone(), VarKind::Bound);
                    read.push((Pattern::bind(whole, value.span), ty, value));
                    (None, Expr::var(whole, Span::of(pat)))
                }
                false => (ty, value),
            };
            read.push((self.pattern(pat, ty.as_ref(), &VarKind::Bound)?, ty, value));
            if !constant.is_empty() {
                for var in read[begin..].iter().flat_map(|(pattern, ..)| pattern.bindings()) {
                    self.names.vars[var.0].activity = Activity::Constant;
                }
            }
        }
        let tail = self.expr(tail)?;
        if read.is_empty() {
            return Some(tail);
        }
        Some(Expr::new(ExprKind::Block { lets: read, tail: Rc::new(tail) }, span))
    }
}

/// A pattern and the type behind its colon.
pub(super) fn typed(pat: &syn::Pat) -> (&syn::Pat, Option<Type>) {
    match pat {
        syn::Pat::Type(p) => (&p.pat, Some(types::read(&p.ty))),
        _ => (pat, None),
    }
}

/// The attributes of an expression.
fn attributes(e: &Syn) -> &[syn::Attribute] {
    macro_rules! of {
        ($($kind:ident)*) => {
            match e {
                $(Syn::$kind(e) => &e.attrs,)*
                _ => &[],
            }
        };
    }
    of!(Array Binary Block Call Cast Closure Field If Index Lit Macro Match MethodCall Paren Path Range Reference Repeat
        Struct Tuple Unary)
}

fn binary_op(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        BinOp::Rem(_) => BinaryOp::Rem,
        BinOp::And(_) => BinaryOp::And,
        BinOp::Or(_) => BinaryOp::Or,
        BinOp::BitXor(_) => BinaryOp::BitXor,
        BinOp::BitAnd(_) => BinaryOp::BitAnd,
        BinOp::BitOr(_) => BinaryOp::BitOr,
        BinOp::Shl(_) => BinaryOp::Shl,
        BinOp::Shr(_) => BinaryOp::Shr,
        BinOp::Eq(_) => BinaryOp::Eq,
        BinOp::Lt(_) => BinaryOp::Lt,
        BinOp::Le(_) => BinaryOp::Le,
        BinOp::Ne(_) => BinaryOp::Ne,
        BinOp::Ge(_) => BinaryOp::Ge,
        BinOp::Gt(_) => BinaryOp::Gt,
        _ => return None,
    })
}

/// The function of numbers that a path seems to call, `f64::sin(x)` or `Real::sin(x)`, by its own path and by the one that is written.
/// For all types that have the trait stands `f64`, which is known to have it.
pub(super) fn function_of_numbers(callee: &Syn, arguments: usize) -> Option<(Syntax, Syntax)> {
    let Syn::Path(written) = bare(callee) else { return None };
    let called = expr_path(written);
    let function = called.last();
    let known = Method::new(function.clone(), arguments.checked_sub(1)?).known;
    if !matches!(known, Some(Known::Elementary(_))) {
        return None;
    }
    if called.by_trait().is_some_and(|name| name == "Real") {
        let mut of = written.path.clone();
        of.segments.pop();
        of.segments.pop_punct();
        let real = quote_spanned!(function.span()=> <f64 as ::retrograd::private::Real>::#function);
        return Some((Syntax::of(&real), Syntax::of(&quote_spanned!(function.span()=> <f64 as #of>::#function))));
    }
    let owner = called.before().filter(|owner| called.of.is_none() && is_float(owner))?;
    Some((Syntax::of(&quote_spanned!(function.span()=> <#owner>::#function)), Syntax::of(written)))
}
