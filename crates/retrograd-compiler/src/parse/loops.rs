//! `for` and what it may go through.

use syn::Expr as Syn;

use super::Parser;
use crate::ir::{
    Adapter, ExprKind, For, Iter, Iteration, Member, Pattern, PatternKind, Place, Projection, Records, Source, Stmt,
    VarKind,
};
use crate::span::Span;

/// What one turn of a loop gets: how the names in its pattern stand to what it goes through.
#[derive(Clone)]
enum Item {
    /// A value.
    Value,
    /// A mutable view of this part of a place.
    View(Place),
    /// A pair.
    Pair(Box<Item>, Box<Item>),
}

impl Parser<'_> {
    pub(super) fn for_loop(&mut self, e: &syn::ExprForLoop, span: Span) -> Option<Stmt> {
        if let Some(label) = &e.label
            && self.records == Records::Nothing
        {
            self.error(
                Span::of(label),
                "there is nothing to leave by a label: `break` and `continue` cannot be undone",
            );
        }
        let iter = self.iter(&e.expr);
        self.names.enter();
        let pattern = match &iter {
            Some((_, item)) => self.loop_pattern(&e.pat, item),
            None => self.pattern(&e.pat, None, &VarKind::Bound),
        };
        if pattern.is_none() {
            self.declare_anyway(&e.pat, None);
        }
        let (number, body) = self.around(e.label.as_ref(), |parser| parser.block(&e.body));
        self.names.leave();
        let number = (self.records != Records::Nothing).then_some(number);
        Some(Stmt::For(For { number, ..For::new(pattern?, iter?.0, body, span) }))
    }

    fn loop_pattern(&mut self, pat: &syn::Pat, item: &Item) -> Option<Pattern> {
        match (pat, item) {
            (syn::Pat::Paren(p), _) => self.loop_pattern(&p.pat, item),
            (syn::Pat::Tuple(pats), Item::Pair(a, b)) if pats.elems.len() == 2 => {
                let a = self.loop_pattern(&pats.elems[0], a)?;
                let b = self.loop_pattern(&pats.elems[1], b)?;
                Some(Pattern { kind: PatternKind::Tuple(vec![a, b]), span: Span::of(pat) })
            }
            (syn::Pat::Tuple(pats), Item::View(place)) if !pats.elems.iter().any(is_rest) => {
                let parts = pats.elems.iter().enumerate().map(|(i, pat)| {
                    let part = place.clone().then(Projection::Field(Member::Index(i)));
                    self.loop_pattern(pat, &Item::View(part))
                });
                let parts = parts.collect::<Option<_>>()?;
                Some(Pattern { kind: PatternKind::Tuple(parts), span: Span::of(pat) })
            }
            (syn::Pat::Ident(_) | syn::Pat::Wild(_), Item::View(place)) => {
                self.pattern(pat, None, &VarKind::View(place.clone()))
            }
            (_, Item::View(_)) => {
                let written = crate::ir::text(quote::ToTokens::to_token_stream(pat));
                self.error(
                    Span::of(pat),
                    format!(
                        "the parts of an element that is changed have names only as parts of a tuple, `(a, b)`, and not in `{written}`; bind \
                         the element to one name and reach its parts as `v.0`, `v.x` or `v[k]`"
                    ),
                );
                None
            }
            (syn::Pat::Ident(_), Item::Pair(a, b)) if has_view(a) || has_view(b) => {
                self.error(Span::of(pat), "take the pair apart in the head of the loop: `for (a, b) in ..`");
                None
            }
            _ => self.pattern(pat, None, &VarKind::Bound),
        }
    }

    fn iter(&mut self, e: &Syn) -> Option<(Iter, Item)> {
        let span = Span::of(e);
        let plain = |source| Iter { source, adapters: Vec::new(), span };
        match e {
            Syn::Paren(inner) => self.iter(&inner.expr),
            Syn::Group(inner) => self.iter(&inner.expr),
            Syn::Range(range) => {
                let (Some(start), Some(end)) = (&range.start, &range.end) else {
                    self.error(span, "a loop that can be undone has two ends: `a..b` or `a..=b`");
                    return None;
                };
                let (start, end) = (self.expr(start), self.expr(end));
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                Some((plain(Source::Range { start: start?, end: end?, inclusive }), Item::Value))
            }
            Syn::Reference(r) if r.mutability.is_some() => {
                let place = self.target(&r.expr)?;
                Some((plain(Source::ElementsMut(place.clone())), Item::View(place.then(Projection::Some))))
            }
            Syn::Reference(r) => Some((plain(Source::Elements(self.expr(&r.expr)?)), Item::Value)),
            Syn::MethodCall(call) => self.adapted(call, span),
            Syn::Path(_) | Syn::Field(_) => {
                let value = self.expr(e)?;
                if let ExprKind::Var(var) = value.kind
                    && self.var(var).kind.is_mutable_reference()
                {
                    // A bare name of type `&mut` counts as changed, as in a call.
                    let place = Place::var(var, span);
                    return Some((plain(Source::ElementsMut(place.clone())), Item::View(place.then(Projection::Some))));
                }
                Some((plain(Source::Value(value)), Item::Value))
            }
            _ => self.not_an_iterator(span),
        }
    }

    fn adapted(&mut self, call: &syn::ExprMethodCall, span: Span) -> Option<(Iter, Item)> {
        let plain = |source| Iter { source, adapters: Vec::new(), span };
        let argument = call.args.first();
        match (call.method.to_string().as_str(), argument) {
            ("iter", None) => Some((plain(Source::Elements(self.expr(&call.receiver)?)), Item::Value)),
            ("iter_mut", None) => {
                let place = self.target(&call.receiver)?;
                Some((plain(Source::ElementsMut(place.clone())), Item::View(place.then(Projection::Some))))
            }
            ("chunks_exact", Some(size)) => {
                let (slice, size) = (self.expr(&call.receiver), self.expr(size));
                Some((plain(Source::Chunks(slice?, size?)), Item::Value))
            }
            ("chunks_exact_mut", Some(size)) => {
                let (place, size) = (self.target(&call.receiver), self.expr(size));
                let place = place?;
                Some((plain(Source::ChunksMut(place.clone(), size?)), Item::View(place.then(Projection::Some))))
            }
            ("windows", Some(size)) => {
                let (slice, size) = (self.expr(&call.receiver), self.expr(size));
                Some((plain(Source::Windows(slice?, size?)), Item::Value))
            }
            ("clone", None) => Some((plain(Source::Value(self.expr(&Syn::MethodCall(call.clone()))?)), Item::Value)),
            ("rev", None) => self.with(call, span, |_| (Adapter::Rev, None)),
            ("step_by", Some(step)) => {
                let step = self.expr(step)?;
                self.with(call, span, |_| (Adapter::StepBy(step), None))
            }
            ("skip", Some(count)) => {
                let count = self.expr(count)?;
                self.with(call, span, |_| (Adapter::Skip(count), None))
            }
            ("enumerate", None) => self
                .with(call, span, |item| (Adapter::Enumerate, Some(Item::Pair(Box::new(Item::Value), Box::new(item))))),
            ("copied", None) => self.with(call, span, |_| (Adapter::Copied(Iteration::Copied), None)),
            ("cloned", None) => self.with(call, span, |_| (Adapter::Copied(Iteration::Cloned), None)),
            ("zip", Some(other)) => {
                let (other, second) = self.iter(other)?;
                self.with(call, span, |item| {
                    (Adapter::Zip(Box::new(other)), Some(Item::Pair(Box::new(item), Box::new(second))))
                })
            }
            (name, _) => {
                let name = name.to_string();
                self.error(
                    span,
                    format!(
                        "`{name}` has no way back through the same elements in reverse; a loop goes through a range `a..b`, or through \
                         `iter`, `iter_mut`, `windows`, `chunks_exact`, `chunks_exact_mut` of a slice, with `rev`, `step_by`, `skip`, \
                         `zip` and `enumerate`"
                    ),
                );
                None
            }
        }
    }

    /// The receiver's iterator with one adapter more.
    fn with(
        &mut self,
        call: &syn::ExprMethodCall,
        span: Span,
        adapter: impl FnOnce(Item) -> (Adapter, Option<Item>),
    ) -> Option<(Iter, Item)> {
        let (mut iter, item) = self.iter(&call.receiver)?;
        let kept = item.clone();
        let (adapter, changed) = adapter(item);
        iter.adapters.push(adapter);
        iter.span = span;
        Some((iter, changed.unwrap_or(kept)))
    }

    fn not_an_iterator<R>(&mut self, span: Span) -> Option<R> {
        self.error(
            span,
            "the way back goes through the same elements in reverse, so a loop goes through an integer range `a..b`, `a..=b` \
             or through `iter`, `iter_mut`, `windows`, `chunks_exact`, `chunks_exact_mut` of a slice, with `rev`, `step_by`, \
             `skip`, `zip` and `enumerate`",
        );
        None
    }
}

fn is_rest(pat: &syn::Pat) -> bool {
    matches!(pat, syn::Pat::Rest(_))
}

fn has_view(item: &Item) -> bool {
    match item {
        Item::Value => false,
        Item::View(_) => true,
        Item::Pair(a, b) => has_view(a) || has_view(b),
    }
}
