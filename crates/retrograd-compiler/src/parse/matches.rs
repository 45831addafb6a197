//! `match` and `if let`, and what the names in their patterns are.
//!
//! A name in a pattern is a part of the place that is matched, and is only read. If the place is matched by a mutable reference, and all
//! patterns look at the variant only, it is a view of its part, which may be changed: that leaves the variant as it is, and so the
//! inverse finds the same arm.

use std::rc::Rc;

use syn::{Expr as Syn, Pat};

use super::Parser;
use super::ordinary::popped;
use super::pattern::is_constant;
use crate::ir::{
    Arm, Block, Expr, ExprKind, Match, Member, Method, Mode, Pattern, PatternKind, Place, Projection, Stmt, VarKind,
};
use crate::span::Span;

/// What is matched.
struct Matched {
    value: Option<Expr>,
    /// The place that it is, and whether it is matched by a mutable reference.
    place: Option<(Place, bool)>,
}

impl Matched {
    /// What the names in patterns are, unless they are views.
    fn kind(&self) -> VarKind {
        match &self.place {
            Some((place, _)) => VarKind::Part(place.clone().then(Projection::Some)),
            None => VarKind::Bound,
        }
    }

    /// What is matched. Where names are not views, nothing is changed by them, and a shared reference does.
    fn scrutinee(self, by_views: bool) -> Option<Expr> {
        let value = self.value?;
        match value.kind {
            ExprKind::RefMut(inner) if !by_views => Some(Expr::new(ExprKind::Ref(inner), value.span)),
            _ => Some(value),
        }
    }

    /// The place of which names in these patterns are views.
    fn viewed<'p>(&self, mut patterns: impl Iterator<Item = &'p Pat>) -> Option<&Place> {
        self.place.as_ref().filter(|(_, mutable)| *mutable && patterns.all(tests_the_variant)).map(|(place, _)| place)
    }
}

/// What is matched under a name of its own: the `let`, and the name.
struct Named {
    begun: Option<Stmt>,
    name: Syn,
}

impl Parser<'_> {
    /// `if let p = v { A } else { B }` is `match v { p => A, _ => B }`.
    pub(super) fn if_let(&mut self, e: &syn::ExprIf, condition: &syn::ExprLet, span: Span) -> Option<Stmt> {
        if let Some(named) = self.named(&condition.expr, std::iter::once(&*condition.pat), span) {
            let condition = syn::ExprLet { expr: Box::new(named.name.clone()), ..condition.clone() };
            let stmt = self.if_let(e, &condition, span);
            return self.with_name(named, stmt, span);
        }
        let matched = self.matched(&condition.expr);
        self.names.enter();
        let pattern = self.arm_pattern(&condition.pat, &matched.kind());
        let viewed = matched.viewed(std::iter::once(&*condition.pat));
        self.view_parts(pattern.as_ref(), viewed);
        let by_views = viewed.is_some();
        let then = self.block(&e.then_branch);
        self.names.leave();
        let body = self.otherwise(e).unwrap_or(Block { stmts: Vec::new(), span });
        let wild = Pattern { kind: PatternKind::Wild, span };
        let arms = vec![Arm { pattern: pattern?, guard: None, body: then }, Arm { pattern: wild, guard: None, body }];
        Some(Stmt::Match(Match { scrutinee: matched.scrutinee(by_views)?, arms, span }))
    }

    pub(super) fn match_stmt(&mut self, e: &syn::ExprMatch, span: Span) -> Option<Stmt> {
        if let Some(named) = self.named(&e.expr, e.arms.iter().map(|arm| &arm.pat), span) {
            let stmt = self.match_stmt(&syn::ExprMatch { expr: Box::new(named.name.clone()), ..e.clone() }, span);
            return self.with_name(named, stmt, span);
        }
        let matched = self.matched(&e.expr);
        let (kind, viewed) = (matched.kind(), matched.viewed(e.arms.iter().map(|arm| &arm.pat)));
        let by_views = viewed.is_some();
        let arms = e
            .arms
            .iter()
            .map(|arm| {
                self.no_attributes(&arm.attrs);
                self.names.enter();
                let read = self.guarded(&arm.pat, &kind);
                self.view_parts(read.as_ref().map(|(pattern, _)| pattern), viewed);
                let body = match &*arm.body {
                    Syn::Block(block) if block.label.is_none() => self.block(&block.block),
                    Syn::Tuple(unit) if unit.elems.is_empty() => Block { stmts: Vec::new(), span: Span::of(unit) },
                    other => self.only(other),
                };
                self.names.leave();
                let (pattern, guard) = read?;
                Some(Arm { pattern, guard, body })
            })
            .collect::<Vec<_>>();
        let arms = arms.into_iter().collect::<Option<_>>()?;
        Some(Stmt::Match(Match { scrutinee: matched.scrutinee(by_views)?, arms, span }))
    }

    /// `match f(x) { Some(y) => .. }` is `{ let matched = f(x); match matched { Some(y) => .. } }`: parts have their derivatives as parts of a
    /// place.
    fn named<'p>(&mut self, e: &Syn, mut patterns: impl Iterator<Item = &'p Pat>, span: Span) -> Option<Named> {
        let is_made = match e {
            Syn::Call(call) => matches!(*call.func, Syn::Path(_)),
            Syn::MethodCall(call) => {
                let of_lists =
                    ["get", "first", "last", "split_first", "split_last", "as_ref", "as_mut", "as_deref", "as_slice"];
                Method::new(call.method.clone(), call.args.len()).known.is_none()
                    && !of_lists.iter().any(|name| call.method == name)
                    && popped(e).is_none()
            }
            _ => false,
        };
        if !is_made || !patterns.any(takes_apart) {
            return None;
        }
        self.names.enter();
        let (named, at) = (crate::hygiene::fresh("matched"), Span::of(e).first);
        let begun = self.binding(&syn::parse_quote_spanned!(at=> #named), None, e, span);
        Some(Named { begun, name: syn::parse_quote_spanned!(at=> #named) })
    }

    fn with_name(&mut self, named: Named, stmt: Option<Stmt>, span: Span) -> Option<Stmt> {
        self.names.leave();
        Some(Stmt::Block(Block { stmts: vec![named.begun?, stmt?], span }))
    }

    /// `v`, `&mut v`, or `v.as_mut()`, which is the same.
    fn matched(&mut self, e: &Syn) -> Matched {
        // `as_mut` of a mutable reference is one of what it refers to, and so is the bare name.
        if let Syn::MethodCall(call) = e
            && let (true, true, Syn::Path(path)) = (call.method == "as_mut", call.args.is_empty(), &*call.receiver)
            && let Some(var) = path.path.get_ident().and_then(|name| self.names.lookup(name))
            && self.var(var).kind.is_mutable_reference()
        {
            return self.matched(&call.receiver);
        }
        let changed = match e {
            Syn::Reference(reference) if reference.mutability.is_some() => Some(&*reference.expr),
            Syn::MethodCall(call) if call.method == "as_mut" && call.args.is_empty() => Some(&*call.receiver),
            _ => None,
        };
        if let Some(changed) = changed {
            let span = Span::of(e);
            let place = self.target_of(changed, span);
            let value = place.as_ref().map(|place| Expr::new(ExprKind::RefMut(Rc::new(place.to_expr())), span));
            return Matched { value, place: place.map(|place| (place, true)) };
        }
        let value = self.expr(e);
        let place = value.as_ref().and_then(|e| match &e.kind {
            ExprKind::Ref(inner) => inner.as_place(),
            _ => e.as_place(),
        });
        // The bare name of a mutable reference is matched by that.
        let mutable = |place: &Place| {
            let kind = &self.var(place.root).kind;
            place.path.is_empty() && matches!(kind, VarKind::Param(Mode::Change) | VarKind::View(_))
        };
        let is_ref = value.as_ref().is_some_and(|e| matches!(e.kind, ExprKind::Ref(_)));
        let place = place.map(|place| {
            let mutable = !is_ref && mutable(&place);
            (place, mutable)
        });
        Matched { value, place }
    }

    /// Makes the names of the parts of a variant views.
    fn view_parts(&mut self, pattern: Option<&Pattern>, place: Option<&Place>) {
        let (Some(pattern), Some(place)) = (pattern, place) else { return };
        let parts: Vec<(Member, &Pattern)> = match &pattern.kind {
            PatternKind::TupleStruct(_, parts) => {
                let rest = parts.iter().position(|part| part.kind == PatternKind::Rest).unwrap_or(parts.len());
                // Behind `..` a part is one of others than those in front of it, and that is all that matters.
                let number = |i: usize| if i < rest { i } else { usize::MAX - (parts.len() - i) };
                parts.iter().enumerate().map(|(i, part)| (Member::Index(number(i)), part)).collect()
            }
            PatternKind::Struct { fields, .. } => {
                fields.iter().map(|field| (field.member.clone(), &field.pattern)).collect()
            }
            _ => return,
        };
        for (member, part) in parts {
            self.view_part(part, place.clone().then(Projection::Some).then(Projection::Field(member)));
        }
    }

    /// Makes a name, or the names of elements of an array or a tuple, views of a part.
    fn view_part(&mut self, part: &Pattern, place: Place) {
        match &part.kind {
            PatternKind::Bind { var, .. } => self.names.vars[var.0].kind = VarKind::View(place),
            PatternKind::Slice(elements) => {
                for (i, element) in elements.iter().enumerate() {
                    let index = Projection::Index(Expr::integer(i, element.span));
                    self.view_part(element, place.clone().then(index));
                }
            }
            PatternKind::Tuple(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    self.view_part(part, place.clone().then(Projection::Field(Member::Index(i))));
                }
            }
            _ => {}
        }
    }
}

/// Whether a pattern gives names to parts.
fn takes_apart(pat: &Pat) -> bool {
    match pat {
        Pat::Guard(guarded) => takes_apart(&guarded.pat),
        Pat::Paren(inner) => takes_apart(&inner.pat),
        Pat::TupleStruct(whole) => {
            !whole.elems.iter().all(|part| matches!(part, Pat::Wild(_) | Pat::Rest(_) | Pat::Lit(_)))
        }
        Pat::Struct(whole) => !whole.fields.is_empty(),
        Pat::Tuple(_) | Pat::Slice(_) => true,
        _ => false,
    }
}

/// Whether a pattern looks at nothing but the variant.
fn tests_the_variant(pat: &Pat) -> bool {
    match pat {
        Pat::Guard(guarded) => tests_the_variant(&guarded.pat),
        Pat::Paren(inner) => tests_the_variant(&inner.pat),
        Pat::Or(all) => all.cases.iter().all(tests_the_variant),
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.by_ref.is_none() && name.subpat.is_none(),
        // A variant: rustc compares no constant with what is behind a mutable reference.
        Pat::Path(_) => true,
        Pat::TupleStruct(variant) => variant.elems.iter().all(names_parts),
        Pat::Struct(variant) => variant.fields.iter().all(|field| names_parts(&field.pat)),
        _ => false,
    }
}

/// `x`, `_`, `..`, and arrays and tuples of names: no more is asked than how many elements there are.
fn names_parts(pat: &Pat) -> bool {
    let without_rest = |pat: &Pat| !matches!(pat, Pat::Rest(_)) && names_parts(pat);
    match pat {
        Pat::Slice(elements) => elements.elems.iter().all(without_rest),
        Pat::Tuple(parts) => parts.elems.iter().all(without_rest),
        pat => is_name(pat),
    }
}

/// `x`, `_` or `..`
fn is_name(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(name) => name.by_ref.is_none() && name.subpat.is_none() && !is_constant(&name.ident.to_string()),
        _ => false,
    }
}
