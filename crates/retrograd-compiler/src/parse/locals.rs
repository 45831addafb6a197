//! `let`, `let mut`, views and `release!`.

use std::rc::Rc;

use syn::{Expr as Syn, Pat};

use super::expr::typed;
use super::{Parser, last_two};
use crate::analysis::types::number_of;
use crate::ir::{
    Binding, BindingKind, Expr, ExprKind, Member, Method, Mode, Pattern, PatternKind, Projection, Records, Rule, Stmt,
    Type, TypeKind, VarKind,
};
use crate::signature::types;
use crate::span::Span;

impl Parser<'_> {
    pub(super) fn local(&mut self, local: &syn::Local, span: Span, read: &mut Vec<Stmt>) {
        let (pat, ty) = typed(&local.pat);
        let ty = ty.as_ref();
        let Some(init) = &local.init else {
            if self.records != Records::Nothing
                && let Some(names) = given_later(pat, ty)
            {
                for (name, ty) in names {
                    let var = self.names.declare(name, ty.cloned(), VarKind::Ancilla);
                    self.later.insert(var, None);
                    let (pattern, value) = (Pattern::bind(var, span), Expr::rule(Rule::Later, Vec::new(), span));
                    let (kind, ty) = (BindingKind::Ancilla, ty.cloned());
                    read.push(Stmt::Begin(Binding { kind, pattern, ty, value, constant: false, span }));
                }
                return;
            }
            self.error(
                span,
                "a local needs a value from which it can be computed again: `let x = e;` or `let mut x = e;`; it may come later \
                 only in a program with `#[reversible(record)]`",
            );
            self.declare_anyway(pat, ty);
            return;
        };
        if let (Pat::Ident(p), None) = (pat, ty)
            && self.names_a_closure(p, &init.expr)
        {
            return;
        }
        if init.diverge.is_some() {
            self.error(
                span,
                "`let .. else` exits early, so the inverse cannot tell where to re-enter; use `match` or `if let`, or keep the way out, \
                 with `#[reversible(record)]` on the function",
            );
            self.declare_anyway(pat, ty);
            return;
        }
        let found = match (pat, &*init.expr) {
            (Pat::Tuple(pats), Syn::Tuple(values)) if is_several(pats, values) => {
                self.several(pats, ty, values, span, read);
                return;
            }
            (Pat::Tuple(pats), _) if pats.elems.iter().any(is_mut) => {
                self.error(
                    span,
                    "ancillas are bound one by one, so that each can be undone; write a `let mut` for each of them",
                );
                None
            }
            (_, Syn::Reference(r)) if r.mutability.is_some() => self.view(pat, ty, &r.expr, span),
            (_, Syn::MethodCall(call)) if call.method == "split_at_mut" && call.args.len() == 1 => {
                self.split_view(pat, call, span, read)
            }
            (_, value) if needs_a_name(pat, value) => {
                // `let Point { x, y } = f(a);` is `let whole = f(a); let Point { x, y } = whole;`: parts have their derivatives as parts of a
                // place, and those without a name have one there as well.
                let whole = crate::hygiene::fresh("__whole");
                let named: syn::Pat = syn::parse_quote_spanned!(syn::spanned::Spanned::span(value)=> #whole);
                let begun = self.binding(&named, ty, value, span);
                let named: Syn = syn::parse_quote_spanned!(syn::spanned::Spanned::span(value)=> #whole);
                begun.and_then(|begun| {
                    read.push(begun);
                    self.binding(pat, None, &named, span)
                })
            }
            (_, value) => self.binding(pat, ty, value, span),
        };
        match found {
            Some(stmt) => read.push(stmt),
            None => self.declare_anyway(pat, ty),
        }
    }

    /// `let (mut a, r) = (e, &x);` is `let mut a = e; let r = &x;`.
    fn several(
        &mut self,
        pats: &syn::PatTuple,
        ty: Option<&Type>,
        values: &syn::ExprTuple,
        span: Span,
        read: &mut Vec<Stmt>,
    ) {
        let mut lets = Vec::new();
        self.one_by_one(pats, ty, values, &mut lets);
        // All values are computed before the first name begins.
        let values: Vec<_> = lets.iter().map(|(_, _, value)| self.expr(value)).collect();
        for ((pat, ty, _), value) in lets.into_iter().zip(values) {
            let begun = value.and_then(|value| {
                let value = if let Some(ty) = ty { value.of_type(ty) } else { value };
                self.bind(pat, ty, value, span)
            });
            match begun {
                Some(stmt) => read.push(stmt),
                None => self.declare_anyway(pat, ty),
            }
        }
    }

    fn one_by_one<'a>(
        &mut self,
        pats: &'a syn::PatTuple,
        ty: Option<&'a Type>,
        values: &'a syn::ExprTuple,
        lets: &mut Vec<(&'a Pat, Option<&'a Type>, &'a Syn)>,
    ) {
        let types = match ty.map(|ty| (ty, &ty.kind)) {
            Some((_, TypeKind::Tuple(types))) if types.len() == values.elems.len() => types.iter().map(Some).collect(),
            Some((ty, _)) => {
                self.error(
                    Span::of(ty.written.tokens()),
                    "these are locals of their own: give each its type, `(A, B)`",
                );
                vec![None; values.elems.len()]
            }
            None => vec![None; values.elems.len()],
        };
        for ((pat, value), ty) in pats.elems.iter().zip(&values.elems).zip(types) {
            match (pat, value) {
                (Pat::Tuple(pats), Syn::Tuple(values)) if is_several(pats, values) => {
                    self.one_by_one(pats, ty, values, lets);
                }
                _ => lets.push((pat, ty, value)),
            }
        }
    }

    /// After an error the names exist all the same, so that one mistake gives one message.
    pub(super) fn declare_anyway(&mut self, pat: &Pat, ty: Option<&Type>) {
        match pat {
            Pat::Ident(p) => {
                if self.names.lookup(&p.ident).is_none_or(|var| !self.names.in_this_block(var)) {
                    let var = self.names.declare(&p.ident, ty.cloned(), VarKind::Ancilla);
                    self.refused.insert(var);
                }
                p.subpat.iter().for_each(|(_, p)| self.declare_anyway(p, None));
            }
            Pat::Tuple(p) => p.elems.iter().for_each(|p| self.declare_anyway(p, None)),
            Pat::TupleStruct(p) => p.elems.iter().for_each(|p| self.declare_anyway(p, None)),
            Pat::Slice(p) => p.elems.iter().for_each(|p| self.declare_anyway(p, None)),
            Pat::Struct(p) => p.fields.iter().for_each(|field| self.declare_anyway(&field.pat, None)),
            Pat::Reference(p) => self.declare_anyway(&p.pat, None),
            Pat::Paren(p) => self.declare_anyway(&p.pat, None),
            Pat::Type(p) => self.declare_anyway(&p.pat, Some(&types::read(&p.ty))),
            _ => {}
        }
    }

    /// `let x = e;` or `let mut x = e;`
    pub(super) fn binding(&mut self, pat: &Pat, ty: Option<&Type>, value: &Syn, span: Span) -> Option<Stmt> {
        let value = self.expr(value)?;
        let value = match ty {
            Some(ty) => value.of_type(ty),
            None => value,
        };
        self.bind(pat, ty, value, span)
    }

    fn bind(&mut self, pat: &Pat, ty: Option<&Type>, value: Expr, span: Span) -> Option<Stmt> {
        if let Some(var) = self.hidden_reference(&value) {
            let name = self.var(var).written.clone();
            self.error(
                span,
                format!(
                    "this `let` hides the mutable reference `{name}` under another name, and its changes could not be told \
                     from changes of `{name}`; use `{name}` itself, read its value with `*{name}`, or make a view such as \
                     `let v = &mut {name}[a..b];`"
                ),
            );
            return None;
        }
        let (kind, pattern) = match pat {
            Pat::Ident(p) if p.mutability.is_some() && p.by_ref.is_none() && p.subpat.is_none() => {
                let refers = self.refers(&value);
                let seen = || number_of(&self.names.vars, self.numbers, &value);
                let var = self.names.declare(&p.ident, ty.cloned().or_else(seen), VarKind::Ancilla);
                self.references.extend(refers.then_some(var));
                (BindingKind::Ancilla, Pattern::bind(var, Span::of(pat)))
            }
            _ => (BindingKind::Let, self.pattern(pat, ty, &VarKind::Let)?),
        };
        if !ty.is_some_and(Type::is_list) {
            self.note_ranges(&pattern, &value);
        }
        let ty = ty.cloned();
        Some(Stmt::Begin(Binding { kind, pattern, ty, value, constant: false, span }))
    }

    /// Whether a value is visibly a shared reference.
    pub(super) fn refers(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Ref(_) => true,
            ExprKind::Var(var) => self.var(*var).kind == VarKind::Param(Mode::Borrow) || self.references.contains(var),
            _ => false,
        }
    }

    /// Notes which names hold ranges.
    fn note_ranges(&mut self, pattern: &Pattern, value: &Expr) {
        match (&pattern.kind, &value.kind) {
            (PatternKind::Tuple(parts), ExprKind::Tuple(values)) if parts.len() == values.len() => {
                parts.iter().zip(values).for_each(|(part, value)| self.note_ranges(part, value));
            }
            _ => {
                if let Some(var) = pattern.as_var()
                    && crate::analysis::index::may_be_range(&self.names.vars, value)
                {
                    self.names.holds_range(var);
                }
            }
        }
    }

    /// A bare `&mut` name that becomes a part of the value, or the value itself.
    fn hidden_reference(&self, value: &Expr) -> Option<crate::ir::VarId> {
        match &value.kind {
            ExprKind::Var(var) => self.var(*var).kind.is_mutable_reference().then_some(*var),
            ExprKind::Tuple(all) | ExprKind::Array(all) => all.iter().find_map(|e| self.hidden_reference(e)),
            ExprKind::Struct { fields, .. } => fields.iter().find_map(|(_, e)| self.hidden_reference(e)),
            ExprKind::If { then, otherwise, .. } => {
                self.hidden_reference(then).or_else(|| self.hidden_reference(otherwise))
            }
            ExprKind::Match { arms, .. } => arms.iter().find_map(|arm| self.hidden_reference(&arm.value)),
            ExprKind::Block { tail, .. } => self.hidden_reference(tail),
            _ => None,
        }
    }

    /// `let v = &mut x[a..b];`
    fn view(&mut self, pat: &Pat, ty: Option<&Type>, value: &Syn, span: Span) -> Option<Stmt> {
        let place = self.target(value)?;
        if !matches!(place.path.last(), Some(Projection::Index(_) | Projection::Field(_))) {
            let name = self.var(place.root).written.clone();
            self.error(
                span,
                format!(
                    "this `let` hides a mutable reference to all of `{name}` under another name; use `{name}` itself, or \
                     make a view of a part of it, `let v = &mut {name}[a..b];`"
                ),
            );
            return None;
        }
        let Pat::Ident(p) = pat else {
            self.error(span, "a view is bound to one name: `let v = &mut x[a..b];`");
            return None;
        };
        if p.mutability.is_some() {
            self.error(span, "a view is changed through, not itself: write `let v = &mut ..;` without `mut`");
            return None;
        }
        let var = self.names.declare(&p.ident, ty.cloned(), VarKind::View(place.clone()));
        let pattern = Pattern::bind(var, Span::of(pat));
        let ty = ty.cloned();
        let value = place.to_expr();
        Some(Stmt::Begin(Binding { kind: BindingKind::View, pattern, ty, value, constant: false, span }))
    }

    /// `let (l, r) = x.split_at_mut(m);`
    fn split_view(&mut self, pat: &Pat, call: &syn::ExprMethodCall, span: Span, read: &mut Vec<Stmt>) -> Option<Stmt> {
        let place = self.target(&call.receiver)?;
        let mut middle = self.expr(&call.args[0])?;
        if middle.mentions(place.root) {
            // `x.split_at_mut(x.len() / 2)` is `let middle = x.len() / 2; x.split_at_mut(middle)`: `x` is borrowed by then.
            let (named, written) = (crate::hygiene::fresh("__middle"), Span::of(&call.args[0]));
            let name: Pat = syn::parse_quote_spanned!(written.first=> #named);
            read.push(self.bind(&name, None, middle, span)?);
            middle = self.expr(&syn::parse_quote_spanned!(written.first=> #named))?;
        }
        let Pat::Tuple(pats) = pat else {
            self.error(span, "`split_at_mut` gives two views: `let (left, right) = x.split_at_mut(m);`");
            return None;
        };
        let mut parts = Vec::new();
        for (pat, half) in pats.elems.iter().zip(halves(&middle)) {
            let part = place.clone().then(Projection::Index(half));
            parts.push(match pat {
                Pat::Wild(_) => Pattern { kind: PatternKind::Wild, span: Span::of(pat) },
                Pat::Ident(p) if p.mutability.is_none() => {
                    Pattern::bind(self.names.declare(&p.ident, None, VarKind::View(part)), Span::of(pat))
                }
                _ => {
                    self.error(Span::of(pat), "each half of a split is bound to a plain name");
                    return None;
                }
            });
        }
        let pattern = Pattern { kind: PatternKind::Tuple(parts), span: Span::of(pat) };
        let receiver = Rc::new(place.to_expr());
        let kind = ExprKind::Method {
            receiver,
            method: Method::new(call.method.clone(), 1),
            turbofish: None,
            args: vec![middle],
        };
        let value = Expr::new(kind, Span::of(call));
        Some(Stmt::Begin(Binding { kind: BindingKind::View, pattern, ty: None, value, constant: false, span }))
    }

    /// `release!(x == e);`
    pub(super) fn release(&mut self, mac: &syn::Macro, span: Span) -> Option<Stmt> {
        let shape = "`release!` names an ancilla and the value it has again: `release!(x == e);`";
        let equation = mac.parse_body_with(|input: syn::parse::ParseStream<'_>| {
            let equation = input.parse::<Syn>()?;
            input.parse::<Option<syn::Token![,]>>()?;
            Ok(equation)
        });
        let Ok(Syn::Binary(binary)) = equation else {
            self.error(span, shape);
            return None;
        };
        let ident = match (&*binary.left, &binary.op) {
            (Syn::Path(path), syn::BinOp::Eq(_)) => path.path.get_ident().cloned(),
            _ => None,
        };
        let Some(ident) = ident else {
            self.error(span, shape);
            return None;
        };
        let value = self.expr(&binary.right);
        let Some(var) = self.names.resolve(&ident) else {
            self.error(
                Span::of(&binary.left),
                format!("there is no ancilla `{ident}` here; begin it with `let mut {ident} = ..;`"),
            );
            return None;
        };
        if self.var(var).kind != VarKind::Ancilla {
            self.error(
                Span::of(&binary.left),
                format!(
                    "`{ident}` is not an ancilla; only what was begun with `let mut {ident} = ..;` can be released"
                ),
            );
            return None;
        }
        if !self.names.in_this_block(var) {
            let begun = self.var(var).span;
            if self.names.before_compute(var) {
                self.error(
                    span,
                    format!(
                        "`{ident}` begins in front of the `#[compute]` block, and what follows that is a block of its own, after which \
                         the `#[compute]` block is undone; drop this `release!`, or begin `{ident}` behind the `#[compute]` block"
                    ),
                );
                return None;
            }
            self.names.diagnostics.error_with(
                span,
                format!(
                    "`{ident}` lives in another block than this `release!`, so its life would not end on every way through; \
                     release it in the block that begins it"
                ),
                begun,
                format!("`{ident}` begins here"),
            );
            return None;
        }
        let value = value?;
        if value.mentions(var) {
            self.error(span, format!("`{ident}` is compared with itself; say its value without it"));
            return None;
        }
        self.names.release(var, span);
        let ty = self.var(var).ty.clone();
        let pattern = Pattern::bind(var, Span::of(&binary.left));
        Some(Stmt::End(Binding { kind: BindingKind::Manual, pattern, ty, value, constant: false, span }))
    }

    /// Statements that are macros: `release!`, assertions, printing.
    pub(super) fn macro_stmt(&mut self, mac: &syn::Macro, stmt: &syn::Stmt, span: Span) -> Option<Stmt> {
        let (name, _) = last_two(&mac.path);
        match name.map(ToString::to_string).unwrap_or_default().as_str() {
            "release" => self.release(mac, span),
            "print" | "println" | "eprint" | "eprintln" | "dbg" | "panic" | "unreachable" | "todo"
            | "unimplemented" => self.host(stmt, false, span),
            "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
                self.assertion(stmt, span)
            }
            name => {
                self.error(
                    span,
                    format!(
                        "the compiler cannot look into `{name}!` to run it backwards; write out what it does, or mark it \
                         `#[host]` if it only prints or counts"
                    ),
                );
                None
            }
        }
    }
}

/// `..middle` and `middle..`
pub(super) fn halves(middle: &Expr) -> [Expr; 2] {
    let range = |start: Option<&Expr>, end: Option<&Expr>| {
        let start = start.cloned().map(Rc::new);
        let end = end.cloned().map(Rc::new);
        Expr::new(ExprKind::Range { start, end, inclusive: false }, middle.span)
    };
    [range(None, Some(middle)), range(Some(middle), None)]
}

/// The names of a `let` without a value, one by one, with their types.
fn given_later<'p>(pat: &'p Pat, ty: Option<&'p Type>) -> Option<Vec<(&'p syn::Ident, Option<&'p Type>)>> {
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(vec![(&p.ident, ty)]),
        Pat::Tuple(p) => {
            let part = |i: usize| ty.and_then(|ty| ty.field(&Member::Index(i)));
            let parts = p.elems.iter().enumerate().map(|(i, pat)| given_later(pat, part(i)));
            parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat())
        }
        Pat::Paren(p) => given_later(&p.pat, ty),
        _ => None,
    }
}

/// Whether a value is to have a name before it is taken apart.
pub(super) fn needs_a_name(pat: &Pat, value: &Syn) -> bool {
    takes_apart(pat, !matches!(value, Syn::Tuple(_) | Syn::Array(_))) && !is_place(value)
}

/// Whether a pattern names parts of structs, and not only those of tuples and arrays, or leaves parts of a value `made` by a call out.
fn takes_apart(pat: &Pat, made: bool) -> bool {
    let any = |elems: &syn::punctuated::Punctuated<Pat, syn::Token![,]>| {
        elems.iter().any(|pat| takes_apart(pat, made) || made && matches!(pat, Pat::Wild(_) | Pat::Rest(_)))
    };
    match pat {
        Pat::Struct(_) | Pat::TupleStruct(_) => true,
        Pat::Tuple(p) => any(&p.elems),
        Pat::Slice(p) => any(&p.elems),
        Pat::Reference(p) => takes_apart(&p.pat, made),
        Pat::Paren(p) => takes_apart(&p.pat, made),
        _ => false,
    }
}

/// Whether an expression is a place, or a reference to one.
fn is_place(e: &Syn) -> bool {
    match e {
        Syn::Path(_) => true,
        Syn::Reference(e) => is_place(&e.expr),
        Syn::Unary(e) => matches!(e.op, syn::UnOp::Deref(_)) && is_place(&e.expr),
        Syn::Field(e) => is_place(&e.base),
        Syn::Index(e) => is_place(&e.expr),
        Syn::Paren(e) => is_place(&e.expr),
        Syn::Group(e) => is_place(&e.expr),
        _ => false,
    }
}

fn is_mut(pat: &Pat) -> bool {
    matches!(pat, Pat::Ident(p) if p.mutability.is_some())
}

/// Whether a tuple of names and a tuple of values are several lets: some begin memory, or some and not all are references, which have
/// derivatives as names for what they refer to.
fn is_several(pats: &syn::PatTuple, values: &syn::ExprTuple) -> bool {
    fn refers(value: &Syn) -> bool {
        match value {
            Syn::Reference(r) => r.mutability.is_none(),
            Syn::Tuple(values) => values.elems.iter().any(refers),
            _ => false,
        }
    }
    let begins = |(pat, value): (&Pat, &Syn)| match (pat, value) {
        (Pat::Tuple(pats), Syn::Tuple(values)) => is_several(pats, values),
        _ => is_mut(pat),
    };
    let same = pats.elems.len() == values.elems.len() && !pats.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)));
    let all = values.elems.iter().all(|value| matches!(value, Syn::Reference(_)));
    same && (pats.elems.iter().zip(&values.elems).any(begins) || !all && values.elems.iter().any(refers))
}
